import { INTERVAL_LEVEL } from '../contract/limits.js'
import type { Result, Scorer } from '../contract/types.js'
import { logReturnBias, percentBias } from './bias.js'
import { covered } from './coverage.js'
import { directionError } from './direction.js'
import { intervalScore } from './interval-score.js'
import { absolutePercentError } from './percent-error.js'
import { pinball } from './pinball.js'
import { pointLoss } from './point-loss.js'
import type { Mean } from './sum.js'
import type { Estimand, ScoredPair } from './types.js'
import { width, widthPercent } from './width.js'

/** The versions that `scorer.schema.json` allows; add a new one there first. */
export type ScorerVersion = Scorer['version']

/** The version for new registrations. */
export const SCORER_VERSION: ScorerVersion = 1

/** The scorer version of a registration or result; version 1 if it is older than the version field. */
export function scorerVersionOf(of: {
  readonly scorer?: { readonly version: ScorerVersion } | undefined
}): ScorerVersion {
  return of.scorer?.version ?? 1
}

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
 * Every measure of a pair, each defined in its own file. Registrations use these names for tests. The columns, the
 * means and `FIGURES` follow from this table.
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

/** A column in the report's tables of all figures. */
export interface Shown {
  readonly heading: string
  /**
   * `percent` and `change` show a share or a log return, times 100; `change` with its sign. `decimal` shows the figure
   * unchanged.
   */
  readonly as: 'count' | 'decimal' | 'percent' | 'change'
  readonly digits: number
}

/** How a result records the mean of one measure. */
export interface MeasureFigure<Value extends number | null = number | null> {
  readonly measure: MeasureName
  readonly from: (mean: Mean) => Value
  /** That of its measure, or its own where it is derived from one; absent of counts, which say what means are of. */
  readonly name?: string
  /** Absent if reports do not show it. */
  readonly shown?: Shown
}

type Recorded = Result['measures'][number]
/** Where it is, and what only some registrations have. */
type Cell = 'model' | 'horizon' | 'stratum' | 'below'

/** The scores of one model in one cell: means over its own scored pairs, null without pairs. */
export type Measures = Omit<Recorded, Cell | 'point_loss_bounds' | 'interval'> & {
  readonly interval: Omit<Recorded['interval'], 'coverage_bounds'>
}

type FiguresOf<T> = {
  readonly [K in keyof T]-?: Exclude<T[K], undefined> extends infer V extends number | null
    ? MeasureFigure<V>
    : FiguresOf<T[K]>
}

const column = (heading: string, as: Shown['as'], digits: number): Shown => ({
  heading,
  as,
  digits,
})

const pairs = (measure: MeasureName, heading: string): MeasureFigure<number> => ({
  measure,
  from: ({ count }) => count,
  shown: column(heading, 'count', 0),
})

const mean = (
  measure: MeasureName,
  shown?: Shown,
  { name, from }: Derived = { name: measure, from: (value) => value },
): MeasureFigure => ({
  measure,
  name,
  from: ({ mean }) => (mean === null ? null : from(mean)),
  ...(shown && { shown }),
})

interface Derived {
  readonly name: string
  readonly from: (mean: number) => number
}

/** The figures of a result, in its shape and in the order of the reports. */
export const FIGURES: FiguresOf<Measures> = {
  pairs: pairs('point_loss', 'pairs'),
  point_loss: mean('point_loss', column('log-return error', 'percent', 4)),
  absolute_percent_error: mean(
    'absolute_percent_error',
    column('absolute error, % of price', 'decimal', 4),
  ),
  log_return_bias: mean('log_return_bias', column('log-return bias', 'change', 4)),
  percent_bias: mean('percent_bias', column('bias, % of price', 'decimal', 4)),
  direction: {
    error_rate: mean('direction_error'),
    accuracy: mean('direction_error', column('direction right', 'percent', 2), {
      name: 'direction_accuracy',
      from: (rate) => 1 - rate,
    }),
    eligible: pairs('direction_error', 'directions judged'),
  },
  interval: {
    pairs: pairs('interval_score', 'intervals'),
    score: mean('interval_score', column('interval score', 'percent', 3)),
    pinball: {
      '0.1': mean('pinball_0.1', column('pinball 0.1', 'percent', 4)),
      '0.5': mean('pinball_0.5', column('pinball 0.5', 'percent', 4)),
      '0.9': mean('pinball_0.9', column('pinball 0.9', 'percent', 4)),
    },
    coverage: mean('coverage', column('coverage', 'percent', 2)),
    coverage_difference: mean('coverage', column('off nominal', 'change', 2), {
      name: 'coverage_difference',
      from: (coverage) => coverage - INTERVAL_LEVEL,
    }),
    width: mean('width'),
    width_percent: mean('width_percent', column('width, % of price', 'decimal', 3)),
  },
}

/** A figure with its path in a cell of a result. */
interface PlacedFigure extends MeasureFigure {
  readonly way: readonly string[]
}

/** All figures as a flat list. */
export const PLACED_FIGURES = placed(FIGURES, [])

function placed(figures: object, before: readonly string[]): PlacedFigure[] {
  return Object.entries(figures).flatMap(([member, node]: [string, MeasureFigure | object]) => {
    const way = [...before, member]
    return 'measure' in node ? [{ ...node, way }] : placed(node, way)
  })
}

/** A figure of a cell; undefined if its scorer version lacks the measure. */
export const figureIn = (cell: object, { way }: PlacedFigure) =>
  way.reduce<unknown>((node, member) => (node as Record<string, unknown>)[member], cell) as
    | number
    | null
    | undefined
