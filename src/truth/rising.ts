import { type Finding, finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { PeriodList } from '../periods/list.js'
import type { OutcomeRules, SeriesTruth } from './series-truth.js'

/** Over this many values, a price or a stock falls at least once. */
const RISING = 100

/**
 * Series that are declared as values at the ends of their periods but look like running totals, part of which is known
 * earlier.
 * @param at - the time of registration: the last values before it count or, if these were too few, the first ones after
 * it.
 */
export function risingFindings(
  { series: all, outcome }: OutcomeRules,
  periods: PeriodList,
  truth: SeriesTruth,
  at: Instant,
): Finding[] {
  if (outcome.over === 'period') return []
  return all.flatMap(({ id }, series) => {
    const there = [...periods.keys()].filter((one) => !Number.isNaN(truth.value(series, one)))
    const visible = there.filter((one) => !Number.isNaN(truth.view(series, one, at))).length
    const end = Math.max(visible, RISING)
    const values = there.slice(end - RISING, end).map((one) => truth.value(series, one))
    const steps = values.slice(1).map((value, index) => value - (values[index] as number))
    const rises = steps.every((step) => step >= 0) && steps.some((step) => step > 0)
    if (values.length < RISING || !rises) return []
    const args = { fault: 'rises', found: id, bound: String(RISING) } as const
    return [finding('series-policy', args, { pointer: '' })]
  })
}
