import type { PairLine } from '../contract/types.js'
import type { CellLine, Result } from '../evaluation/result/result.js'
import { listScores } from '../scoring/scores.js'
import {
  type RecordColumn,
  recordColumns,
  type Table,
  toRecordRow,
  toStreamedTable,
} from '../table/table.js'
import { isScored, type Lines, PLACE_COLUMNS, VINTAGE_COLUMNS } from './pairs.js'
import { roleIn } from './scores.js'

/** A scored attempt with its losses, in the order of the scores. */
interface Loss extends PairLine {
  readonly losses: readonly (number | null)[]
}

export function lossTableColumns(result: Pick<Result, 'settings'>): readonly RecordColumn<Loss>[] {
  const getRole = roleIn(result)
  return [
    ...PLACE_COLUMNS,
    ...recordColumns<Loss>([
      ['role', 'text', ({ model }) => getRole(model)],
      ...result.settings.rules.scores.map(
        ({ id }, at) => [id, 'number', ({ losses }: Loss) => losses[at]!] as const,
      ),
    ]),
    ...VINTAGE_COLUMNS,
  ]
}

/**
 * Every score of every scored attempt, one attempt per row, in the order of the stored pairs. A loss is null if the
 * attempt has none: losses of widths if the interval is not scored, a direction if none is asked.
 */
export function lossesTable(
  result: Pick<Result, 'settings'>,
  cells: readonly CellLine[],
  pairs: Lines,
): Table {
  const columns = lossTableColumns(result)
  const getLosses = lossesIn(result, cells)
  return toStreamedTable(columns, pairs, (batch) =>
    batch
      .filter(isScored)
      .map((pair) => toRecordRow(columns, { ...pair, losses: getLosses(pair) })),
  )
}

function lossesIn({ settings }: Pick<Result, 'settings'>, cells: readonly CellLine[]) {
  const seriesScales = new Map(cells.map(({ series, scales }) => [series, scales]))
  const series = [...seriesScales.keys()].map((id) => ({ id }))
  const positions = new Map(series.map(({ id }, at) => [id, at]))
  const scales = [...seriesScales].flatMap(([id, own]) =>
    own.map((each) => ({ series: id, ...each })),
  )
  const { scores, forecast } = settings.rules
  const all = listScores({ scores, forecast, series }, scales)
  return ({ series: own, interval_status, value, quantiles, outcome, base }: PairLine) => {
    const hasInterval = interval_status === 'scored'
    const levels = Float64Array.from(quantiles, (one) => (hasInterval ? (one ?? NaN) : NaN))
    const position = positions.get(own) ?? NaN
    return all
      .map(({ of }) => of(value ?? NaN, levels, outcome ?? NaN, position, base ?? NaN))
      .map((loss) => (Number.isFinite(loss) ? loss : null))
  }
}
