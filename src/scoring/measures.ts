import { logReturnBias, percentBias } from './bias.js'
import { covered } from './coverage.js'
import { directionError } from './direction.js'
import { intervalScore } from './interval-score.js'
import { absolutePercentError } from './percent-error.js'
import { pinball } from './pinball.js'
import { pointLoss } from './point-loss.js'
import type { Estimand, ScoredPair } from './scored-pairs.js'
import { width, widthPercent } from './width.js'

interface PairMeasure {
  readonly estimand: Estimand
  /** NaN if the pair has no value; means skip it. */
  readonly of: (pair: ScoredPair) => number
}

type MeasureOf = (of: PairMeasure['of']) => PairMeasure
const point: MeasureOf = (of) => ({ estimand: 'point', of })
const interval: MeasureOf = (of) => ({ estimand: 'interval', of })

/**
 * Every measure of a pair, each defined in its own file. Registrations use these names for tests. The columns and the
 * means follow from this table.
 */
export const PAIR_MEASURES = {
  point_loss: point((pair) => pointLoss(pair.predicted, pair.realised)),
  absolute_percent_error: point((pair) => absolutePercentError(pair.forecast, pair.close)),
  log_return_bias: point((pair) => logReturnBias(pair.predicted, pair.realised)),
  percent_bias: point((pair) => percentBias(pair.forecast, pair.close)),
  direction_error: point((pair) => directionError(pair.predicted, pair.realised, pair.epsilon)),
  interval_score: interval((pair) => intervalScore(pair.lower, pair.upper, pair.realised)),
  'pinball_0.1': interval((pair) => pinball(0.1, pair.lower, pair.realised)),
  'pinball_0.5': interval((pair) => pinball(0.5, pair.median, pair.realised)),
  'pinball_0.9': interval((pair) => pinball(0.9, pair.upper, pair.realised)),
  coverage: interval((pair) => covered(pair.lower, pair.upper, pair.realised)),
  width: interval((pair) => width(pair.lower, pair.upper)),
  width_percent: interval((pair) => widthPercent(pair.lower, pair.upper, pair.origin)),
} as const

export type MeasureName = keyof typeof PAIR_MEASURES
export const MEASURE_NAMES = Object.keys(PAIR_MEASURES) as MeasureName[]
