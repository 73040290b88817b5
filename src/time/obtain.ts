import { randomBytes } from 'node:crypto'
import { ForeproofError } from '../contract/error.js'
import { type Finding, messageOf } from '../contract/findings/finding.js'
import { addressText } from '../remote/address.js'
import { type AskAuthorityOptions, askAuthority } from './ask.js'
import type { Anchor } from './rfc3161/anchors.js'
import { timeStampQuery } from './rfc3161/structures.js'
import type { TimeStamp } from './rfc3161/types.js'
import { verifyToken } from './rfc3161/verify-token.js'

/** Enough that no authority has seen it before, and within what all of them repeat. */
const NONCE_BYTES = 8

export interface ObtainStampOptions extends AskAuthorityOptions {
  /** Where the authority is asked. */
  readonly url: string
  /** The bytes to be stamped; only their digest leaves this machine. */
  readonly data: Uint8Array
  /** Those that are trusted. */
  readonly anchors: readonly Anchor[]
}

export interface ObtainedStamp {
  readonly stamp: TimeStamp
  /** The answer of the authority, byte for byte. */
  readonly token: Uint8Array
  /** Warnings of its verification. */
  readonly findings: readonly Finding[]
}

/**
 * Asks an authority for a stamp and verifies what it answers, with the nonce of the request.
 * @throws {ForeproofError} as `askAuthority`; `io` when the answer is no stamp over the data that leads
 * to one of the anchors.
 */
export async function obtainStamp(options: ObtainStampOptions): Promise<ObtainedStamp> {
  const { url, data, anchors, ...ask } = options
  const query = timeStampQuery(data, newNonce())
  const token = await askAuthority(url, query, ask)
  const verified = await verifyToken(token, data, anchors, { file: addressText(url), query })
  if (verified.ok) return { stamp: verified.stamp, token, findings: verified.findings }
  const { findings } = verified
  const [first] = findings
  const { text, help } = first ? messageOf(first) : { text: 'no stamp', help: undefined }
  throw new ForeproofError('io', `${addressText(url)}: ${text}`, {
    findings,
    ...(help !== undefined && { help }),
  })
}

/** The nonce of one request. */
export function newNonce(): Uint8Array {
  return randomBytes(NONCE_BYTES)
}
