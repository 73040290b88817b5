import { finding } from '../../../contract/findings/finding.js'
import type { AttemptRow, HistoryRow } from '../../../forecast/row.js'
import { nameOfRow, provenanceFaults } from '../../../forecast/row-faults.js'
import type { StoreVerifyResult } from '../stats-types.js'
import { type ReportFinding, RowVerifier, verifyAttempt, verifyOrigin } from '../verify-rows.js'
import { hasOrderingIndex } from './layout.js'
import { listedColumns, ORIGIN_COLUMNS, originRow, storedKey } from './rows.js'
import { scanAttempts, scanRows } from './scan.js'
import type { ServerSnapshot } from './snapshot.js'
import { quotedName, readingOrderIndex } from './tables.js'

const SAME_KEY =
  'a.origin_at = f.origin_at AND a.horizon_hours = f.horizon_hours AND a.model = f.model'

/** See `HistoryReader.verify`: what the tables' own types and rules do not rule out. */
export async function verifyAll(
  snapshot: ServerSnapshot,
  schema: string,
  report: ReportFinding,
  onProgress: ((rows: number) => void) | undefined,
): Promise<StoreVerifyResult> {
  const rows = new RowVerifier(report, onProgress)
  for await (const batch of scanRows(snapshot, schema)) {
    for (const row of batch) {
      rows.look(row)
      verifyProvenance(row, report)
    }
  }
  rows.end()
  await verifyRuns(snapshot, schema, report)
  const origins = await verifyOrigins(snapshot, schema, report)
  const attempts = await verifyAttempts(snapshot, schema, report)
  const indexed = await hasOrderingIndex(snapshot.ask, schema)
  if (!indexed) report(rows.indexMissing(readingOrderIndex(schema)))
  return { forecasts: rows.forecasts, attempts, origins, ordering_index: indexed }
}

/** The column of a forecast by which a run is asked for says the run of its origin. */
async function verifyRuns({ rows }: ServerSnapshot, schema: string, report: ReportFinding) {
  const differing = rows(
    `SELECT f.origin_at, f.model, f.horizon_hours FROM ${quotedName(schema)}.forecasts f
     JOIN ${quotedName(schema)}.origins o ON o.origin_at = f.origin_at
     WHERE f.whole IS NULL AND f.run_id IS DISTINCT FROM o.run_id
     ORDER BY f.origin_at, f.horizon_hours, f.model`,
  )
  for await (const batch of differing) {
    for (const values of batch) {
      const row = nameOfRow(storedKey(values))
      const args = { row, column: 'run_id', fault: "differs from its origin's" }
      report(finding('history-resource', args))
    }
  }
}

async function verifyOrigins({ rows }: ServerSnapshot, schema: string, report: ReportFinding) {
  let count = 0
  const origins = rows(
    `SELECT ${listedColumns(ORIGIN_COLUMNS, 'o')} FROM ${quotedName(schema)}.origins o ORDER BY o.origin_at`,
  )
  for await (const batch of origins) {
    for (const values of batch) {
      count++
      const origin = originRow(values)
      if (origin !== undefined) verifyOrigin(origin, report)
    }
  }
  return count
}

async function verifyAttempts(snapshot: ServerSnapshot, schema: string, report: ReportFinding) {
  let count = 0
  for await (const batch of scanAttempts(snapshot, schema)) {
    for (const row of batch) {
      count++
      verifyAttempt(row, report)
      verifyProvenance(row, report)
    }
  }
  const both = snapshot.rows(
    `SELECT a.origin_at, a.model, a.horizon_hours, a.status FROM ${quotedName(schema)}.attempts a
     JOIN ${quotedName(schema)}.forecasts f ON ${SAME_KEY}
     ORDER BY a.origin_at, a.horizon_hours, a.model`,
  )
  for await (const batch of both) {
    for (const values of batch) {
      const args = { row: nameOfRow(storedKey(values)), status: String(values[3]) }
      report(finding('history-attempt-and-forecast', args))
    }
  }
  return count
}

function verifyProvenance(row: HistoryRow | AttemptRow, report: ReportFinding): void {
  if (row.provenance !== undefined) provenanceFaults(row, row.provenance).forEach(report)
}
