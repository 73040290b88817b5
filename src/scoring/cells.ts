import { lossColumns } from './columns.js'
import { withUncalled } from './direction.js'
import type { ScoredPairs } from './scored-pairs.js'
import type { SeriesScore } from './series-scores.js'

/** Columns of measures by their names. */
export type MeasureColumns = Readonly<Record<string, Float64Array>>

/** One model in one cell, scored. */
export interface ScoredCell {
  readonly pairs: ScoredPairs
  readonly columns: MeasureColumns
  /** Its direction errors as a candidate, by measure, where uncalled directions are charged. */
  readonly charged?: MeasureColumns
}

/**
 * Every measure of the pairs of a model at one horizon of hourly closes.
 * @param isCharged - whether directions that a candidate does not call are charged.
 */
export function hourlyScored(pairs: ScoredPairs, epsilon: number, isCharged: boolean): ScoredCell {
  const columns = lossColumns(pairs, epsilon)
  const own = { pairs, columns }
  if (!isCharged) return own
  return {
    ...own,
    charged: { direction_error: withUncalled(columns.direction_error, pairs, epsilon) },
  }
}

/** Every score of the pairs of a model in a cell. @param series - its position in the protocol. */
export function seriesScored(
  pairs: ScoredPairs,
  scores: readonly SeriesScore[],
  series: number,
): ScoredCell {
  const columns = scoreColumns(pairs, scores, series, (index) => pairs.p1[index]!)
  const charged = scores.flatMap(({ id, charged: of }) =>
    of === undefined ? [] : [[id, of(columns[id]!, pairs)] as const],
  )
  return { pairs, columns, ...(charged.length > 0 && { charged: Object.fromEntries(charged) }) }
}

/** The scores of forecasts by the id of the score; NaN if forecast or outcome is missing. */
export function scoreColumns(
  { forecast, quantiles, p0 }: ScoredPairs,
  scores: readonly SeriesScore[],
  series: number,
  outcomeAt: (index: number) => number,
): Record<string, Float64Array> {
  const own = new Float64Array(quantiles.length)
  const columns = scores.map(({ id }) => [id, new Float64Array(forecast.length)] as const)
  for (let index = 0; index < forecast.length; index++) {
    const value = forecast[index] as number
    for (const [at, level] of quantiles.entries()) own[at] = level[index] as number
    const outcome = outcomeAt(index)
    for (const [at, [, column]] of columns.entries()) {
      const { of } = scores[at] as SeriesScore
      column[index] = Number.isNaN(value)
        ? Number.NaN
        : of(value, own, outcome, series, p0[index] as number)
    }
  }
  return Object.fromEntries(columns)
}
