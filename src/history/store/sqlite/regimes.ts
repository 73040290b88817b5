import type { Instant } from '../../../contract/instant.js'
import { instantOf } from '../../../contract/instant.js'
import type { RawValue } from '../../../forecast/row.js'
import type { PairingWindow } from '../types.js'
import type { Opened } from './connection.js'

/** See `HistoryReader.regimes`; a history whose table has no such column has none. */
export function regimesOf(
  { db, layout }: Opened,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: PairingWindow,
): ReadonlyMap<Instant, string> {
  if (!layout.origins.has('regime')) return new Map()
  const rows = db
    .prepare<[], [RawValue, RawValue]>('SELECT origin_at, regime FROM forecast_origins')
    .raw()
  const found: [Instant, string][] = []
  for (const [originAt, regime] of rows.iterate()) {
    const origin = instantOf(originAt)
    if (origin === undefined || origin < from || origin > to) continue
    if (typeof regime === 'string') found.push([origin, regime])
  }
  return new Map(found.sort(([a], [b]) => a - b))
}
