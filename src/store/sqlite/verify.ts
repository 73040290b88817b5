import { finding } from '../../contract/findings/finding.js'
import { PROVENANCE_COLUMNS } from '../../forecast/row.js'
import { nameOfRow, RowFaults } from '../../forecast/row-faults.js'
import { sameKey } from '../dialect.js'
import { keyAsSpelt } from '../rows.js'
import type { HistorySnapshot, StoreChecks } from '../snapshot.js'
import type { ReportFinding } from '../verify-rows.js'
import type { Opened } from './connection.js'
import { SPELLED } from './dialect.js'
import type { HistoryLayout } from './layout.js'
import { READING_ORDER_INDEX } from './tables.js'

const INTEGRITY_LINES = 100
const KEY = 'origin_at, model_name, horizon_hours'

/** SQLite's own integrity, and what foreproof keeps beside the producer's tables. */
export function sqliteChecks({ db, layout }: Opened): StoreChecks {
  return {
    first(report) {
      const lines = db.pragma(`integrity_check(${INTEGRITY_LINES})`)
      for (const { integrity_check: detail } of lines as { integrity_check: string }[]) {
        if (detail !== 'ok') report(finding('history-integrity', { detail }))
      }
    },
    last: (snapshot, report) => verifyOwnRows(snapshot, layout, report),
    orderingIndex: READING_ORDER_INDEX.replace(/\s+/g, ' ').trim(),
  }
}

/** Rows of foreproof's own tables: timestamps, and that what they belong to is there. */
async function verifyOwnRows(
  snapshot: HistorySnapshot,
  { own }: HistoryLayout,
  report: ReportFinding,
): Promise<void> {
  const attempts = own.has('foreproof_attempts') ? ['foreproof_attempts'] : []
  if (own.has('foreproof_provenance')) {
    await verifyProvenance(snapshot, report)
    await findOrphans(
      snapshot,
      'foreproof_provenance',
      ['forecast_predictions', ...attempts],
      report,
    )
  }
  if (own.has('foreproof_resources')) {
    await findOrphans(snapshot, 'foreproof_resources', ['forecast_predictions'], report)
  }
}

async function verifyProvenance({ rows }: HistorySnapshot, report: ReportFinding): Promise<void> {
  const sql = `SELECT ${KEY}, ${Object.keys(PROVENANCE_COLUMNS).join(', ')} FROM foreproof_provenance
    ORDER BY origin_at, horizon_hours, model_name`
  for await (const batch of rows({ sql, values: [] })) {
    for (const values of batch) {
      const [input = null, selection = null, vintageId = null, sha256 = null] = values
        .slice(3)
        .map(SPELLED.instant)
      const faults = new RowFaults(() => nameOfRow(keyAsSpelt(SPELLED, values)))
      if (input !== null) faults.timestamp('input_available_at', input)
      if (selection !== null) faults.timestamp('selection_data_through', selection)
      faults.text('vintage_id', vintageId)
      faults.text('vintage_sha256', sha256)
      faults.list.forEach(report)
    }
  }
}

async function findOrphans(
  { rows }: HistorySnapshot,
  table: string,
  owners: readonly string[],
  report: ReportFinding,
): Promise<void> {
  const exists = owners.map(
    (owner) => `EXISTS (SELECT 1 FROM ${owner} p WHERE ${sameKey('p', 's', 'model_name')})`,
  )
  const sql = `SELECT ${KEY} FROM ${table} s WHERE NOT (${exists.join(' OR ')}) ORDER BY 1, 3, 2`
  for await (const batch of rows({ sql, values: [] })) {
    for (const values of batch) {
      report(finding('history-own-orphan', { row: nameOfRow(keyAsSpelt(SPELLED, values)), table }))
    }
  }
}
