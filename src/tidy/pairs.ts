import type { PairLine } from '../pairing/lines.js'
import { recordColumns, recordRow, type Table, tableFrom } from '../table/types.js'
import { instantCell, integerCell } from './cells.js'

/** Beside the grid an origin may be no timestamp, and a horizon no whole number: a typed column has no room. */
export const PAIR_COLUMNS = recordColumns<PairLine>([
  ['origin_at', 'instant', ({ origin_at }) => instantCell(origin_at)],
  ['target_at', 'instant', ({ target_at }) => instantCell(target_at)],
  ['horizon', 'integer', ({ horizon_hours }) => integerCell(horizon_hours)],
  ['model', 'text', ({ model }) => model],
  ['expected', 'boolean', ({ expected }) => expected],
  ['status', 'text', ({ status }) => status],
  ['reason', 'text', ({ reason }) => reason],
  ['interval_status', 'text', ({ interval_status }) => interval_status],
  ['origin_close_usd', 'number', ({ origin_close_usd }) => origin_close_usd],
  ['target_close_usd', 'number', ({ target_close_usd }) => target_close_usd],
  ['predicted_price_usd', 'number', ({ predicted_price_usd }) => predicted_price_usd],
  ['q10_usd', 'number', ({ q10_usd }) => q10_usd],
  ['q50_usd', 'number', ({ q50_usd }) => q50_usd],
  ['q90_usd', 'number', ({ q90_usd }) => q90_usd],
  ['vintage_id', 'text', ({ vintage_id }) => vintage_id],
  ['vintage_sha256', 'text', ({ vintage_sha256 }) => vintage_sha256],
  ['origin_text', 'text', ({ origin_at: at }) => (instantCell(at) === null ? at : null)],
])

/** Every attempt, expected or beside the grid, one a row, in the order of pairs.ndjson. */
export function pairsTable(pairs: AsyncIterable<readonly PairLine[]>): Table {
  return tableFrom(PAIR_COLUMNS, pairs, (batch) =>
    batch.map((pair) => recordRow(PAIR_COLUMNS, pair)),
  )
}
