import type { Scorer } from '../contract/types.js'
import { logReturnBias, percentBias } from './bias.js'
import { covered } from './coverage.js'
import { directionError } from './direction.js'
import { intervalScore } from './interval-score.js'
import { absolutePercentError } from './percent-error.js'
import { pinball } from './pinball.js'
import { pointLoss } from './point-loss.js'
import type { Estimand, ScoredPair } from './types.js'
import { width, widthPercent } from './width.js'

/** The versions that `scorer.schema.json` allows; add a new one there first. */
export type ScorerVersion = Scorer['version']

/** The version for new registrations. */
export const SCORER_VERSION: ScorerVersion = 1

interface PairMeasure {
  readonly estimand: Estimand
  /** NaN if the pair has no value; means skip it. */
  readonly of: (pair: ScoredPair) => number
  /** For a measure that version 1 lacks: the version that added it, and the statement in later registrations. */
  readonly added?: { readonly since: ScorerVersion; readonly says: string } | undefined
}

type MeasureOf = (of: PairMeasure['of'], added?: PairMeasure['added']) => PairMeasure
const point: MeasureOf = (of, added) => ({ estimand: 'point', of, added })
const interval: MeasureOf = (of, added) => ({ estimand: 'interval', of, added })

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

/** Whether a version of the scorer has a measure. */
export function isMeasured(name: MeasureName, version: ScorerVersion): boolean {
  return (PAIR_MEASURES[name].added?.since ?? 1) <= version
}
