import { finding } from '../../contract/findings/finding.js'
import { MICROS_PER_HOUR } from '../../contract/instant.js'
import { nameOfRow } from '../../forecast/row-faults.js'
import { type Dialect, queryRows, queryValue, type SqlTask } from '../dialect.js'
import type { RowVersion } from '../history-reader.js'
import { toKeyAsStored } from '../hourly-rows.js'
import {
  eachRow,
  type HistorySnapshot,
  type ReportFinding,
  type StoreFacts,
  type StorePlace,
} from '../snapshot.js'
import type { Address } from './address.js'
import { postgresDialect } from './dialect.js'
import { hasOrderingIndex, readLayout } from './layout.js'
import { OWN_NAMES_ONLY, openSession, type PoolLimits, runAsync } from './pool.js'
import { ALL_COLUMNS, readingOrderIndex } from './tables.js'

const FETCH_ROWS = 1000

/** Opens one snapshot of a history. */
export async function openSnapshot(address: Address, limits: PoolLimits): Promise<HistorySnapshot> {
  const { schema, shown } = address
  const { ask, end } = await openSession(address, limits)
  let version: RowVersion
  try {
    await ask('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    version = (await readLayout(ask, schema, shown)).version
    await ask(OWN_NAMES_ONLY)
  } catch (cause) {
    await end()
    throw cause
  }
  const dialect = postgresDialect(schema, version)
  let cursors = 0
  return {
    dialect,
    run: (asking) => runAsync(asking, ask),
    async *rows({ sql, values }) {
      const cursor = `c${cursors++}`
      await ask(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`, values)
      for (;;) {
        const rows = await ask(`FETCH ${FETCH_ROWS} FROM ${cursor}`)
        if (rows.length > 0) yield rows
        if (rows.length < FETCH_ROWS) break
      }
      await ask(`CLOSE ${cursor}`)
    },
    location: () => locateStore(schema),
    facts: () => readFacts(dialect, schema),
    checks: { last: verifyRuns, orderingIndex: readingOrderIndex(schema) },
    end,
  }
}

function* readFacts(dialect: Dialect, schema: string): SqlTask<StoreFacts> {
  const count = function* (sql: string): SqlTask<number> {
    return Number(yield* queryValue(sql))
  }
  const [[onTheHour, whole, provenance] = []] = yield* queryRows(
    `SELECT count(DISTINCT origin_at) FILTER (WHERE origin_at % ${MICROS_PER_HOUR} = 0),
       count(whole), count(*) FILTER (WHERE has_provenance) FROM ${dialect.table('forecasts')}`,
  )
  const attempts = `SELECT count(*) FROM ${dialect.table('attempts')} WHERE has_provenance`
  return {
    onTheHour: Number(onTheHour),
    runs: yield* count(`SELECT count(DISTINCT run_id) FROM ${dialect.table('origins')}`),
    with_provenance: Number(provenance) + (yield* count(attempts)),
    kept_whole: Number(whole),
    ordering_index: yield* hasOrderingIndex(schema),
  }
}

function* locateStore(schema: string): SqlTask<StorePlace> {
  const bytes = yield* queryValue(
    `SELECT sum(pg_catalog.pg_total_relation_size(c.oid))::bigint FROM pg_catalog.pg_class c
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname = ANY ($2)`,
    [schema, Object.keys(ALL_COLUMNS)],
  )
  return { bytes: Number(bytes), journal_mode: null }
}

/** The run column of each forecast must name the run of its origin, because filters use it. */
async function verifyRuns(snapshot: HistorySnapshot, report: ReportFinding): Promise<void> {
  const { dialect } = snapshot
  const sql = `SELECT f.origin_at, f.model, f.horizon_hours FROM ${dialect.table('forecasts')} f
    JOIN ${dialect.table('origins')} o ON o.origin_at = f.origin_at
    WHERE f.whole IS NULL AND f.run_id IS DISTINCT FROM o.run_id
    ORDER BY f.origin_at, f.horizon_hours, f.model`
  for await (const values of eachRow(snapshot, sql)) {
    const row = nameOfRow(toKeyAsStored(dialect, values))
    const args = { row, column: 'run_id', fault: "differs from its origin's" }
    report(finding('history-resource', args))
  }
}
