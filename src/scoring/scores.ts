import type { RulesData } from '../contract/types.js'
import { compileTransform, transformText } from '../protocol/rules/transforms.js'
import { covered } from './coverage.js'
import { directionError, withUncalled } from './direction.js'
import { intervalScore } from './interval-score.js'
import { pinball } from './pinball.js'
import { pointLoss } from './point-loss.js'
import type { SeriesScale } from './scales.js'
import type { ScoredPairs } from './scored-pairs.js'
import { weightedInterval } from './weighted-interval.js'

type Rule = RulesData['scores'][number]

/** A score in compiled rules, or in a document, which may leave out optional members. */
interface ScoreRule extends Pick<Rule, 'id' | 'kind'> {
  readonly primary?: boolean | undefined
  readonly transform?:
    | { readonly kind: string; readonly offset?: string | null | undefined }
    | undefined
  readonly level?: string | null | undefined
  readonly lower?: string | null | undefined
  readonly upper?: string | null | undefined
  readonly epsilon?: number | string | null | undefined
}

/** What is measured of one forecast: a score of a protocol, or what is only shown. */
export interface Measure {
  readonly id: string
  /** For direction: the errors, with the charge for directions that a candidate does not call. */
  readonly charged?: (errors: Float64Array, pairs: ScoredPairs) => Float64Array
  /**
   * Lower is better, but for coverage: 1 where the interval holds the outcome, else 0. NaN where a value is, and where
   * a value has no transform.
   * @param value - the median. @param quantiles - by the levels of the protocol. @param series - its place in the protocol.
   * @param base - what persistence says; NaN where it sees nothing.
   */
  of(value: number, quantiles: Float64Array, outcome: number, series: number, base: number): number
}

export interface ScoreMeasure extends Measure {
  readonly kind: ScoreRule['kind']
  readonly primary: boolean
}

/**
 * The scores of rules: forecast and outcome go through the transform, and the loss is divided by the scale of the
 * series on that transform. Coverage is that of the values as they are.
 * @param scales - none where losses are not scaled.
 */
export function listScores(
  rules: {
    readonly scores: readonly ScoreRule[]
    readonly forecast: { readonly levels: readonly string[] }
    readonly series: readonly Pick<RulesData['series'][number], 'id'>[]
  },
  scales: readonly SeriesScale[],
): ScoreMeasure[] {
  const indices = new Map(rules.series.map(({ id }, at) => [id, at]))
  const getDivisors = (on: string) => {
    const divisors = new Float64Array(rules.series.length).fill(1)
    for (const { series, transform, value } of scales) {
      const at = indices.get(series)
      if (at !== undefined && transform === on) divisors[at] = value
    }
    return divisors
  }
  return rules.scores.map((score) => {
    const { id, kind, primary = false } = score
    const loss = createLoss(score, rules.forecast.levels)
    const share: ScoreMeasure['of'] = (value, quantiles, outcome, _, base) =>
      loss(value, quantiles, outcome, base)
    if (kind === 'coverage') return { id, kind, primary, of: share }
    if (kind === 'direction') {
      const [epsilon, move] = [Number(score.epsilon), createMove(score)]
      const charged: ScoreMeasure['charged'] = (errors, pairs) =>
        withUncalled(errors, pairs, epsilon, move)
      return { id, kind, primary, of: share, charged }
    }
    const divisors = getDivisors(transformText(score))
    const of: ScoreMeasure['of'] = (value, quantiles, outcome, series, base) =>
      loss(value, quantiles, outcome, base) / (divisors[series] as number)
    return { id, kind, primary, of }
  })
}

type Loss = (value: number, quantiles: Float64Array, outcome: number, base: number) => number

/** For direction: the move from one value to another, on the transform of the score. */
const createMove = (score: ScoreRule) => {
  const { of: on } = compileTransform(score)
  return (to: number, from: number) => on(to) - on(from)
}

function createLoss(score: ScoreRule, levels: readonly string[]): Loss {
  const { of: on } = compileTransform(score)
  const position = (level: string | null | undefined) => levels.indexOf(level ?? '')
  const [lower, upper, only] = [position(score.lower), position(score.upper), position(score.level)]
  const at = (quantiles: Float64Array, index: number) => quantiles[index] as number
  switch (score.kind) {
    case 'absolute_error':
      return (value, _, outcome) => pointLoss(on(value), on(outcome))
    case 'pinball': {
      const level = Number(score.level)
      return (_, quantiles, outcome) => pinball(level, on(at(quantiles, only)), on(outcome))
    }
    case 'interval': {
      // 2 / α; the bounds leave out α / 2 on either side.
      const penalty = 1 / Number(score.lower)
      return (_, quantiles, outcome) =>
        intervalScore(on(at(quantiles, lower)), on(at(quantiles, upper)), on(outcome), penalty)
    }
    case 'weighted_interval': {
      const numbers = levels.map(Number)
      return (_, quantiles, outcome) => weightedInterval(numbers, quantiles.map(on), on(outcome))
    }
    case 'direction': {
      const [epsilon, move] = [Number(score.epsilon), createMove(score)]
      return (value, _, outcome, base) =>
        directionError(move(value, base), move(outcome, base), epsilon)
    }
    case 'coverage':
      return (_, quantiles, outcome) => covered(at(quantiles, lower), at(quantiles, upper), outcome)
  }
}
