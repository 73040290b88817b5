import { statSync } from 'node:fs'
import { finding } from '../../contract/findings/finding.js'
import { nameOfRow } from '../../forecast/row-faults.js'
import { queryValue, type SqlTask, sameKey, type Values } from '../dialect.js'
import { toKeyAsStored } from '../hourly-rows.js'
import {
  eachRow,
  type HistorySnapshot,
  type ReportFinding,
  type StoreChecks,
  type StoreFacts,
} from '../snapshot.js'
import { type Opened, openOnce } from './connection.js'
import { createRunner, prepareQuery, sqliteDialect } from './dialect.js'
import type { HistoryLayout } from './layout.js'
import { assertUtf8 } from './order.js'
import { READING_ORDER_INDEX } from './tables.js'

/** Rows per batch; a promise per row would cost more than reading it. */
const BATCH_ROWS = 1000

/** Opens one snapshot of a file. */
export function openSnapshot(path: string, busyTimeoutMs: number): HistorySnapshot {
  const opened = openOnce(path, busyTimeoutMs)
  const { db, layout } = opened
  const dialect = sqliteDialect(layout, path)
  const answer = createRunner(db)
  const withFileErrors = <T>(read: () => T): T => {
    try {
      const result = read()
      opened.assertWhole()
      return result
    } catch (cause) {
      throw opened.toFault(cause)
    }
  }
  return {
    dialect,
    run: async (asking) => withFileErrors(() => answer(asking)),
    async *rows({ sql, values }) {
      const rows = withFileErrors(() => prepareQuery(db, sql)).iterate(...values)
      try {
        for (;;) {
          const batch = withFileErrors(() => take(rows, BATCH_ROWS))
          if (batch.length > 0) yield batch
          if (batch.length < BATCH_ROWS) return
        }
      } finally {
        rows.return()
      }
    },
    // biome-ignore lint/correctness/useYield: nothing has to be asked
    *location() {
      const journal_mode = opened.wal ? 'wal' : String(db.pragma('journal_mode', { simple: true }))
      return { bytes: statSync(path).size, journal_mode }
    },
    facts: () => readFacts(opened),
    checks: sqliteChecks(opened, path, withFileErrors),
    end: async () => opened.close(),
  }
}

function take(rows: Iterator<Values, void>, max: number): Values[] {
  const batch: Values[] = []
  while (batch.length < max) {
    const next = rows.next()
    if (next.done === true) break
    batch.push(next.value)
  }
  return batch
}

function* readFacts({ layout }: Opened): SqlTask<StoreFacts> {
  const { ownColumns, origins, orderingIndex } = layout
  const count = function* (sql: string): SqlTask<number> {
    return Number(yield* queryValue(`SELECT count${sql}`))
  }
  return {
    onTheHour: yield* count(
      "(DISTINCT substr(origin_at, 1, 13)) FROM forecast_predictions WHERE origin_at GLOB '*:00:00+00:00'",
    ),
    runs: origins.has('experiment_run_id')
      ? yield* count('(DISTINCT experiment_run_id) FROM forecast_origins')
      : null,
    with_provenance: ownColumns.has('foreproof_provenance')
      ? yield* count('(*) FROM foreproof_provenance')
      : 0,
    kept_whole: ownColumns.has('foreproof_resources')
      ? yield* count('(*) FROM foreproof_resources')
      : 0,
    ordering_index: orderingIndex,
  }
}

const INTEGRITY_LINES = 100
const KEY = 'origin_at, model_name, horizon_hours'

/** SQLite's own integrity check, and checks of foreproof's own tables. */
function sqliteChecks(
  { db, layout }: Opened,
  path: string,
  guarded: <T>(read: () => T) => T,
): StoreChecks {
  return {
    first(report) {
      assertUtf8(layout, path)
      const lines = guarded(() => db.pragma(`integrity_check(${INTEGRITY_LINES})`))
      for (const { integrity_check: detail } of lines as { integrity_check: string }[]) {
        if (detail !== 'ok') report(finding('history-integrity', { detail }))
      }
    },
    last: (snapshot, report) => verifyOwnRows(snapshot, layout, report),
    orderingIndex: READING_ORDER_INDEX.replace(/\s+/g, ' ').trim(),
  }
}

/** Checks that every row of foreproof's own tables belongs to an existing row. */
async function verifyOwnRows(
  snapshot: HistorySnapshot,
  { ownColumns }: HistoryLayout,
  report: ReportFinding,
): Promise<void> {
  const attempts = ownColumns.has('foreproof_attempts') ? ['foreproof_attempts'] : []
  if (ownColumns.has('foreproof_provenance')) {
    const owners = ['forecast_predictions', ...attempts]
    await findOrphans(snapshot, 'foreproof_provenance', owners, report)
  }
  if (ownColumns.has('foreproof_resources')) {
    await findOrphans(snapshot, 'foreproof_resources', ['forecast_predictions'], report)
  }
}

async function findOrphans(
  snapshot: HistorySnapshot,
  table: string,
  owners: readonly string[],
  report: ReportFinding,
): Promise<void> {
  const exists = owners.map(
    (owner) => `EXISTS (SELECT 1 FROM ${owner} p WHERE ${sameKey('p', 's', 'model_name')})`,
  )
  const sql = `SELECT ${KEY} FROM ${table} s WHERE NOT (${exists.join(' OR ')}) ORDER BY 1, 3, 2`
  for await (const values of eachRow(snapshot, sql)) {
    const row = nameOfRow(toKeyAsStored(snapshot.dialect, values))
    report(finding('history-own-orphan', { row, table }))
  }
}
