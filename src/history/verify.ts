import type { Finding } from '../contract/findings/finding.js'
import { openHistory } from './store/open.js'
import type { StoreVerifyResult } from './store/stats-types.js'

export interface HistoryVerifyResult extends StoreVerifyResult {
  readonly findings: readonly Finding[]
  /** Findings beyond the most that were asked for. */
  readonly withheld: number
}

export interface HistoryVerifyOptions {
  /** Findings beyond so many are counted, not kept. Default 10,000. */
  readonly maxFindings?: number | undefined
  /** Told of the rows looked at so far, every few thousand. */
  readonly onProgress?: ((rows: number) => void) | undefined
}

const MAX_FINDINGS = 10_000

/**
 * Looks at every row of a history: the store's own integrity, keys, timestamps, numbers, quantiles,
 * orphans, and what foreproof keeps beside the producer's tables. One snapshot; nothing is written.
 * @throws {ForeproofError} when the history cannot be read to its end.
 */
export async function verifyHistory(
  path: string,
  { maxFindings = MAX_FINDINGS, onProgress }: HistoryVerifyOptions = {},
): Promise<HistoryVerifyResult> {
  const findings: Finding[] = []
  let withheld = 0
  const report = (finding: Finding): void => {
    if (findings.length < maxFindings) findings.push({ ...finding, file: path })
    else withheld++
  }
  const reader = openHistory(path)
  try {
    const verified = await reader.verify(report, onProgress)
    return { findings, withheld, ...verified }
  } finally {
    await reader.close()
  }
}
