import type { Finding } from '../contract/findings/finding.js'
import { FindingList } from '../contract/findings/finding-list.js'
import { MICROS_PER_MINUTE } from '../contract/instant.js'
import { readHistory } from '../store/open.js'
import { shownHistory } from '../store/shown.js'
import type { StoreVerifyResult } from '../store/types.js'
import { readAnchors } from '../time/rfc3161/anchors.js'
import { type SeenInTime, seenInTime } from './seen.js'
import { verifyLogs } from './verify-log.js'

export interface HistoryVerifyResult extends StoreVerifyResult {
  /** What was found; a `more-findings` counts what was not kept of a kind. */
  readonly findings: readonly Finding[]
  /** How many findings were counted and not kept. */
  readonly withheld: number
  /** Of each mirrored log, what this mirror saw in time. */
  readonly seen: readonly SeenInTime[]
}

export interface HistoryVerifyOptions {
  /** Findings beyond so many are counted, not kept. Default 10,000. */
  readonly maxFindings?: number | undefined
  /**
   * Folder with certificates, `*.pem`, that stamps of a log have to lead to; without it, whose a stamp is remains
   * open.
   */
  readonly anchors?: string | undefined
  /** How long after its origin a mirror may see a forecast sealed, in minutes. Default 60. */
  readonly lagMinutes?: number | undefined
  /** Called with the rows looked at so far, every few thousand. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

/**
 * Looks at every row of a history: the store's own integrity, keys, timestamps, numbers, quantiles,
 * orphans, what foreproof keeps beside the producer's tables, and every log with its checkpoints and stamps. One
 * snapshot; nothing is written.
 * @throws {ForeproofError} when the history cannot be read to its end.
 */
export async function verifyHistory(
  path: string,
  { maxFindings, anchors, lagMinutes = 60, onProgress }: HistoryVerifyOptions = {},
): Promise<HistoryVerifyResult> {
  const trusted = anchors === undefined ? [] : readAnchors(anchors)
  const list = new FindingList(maxFindings)
  const report = (finding: Finding): void => list.add({ ...finding, file: shownHistory(path) })
  return await readHistory(path, async (reader) => {
    const verified = await reader.verify(report, onProgress)
    await verifyLogs(reader, report, trusted)
    const seen = await seenInTime(reader, lagMinutes * MICROS_PER_MINUTE)
    return { findings: list.all(), withheld: list.withheld, ...verified, seen }
  })
}
