import { countingDispositions } from '../evaluation/result/readings.js'
import type { Reading, Result } from '../evaluation/result/result.js'
import { counted, keepSentences, listed, percent } from '../output/figures.js'
import { stepsSaid } from './sentences.js'
import { comparatorsIn, groupedBy, isHourlyCloses, isHours } from './view.js'
import { durationSaid } from './window.js'

/** What waiting is worth against every charged comparator, over all deciding steps. */
const overallWaiting = ({ reading }: Result): readonly Reading['waiting'][number][] =>
  reading.waiting.filter(({ step }) => step === 'overall')

const isGivenAway = ({ settings }: Result) => settings.rules.origins.waiting === 'part_of_the_task'

/** The improvement on a comparator that is required: the floor plus what waiting is worth. */
export function floorAgainst(result: Result, comparator: string): number {
  const { practical_effect: floor } = result.settings.rules.limits
  if (isGivenAway(result)) return floor
  return floor + (overallWaiting(result).find((each) => each.comparator === comparator)?.w ?? 0)
}

/** `0.6 % against persistence`; undefined if waiting is worth nothing. */
function waitingWorth(result: Result): string | undefined {
  const all = overallWaiting(result).filter(({ w }) => w > 0)
  return all.length === 0 ? undefined : againstEach(all)
}

/** `3.5 % against persistence and ar1 and 3.8 % against drift_24h`. */
function againstEach(all: readonly { readonly comparator: string; readonly w: number }[]): string {
  const byShare = groupedBy(all, ({ w }) => percent(w))
  const names = (of: typeof all) => listed(of.map(({ comparator }) => comparator))
  return listed([...byShare].map(([share, of]) => `${share} against ${names(of)}`))
}

/** Whether what waiting is worth is added to what a model has to show. */
export const isWaitingCharged = (result: Result): boolean =>
  !isGivenAway(result) && waitingWorth(result) !== undefined

/** The improvement that is required on each comparator: the floor, and what is added to it. */
export function requiredSaid(result: Result): string {
  const floor = percent(result.settings.rules.limits.practical_effect)
  if (!isWaitingCharged(result)) return floor
  const all = comparatorsIn(result).map((comparator) => {
    return { comparator, w: floorAgainst(result, comparator) }
  })
  return `${floor}; with the charge for waiting ${againstEach(all)}`
}

/** What waiting gives without skill, and is therefore charged. */
export function waitingMoved(result: Result): string[] {
  const worth = waitingWorth(result)
  const { nowcasts } = result.reading
  const { origins } = result.settings.rules
  return keepSentences([
    isGivenAway(result) &&
      `The protocol makes waiting part of the task: “${origins.waiting_reason ?? ''}” Waiting can lower a loss by up to ${worth ?? percent(0)} without any skill, and no candidate is charged for it.`,
    nowcasts.length > 0 &&
      `At ${stepsSaid(nowcasts, isHours(result))} more than one in twenty targets have begun when their forecasts are due. Such nowcasts are shown and decide nothing but their limit of harm.`,
    !isGivenAway(result) &&
      worth !== undefined &&
      `${acceptedSaid(result)} Without any skill, this can lower a loss by ${formatRange(result)}; so much is added to the improvement that a model has to show.`,
    !isHourlyCloses(result) && isMuchOver(result) && IF_NOT_ENDS,
    datedSaid(result),
  ])
}

/** `0.5 %`, `0.5 % to 0.8 %, depending on the comparator`. */
function formatRange(result: Result): string {
  const all = overallWaiting(result).map(({ w }) => w)
  const shown = [...new Set([Math.min(...all), Math.max(...all)].map((w) => percent(w)))]
  return shown.length === 1 ? String(shown) : `${shown.join(' to ')}, depending on the comparator`
}

/** Until when a forecast was accepted. */
function acceptedSaid({ settings, window }: Result): string {
  const { due } = settings.rules.origins
  if ('minutes' in due)
    return `Forecasts were accepted up to ${due.minutes} minutes after their origin.`
  if (window.due_by_end)
    return 'Forecasts were due by the end of their origin, and the newest public value was older.'
  const { anchor, offset } = due
  const late = anchor === 'end' && offset !== null ? durationSaid(offset) : 'some time'
  return `Forecasts were accepted up to ${late} after the end of their origin.`
}

/** From this share on it matters whether a value is of the end of its period, and what preliminary values cost. */
const MUCH = 0.05
const isMuchOver = (result: Result): boolean =>
  result.settings.rules.outcome.over === 'end' && overallWaiting(result).some(({ w }) => w > MUCH)

const IF_NOT_ENDS =
  'The protocol says that a value is that of the end of its period. Were it a mean or a total, a part would be known when its forecast is due: half-way through the day a mean of its prices has a loss 70 % lower without any skill.'

const isNegative = (result: Result): boolean =>
  countingDispositions(result).some(({ disposition }) => disposition === 'negative')

/** Warns of what the person who dates the values can influence: a negative verdict, and the use of preliminary values. */
function datedSaid(result: Result): string | undefined {
  const { seen_after_end: age, lower_if_final: lower } = result.window
  const moved = lower !== null && Math.abs(lower) >= MUCH
  if (age === null || !(isNegative(result) || moved)) return undefined
  return keepSentences([
    `Persistence saw values on the median ${spanSaid(age)} their end, by the dates of the vintage and of the list.`,
    isNegative(result) && 'Were they public later, a negative verdict would not hold.',
    lower !== null &&
      lower !== 0 &&
      `With the values that count its loss would be ${percent(Math.abs(lower))} ${lower < 0 ? 'higher' : 'lower'}.`,
  ]).join(' ')
}

/** `5 minutes after`, in a unit in which there are at least two. */
function spanSaid(seconds: number): string {
  const minutes = Math.abs(seconds) / 60
  const [unit, name] = UNITS.find(([length]) => minutes >= 2 * length) ?? [1, 'minute']
  return `${counted(minutes / unit, name)} ${seconds < 0 ? 'before' : 'after'}`
}

const UNITS = [
  [1440, 'day'],
  [60, 'hour'],
] as const

/** What the charge for waiting does not cover. */
export function waitingUnseen(result: Result): string[] {
  if (isHourlyCloses(result)) return []
  return keepSentences([
    result.settings.rules.outcome.over === 'period' &&
      'No comparator copied the newest reading from inside the last period. For daily means, one day ahead, such a copy has a loss about a quarter lower.',
    'The charge for waiting relies on the starts and ends in the list. It is too small if an end is later than the moment its value belongs to, if most of a move is over when forecasts are due, or if they are due later on days of announced moves.',
  ])
}

/** Comparators so far behind the best one that only the estimate is required against them. */
export function farOffSaid({ reading: { far_off: names } }: Result): string | undefined {
  if (names.length === 0) return undefined
  return `${listed(names)} ${names.length === 1 ? 'has a loss' : 'have losses'} over 1.5 times that of the best standard comparator, overall and at every step. An improvement has to reach the floor against ${names.length === 1 ? 'it' : 'them'}; the joint test leaves ${names.length === 1 ? 'it' : 'them'} out.`
}
