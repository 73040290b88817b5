import type { Instant } from '../../contract/instant.js'
import { instantOf } from '../../contract/instant.js'
import type { RawValue } from '../../forecast/row.js'
import { openOnce } from './connection.js'
import { databaseError } from './faults.js'

const BUSY_TIMEOUT_MS = 5000

/**
 * The regime that a history recorded with each origin of a window, both ends included, in time
 * order; origins without one are left out, and a history whose table has no such column has none.
 * @throws {ForeproofError} as every reader of histories does, naming the file.
 */
export function readRegimes(
  path: string,
  window: { readonly from: Instant; readonly to: Instant },
): ReadonlyMap<Instant, string> {
  const { db, layout } = openOnce(path, BUSY_TIMEOUT_MS)
  try {
    if (!layout.origins.has('regime')) return new Map()
    const rows = db
      .prepare<[], [RawValue, RawValue]>('SELECT origin_at, regime FROM forecast_origins')
      .raw()
    const found: [Instant, string][] = []
    for (const [originAt, regime] of rows.iterate()) {
      const origin = instantOf(originAt)
      if (origin === undefined || origin < window.from || origin > window.to) continue
      if (typeof regime === 'string') found.push([origin, regime])
    }
    return new Map(found.sort(([a], [b]) => a - b))
  } catch (cause) {
    throw databaseError(cause, path)
  } finally {
    db.close()
  }
}
