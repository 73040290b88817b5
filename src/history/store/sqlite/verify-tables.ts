import { finding } from '../../../contract/findings/finding.js'
import type { RawValue } from '../../../forecast/row.js'
import { nameOfRow, RowFaults } from '../../../forecast/row-faults.js'
import { type ReportFinding, verifyAttempt, verifyOrigin } from '../verify-rows.js'
import { originColumns, originRow } from './columns.js'
import type { Opened } from './connection.js'
import { scanAttempts } from './scan.js'

type Values = readonly RawValue[]

const KEY = 'origin_at, model_name, horizon_hours'
const SAME_KEY =
  'p.origin_at = s.origin_at AND p.model_name = s.model_name AND p.horizon_hours = s.horizon_hours'

/** Every row of forecast_origins, whether it has forecasts or not. */
export function verifyOrigins({ db, layout }: Opened, report: ReportFinding): number {
  const rows = db
    .prepare<[], Values>(
      `SELECT ${originColumns(layout)} FROM forecast_origins o ORDER BY o.origin_at`,
    )
    .raw()
  let count = 0
  for (const values of rows.iterate()) {
    count++
    verifyOrigin(originRow(values), report)
  }
  return count
}

/** Every recorded attempt, and whether a forecast of its key is there as well. */
export function verifyAttempts(opened: Opened, report: ReportFinding): number {
  let count = 0
  for (const row of scanAttempts(opened)) {
    count++
    verifyAttempt(row, report)
  }
  if (!opened.layout.attempts) return count
  const both = opened.db
    .prepare<[], Values>(
      `SELECT ${KEY.replaceAll(/(\w+)/g, 's.$1')}, s.status FROM foreproof_attempts s
       WHERE EXISTS (SELECT 1 FROM forecast_predictions p WHERE ${SAME_KEY}) ORDER BY 1, 3, 2`,
    )
    .raw()
  for (const [originAt = null, model = null, horizonHours = null, status] of both.iterate()) {
    const args = { row: nameOfRow({ originAt, model, horizonHours }), status: String(status) }
    report(finding('history-attempt-and-forecast', args))
  }
  return count
}

/** Rows of foreproof's own tables: timestamps, and that what they belong to is there. */
export function verifyOwnRows({ db, layout }: Opened, report: ReportFinding): void {
  if (layout.provenance) {
    const rows = db
      .prepare<[], Values>(
        `SELECT ${KEY}, input_available_at, selection_data_through, vintage_id, vintage_sha256
         FROM foreproof_provenance
         ORDER BY origin_at, horizon_hours, model_name`,
      )
      .raw()
    for (const values of rows.iterate()) {
      const [originAt = null, model = null, horizonHours = null, input, selection] = values
      const [vintageId = null, sha256 = null] = values.slice(5)
      const faults = new RowFaults(() => nameOfRow({ originAt, model, horizonHours }))
      if (input !== null) faults.timestamp('input_available_at', input ?? null)
      if (selection !== null) faults.timestamp('selection_data_through', selection ?? null)
      faults.text('vintage_id', vintageId)
      faults.text('vintage_sha256', sha256)
      faults.list.forEach(report)
    }
  }
  const exists = (table: string) => `EXISTS (SELECT 1 FROM ${table} p WHERE ${SAME_KEY})`
  const orphans = (table: string, owners: string[]) => {
    const rows = db
      .prepare<[], Values>(
        `SELECT ${KEY} FROM ${table} s WHERE NOT (${owners.map(exists).join(' OR ')}) ORDER BY 1, 3, 2`,
      )
      .raw()
    for (const [originAt = null, model = null, horizonHours = null] of rows.iterate()) {
      const args = { row: nameOfRow({ originAt, model, horizonHours }), table }
      report(finding('history-own-orphan', args))
    }
  }
  const attempts = layout.attempts ? ['foreproof_attempts'] : []
  if (layout.provenance) orphans('foreproof_provenance', ['forecast_predictions', ...attempts])
  if (layout.resources) orphans('foreproof_resources', ['forecast_predictions'])
}
