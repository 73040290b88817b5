import type { Finding } from '../contract/findings/finding.js'
import { FindingList } from '../contract/findings/finding-list.js'
import { verifyLog } from './log/verify-log.js'
import { openHistory } from './store/open.js'
import type { StoreVerifyResult } from './store/stats-types.js'

export interface HistoryVerifyResult extends StoreVerifyResult {
  /** What was found; a `history-more` counts what was not kept of a kind. */
  readonly findings: readonly Finding[]
  /** How many findings were counted and not kept. */
  readonly withheld: number
}

export interface HistoryVerifyOptions {
  /** Findings beyond so many are counted, not kept. Default 10,000. */
  readonly maxFindings?: number | undefined
  /** Told of the rows looked at so far, every few thousand. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

/**
 * Looks at every row of a history: the store's own integrity, keys, timestamps, numbers, quantiles,
 * orphans, and what foreproof keeps beside the producer's tables. One snapshot; nothing is written.
 * @throws {ForeproofError} when the history cannot be read to its end.
 */
export async function verifyHistory(
  path: string,
  { maxFindings, onProgress }: HistoryVerifyOptions = {},
): Promise<HistoryVerifyResult> {
  const list = new FindingList('history-more', maxFindings)
  const report = (finding: Finding): void => list.add({ ...finding, file: path })
  const reader = openHistory(path)
  try {
    const verified = await reader.verify(report, onProgress)
    await verifyLog(reader, report)
    return { findings: list.all(), withheld: list.withheld, ...verified }
  } finally {
    await reader.close()
  }
}
