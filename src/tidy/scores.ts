import type { EvaluationResult, ResultTest } from '../evaluation/result/types.js'
import { type Column, type Row, type Table, tableOf } from '../table/types.js'
import { type Coordinates, coordinatesOf, tidyName } from './cells.js'
import { figuresIn } from './figures.js'

export const SCORE_COLUMNS = [
  { name: 'model', type: 'text' },
  { name: 'role', type: 'text' },
  { name: 'horizon', type: 'integer' },
  { name: 'stratum', type: 'text' },
  { name: 'level', type: 'text' },
  { name: 'measure', type: 'text' },
  { name: 'estimate', type: 'number' },
  { name: 'n', type: 'integer' },
  { name: 'lower', type: 'number' },
  { name: 'upper', type: 'number' },
  { name: 'compare_against', type: 'text' },
  { name: 'difference', type: 'number' },
  { name: 'pval', type: 'number' },
  { name: 'adj_pval', type: 'number' },
] as const satisfies readonly Column[]

/** Every figure of every model, one a row, in the order of the result; with the p of its tests. */
export function scoresTable({ models, measures, tests }: EvaluationResult): Table {
  const roleOf = new Map(models.map(({ name, role }) => [name, role]))
  const testOf = weakestTests(tests)
  const rows = measures.flatMap((cell) => {
    const at = coordinatesOf(cell.horizon, cell.stratum)
    return figuresIn(cell).map(({ measure, estimate, n, bounds }): Row => {
      const test = testOf.get(keyOf(cell.model, at, measure))
      return [
        cell.model,
        roleOf.get(cell.model) ?? null,
        at.horizon,
        at.stratum,
        at.level,
        measure,
        estimate,
        n,
        bounds?.lower ?? null,
        bounds?.upper ?? null,
        test?.comparator ?? null,
        test?.observed ?? null,
        test?.p ?? null,
        test?.p_adjusted ?? null,
      ]
    })
  })
  return tableOf(SCORE_COLUMNS, rows)
}

/**
 * Of the tests of a candidate in one cell, one against each comparator, the one that speaks least: one that
 * could not be made, otherwise that of the largest adjusted p. This is the p-value of a difference to every
 * comparator (intersection-union).
 */
function weakestTests(tests: readonly ResultTest[]): ReadonlyMap<string, ResultTest> {
  const weakest = new Map<string, ResultTest>()
  for (const test of tests) {
    const at = coordinatesOf(test.horizon, test.stratum)
    const key = keyOf(test.candidate, at, tidyName(test.measure))
    const other = weakest.get(key)
    if (other === undefined || isWeaker(test, other)) weakest.set(key, test)
  }
  return weakest
}

function isWeaker(test: ResultTest, other: ResultTest): boolean {
  const p = test.p_adjusted ?? Number.POSITIVE_INFINITY
  const before = other.p_adjusted ?? Number.POSITIVE_INFINITY
  return p === before ? (test.p ?? 0) > (other.p ?? 0) : p > before
}

function keyOf(model: string, { horizon, stratum, level }: Coordinates, measure: string): string {
  return JSON.stringify([model, horizon, stratum, level, measure])
}
