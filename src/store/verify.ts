import { finding } from '../contract/findings/finding.js'
import { nameOfRow } from '../forecast/row-faults.js'
import { sameKey } from './dialect.js'
import { keyAsSpelt, originRow } from './rows.js'
import { verifySeries } from './series-verify.js'
import { type HistorySnapshot, scanAttempts, scanForecasts } from './snapshot.js'
import type { StoreVerifyResult } from './types.js'
import { type ReportFinding, RowVerifier, verifyAttempt, verifyOrigin } from './verify-rows.js'

/** See `HistoryReader.verify`. */
export async function verifyStore(
  snapshot: HistorySnapshot,
  report: ReportFinding,
  onProgress?: (rows: number) => void,
): Promise<StoreVerifyResult> {
  if (snapshot.dialect.version === 2) return await verifySeries(snapshot, report, onProgress)
  const { checks, run, facts } = snapshot
  checks.first?.(report)
  const rows = new RowVerifier(report, onProgress)
  for await (const batch of scanForecasts(snapshot)) {
    for (const row of batch) {
      rows.look(row)
      checks.each?.(row, report)
    }
  }
  rows.end()
  const origins = await verifyOrigins(snapshot, report)
  const attempts = await verifyAttempts(snapshot, report)
  await checks.last(snapshot, report)
  const { ordering_index } = await run(facts())
  if (!ordering_index) report(rows.indexMissing(checks.orderingIndex))
  return { forecasts: rows.forecasts, attempts, origins, ordering_index }
}

/** Every origin, whether it has forecasts or not. */
async function verifyOrigins(
  { dialect, rows }: HistorySnapshot,
  report: ReportFinding,
): Promise<number> {
  let count = 0
  const sql = `SELECT ${dialect.origins.columns} FROM ${dialect.table('origins')} o ORDER BY o.origin_at`
  for await (const batch of rows({ sql, values: [] })) {
    for (const values of batch) {
      count++
      verifyOrigin(originRow(dialect, values), report)
    }
  }
  return count
}

/** Every recorded attempt, and whether a forecast of its key is there as well. */
async function verifyAttempts(snapshot: HistorySnapshot, report: ReportFinding): Promise<number> {
  const { dialect, rows, checks } = snapshot
  const { model } = dialect
  let count = 0
  for await (const batch of scanAttempts(snapshot)) {
    for (const row of batch) {
      count++
      verifyAttempt(row, report)
      checks.each?.(row, report)
    }
  }
  const sql = `SELECT s.origin_at, s.${model}, s.horizon_hours, s.status FROM ${dialect.table('attempts')} s
    WHERE EXISTS (SELECT 1 FROM ${dialect.table('forecasts')} p WHERE ${sameKey('p', 's', model)})
    ORDER BY 1, 3, 2`
  for await (const both of rows({ sql, values: [] })) {
    for (const values of both) {
      const args = { row: nameOfRow(keyAsSpelt(dialect, values)), status: String(values[3]) }
      report(finding('history-attempt-and-forecast', args))
    }
  }
  return count
}
