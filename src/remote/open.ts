import { createClient } from './client.js'
import {
  type Deployment,
  deploymentAt,
  folderDeployment,
  isFolder,
  readAddress,
  type Variant,
} from './deployment.js'

export interface DeploymentOptions {
  /** What an address is; found out if not given, but an address with a key is a service. */
  readonly variant?: Variant | undefined
  /** An API key, sent to the host of the address alone. */
  readonly key?: string | undefined
  /** Told before each wait that the host asks for, with its cause. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined
}

/**
 * A published forecast history: the folder of a built site, or the address of a static site or of a
 * service, also when that of one of its pages was given.
 * @throws {ForeproofError} `usage` for what is neither a folder nor an address; `io` when nobody answers.
 */
export async function openDeployment(
  source: string,
  { variant, key, onWait }: DeploymentOptions = {},
): Promise<Deployment> {
  if (isFolder(source)) return folderDeployment(source)
  const base = readAddress(source)
  const client = createClient({ key, keyOrigin: base.origin, onWait })
  return deploymentAt(base, client, variant ?? (key === undefined ? undefined : 'dynamic'))
}
