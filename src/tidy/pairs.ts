import type { PairLine } from '../pairing/lines.js'
import { type Column, type Row, type Table, tableFrom } from '../table/types.js'
import { instantCell, integerCell } from './cells.js'

export const PAIR_COLUMNS = [
  { name: 'origin_at', type: 'instant' },
  { name: 'target_at', type: 'instant' },
  { name: 'horizon', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'expected', type: 'boolean' },
  { name: 'status', type: 'text' },
  { name: 'reason', type: 'text' },
  { name: 'interval_status', type: 'text' },
  { name: 'origin_close_usd', type: 'number' },
  { name: 'target_close_usd', type: 'number' },
  { name: 'predicted_price_usd', type: 'number' },
  { name: 'q10_usd', type: 'number' },
  { name: 'q50_usd', type: 'number' },
  { name: 'q90_usd', type: 'number' },
  { name: 'vintage_id', type: 'text' },
  { name: 'vintage_sha256', type: 'text' },
  { name: 'origin_text', type: 'text' },
] as const satisfies readonly Column[]

/** Every attempt, expected or beside the grid, one a row, in the order of pairs.ndjson. */
export function pairsTable(pairs: AsyncIterable<readonly PairLine[]>): Table {
  return tableFrom(PAIR_COLUMNS, pairs, (batch) => batch.map(rowOf))
}

/** Beside the grid an origin may be no timestamp, and a horizon no whole number: a typed column has no room. */
function rowOf(pair: PairLine): Row {
  const origin = instantCell(pair.origin_at)
  const cells = {
    ...pair,
    origin_at: origin,
    target_at: instantCell(pair.target_at),
    horizon: integerCell(pair.horizon_hours),
    origin_text: origin === null ? pair.origin_at : null,
  }
  return PAIR_COLUMNS.map(({ name }) => cells[name])
}
