import { ForeproofError } from '../contract/error.js'
import { hasNoErrors } from '../contract/findings/finding.js'
import type { Protocol, Registration } from '../contract/types.js'
import { STDIN } from '../files/input.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { loadDocument } from '../protocol/load.js'
import { type Broken, broken } from './links.js'
import { type Documents, loadDocuments, proveNamedProtocol } from './load.js'

export interface PairingPaths {
  /** The protocol itself, or `-`; with a registration, its folder does as well. */
  readonly protocol: string
  readonly outcomes: string
  readonly registration?: string | undefined
}

/** What a pairing rests on; a registration is not needed. */
export interface PairingInputs {
  readonly ok: true
  readonly protocol: Protocol
  readonly vintage: Vintage
  readonly registration: Registration | undefined
  /** The registration with its ledger and protocol, where there is one. */
  readonly documents: Documents | undefined
}

const NOTHING_REGISTERED = { registration: undefined, documents: undefined }

/**
 * Reads what `pair` works on: the protocol that is named, proved by the ledger beside it, and the
 * registration under it.
 * @throws {ForeproofError} `refused` when it was registered on another vintage.
 */
export async function loadPairing(
  paths: PairingPaths,
  stdin: NodeJS.ReadableStream,
  signal?: AbortSignal,
): Promise<PairingInputs | Broken> {
  if (paths.registration === undefined) {
    const named = proveNamedProtocol(await loadDocument(paths.protocol, stdin, signal))
    if (!named.document.ok || !hasNoErrors(named.findings)) {
      return broken('protocol', named.findings, named.document)
    }
    const protocol = named.document.value as Protocol
    return { ok: true, protocol, vintage: readVintage(paths.outcomes), ...NOTHING_REGISTERED }
  }
  if (paths.protocol === STDIN) {
    throw new ForeproofError('usage', 'a protocol from standard input has no ledger', {
      help: 'A registration must be in the ledger of its protocol. Name the file of the protocol.',
    })
  }
  const documents = await loadDocuments({ ...paths, registration: paths.registration })
  if (!documents.ok) return documents
  const { protocol, registration } = documents
  const vintage = readVintage(paths.outcomes)
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
  return { ok: true, protocol, vintage, registration, documents }
}
