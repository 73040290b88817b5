import type { Finding } from '../../contract/findings/finding.js'
import type { Anchor } from './anchors.js'
import type { VerifyOptions, VerifyTokenResult } from './types.js'

/**
 * Verifies an answer of a time-stamping authority (RFC 3161, TimeStampResp in DER) against pinned anchors,
 * at the time it states: no clock and no network has a part in it. The first check that fails is the one
 * finding; a token that holds may bring warnings.
 * @param data - the bytes that were stamped.
 */
export async function verifyToken(
  token: Uint8Array,
  data: Uint8Array,
  anchors: readonly Anchor[],
  options: VerifyOptions,
): Promise<VerifyTokenResult> {
  // The library that reads certificates takes a while to load: only who has a stamp waits for it.
  const { verifyAnswer } = await import('./verify-answer.js')
  return verifyAnswer(token, data, anchors, options)
}

/**
 * What is wrong with a token where nobody's anchor is at hand: whose stamp it is remains open, and is all that may.
 * @param data - the bytes that were stamped.
 * @param file - the token's file, for the finding.
 */
export async function faultOfToken(
  token: Uint8Array,
  data: Uint8Array,
  file: string,
): Promise<Finding | undefined> {
  const { ok, findings } = await verifyToken(token, data, [], { file })
  return ok || findings[0]?.code === 'stamp-untrusted' ? undefined : findings[0]
}
