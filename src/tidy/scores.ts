import type {
  Reading,
  Result,
  ResultBounds,
  ResultTest,
  StepOrAll,
} from '../evaluation/result/result.js'
import { recordColumns, type Table, toRecordTable } from '../table/table.js'

/** A figure of a model, with its weakest test. */
interface Score {
  readonly model: string
  readonly role: string
  readonly step: StepOrAll
  readonly scope: string
  readonly measure: string
  /** Null without pairs. */
  readonly estimate: number | null
  /** Pairs behind it. */
  readonly pairs: number
  /** Only over all origins and series, for the score that decides, coverage and shares below quantiles. */
  readonly bounds: ResultBounds | null
  readonly test: ResultTest | undefined
}

/** A step as a column; null for all of them. */
export const stepCell = ({ step }: { readonly step: StepOrAll }) =>
  step === 'overall' ? null : step

export const SCORE_COLUMNS = recordColumns<Score>([
  ['model', 'text', ({ model }) => model],
  ['role', 'text', ({ role }) => role],
  ['horizon', 'integer', stepCell],
  ['scope', 'text', ({ scope }) => scope],
  ['measure', 'text', ({ measure }) => measure],
  ['estimate', 'number', ({ estimate }) => estimate],
  ['n', 'integer', ({ pairs }) => pairs],
  ['lower', 'number', ({ bounds }) => bounds?.lower ?? null],
  ['upper', 'number', ({ bounds }) => bounds?.upper ?? null],
  ['compare_against', 'text', ({ test }) => test?.comparator ?? null],
  ['difference', 'number', ({ test }) => test?.observed ?? null],
  ['pval', 'number', ({ test }) => test?.p ?? null],
  ['adj_pval', 'number', ({ test }) => test?.p_adjusted ?? null],
])

/** The role of a model, by its name. */
export function roleIn({ settings }: Pick<Result, 'settings'>): (model: string) => string {
  const candidates = new Set(settings.candidates.map(({ name }) => name))
  return (model) => (candidates.has(model) ? 'candidate' : 'comparator')
}

/** Every figure of every model, one per row, in the order of the result; with the p of its tests. */
export function scoresTable(result: Pick<Result, 'settings' | 'reading'>): Table {
  const { measures, tests } = result.reading
  const getRole = roleIn(result)
  const getTest = weakestTests(tests)
  const records = measures.flatMap((at): Score[] =>
    figuresAt(at).map((figure) => {
      const { model, step, scope } = at
      const test = getTest.get(scoreKey(model, at, figure.measure))
      return { model, role: getRole(model), step, scope, ...figure, test }
    }),
  )
  return toRecordTable(SCORE_COLUMNS, records)
}

/** The means of a model, and its shares below quantiles. */
function figuresAt({ pairs, means, bounds, below }: Reading['measures'][number]) {
  return [
    ...Object.entries(means).map(([measure, estimate]) => {
      return { measure, estimate, pairs: pairs[measure] ?? 0, bounds: bounds[measure] ?? null }
    }),
    ...Object.entries(below).map(([level, { share: estimate, ...of }]) => {
      return { measure: `below_${level}`, estimate, ...of }
    }),
  ]
}

/**
 * The weakest of the tests with one key, those of a candidate in one place against each comparator: one that could not
 * be made, otherwise the one with the largest adjusted p. This is the p-value of a difference to every comparator
 * (intersection-union).
 */
function weakestTests(tests: readonly ResultTest[]): ReadonlyMap<string, ResultTest> {
  const weakest = new Map<string, ResultTest>()
  for (const test of tests) {
    const key = scoreKey(test.candidate, test, test.score)
    const other = weakest.get(key)
    if (other === undefined || isWeaker(test, other)) weakest.set(key, test)
  }
  return weakest
}

/** Whether a test is weaker than another one. */
function isWeaker(test: ResultTest, other: ResultTest): boolean {
  const p = test.p_adjusted ?? Number.POSITIVE_INFINITY
  const before = other.p_adjusted ?? Number.POSITIVE_INFINITY
  return p === before ? (test.p ?? 0) > (other.p ?? 0) : p > before
}

const scoreKey = (
  model: string,
  { step, scope }: Pick<ResultTest, 'step' | 'scope'>,
  measure: string,
): string => JSON.stringify([model, step, scope, measure])
