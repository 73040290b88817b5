import type { PairLine } from '../contract/types.js'
import { QUANTILE_COLUMNS } from '../history/natural/columns.js'
import {
  type RecordColumn,
  recordColumns,
  type Table,
  toRecordRow,
  toStreamedTable,
} from '../table/types.js'
import { instantCell, integerCell } from './cells.js'
import { isScored } from './losses.js'

/** Off the grid, an origin may not be a timestamp, and a horizon not a whole number: typed columns leave them null. */
export const PAIR_COLUMNS = recordColumns<PairLine>([
  ['origin_at', 'instant', ({ origin }) => instantCell(origin)],
  ['target_at', 'instant', ({ target }) => instantCell(target)],
  ['horizon', 'integer', ({ step }) => integerCell(step)],
  ['model', 'text', ({ model }) => model],
  ['expected', 'boolean', ({ expected }) => expected],
  ['status', 'text', ({ status }) => status],
  ['reason', 'text', ({ reason }) => reason],
  ['interval_status', 'text', ({ interval_status }) => interval_status],
  ['origin_close_usd', 'number', ({ base }) => base],
  ['target_close_usd', 'number', ({ outcome }) => outcome],
  ['predicted_price_usd', 'number', ({ value }) => value],
  ['q10_usd', 'number', ({ quantiles: [q10 = null] }) => q10],
  ['q50_usd', 'number', ({ quantiles: [, q50 = null] }) => q50],
  ['q90_usd', 'number', ({ quantiles: [, , q90 = null] }) => q90],
  ['vintage_id', 'text', ({ vintage_id }) => vintage_id],
  ['vintage_sha256', 'text', ({ vintage_sha256 }) => vintage_sha256],
  ['seen_at', 'instant', ({ seen }) => instantCell(seen)],
  ['origin_text', 'text', ({ origin: at }) => (instantCell(at) === null ? at : null)],
])

/** Every attempt, expected or off the grid, one per row, in the order of the stored pairs. */
export function pairsTable(pairs: AsyncIterable<readonly PairLine[]>): Table {
  return toStreamedTable(PAIR_COLUMNS, pairs, (batch) =>
    batch.map((pair) => toRecordRow(PAIR_COLUMNS, pair)),
  )
}

type Lines = AsyncIterable<readonly PairLine[]>

/** A quantile of a scored attempt, with the outcome; named for `as_forecast_quantile()` of scoringutils. */
interface Quantile extends PairLine {
  readonly level: number
  readonly predicted: number
}
const QUANTILE = recordColumns<Quantile>([
  ['quantile_level', 'number', ({ level }) => level],
  ['predicted', 'number', ({ predicted }) => predicted],
  ['observed', 'number', ({ outcome }) => outcome],
])

/**
 * The scored attempts, one row per quantile.
 * @param place - the columns that identify attempts.
 */
export function quantilesTable(
  place: readonly RecordColumn<PairLine>[],
  levels: readonly string[],
  pairs: Lines,
): Table {
  const columns: readonly RecordColumn<Quantile>[] = [...place, ...QUANTILE]
  return toStreamedTable(columns, pairs, (batch) =>
    batch
      .filter((pair) => isScored(pair) && pair.interval_status === 'scored')
      .flatMap((pair) =>
        levels.map((level, at) => {
          const predicted = pair.quantiles[at] as number
          return toRecordRow(columns, { ...pair, level: Number(level), predicted })
        }),
      ),
  )
}

const HOURLY_PLACE = PAIR_COLUMNS.filter(({ name }) =>
  ['origin_at', 'target_at', 'horizon', 'model'].includes(name),
)

const HOURLY_LEVELS = QUANTILE_COLUMNS.map(([level]) => level)

/** For hourly closes. */
export const longPairsTable = (pairs: Lines): Table =>
  quantilesTable(HOURLY_PLACE, HOURLY_LEVELS, pairs)
