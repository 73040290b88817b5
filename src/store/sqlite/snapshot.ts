import { statSync } from 'node:fs'
import { type Asking, askOne, type Values } from '../dialect.js'
import type { HistorySnapshot, StoreFacts } from '../snapshot.js'
import { type Opened, openOnce } from './connection.js'
import { answering, prepareQuestion, sqliteDialect } from './dialect.js'
import { databaseError } from './faults.js'
import { chooseOrder } from './order.js'
import { sqliteChecks } from './verify.js'

/** So many rows at a time: a promise for each would cost more than reading it. */
const BATCH_ROWS = 1000

/** Opens one snapshot of a file. */
export function openSnapshot(path: string, busyTimeoutMs: number): HistorySnapshot {
  const opened = openOnce(path, busyTimeoutMs)
  const { db, layout } = opened
  const dialect = sqliteDialect(layout)
  const answer = answering(db)
  const guarded = <T>(read: () => T): T => {
    try {
      const found = read()
      opened.demandWhole()
      return found
    } catch (cause) {
      throw databaseError(cause, path)
    }
  }
  return {
    dialect,
    run: async (asking) => guarded(() => answer(asking)),
    async *rows({ sql, values }) {
      const rows = guarded(() => prepareQuestion(db, sql)).iterate(...values)
      try {
        for (;;) {
          const batch = guarded(() => take(rows, BATCH_ROWS))
          if (batch.length > 0) yield batch
          if (batch.length < BATCH_ROWS) return
        }
      } finally {
        rows.return()
      }
    },
    forecastOrder: () => guarded(() => chooseOrder(db, ['forecast_predictions'])),
    // biome-ignore lint/correctness/useYield: nothing has to be asked
    *place() {
      const journal_mode = String(db.pragma('journal_mode', { simple: true }))
      return { bytes: statSync(path).size, journal_mode }
    },
    facts: () => factsOf(opened),
    checks: sqliteChecks(opened),
    end: async () => db.close(),
  }
}

function take(rows: Iterator<Values, void>, most: number): Values[] {
  const batch: Values[] = []
  while (batch.length < most) {
    const next = rows.next()
    if (next.done === true) break
    batch.push(next.value)
  }
  return batch
}

function* factsOf({ layout }: Opened): Asking<StoreFacts> {
  const { own, origins, orderingIndex } = layout
  const count = function* (sql: string): Asking<number> {
    return Number(yield* askOne(`SELECT count${sql}`))
  }
  return {
    onTheHour: yield* count(
      "(DISTINCT substr(origin_at, 1, 13)) FROM forecast_predictions WHERE origin_at GLOB '*:00:00+00:00'",
    ),
    runs: origins.has('experiment_run_id')
      ? yield* count('(DISTINCT experiment_run_id) FROM forecast_origins')
      : null,
    with_provenance: own.has('foreproof_provenance')
      ? yield* count('(*) FROM foreproof_provenance')
      : 0,
    kept_whole: own.has('foreproof_resources') ? yield* count('(*) FROM foreproof_resources') : 0,
    ordering_index: orderingIndex,
  }
}
