import type { ScoredPairs } from './scored-pairs.js'
import type { Measure } from './scores.js'

/** Columns of measures by their names. */
export type MeasureColumns = Readonly<Record<string, Float64Array>>

/** One model in one cell, scored. */
export interface ScoredCell {
  readonly pairs: ScoredPairs
  readonly columns: MeasureColumns
  /** Its direction errors as a candidate, by measure, where uncalled directions are charged. */
  readonly charged?: MeasureColumns
}

/** Every measure of the pairs of a model in a cell. @param series - its position in the protocol. */
export function scoreCell(
  pairs: ScoredPairs,
  measures: readonly Measure[],
  series: number,
): ScoredCell {
  const columns = computeMeasures(pairs, measures, series, (index) => pairs.p1[index]!)
  const charged = measures.flatMap(({ id, charged: of }) =>
    of === undefined ? [] : [[id, of(columns[id]!, pairs)] as const],
  )
  return { pairs, columns, ...(charged.length > 0 && { charged: Object.fromEntries(charged) }) }
}

/** The measures of forecasts by their names; NaN if forecast or outcome is missing. */
export function computeMeasures(
  { forecast, quantiles, p0 }: ScoredPairs,
  measures: readonly Measure[],
  series: number,
  outcomeAt: (index: number) => number,
): Record<string, Float64Array> {
  const levelValues = new Float64Array(quantiles.length)
  const columns = measures.map(({ id }) => [id, new Float64Array(forecast.length)] as const)
  for (let index = 0; index < forecast.length; index++) {
    const value = forecast[index] as number
    for (const [at, level] of quantiles.entries()) levelValues[at] = level[index] as number
    const outcome = outcomeAt(index)
    for (const [at, [, column]] of columns.entries()) {
      const { of } = measures[at] as Measure
      column[index] = Number.isNaN(value)
        ? Number.NaN
        : of(value, levelValues, outcome, series, p0[index] as number)
    }
  }
  return Object.fromEntries(columns)
}
