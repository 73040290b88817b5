import type { HistoryStatsResult } from '../store/history-reader.js'
import { readHistory } from '../store/open.js'

/**
 * What a history holds, counted in one snapshot: rows, origins, runs, and by model and horizon.
 * @throws {ForeproofError} `not-found`, `io`, `invalid-input` or `unavailable` when it cannot be read.
 */
export async function historyStats(path: string): Promise<HistoryStatsResult> {
  return await readHistory(path, (reader) => reader.stats())
}
