import { logReturnBias, percentBias } from './bias.js'
import { covered } from './coverage.js'
import { directionError } from './direction.js'
import { intervalScore } from './interval-score.js'
import { logReturn } from './log-return.js'
import { absolutePercentError } from './percent-error.js'
import { pinball } from './pinball.js'
import { pointLoss } from './point-loss.js'
import { COLUMNS, type ColumnName, type LossColumns, type ScoredPairs } from './types.js'
import { width, widthPercent } from './width.js'

/** A value for every column. */
export function mapColumns<T>(valueAt: (name: ColumnName) => T): Record<ColumnName, T> {
  return Object.fromEntries(COLUMNS.map((name) => [name, valueAt(name)])) as Record<ColumnName, T>
}

/**
 * Every measure of every pair of one model at one horizon.
 * @param epsilon half width of the band without direction, in log returns.
 */
export function lossColumns(pairs: ScoredPairs, epsilon: number): LossColumns {
  const length = pairs.p0.length
  const columns = mapColumns(() => new Float64Array(length).fill(Number.NaN))
  for (let index = 0; index < length; index++) {
    const p0 = pairs.p0[index] as number
    const p1 = pairs.p1[index] as number
    const forecast = pairs.forecast[index] as number
    if (Number.isNaN(forecast)) continue
    const predicted = logReturn(forecast, p0)
    const realised = logReturn(p1, p0)
    columns.pointLoss[index] = pointLoss(predicted, realised)
    columns.percentError[index] = absolutePercentError(forecast, p1)
    columns.logBias[index] = logReturnBias(predicted, realised)
    columns.percentBias[index] = percentBias(forecast, p1)
    columns.directionError[index] = directionError(predicted, realised, epsilon)
    const q10 = pairs.q10[index] as number
    if (Number.isNaN(q10)) continue
    const lower = logReturn(q10, p0)
    const median = logReturn(pairs.q50[index] as number, p0)
    const upper = logReturn(pairs.q90[index] as number, p0)
    columns.pinball10[index] = pinball(0.1, lower, realised)
    columns.pinball50[index] = pinball(0.5, median, realised)
    columns.pinball90[index] = pinball(0.9, upper, realised)
    columns.intervalScore[index] = intervalScore(lower, upper, realised)
    columns.covered[index] = covered(lower, upper, realised)
    columns.width[index] = width(lower, upper)
    columns.widthPercent[index] = widthPercent(lower, upper)
  }
  return columns
}
