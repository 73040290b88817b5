import { relative } from '../evaluation/result/readings.js'
import type { CellLine, Result } from '../evaluation/result/result.js'
import { namePart } from '../registration/family.js'
import { recordColumns, type Table, toRecordTable } from '../table/table.js'

/** A candidate against a comparator in a cell, by one score. */
interface Compared {
  readonly cell: CellLine
  readonly candidate: string
  readonly comparator: string
  readonly score: string
  readonly pairs: number
  readonly difference: CellLine['comparisons'][string]['differences'][string]
}

export const CELL_COLUMNS = recordColumns<Compared>([
  ['model', 'text', ({ candidate }) => candidate],
  ['compare_against', 'text', ({ comparator }) => comparator],
  ['series', 'text', ({ cell }) => cell.series],
  ['group', 'text', ({ cell }) => cell.group],
  ['horizon', 'integer', ({ cell }) => cell.step],
  ['measure', 'text', ({ score }) => score],
  ['origins', 'integer', ({ cell }) => cell.registered],
  ['with_outcome', 'integer', ({ cell }) => cell.with_outcome],
  ['in_test', 'boolean', ({ cell }) => cell.in_test],
  ['in_means', 'boolean', ({ cell }) => cell.in_means],
  ['n', 'integer', ({ pairs }) => pairs],
  ['model_mean', 'number', ({ cell, candidate, score }) => meanIn(cell, candidate, score)],
  ['estimate', 'number', ({ difference }) => difference.observed],
  ['compare_against_mean', 'number', ({ difference }) => difference.comparator_mean],
  ['lower', 'number', ({ difference: { bounds } }) => bounds?.lower ?? null],
  ['upper', 'number', ({ difference: { bounds } }) => bounds?.upper ?? null],
  ['relative', 'number', ({ difference }) => relative(difference.observed, difference)],
  ['relative_lower', 'number', ({ difference: of }) => relative(of.bounds?.lower, of)],
  ['relative_upper', 'number', ({ difference: of }) => relative(of.bounds?.upper, of)],
])

/** The mean of a model over its own forecasts in a cell. */
const meanIn = ({ models }: CellLine, model: string, score: string): number | null =>
  models[model]?.means[score] ?? null

/** Every score in every series at every step, one row per candidate and comparator. */
export function cellsTable(
  { settings }: Pick<Result, 'settings'>,
  cells: readonly CellLine[],
): Table {
  const records = settings.candidates.flatMap(({ name: candidate }) =>
    settings.comparators.flatMap(({ name: comparator }) =>
      cells.flatMap((cell) => comparedIn(cell, candidate, comparator)),
    ),
  )
  return toRecordTable(CELL_COLUMNS, records)
}

function comparedIn(cell: CellLine, candidate: string, comparator: string): Compared[] {
  const comparison = cell.comparisons[[candidate, comparator].map(namePart).join('/')]
  return Object.entries(comparison?.differences ?? {}).map(([score, difference]) => {
    return { cell, candidate, comparator, score, pairs: comparison!.shared, difference }
  })
}
