import type { PairLine } from '../contract/types.js'
import type { Result } from '../evaluation/result/result.js'
import {
  type RecordColumn,
  recordColumns,
  type Table,
  toRecordRow,
  toStreamedTable,
} from '../table/table.js'

export type Lines = AsyncIterable<readonly PairLine[]>

/** A number as a cell of a column of whole numbers; null if it is not one, as a horizon beside the grid may be. */
const integerCell = (value: number | null) => (Number.isSafeInteger(value) ? value : null)

/** What an attempt is of. */
export const PLACE_COLUMNS = recordColumns<PairLine>([
  ['series', 'text', ({ series }) => series],
  ['origin', 'text', ({ origin }) => origin],
  ['target', 'text', ({ target }) => target],
  ['horizon', 'integer', ({ step }) => integerCell(step)],
  ['model', 'text', ({ model }) => model],
])

/** The outcomes that a forecast was made on. */
export const VINTAGE_COLUMNS = recordColumns<PairLine>([
  ['vintage_id', 'text', ({ vintage_id }) => vintage_id],
  ['vintage_sha256', 'text', ({ vintage_sha256 }) => vintage_sha256],
])

type Settings = Pick<Result, 'settings'>

export const pairColumns = ({ settings }: Settings): readonly RecordColumn<PairLine>[] => [
  ...PLACE_COLUMNS,
  ...recordColumns<PairLine>([
    ['expected', 'boolean', ({ expected }) => expected],
    ['status', 'text', ({ status }) => status],
    ['reason', 'text', ({ reason }) => reason],
    ['interval_status', 'text', ({ interval_status }) => interval_status],
    ['seen', 'text', ({ seen }) => seen],
    ['base', 'number', ({ base }) => base],
    ['outcome', 'number', ({ outcome }) => outcome],
    ['value', 'number', ({ value }) => value],
    ...settings.rules.forecast.levels.map(
      (level, at) =>
        [`q${level}`, 'number', ({ quantiles }: PairLine) => quantiles[at] ?? null] as const,
    ),
  ]),
  ...VINTAGE_COLUMNS,
]

/** Every attempt, expected or beside the grid, one per row, in the order of the stored pairs. */
export function pairsTable(result: Settings, pairs: Lines): Table {
  const columns = pairColumns(result)
  return toStreamedTable(columns, pairs, (batch) => batch.map((pair) => toRecordRow(columns, pair)))
}

/** A quantile of a scored attempt, with the outcome; named for `as_forecast_quantile()` of scoringutils. */
interface Quantile extends PairLine {
  readonly level: number
  readonly predicted: number
}

const QUANTILE_COLUMNS: readonly RecordColumn<Quantile>[] = [
  ...PLACE_COLUMNS,
  ...recordColumns<Quantile>([
    ['quantile_level', 'number', ({ level }) => level],
    ['predicted', 'number', ({ predicted }) => predicted],
    ['observed', 'number', ({ outcome }) => outcome],
  ]),
]

/** The scored attempts, one row per quantile. */
export function longPairsTable({ settings }: Settings, pairs: Lines): Table {
  const { levels } = settings.rules.forecast
  return toStreamedTable(QUANTILE_COLUMNS, pairs, (batch) =>
    batch
      .filter((pair) => isScored(pair) && pair.interval_status === 'scored')
      .flatMap((pair) =>
        levels.map((level, at) => {
          const predicted = pair.quantiles[at] as number
          return toRecordRow(QUANTILE_COLUMNS, { ...pair, level: Number(level), predicted })
        }),
      ),
  )
}

export const isScored = ({ expected, status }: Pick<PairLine, 'expected' | 'status'>): boolean =>
  expected && status === 'scored'
