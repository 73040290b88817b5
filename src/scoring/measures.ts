import { INTERVAL_LEVEL } from './interval-score.js'
import { meanOf, meanOfMeans } from './sum.js'
import type { LossColumns, Measures } from './types.js'

/**
 * The scores of one model at one horizon, over all origins or those of one stratum level.
 * @param members 1 where the origin belongs to the level; absent for all origins.
 */
export function measuresOf(columns: LossColumns, members?: Uint8Array): Measures {
  const mean = (values: Float64Array) => meanOf(values, members).mean
  const point = meanOf(columns.pointLoss, members)
  const direction = meanOf(columns.directionError, members)
  const score = meanOf(columns.intervalScore, members)
  return {
    pairs: point.count,
    pointLoss: point.mean,
    absolutePercentError: mean(columns.percentError),
    logReturnBias: mean(columns.logBias),
    percentBias: mean(columns.percentBias),
    direction: directionOf(direction.count, direction.mean),
    interval: intervalOf({
      pairs: score.count,
      score: score.mean,
      pinball: {
        '0.1': mean(columns.pinball10),
        '0.5': mean(columns.pinball50),
        '0.9': mean(columns.pinball90),
      },
      coverage: mean(columns.covered),
      width: mean(columns.width),
      widthPercent: mean(columns.widthPercent),
    }),
  }
}

/**
 * The scores of one model over all horizons: every figure the unweighted mean of the horizons'
 * figures, counts their sums. Null where a horizon has none: the others cannot speak for it.
 */
export function overallMeasures(horizons: readonly Measures[]): Measures {
  const mean = (figure: (measures: Measures) => number | null) => meanOfMeans(horizons.map(figure))
  const count = (figure: (measures: Measures) => number) =>
    horizons.reduce((total, measures) => total + figure(measures), 0)
  return {
    pairs: count((of) => of.pairs),
    pointLoss: mean((of) => of.pointLoss),
    absolutePercentError: mean((of) => of.absolutePercentError),
    logReturnBias: mean((of) => of.logReturnBias),
    percentBias: mean((of) => of.percentBias),
    direction: directionOf(
      count((of) => of.direction.eligible),
      mean((of) => of.direction.errorRate),
    ),
    interval: intervalOf({
      pairs: count((of) => of.interval.pairs),
      score: mean((of) => of.interval.score),
      pinball: {
        '0.1': mean((of) => of.interval.pinball['0.1']),
        '0.5': mean((of) => of.interval.pinball['0.5']),
        '0.9': mean((of) => of.interval.pinball['0.9']),
      },
      coverage: mean((of) => of.interval.coverage),
      width: mean((of) => of.interval.width),
      widthPercent: mean((of) => of.interval.widthPercent),
    }),
  }
}

function directionOf(eligible: number, errorRate: number | null): Measures['direction'] {
  return { eligible, accuracy: errorRate === null ? null : 1 - errorRate, errorRate }
}

function intervalOf(
  interval: Omit<Measures['interval'], 'coverageDifference'>,
): Measures['interval'] {
  const { pairs, score, pinball, coverage, ...widths } = interval
  const coverageDifference = coverage === null ? null : coverage - INTERVAL_LEVEL
  return { pairs, score, pinball, coverage, coverageDifference, ...widths }
}
