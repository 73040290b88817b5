import { ForeproofError } from '../contract/error.js'
import { hasNoErrors } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { loadDocument } from '../protocol/load.js'
import { type Broken, broken } from './links.js'
import { proveNamedProtocol, proveRegistration } from './load.js'
import { readRegistration } from './read-registration.js'

export interface PairingPaths {
  /** The protocol itself, or `-`. */
  readonly protocol: string
  readonly outcomes: string
  readonly registration?: string | undefined
}

/** What a pairing rests on: a registration is not needed, nor looked for in a ledger. */
export interface PairingInputs {
  readonly ok: true
  readonly protocol: Protocol
  readonly vintage: Vintage
  readonly registration: Registration | undefined
}

/**
 * Reads what `pair` works on: the protocol that is named, proved by the ledger beside it, and the
 * registration under it.
 * @throws {ForeproofError} `refused` when it was registered on another vintage.
 */
export async function loadPairing(
  paths: PairingPaths,
  stdin: NodeJS.ReadableStream,
): Promise<PairingInputs | Broken> {
  const named = proveNamedProtocol(await loadDocument(paths.protocol, stdin))
  if (!named.document.ok || !hasNoErrors(named.findings)) {
    return broken('protocol', named.findings, named.document)
  }
  const protocol = named.document.value as Protocol
  const vintage = readVintage(paths.outcomes)
  if (paths.registration === undefined) {
    return { ok: true, protocol, vintage, registration: undefined }
  }
  const loaded = proveRegistration(readRegistration(paths.registration), protocol)
  if (!loaded.ok) return loaded
  const { registration } = loaded
  const { vintage_sha256: registered } = registration.outcomes
  if (registered !== null && registered !== vintage.manifest.sha256) {
    throw new ForeproofError(
      'refused',
      `registered on the vintage ${registered}, not ${vintage.manifest.sha256}`,
      {
        file: paths.registration,
        pointer: '/outcomes/vintage_sha256',
        help: 'Give the registered vintage.',
      },
    )
  }
  return { ok: true, protocol, vintage, registration }
}
