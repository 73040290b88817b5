import type { CellLine } from '../../contract/types.js'
import { namePart } from '../../registration/family.js'
import { toResultBounds } from '../result/shared.js'
import type { ReadingPlan } from './basis.js'
import type { ReadingCell, SeriesReading } from './cells.js'
import { belowName, boundedMeasures } from './own.js'
import { belowLevels, ModelFigures } from './shown.js'
import { type CellSums, comparedPairs, modelNames } from './sum.js'

/** A series in a reading, with its sums. */
export interface SummedSeries {
  readonly own: SeriesReading
  readonly sums: CellSums
}

/**
 * A line of cells.ndjson.
 * @param scales - of the series. @param second - in the second reading; null where no forecast of the cell was late.
 */
export function toCellLine(
  of: ReadingPlan,
  first: SummedSeries,
  cell: ReadingCell,
  scales: CellLine['scales'],
  second: CellLine['second'],
): CellLine {
  const { series, horizon: step, group = null, keys, withOutcome, inTest, isShown } = cell
  return {
    ...{ series, step, group, registered: keys, with_outcome: withOutcome },
    ...{ in_test: inTest, in_means: isShown, scales },
    ...cellFigures(of, first, cell),
    second,
  }
}

/** The figures of a cell by model, and by comparison. */
export function cellFigures(
  of: ReadingPlan,
  { sums }: SummedSeries,
  cell: ReadingCell,
): Pick<CellLine, 'models' | 'comparisons'> {
  const models = modelNames(of).map((model) => {
    const ofModel = sums.modelIn(model, cell, 'all')
    const figures = new ModelFigures(sums.measures, belowLevels(of))
    const belowIn = (level: string) => sums.belowIn(model, cell.id, level)
    figures.add(ofModel, belowIn)
    const bounds = figures.figures(boundedMeasures(of), {
      ofMeasure: (id) => sums.ownBoundsIn(sums.getColumns(model, cell.id)[id]!, id),
      below: (level) => sums.ownBoundsIn(belowIn(level), belowName(level)),
    })
    return [model, { ...ofModel.counts, ...bounds }]
  })
  const comparisons = comparedPairs(of).map((pair) => {
    const { keys, scores } = sums.comparedIn(pair, cell, 'all')
    const bounds = toResultBounds(sums.boundsIn(pair, cell))
    const differences = of.registered.rules.scores.map(({ id, primary }) => {
      return [id, { ...scores[id], bounds: primary ? bounds : null }]
    })
    const name = [pair.candidate, pair.comparator].map(namePart).join('/')
    return [name, { ...keys, differences: Object.fromEntries(differences) }]
  })
  return { models: Object.fromEntries(models), comparisons: Object.fromEntries(comparisons) }
}

/** Whether a forecast of a cell counts only in the second reading. */
export function hasLate(of: ReadingPlan, { sums }: SummedSeries, cell: ReadingCell): boolean {
  return modelNames(of).some((model) => {
    const { reasons } = sums.modelIn(model, cell, 'all').counts
    return (reasons.committed_late ?? 0) + (reasons.not_committed ?? 0) > 0
  })
}
