import { type Database, openSqlite } from '../../../src/store/sqlite/driver.js'
import { PRODUCER_TABLES, READING_ORDER, stamp } from '../../store/producer-tables.mjs'

export const HOUR = 3_600_000
export const MODELS = ['alpha', 'beta', 'gamma'] as const
export const HORIZONS = [2, 4, 8] as const

export { stamp }

const STARTED = Date.now()
/** The hour that had begun when the tests did, which may run into the next: forecasts of it are fresh. */
export const thisHour = (): number => Math.floor(STARTED / HOUR) * HOUR

export interface Made {
  readonly origins?: number
  /** Last origin, in milliseconds. */
  readonly last?: number
  /** Without the index in reading order, as most producers leave it. */
  readonly plain?: boolean
  readonly journal?: 'delete' | 'wal'
}

/** A history as a producer writes it, by plain SQL: none of foreproof's own code takes part. */
export function makeHistory(path: string, made: Made = {}): void {
  const { origins = 40, last = thisHour(), plain = false, journal = 'delete' } = made
  const db = openSqlite(path)
  db.pragma(`journal_mode = ${journal}`)
  db.pragma('synchronous = off')
  db.exec(plain ? PRODUCER_TABLES : PRODUCER_TABLES + READING_ORDER)
  db.exec('BEGIN')
  for (let back = origins - 1; back >= 0; back--) addOrigin(db, last - back * HOUR)
  db.exec('COMMIT')
  db.close()
}

/** Adds one origin with a forecast of every model and horizon. */
export function addOrigin(db: Database, ms: number): void {
  const at = stamp(ms)
  const hour = ms / HOUR
  const price = 50_000 + (hour % 997)
  const manifest = JSON.stringify({ schema_version: 1, input_digest: `digest of ${hour}` })
  db.prepare('INSERT INTO forecast_origins VALUES (?,?,?,?,?,?,?,?,?,?,?,?)').run(
    at,
    stamp(ms + 60_000),
    'made',
    'BTC/USD',
    price,
    null,
    '{}',
    at,
    at,
    `run-${Math.floor(hour / 10)}`,
    'configuration-1',
    hour % 7 === 0 ? null : manifest,
  )
  const insert = db.prepare('INSERT INTO forecast_predictions VALUES (?,?,?,?,?,?,?,?,?,?)')
  for (const [index, model] of MODELS.entries()) {
    for (const horizon of HORIZONS) {
      const predicted = price + index + horizon / 100
      const calibrated = model !== 'gamma'
      insert.run(
        at,
        model,
        horizon,
        stamp(ms + horizon * HOUR),
        predicted,
        (100 * (predicted - price)) / price,
        calibrated ? predicted - 500.25 : null,
        calibrated ? predicted : null,
        calibrated ? predicted + 480.5 : null,
        calibrated ? 0.75 : null,
      )
    }
  }
}

/** Ids in the order that the interface promises, newest origin first, straight from SQL. */
export function idsOf(path: string, where = '1', ...parameters: unknown[]): string[] {
  const db = openSqlite(path, { readonly: true })
  const ids = db
    .prepare(
      `SELECT p.origin_at || ':' || model_name || ':' || horizon_hours
       FROM forecast_predictions p JOIN forecast_origins o USING (origin_at) WHERE ${where}
       ORDER BY p.origin_at DESC, horizon_hours, model_name`,
    )
    .pluck()
    .all(...parameters) as string[]
  db.close()
  return ids
}

export function healthReport(overall = 'healthy', stages?: object): string {
  const closed = { health: 'healthy', circuit_state: 'closed' }
  return JSON.stringify({
    overall_health: overall,
    stages: stages ?? { market_data: closed, forecast: closed, history: closed },
  })
}
