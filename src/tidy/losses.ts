import type { PairLine } from '../contract/types.js'
import type { EvaluationResult } from '../evaluation/result/types.js'
import { scoredPair } from '../scoring/columns.js'
import {
  isMeasured,
  MEASURE_NAMES,
  type MeasureName,
  PAIR_MEASURES,
  type ScorerVersion,
  scorerVersionOf,
} from '../scoring/measures.js'
import {
  type RecordColumn,
  recordColumns,
  type Table,
  toRecordRow,
  toStreamedTable,
} from '../table/types.js'
import { instantCell, integerCell, tidyName } from './cells.js'
import { aeMedian, wis } from './figures.js'

/** A scored attempt. */
interface Loss {
  readonly pair: PairLine
  readonly role: string | null
  readonly of: Readonly<Record<MeasureName, number | null>>
}

/** The columns for a version of the scorer. */
export function lossesColumns(version: ScorerVersion): readonly RecordColumn<Loss>[] {
  const measures = MEASURE_NAMES.filter((name) => isMeasured(name, version))
  return recordColumns([
    ['origin_at', 'instant', ({ pair }) => instantCell(pair.origin)],
    ['target_at', 'instant', ({ pair }) => instantCell(pair.target)],
    ['horizon', 'integer', ({ pair }) => integerCell(pair.step)],
    ['model', 'text', ({ pair }) => pair.model],
    ['role', 'text', ({ role }) => role],
    ...measures.map((name) => [tidyName(name), 'number', ({ of }: Loss) => of[name]] as const),
    ['ae_median', 'number', ({ of }) => aeMedian(of['pinball_0.5'])],
    ['wis', 'number', ({ of }) => wis(of['pinball_0.1'], of['pinball_0.5'], of['pinball_0.9'])],
    ['vintage_id', 'text', ({ pair }) => pair.vintage_id],
    ['vintage_sha256', 'text', ({ pair }) => pair.vintage_sha256],
  ])
}

/**
 * Every loss of every scored attempt, one attempt per row, in the order of the stored pairs. A loss is null if the
 * attempt has none: interval losses if the interval is not scored, the direction error if there is no direction.
 */
export function lossesTable(
  { models, settings, scorer }: Pick<EvaluationResult, 'models' | 'settings' | 'scorer'>,
  pairs: AsyncIterable<readonly PairLine[]>,
): Table {
  const roleOf = new Map(models.map(({ name, role }) => [name, role]))
  const columns = lossesColumns(scorerVersionOf({ scorer }))
  const lossRow = (pair: PairLine) => {
    const of = lossesOf(pair, settings.direction_epsilon)
    return toRecordRow(columns, { pair, role: roleOf.get(pair.model) ?? null, of })
  }
  return toStreamedTable(columns, pairs, (batch) => batch.filter(isScored).map(lossRow))
}

export function isScored({ expected, status }: Pick<PairLine, 'expected' | 'status'>): boolean {
  return expected && status === 'scored'
}

function lossesOf(pair: PairLine, epsilon: number): Record<MeasureName, number | null> {
  const hasInterval = pair.interval_status === 'scored'
  const bound = (at: number) => (hasInterval ? (pair.quantiles[at] ?? Number.NaN) : Number.NaN)
  const prices = {
    p0: pair.base ?? Number.NaN,
    p1: pair.outcome ?? Number.NaN,
    forecast: pair.value ?? Number.NaN,
    ...{ q10: bound(0), q50: bound(1), q90: bound(2) },
  }
  const scored = scoredPair(prices, epsilon)
  const lossOf = (measure: MeasureName) => {
    const loss = PAIR_MEASURES[measure].of(scored)
    return Number.isFinite(loss) ? loss : null
  }
  return Object.fromEntries(MEASURE_NAMES.map((measure) => [measure, lossOf(measure)])) as Record<
    MeasureName,
    number | null
  >
}
