import { keepSentences, percent } from '../output/figures.js'
import type { PeriodList } from '../periods/list.js'
import type { Rules } from '../protocol/rules/compile.js'
import { computeWaiting, type ExpectedWaiting } from '../protocol/rules/expected-waiting.js'
import { findWindowOrigins } from '../registration/series-plan-rules.js'
import { stepsSaid } from '../report/sentences.js'

/** What waiting is worth under a protocol of version 2, before outcomes are known. */
export interface WaitingBefore extends Pick<ExpectedWaiting, 'worth' | 'nowcasts'> {
  readonly text: string
}

/** @param window - default all origins of the list. */
export function computeWaitingBefore(
  rules: Rules,
  periods: PeriodList,
  window?: Parameters<typeof findWindowOrigins>[1],
): WaitingBefore {
  const all = window ? findWindowOrigins(periods, window) : [...periods.keys()]
  const origins = all.filter((at) => rules.targetsAt(at).length > 0)
  const { worth, nowcasts } = computeWaiting(rules, origins)
  const floor = rules.limits.practical_effect
  const isCharged = rules.origins.waiting !== 'part_of_the_task'
  const required = percent(isCharged ? floor + worth : floor, 1)
  const ofWaiting = isCharged
    ? `That is the floor of ${percent(floor, 1)} plus ${percent(worth, 1)} for waiting until forecasts are due. The part for waiting assumes that losses grow with the square root of time.`
    : `That is the floor. The protocol makes waiting part of the task: it can lower a loss by about ${percent(worth, 1)} without any skill, and no candidate is charged for it.`
  const text = keepSentences([
    `Eligible needs an estimated overall loss at least ${required} lower. ${ofWaiting}`,
    nowcasts.length > 0 &&
      `Nowcasts, which decide nothing but their limit of harm: ${stepsSaid(nowcasts)}.`,
  ]).join('\n')
  return { worth, nowcasts, text }
}
