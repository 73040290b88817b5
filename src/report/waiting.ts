import type { AnyResult } from '../evaluation/result/types.js'
import { keepSentences, listed, percent } from '../output/figures.js'
import { stepsSaid } from './series/words.js'

/** What waiting is worth against every charged comparator, over all deciding steps. */
const overallWaiting = ({ waiting = [] }: AnyResult) =>
  waiting.filter(({ horizon }) => horizon === 'overall')

/** The improvement on a comparator that is required: the floor plus what waiting is worth. */
export function floorAgainst(result: AnyResult, comparator: string): number {
  if (result.result_version === 2 && result.settings.waiting === 'part_of_the_task') {
    return result.settings.practical_effect_floor
  }
  const charged = overallWaiting(result).find((each) => each.comparator === comparator)
  return result.settings.practical_effect_floor + (charged?.worth ?? 0)
}

/** `0.6 % against persistence`; undefined if nothing is charged. */
export function waitingWorth(result: AnyResult): string | undefined {
  const all = overallWaiting(result).filter(({ worth }) => worth > 0)
  if (all.length === 0) return undefined
  const byWorth = new Map<string, string[]>()
  for (const { comparator, worth } of all) {
    const shown = percent(worth)
    byWorth.set(shown, [...(byWorth.get(shown) ?? []), comparator])
  }
  return listed([...byWorth].map(([worth, names]) => `${worth} against ${listed(names)}`))
}

/** What waiting gives without skill, and is therefore charged. */
export function waitingMoved(result: AnyResult): string[] {
  const worth = waitingWorth(result)
  const isSeries = result.result_version === 2
  const nowcasts = isSeries ? result.nowcasts : []
  const isGivenAway = isSeries && result.settings.waiting === 'part_of_the_task'
  return keepSentences([
    isGivenAway &&
      `Waiting is part of the task, in the words of the protocol: “${result.settings.waiting_reason ?? ''}” What it gives without any skill, up to ${worth ?? percent(0)}, is charged to nobody.`,
    nowcasts.length > 0 &&
      `Of ${stepsSaid(nowcasts)} more than one in twenty targets have begun when their forecasts are due: nowcasts are shown, and decide nothing but their limit of harm.`,
    !isGivenAway &&
      worth !== undefined &&
      `Whoever waits until forecasts are due knows more than comparators see, and has a lower loss without any skill: by ${worth}, by the share of time that is left at each key. As much is charged, in the verdict hypothesis and beside the floor.`,
    isSeries && isMuchOver(result) && IF_NOT_ENDS,
  ])
}

/** From this share on it matters whether a value describes the end of its period, as the protocol says. */
const MUCH = 0.05
const isMuchOver = (result: AnyResult): boolean =>
  result.result_version === 2 &&
  result.settings.over === 'end' &&
  overallWaiting(result).some(({ worth }) => worth > MUCH)

const IF_NOT_ENDS =
  'That values are those of the ends of their periods is the word of the protocol. Were they means or totals, a part of a target would be known when its forecast is due, and the charge too small: half-way through the day a mean of its prices has a loss 70 % lower without any skill.'

/** What the charge for waiting does not cover. */
export function waitingUnseen(result: AnyResult): string[] {
  if (result.result_version === 1) return []
  return keepSentences([
    result.settings.over === 'period' &&
      'Copying the newest reading from inside the last period was no comparator: values are of whole periods, and of means of a day such a copy is lower by about a quarter one day ahead.',
    'When periods start and end is the word of the list: where ends lie later than the moments that values are of, waiting is not charged in full. Nor is it seen where forecasts are due later on days of announced moves.',
  ])
}

/** Comparators so far behind the best one that only the estimate is required against them. */
export function farOffSaid(result: AnyResult): string | undefined {
  if (result.result_version === 1 || result.far_off.length === 0) return undefined
  const loss = result.far_off.length === 1 ? 'has a loss' : 'have losses'
  return `${listed(result.far_off)} ${loss} over 1.5 times that of the best standard comparator, overall and at every step: an improvement has to reach the floor, and the verdict hypothesis is without.`
}
