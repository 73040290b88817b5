import {
  type Finding,
  finding,
  formatMessage,
  type Severity,
} from '../contract/findings/finding.js'
import type { Anchor } from '../time/rfc3161/anchors.js'
import { findTokenFault, verifyToken } from '../time/rfc3161/verify-token.js'
import { parseCheckpoint } from './checkpoint.js'
import type { StoredCheckpoint } from './log-entry.js'

/**
 * Collects invalid stamps of checkpoints into one finding: their number, and the fault of the first.
 */
export class InvalidStamps {
  #first: { readonly size: number; readonly authority: string; readonly reason: string } | undefined
  #count = 0

  add(size: number, authority: string, fault: Finding): void {
    this.#count++
    this.#first ??= { size, authority, reason: formatMessage(fault).text }
  }

  /** Empty if all stamps are valid. */
  findings(at: { readonly file?: string; readonly severity?: Severity }): Finding[] {
    if (this.#first === undefined) return []
    return [finding('log-stamps-unsound', { count: this.#count, ...this.#first }, at)]
  }
}

/**
 * Verifies the stamps of a log.
 * @param origin - of the log; checkpoints of other logs were reported before.
 * @param anchors - trusted authorities; without any, only form, imprint and signature are verified.
 */
export async function findInvalidStamps(
  checkpoints: AsyncIterable<StoredCheckpoint>,
  origin: string | undefined,
  anchors: readonly Anchor[],
): Promise<Finding[]> {
  const unsound = new InvalidStamps()
  for await (const { size, note, stamps } of checkpoints) {
    const read = parseCheckpoint(note)
    if (read?.origin !== origin || read === undefined) continue
    for (const { authority, token } of stamps) {
      const fault = await findStampFault(token, Buffer.from(read.body), anchors)
      if (fault !== undefined) unsound.add(size, authority, fault)
    }
  }
  return unsound.findings({ severity: 'error' })
}

async function findStampFault(
  token: Uint8Array,
  body: Uint8Array,
  anchors: readonly Anchor[],
): Promise<Finding | undefined> {
  if (anchors.length === 0) return await findTokenFault(token, body, '')
  const { ok, findings } = await verifyToken(token, body, anchors, { file: '' })
  return ok ? undefined : findings[0]
}
