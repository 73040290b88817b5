import { compareText } from '../contract/order.js'
import {
  countingDispositions,
  isBetween,
  overallTests,
  type Rivals,
  readingFor,
  relative,
} from '../evaluation/result/readings.js'
import type {
  CandidateDisposition,
  Result,
  ResultAccounting,
  ResultMeasures,
  ResultTest,
  StepOrAll,
} from '../evaluation/result/result.js'
import { percent } from '../output/figures.js'
import { scopeName } from '../registration/family.js'

/** Views of a result that all report formats share. */

export type Score = Result['settings']['rules']['scores'][number]

interface Model {
  readonly name: string
  readonly source: 'history' | 'built_in'
  readonly role: 'candidate' | 'comparator'
  /** The names of the protocol that it stands for. */
  readonly required_as: readonly string[]
}

/** All models, candidates first. */
export const modelsIn = ({ settings }: Result): Model[] => [
  ...settings.candidates.map((of) => ({ ...of, role: 'candidate' as const, required_as: [] })),
  ...settings.comparators.map((of) => ({ ...of, role: 'comparator' as const })),
]

export const candidatesIn = ({ settings }: Result) => settings.candidates.map(({ name }) => name)
export const comparatorsIn = ({ settings }: Result) => settings.comparators.map(({ name }) => name)

/** Every candidate with every comparator. */
export const rivalsIn = (result: Result): Rivals[] =>
  candidatesIn(result).flatMap((candidate) =>
    comparatorsIn(result).map((comparator) => ({ candidate, comparator })),
  )

export const stepsIn = ({ settings }: Result): readonly number[] => settings.rules.steps

export const overallAndSteps = (result: Result): readonly StepOrAll[] => [
  'overall',
  ...stepsIn(result),
]

/** Whether positions are full hours: a step is then a number of hours. */
export const isHours = ({ settings }: Result) => settings.rules.periods.kind === 'hours'

/** Whether a protocol of hourly closes of BTC/USD was scored. */
export const isHourlyCloses = ({ settings }: Result) => settings.rules.periods.kind === 'hours'

/** The score that decides. */
export const primaryScore = ({ settings }: Result): Score =>
  settings.rules.scores.find(({ primary }) => primary) as Score

/** The direction whose tests decide, if it is asked. */
export const directionIn = ({ settings }: Result): Score | undefined =>
  settings.rules.scores.find(({ kind, tested }) => kind === 'direction' && tested === 'deciding')

/** The first coverage among the scores. */
export const coverageIn = ({ settings }: Result): Score | undefined =>
  settings.rules.scores.find(({ kind }) => kind === 'coverage')

/** Whether a score is a direction. */
export const isDirection = ({ settings }: Result, score: string | null): boolean =>
  settings.rules.scores.some(({ id, kind }) => id === score && kind === 'direction')

/** Whether a score is a share: its differences are in percentage points. */
export const isShare = ({ settings }: Result, score: string): boolean =>
  settings.rules.scores.some(
    ({ id, kind }) => id === score && (kind === 'direction' || kind === 'coverage'),
  )

/** The share that a coverage should be. */
export const nominalCoverage = ({ lower, upper }: Score): number => Number(upper) - Number(lower)

/** A level of a stratum of the origins, or a group of series. */
export interface Part {
  /** As in the names of tests. */
  readonly scope: string
  /** For people: `session: night`, `south`. */
  readonly label: string
  /** `120 origins`, `6 series`: how much it holds. */
  readonly count: number
  readonly of: 'stratum' | 'group'
}

/** Every level of every stratum, then every group. */
export const partsIn = ({ strata, series }: Result): Part[] => [
  ...strata.flatMap(({ name, levels }) =>
    levels.map(({ level, origins }): Part => {
      const scope = scopeName({ name, level }, 'all')
      return { scope, label: `${name}: ${level}`, count: origins, of: 'stratum' }
    }),
  ),
  ...series.groups.map(({ group, series: count }): Part => {
    return { scope: scopeName('all', group), label: group, count, of: 'group' }
  }),
]

/** The words for a scope. */
export const scopeLabel = (result: Result, scope: string): string =>
  partsIn(result).find((part) => part.scope === scope)?.label ?? scope

/** How the attempts of a model ended, over all origins and series. */
export const accountingIn = (
  { reading }: Result,
  model: string,
  step: StepOrAll,
): ResultAccounting | undefined =>
  reading.accounting.find((of) => of.model === model && of.step === step && of.scope === 'all')

/** The means of a model. */
export const measuresIn = (
  { reading }: Result,
  model: string,
  step: StepOrAll,
  scope = 'all',
): ResultMeasures | undefined =>
  reading.measures.find((of) => of.model === model && of.step === step && of.scope === scope)

export interface TestKey extends Rivals {
  readonly score: string
  readonly step: StepOrAll
  readonly scope?: string
}

export const testIn = ({ reading }: Result, key: TestKey): ResultTest | undefined =>
  reading.tests
    .filter(isBetween(key))
    .find(
      ({ score, step, scope }) =>
        score === key.score && step === key.step && scope === (key.scope ?? 'all'),
    )

