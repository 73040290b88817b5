import type { ForeproofError } from '../../contract/error.js'
import { shownText } from '../../forecast/i-json.js'
import { queryRows, type SqlTask } from '../dialect.js'
import { invalidFileError } from './faults.js'
import type { HistoryLayout } from './layout.js'

const DIGITS = (count: number) => '[0-9]'.repeat(count)
const SECONDS = `${DIGITS(4)}-${DIGITS(2)}-${DIGITS(2)}T${DIGITS(2)}:${DIGITS(2)}:${DIGITS(2)}`

/**
 * Finds an origin that is not in the stored form (the calendar is not checked). DISTINCT comes first because rows of
 * one origin are adjacent in the index, so comparing is cheaper than matching each. LIMIT -1 changes no result, but
 * keeps SQLite from matching first.
 */
const UNORDERED_ORIGIN = `SELECT origin_at FROM (SELECT DISTINCT origin_at FROM forecast_predictions LIMIT -1)
  WHERE NOT (typeof(origin_at) = 'text' AND (origin_at GLOB '${SECONDS}+00:00' OR
    (origin_at GLOB '${SECONDS}.${DIGITS(6)}+00:00' AND origin_at NOT GLOB '*.000000+00:00'))) LIMIT 1`

/**
 * In UTF-16, SQLite compares texts by code unit and not by code point, so rows would come in another order.
 * @throws {ForeproofError} `invalid-input`.
 */
export function assertUtf8(layout: HistoryLayout, path: string): HistoryLayout {
  const { encoding } = layout
  if (encoding === 'UTF-8') return layout
  const message = `its texts are stored as ${encoding}, which SQLite does not sort by code point`
  throw invalidFileError(path, message, 'Make a copy in UTF-8: sqlite3 FILE .dump | sqlite3 COPY')
}

/**
 * Timestamps in the stored form sort as text in the order of time. Other spellings would be out of order.
 * @throws {ForeproofError} `invalid-input` that names such an origin of a forecast.
 */
export function* assertStoredOrder(layout: HistoryLayout, path: string): SqlTask<void> {
  assertUtf8(layout, path)
  const [odd] = yield* queryRows(UNORDERED_ORIGIN)
  if (odd !== undefined) throw unorderedOriginError(odd[0], path)
}

export function unorderedOriginError(origin: unknown, path: string): ForeproofError {
  const message = `the origin ${shownText(String(origin))} is not in the stored form, such as 2026-01-31T12:00:00+00:00`
  const help =
    '`foreproof history verify` names each such row. Have the producer write them in that form.'
  return invalidFileError(path, message, help)
}
