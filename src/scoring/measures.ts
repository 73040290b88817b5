import { mapColumns } from './columns.js'
import { INTERVAL_LEVEL } from './interval-score.js'
import { type Mean, meanOf, meanOfMeans } from './sum.js'
import type { ColumnName, LossColumns, Measures } from './types.js'

/** The mean of every column, and how many pairs it is of. */
export type ColumnMeans = Readonly<Record<ColumnName, Mean>>

/**
 * The means of one model at one horizon, over all origins or those of one stratum level.
 * @param members 1 where the origin belongs to the level; absent for all origins.
 */
export function columnMeans(columns: LossColumns, members?: Uint8Array): ColumnMeans {
  return mapColumns((name) => meanOf(columns[name], members))
}

/**
 * The means of one model over all horizons: every one the unweighted mean of the horizons' means,
 * counts their sums. Null where a horizon has none: the others cannot speak for it.
 */
export function overallMeans(horizons: readonly ColumnMeans[]): ColumnMeans {
  return mapColumns((name) => ({
    count: horizons.reduce((total, means) => total + means[name].count, 0),
    mean: meanOfMeans(horizons.map((means) => means[name].mean)),
  }))
}

/** The scores of one model, at one horizon or overall, as a result has them. */
export function measuresOf(means: ColumnMeans): Measures {
  const errorRate = means.directionError.mean
  const coverage = means.covered.mean
  return {
    pairs: means.pointLoss.count,
    point_loss: means.pointLoss.mean,
    absolute_percent_error: means.percentError.mean,
    log_return_bias: means.logBias.mean,
    percent_bias: means.percentBias.mean,
    direction: {
      eligible: means.directionError.count,
      accuracy: errorRate === null ? null : 1 - errorRate,
      error_rate: errorRate,
    },
    interval: {
      pairs: means.intervalScore.count,
      score: means.intervalScore.mean,
      pinball: {
        '0.1': means.pinball10.mean,
        '0.5': means.pinball50.mean,
        '0.9': means.pinball90.mean,
      },
      coverage,
      coverage_difference: coverage === null ? null : coverage - INTERVAL_LEVEL,
      width: means.width.mean,
      width_percent: means.widthPercent.mean,
    },
  }
}
