import { ForeproofError } from '../../contract/error.js'
import type { KeyEntry } from '../keys/key-file.js'
import type { Logger } from '../log.js'
import type { ServiceConfig } from './config.js'
import { noKey, readKeyEntries, readKeys } from './key-sources.js'
import { decideSettings, requireSharedSecret, type ServiceSettings } from './settings.js'

/** What a service is started with: its settings, each with the default of the command, and its secrets. */
export interface ServiceOptions extends Partial<Omit<ServiceSettings, 'workers'>> {
  /** Accepted API keys, at least one, unless `keysFile` names a file of digests: then none. */
  readonly keys?: readonly string[] | undefined
  /** Keeps the fingerprints of keys the same from process to process; made at random otherwise. */
  readonly fingerprintSecret?: string | undefined
  /** Told of what happens, nothing of which holds a key; nobody by default. */
  readonly logger?: Logger | undefined
}

/** What a service runs on. */
export interface CheckedOptions
  extends Pick<ServiceConfig, 'settings' | 'keys' | 'fingerprintSecret'> {
  /** What `settings.keysFile` holds. */
  readonly entries: readonly KeyEntry[]
}

/** @throws {ForeproofError} `usage` that names the option whose value is bad. */
export function checkOptions(options: ServiceOptions): CheckedOptions {
  const settings = decideSettings((name) => {
    return { value: name === 'workers' ? undefined : options[name], name }
  })
  const { keys: given = [], fingerprintSecret } = options
  const { keysFile } = settings
  const common = { settings, fingerprintSecret: fingerprintSecret || undefined }
  requireSharedSecret(settings, common.fingerprintSecret, 'fingerprintSecret')
  if (keysFile === '') return { ...common, keys: checkKeys(given), entries: [] }
  if (given.length > 0) checkKeys(given, keysFile)
  return { ...common, keys: [], entries: readKeyEntries(keysFile, 'keysFile') }
}

/** @throws {ForeproofError} `usage` where no key is given, one that no header can carry, or a file as well. */
export function checkKeys(given: readonly string[], keysFile = ''): string[] {
  if (keysFile !== '') {
    throw new ForeproofError('usage', 'API keys are given twice: as keys and as keysFile')
  }
  const keys = readKeys(given, 'keys')
  if (keys.length === 0) throw noKey()
  return keys
}
