import { type Finding, finding, messageOf } from '../../contract/findings/finding.js'
import type { Anchor } from '../../time/rfc3161/anchors.js'
import { faultOfToken, verifyToken } from '../../time/rfc3161/verify-token.js'
import type { StoredCheckpoint } from '../store/log-types.js'
import { readCheckpoint } from './checkpoint.js'

/**
 * Holds the stamps of a log against its checkpoints.
 * @param origin - of the log: what is no checkpoint of it has been told.
 * @param anchors - the whole check for who is trusted; without any, form, imprint and signature.
 * @returns how many do not hold, and what is wrong with the first; undefined where all do.
 */
export async function unsoundStamps(
  checkpoints: AsyncIterable<StoredCheckpoint>,
  origin: string | undefined,
  anchors: readonly Anchor[],
): Promise<Finding | undefined> {
  let first: { size: number; authority: string; reason: string } | undefined
  let count = 0
  for await (const { size, note, stamps } of checkpoints) {
    const read = readCheckpoint(note)
    if (read?.origin !== origin || read === undefined) continue
    for (const { authority, token } of stamps) {
      const fault = await faultOf(token, Buffer.from(read.body), anchors)
      if (fault === undefined) continue
      count++
      first ??= { size, authority, reason: messageOf(fault).text }
    }
  }
  if (first === undefined) return undefined
  return finding('log-stamps-unsound', { count, ...first }, { severity: 'error' })
}

async function faultOf(
  token: Uint8Array,
  body: Uint8Array,
  anchors: readonly Anchor[],
): Promise<Finding | undefined> {
  if (anchors.length === 0) return await faultOfToken(token, body, '')
  const { ok, findings } = await verifyToken(token, body, anchors, { file: '' })
  return ok ? undefined : findings[0]
}