/** The test of a candidate's loss against a comparator. */
export const lossTest = (result: Result, rivals: Rivals, step: StepOrAll, scope = 'all') =>
  testIn(result, { ...rivals, score: primaryScore(result).id, step, scope })

/** The result of a test: the candidate is significantly better, significantly worse, or neither. */
export function testTone({
  decision,
  observed,
}: Pick<ResultTest, 'decision' | 'observed'>): 'good' | 'bad' | 'open' {
  if (decision !== 'rejected') return 'open'
  return (observed ?? 0) < 0 ? 'good' : 'bad'
}

export const methodIn = ({ settings }: Result) => settings.rules.test.method

/** Whether the protocol decides by the cosine test; by a bootstrap foreproof decides nothing. */
export const isDecided = (result: Result) => methodIn(result) === 'ewc-t'

/** The nominal coverage of intervals for the alpha in use: `95 %`, `99.17 %`. */
export function nominalIn({ settings: { rules } }: Result): string {
  const { alpha } = rules
  const isWhole = Math.abs(alpha * 100 - Math.round(alpha * 100)) < 1e-9
  return percent(1 - alpha, isWhole ? 0 : 2)
}

/** The number of effective blocks that a test needs. */
export function minimumBlocksIn({ settings: { rules } }: Result): number {
  const { minimum_blocks: least } = rules.dependence
  return rules.test.method === 'ewc-t' ? Math.max(least, rules.test.minimum_blocks) : least
}

/**
 * The value that orders tests on the ladder: p, or with weights p rescaled to the average weight. For weight w (the
 * weights sum to 1) among m tests it is p / (m w).
 */
export function ladderP({ reading }: Result, { p, weight }: ResultTest): number | null {
  return p === null || weight === null ? p : p / (weight * reading.family.size)
}

/** The order of tests on the ladder, in words. */
export const orderIn = (result: Result) =>
  isDecided(result) ? 'ascending order of p over weight' : 'ascending order of p'

/** Tests in the order of Holm's ladder: ascending weighted p, ties by name, blocked ones last. */
export function ladderOrder(result: Result): readonly ResultTest[] {
  const byName = (a: ResultTest, b: ResultTest) => compareText(a.name, b.name)
  return [...result.reading.tests].sort((a, b) => {
    const [p, q] = [ladderP(result, a), ladderP(result, b)]
    if (p === null || q === null) return p === q ? byName(a, b) : p === null ? 1 : -1
    return p - q || byName(a, b)
  })
}

/** A difference with its bounds, as shares of the comparator's own mean. */
export function relativeInterval({
  observed,
  bounds,
  ...of
}: Pick<ResultTest, 'observed' | 'bounds' | 'comparator_mean'>) {
  return {
    observed: relative(observed, of),
    lower: relative(bounds?.lower, of),
    upper: relative(bounds?.upper, of),
  }
}

/** The overall loss against the comparator on which a candidate improves least; undefined without a figure. */
export function closestComparator({ reading }: Result, candidate: string) {
  const intervals = overallTests(reading, candidate).flatMap(({ comparator, ...test }) => {
    const { observed, ...interval } = relativeInterval(test)
    return observed === null ? [] : [{ comparator, observed, ...interval }]
  })
  const [closest] = intervals.sort((a, b) => b.observed - a.observed)
  return closest && { ...closest, isOnly: intervals.length === 1 }
}

/** Steps at which the comparator calls a direction often enough for a comparison. */
export function directedSteps(
  { reading, settings }: Result,
  { candidate, comparator }: Rivals,
): number[] {
  const reasons = reading.dispositions?.find((of) => of.candidate === candidate)?.reasons ?? []
  return settings.rules.steps.filter(
    (step) =>
      !reasons.some(
        (reason) =>
          reason.code === 'direction_not_comparable' &&
          reason.comparator === comparator &&
          reason.step === step,
      ),
  )
}

/** A candidate without a disposition, where nothing is decided. */
export type Verdict = Omit<CandidateDisposition, 'disposition'> & {
  readonly disposition: CandidateDisposition['disposition'] | 'not_decided'
}

/** What is said of every candidate, by the reading that counts. */
export const verdictsIn = (result: Result): Verdict[] =>
  result.reading.dispositions === null
    ? candidatesIn(result).map((candidate) => {
        return { candidate, disposition: 'not_decided' as const, reasons: [] }
      })
    : countingDispositions(result)

/** The result with the reading that counts for a candidate in the place of the first. */
export const asCounts = (result: Result, candidate: string): Result => ({
  ...result,
  reading: readingFor(result, candidate),
})

/** A table or a chart with more rows is folded. */
export const isLong = (rows: number) => rows > 10
/** With more items, each gets a short text and the rest is folded. */
export const isMany = (items: number) => items > 3

/** Groups items by key; groups and their items stay in order. */
export function groupedBy<T>(
  items: readonly T[],
  toKey: (item: T) => string,
): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const key = toKey(item)
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(item)
  }
  return groups
}
