import { formatStored, instantOf, NO_INSTANT } from '../../contract/instant.js'
import type { ScanOrder } from '../dialect.js'
import type { Database } from './driver.js'

/** Sorts after every timestamp, as text. */
const HIGHEST_TEXT = '\u{10ffff}'

/**
 * How SQL reads the rows in order of their origins' instants. Timestamps in the stored form sort as
 * text, so the primary key's index serves; with any other spelling in the file, a table in memory
 * says the order.
 */
export const TEXT_ORDER: ScanOrder = {
  areMixed: false,
  from: 'forecast_predictions p',
  key: 'p.origin_at',
  keyOf: formatStored,
  lowest: '',
  highest: HIGHEST_TEXT,
}

const INSTANT_ORDER: ScanOrder = {
  areMixed: true,
  from: `temp.foreproof_order t CROSS JOIN forecast_predictions p ON p.origin_at = t.origin_at`,
  key: 't.instant',
  keyOf: (instant) => instant,
  lowest: NO_INSTANT,
  highest: Number.MAX_SAFE_INTEGER,
}

const DIGITS = (count: number) => '[0-9]'.repeat(count)
const SECONDS = `${DIGITS(4)}-${DIGITS(2)}-${DIGITS(2)}T${DIGITS(2)}:${DIGITS(2)}:${DIGITS(2)}`

/** SQL that is true for a timestamp in the stored form, apart from the calendar. */
function isNormal(column: string): string {
  return (
    `(typeof(${column}) = 'text' AND (${column} GLOB '${SECONDS}+00:00' OR ` +
    `(${column} GLOB '${SECONDS}.${DIGITS(6)}+00:00' AND ${column} NOT GLOB '*.000000+00:00')))`
  )
}

/** Looks at every origin once and chooses; `tables` are those that have an `origin_at`. */
export function chooseOrder(db: Database, tables: readonly string[]): ScanOrder {
  // Rows of one origin follow one another in the index: comparing costs less than matching each. Without
  // the LIMIT, which takes nothing away, SQLite would match first all the same.
  const odd = tables.some((table) =>
    db
      .prepare(
        `SELECT 1 FROM (SELECT DISTINCT origin_at FROM ${table} LIMIT -1)
         WHERE NOT ${isNormal('origin_at')} LIMIT 1`,
      )
      .get(),
  )
  if (!odd) return TEXT_ORDER
  fillOrderTable(db, tables)
  return INSTANT_ORDER
}

function fillOrderTable(db: Database, tables: readonly string[]): void {
  db.function('foreproof_instant', (text) => instantOf(text) ?? NO_INSTANT)
  db.exec(`
    DROP TABLE IF EXISTS temp.foreproof_order;
    CREATE TEMP TABLE foreproof_order (
      instant INTEGER NOT NULL, origin_at NOT NULL, PRIMARY KEY (instant, origin_at)
    ) WITHOUT ROWID;
    INSERT INTO temp.foreproof_order
    SELECT CAST(foreproof_instant(origin_at) AS INTEGER), origin_at FROM (${tables
      .map((table) => `SELECT DISTINCT origin_at FROM ${table} WHERE origin_at IS NOT NULL`)
      .join(' UNION ')});
  `)
}
