import { type Disposition, WORST_FIRST } from '../../inference/disposition.js'
import type { AnyResult, EvaluationResult, ResultTest, SeriesEvaluationResult } from './types.js'

/** The results of one reading of the forecasts. */
export type Reading = Pick<
  EvaluationResult,
  'accounting' | 'measures' | 'shared_keys' | 'family' | 'tests' | 'verdicts' | 'dispositions'
>

/** What two readings are compared by. */
export interface Judged {
  readonly tests: readonly OverallTest[]
  readonly dispositions: readonly {
    readonly candidate: string
    readonly disposition: Disposition
  }[]
}

type OverallTest = Pick<
  ResultTest,
  'candidate' | 'horizon' | 'decides' | 'observed' | 'comparator_mean'
> & {
  readonly measure: string
  readonly stratum?: ResultTest['stratum']
  readonly group?: string
}

/** The addition to every mention that a candidate is eligible. */
export function notAskedSaid(result: AnyResult, disposition: Disposition): string {
  if (result.result_version === 1 || !disposition.startsWith('eligible')) return ''
  const year = result.settings.year_not_asked ? ', the year not asked' : ''
  return disposition === 'eligible_waiting_given_away' ? `${givenAway(result)}${year}` : year
}

/** The worth of waiting, added to a verdict that would claim too much without it. */
function givenAway({ settings }: SeriesEvaluationResult): string {
  const worth = `${(100 * settings.waiting_worth).toFixed(1)}\u202f%`
  return settings.due_by_end
    ? `, given a publication lag (worth up to ${worth})`
    : `, waiting given away (${worth})`
}

/** A candidate and a comparator. */
export interface Rivals {
  readonly candidate: string
  readonly comparator: string
}

/** Returns a check of whether something concerns these two models. */
export const isBetween =
  ({ candidate, comparator }: Rivals) =>
  (of: Rivals): boolean =>
    of.candidate === candidate && of.comparator === comparator

/** The tests of a candidate's overall loss over all origins and series. */
export function overallTests<R extends Pick<Judged, 'tests'>>(
  { tests }: R,
  candidate: string,
): R['tests'][number][] {
  return tests.filter(
    (test) =>
      test.candidate === candidate &&
      test.horizon === 'overall' &&
      (test.group ?? test.stratum) === 'all',
  )
}

/** A difference as a share of the comparator's own mean; null if one is unknown or the mean is 0. */
export function relative(
  value: number | null | undefined,
  { comparator_mean: base }: Pick<ResultTest, 'comparator_mean'>,
): number | null {
  return value == null || !base ? null : value / base
}

/**
 * How much lower the overall loss of a candidate is than that of the comparator on which it improves least, as a share
 * of that; null if a comparator has none.
 */
export function leastImprovement(reading: Pick<Judged, 'tests'>, candidate: string): number | null {
  const found = overallTests(reading, candidate)
    .filter(({ decides }) => decides)
    .map((test) => relative(test.observed, test))
  const known = found.filter((each) => each !== null)
  return known.length === 0 || known.length < found.length ? null : -Math.max(...known)
}

/**
 * Both readings of a result, and for each candidate the worse one: by disposition or, if that is equal, by the smaller
 * improvement. So hiding forecasts and committing them late can never improve a result.
 */
export function withSecond<R extends Judged>(first: R, second: R, late: number) {
  type Of = R['dispositions'][number]
  const counts_for: string[] = []
  const dispositions = first.dispositions.map((of: Of, at): Of => {
    const other = second.dispositions[at] as Of
    const rank = ({ disposition }: Of) => WORST_FIRST.indexOf(disposition)
    const improvement = (reading: R) => leastImprovement(reading, of.candidate) ?? Infinity
    const worse = rank(other) - rank(of) || improvement(second) - improvement(first)
    if (!(worse < 0)) return of
    counts_for.push(of.candidate)
    return other
  })
  const first_dispositions: R['dispositions'] = first.dispositions
  return { dispositions, second_reading: { ...second, late, counts_for, first_dispositions } }
}
