import { type Disposition, WORST_FIRST } from '../../inference/disposition.js'
import type { CandidateDisposition, Reading, Result, ResultTest } from './result.js'

/** The addition to every mention that a candidate is eligible. */
export function notAskedSaid({ settings, window }: Result, disposition: Disposition): string {
  if (settings.rules.periods.kind === 'hours' || !disposition.startsWith('eligible')) return ''
  const year = window.year_not_asked ? ', the year not asked' : ''
  return disposition === 'eligible_waiting_given_away' ? `${givenAway(window)}${year}` : year
}

/** The worth of waiting, added to a verdict that would claim too much without it. */
function givenAway({ waiting_worth, due_by_end }: Result['window']): string {
  const worth = `${(100 * waiting_worth).toFixed(1)}\u202f%`
  return due_by_end
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
export const overallTests = ({ tests }: Pick<Reading, 'tests'>, candidate: string): ResultTest[] =>
  tests.filter(
    (test) => test.candidate === candidate && test.step === 'overall' && test.scope === 'all',
  )

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
export function leastImprovement(
  reading: Pick<Reading, 'tests'>,
  candidate: string,
): number | null {
  const improvements = overallTests(reading, candidate)
    .filter(({ decides }) => decides)
    .map((test) => relative(test.observed, test))
  const values = improvements.filter((each) => each !== null)
  return values.length === 0 || values.length < improvements.length ? null : -Math.max(...values)
}

/**
 * Candidates whose second reading is worse: by its disposition or, if that is equal, by the smaller improvement. So
 * hiding forecasts and committing them late can never improve a result.
 */
export function worseInSecond(first: Reading, second: Reading): string[] {
  return (first.dispositions ?? []).flatMap(({ candidate, disposition }, at) => {
    const other = second.dispositions?.[at]?.disposition ?? disposition
    const byDisposition = WORST_FIRST.indexOf(other) - WORST_FIRST.indexOf(disposition)
    const improvement = (of: Reading) => leastImprovement(of, candidate) ?? Infinity
    const worse = byDisposition || improvement(second) - improvement(first)
    return worse < 0 ? [candidate] : []
  })
}

/** The reading that counts for a candidate: the worse of two. */
export function readingFor(
  { reading, second_reading: second }: Result,
  candidate: string,
): Reading {
  return second?.counts_for.includes(candidate) ? second.reading : reading
}

/** What is said of every candidate, by the reading that counts for it; none where nothing is decided. */
export function countingDispositions(result: Result): CandidateDisposition[] {
  return (result.reading.dispositions ?? []).map(
    (of, at) => readingFor(result, of.candidate).dispositions?.[at] ?? of,
  )
}
