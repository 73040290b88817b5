import type { EvaluationResult, ResultTest } from '../evaluation/result/types.js'
import { recordColumns, type Table, toRecordTable } from '../table/types.js'
import { type Coordinates, coordinatesOf, tidyName } from './cells.js'
import { figuresIn, type TidyScore } from './figures.js'

/** A figure of a model, with its weakest test. */
interface Score extends TidyScore {
  readonly model: string
  readonly role: string | null
  readonly at: Coordinates
  readonly test: ResultTest | undefined
}

export const SCORE_COLUMNS = recordColumns<Score>([
  ['model', 'text', ({ model }) => model],
  ['role', 'text', ({ role }) => role],
  ['horizon', 'integer', ({ at }) => at.horizon],
  ['stratum', 'text', ({ at }) => at.stratum],
  ['level', 'text', ({ at }) => at.level],
  ['measure', 'text', ({ measure }) => measure],
  ['estimate', 'number', ({ estimate }) => estimate],
  ['n', 'integer', ({ n }) => n],
  ['lower', 'number', ({ bounds }) => bounds?.lower ?? null],
  ['upper', 'number', ({ bounds }) => bounds?.upper ?? null],
  ['compare_against', 'text', ({ test }) => test?.comparator ?? null],
  ['difference', 'number', ({ test }) => test?.observed ?? null],
  ['pval', 'number', ({ test }) => test?.p ?? null],
  ['adj_pval', 'number', ({ test }) => test?.p_adjusted ?? null],
])

/** Every figure of every model, one per row, in the order of the result; with the p of its tests. */
export function scoresTable({ models, measures, tests }: EvaluationResult): Table {
  const roleOf = new Map(models.map(({ name, role }) => [name, role]))
  const testOf = weakestTests(tests, ({ candidate, horizon, stratum, measure }) =>
    keyOf(candidate, coordinatesOf(horizon, stratum), tidyName(measure)),
  )
  const scores = measures.flatMap((cell) => {
    const { model } = cell
    const role = roleOf.get(model) ?? null
    const at = coordinatesOf(cell.horizon, cell.stratum)
    return figuresIn(cell).map((figure) => {
      const test = testOf.get(keyOf(model, at, figure.measure))
      return { ...figure, model, role, at, test }
    })
  })
  return toRecordTable(SCORE_COLUMNS, scores)
}

/**
 * The weakest of the tests with one key, those of a candidate in one cell against each comparator: one that could not
 * be made, otherwise the one with the largest adjusted p. This is the p-value of a difference to every comparator
 * (intersection-union).
 */
export function weakestTests<T extends Figures>(
  tests: readonly T[],
  keyOf: (test: T) => string,
): ReadonlyMap<string, T> {
  const weakest = new Map<string, T>()
  for (const test of tests) {
    const key = keyOf(test)
    const other = weakest.get(key)
    if (other === undefined || isWeaker(test, other)) weakest.set(key, test)
  }
  return weakest
}

/** Whether a test is weaker than another one. */
function isWeaker(test: Figures, other: Figures): boolean {
  const p = test.p_adjusted ?? Number.POSITIVE_INFINITY
  const before = other.p_adjusted ?? Number.POSITIVE_INFINITY
  return p === before ? (test.p ?? 0) > (other.p ?? 0) : p > before
}

type Figures = Pick<ResultTest, 'p' | 'p_adjusted'>

function keyOf(model: string, { horizon, stratum, level }: Coordinates, measure: string): string {
  return JSON.stringify([model, horizon, stratum, level, measure])
}
