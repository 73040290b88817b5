import type { EvaluationResult } from '../evaluation/result/types.js'
import type { PairLine } from '../pairing/lines.js'
import { scoredPair } from '../scoring/columns.js'
import {
  isMeasured,
  MEASURE_NAMES,
  type MeasureName,
  PAIR_MEASURES,
  type ScorerVersion,
  scorerVersionOf,
} from '../scoring/measures.js'
import { type Column, type Row, type Table, tableFrom } from '../table/types.js'
import { instantCell, integerCell, tidyName } from './cells.js'
import { aeMedian, wis } from './figures.js'

const measuresOf = (version: ScorerVersion) =>
  MEASURE_NAMES.filter((name) => isMeasured(name, version))

/** The columns for a result of a version of the scorer. */
export function lossesColumns(version: ScorerVersion): readonly Column[] {
  return [
    { name: 'origin_at', type: 'instant' },
    { name: 'target_at', type: 'instant' },
    { name: 'horizon', type: 'integer' },
    { name: 'model', type: 'text' },
    { name: 'role', type: 'text' },
    ...measuresOf(version).map((of) => ({ name: tidyName(of), type: 'number' }) as const),
    { name: 'ae_median', type: 'number' },
    { name: 'wis', type: 'number' },
    { name: 'vintage_id', type: 'text' },
    { name: 'vintage_sha256', type: 'text' },
  ]
}

/**
 * Every loss of every scored attempt, one attempt a row, in the order of pairs.ndjson. A loss is null where
 * the attempt has none: those of intervals where the interval is not scored, the direction error where
 * there is no direction.
 */
export function lossesTable(
  { models, settings, scorer }: Pick<EvaluationResult, 'models' | 'settings' | 'scorer'>,
  pairs: AsyncIterable<readonly PairLine[]>,
): Table {
  const roleOf = new Map(models.map(({ name, role }) => [name, role]))
  const version = scorerVersionOf({ scorer })
  const measures = measuresOf(version)
  const rowOf = (pair: PairLine): Row => {
    const losses = lossesOf(pair, settings.direction_epsilon)
    return [
      instantCell(pair.origin_at),
      instantCell(pair.target_at),
      integerCell(pair.horizon_hours),
      pair.model,
      roleOf.get(pair.model) ?? null,
      ...measures.map((measure) => losses[measure]),
      aeMedian(losses['pinball_0.5']),
      wis(losses['pinball_0.1'], losses['pinball_0.5'], losses['pinball_0.9']),
      pair.vintage_id,
      pair.vintage_sha256,
    ]
  }
  return tableFrom(lossesColumns(version), pairs, (batch) => batch.filter(isScored).map(rowOf))
}

function isScored({ expected, status }: PairLine): boolean {
  return expected && status === 'scored'
}

function lossesOf(pair: PairLine, epsilon: number): Record<MeasureName, number | null> {
  const hasInterval = pair.interval_status === 'scored'
  const bound = (price: number | null) => (hasInterval && price !== null ? price : Number.NaN)
  const prices = {
    p0: pair.origin_close_usd ?? Number.NaN,
    p1: pair.target_close_usd ?? Number.NaN,
    forecast: pair.predicted_price_usd ?? Number.NaN,
    q10: bound(pair.q10_usd),
    q50: bound(pair.q50_usd),
    q90: bound(pair.q90_usd),
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
