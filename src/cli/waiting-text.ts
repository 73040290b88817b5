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
    ? `worth of waiting until forecasts are due ${percent(worth, 1)}, were losses to grow with the root of time`
    : `waiting is part of the task: what it gives without any skill, about ${percent(worth, 1)}, is charged to nobody`
  const text = keepSentences([
    `Eligible takes an overall loss lower by an estimate of at least ${required} (floor ${percent(floor, 1)}; ${ofWaiting}).`,
    nowcasts.length > 0 &&
      `Nowcasts, which decide nothing but their limit of harm: ${stepsSaid(nowcasts)}.`,
  ]).join('\n')
  return { worth, nowcasts, text }
}
