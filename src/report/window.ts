import { instantOrNaN, MICROS_PER_DAY } from '../contract/instant.js'
import { PAIR } from '../contract/limits.js'
import { type Reading, type Result, SERIES_NAMED } from '../evaluation/result/result.js'
import { LEAST_DAYS } from '../inference/days.js'
import {
  counted,
  formatWhole,
  keepSentences,
  listed,
  percent,
  readableTime,
} from '../output/figures.js'
import { blockLength, stepsSaid } from './sentences.js'
import {
  groupedBy,
  isHourlyCloses,
  isHours,
  minimumBlocksIn,
  primaryScore,
  rivalsIn,
  stepsIn,
} from './view.js'

/** Sentences about what was forecast, and over which window; the same in every format. */

/** The score that decides, with its options: `wis_log (weighted interval, log_shift 1)`. */
export function primarySaid(result: Result): string {
  const { id, kind, transform } = primaryScore(result)
  const on = keepSentences([transform.kind, transform.offset ?? undefined]).join(' ')
  return `${id} (${kind.replaceAll('_', ' ')}${on === 'identity' ? '' : `, ${on}`})`
}

type Release = Result['settings']['rules']['outcome']['release']

/** A duration in words: `28 days`, `6 hours`; one of several parts as it is. */
export function durationSaid(duration: string): string {
  const [, time = '', count, unit = ''] = /^P(T?)(\d+)([DHM])$/.exec(duration) ?? []
  const name = { D: 'day', TH: 'hour', TM: 'minute' }[time + unit]
  return name === undefined ? duration : counted(Number(count), name)
}

/** A release rule in words: `the one in force 28 days after its period (as_of_lag P28D)`. */
export function releaseSaid({ rule, wait, lag, at }: Release): string {
  const time = { unrevised: wait, first: wait, as_of_lag: lag, as_of_instant: at }[rule] ?? ''
  const span = durationSaid(time)
  if (rule === 'unrevised') {
    const after = time === 'PT0S' ? 'at the end of' : `${span} after`
    return `Values are not revised; a value that is absent ${after} its period stays missing`
  }
  const which = {
    first: 'the first one',
    as_of_lag: `the one in force ${span} after its period`,
    as_of_instant: `the one in force at ${readableTime(time)}`,
  }[rule]
  return `The value that counts is ${which} (${rule} ${time})`
}

/** What was forecast and the loss that decides, for the first lines. */
export function windowSaid(result: Result): string {
  const { settings, series, window } = result
  const { from, to: registered } = settings.window
  const { origins } = window
  const to = window.through ?? registered
  const shortened = window.through === null ? '' : ` (registered: to ${registered})`
  const span = isHours(result)
    ? `${counted(origins, 'hourly origin')} from ${readableTime(from)} to ${readableTime(to)}`
    : `${counted(origins, 'origin')} from ${from} to ${to}`
  const { count, first } = series.units
  const units = count === first.length ? listed(first) : counted(count, 'unit')
  const steps = stepsSaid(stepsIn(result), isHours(result))
  const forecast = isHourlyCloses(result)
    ? `Hourly closes of ${PAIR} (${units})`
    : `${counted(series.count, 'series', 'series')} (${units})`
  return `${forecast}, ${span}${shortened}, ${steps} ahead; the loss is ${primarySaid(result)}, averaged over ${series.count > 1 ? 'series and steps' : 'the steps'}.`
}

/** Which value counts, and how old the newest one is when a forecast is due. */
export function valuesSaid(result: Result): string {
  return `${releaseSaid(result.settings.rules.outcome.release)}. ${newestSaid(result)}`
}

/** One statement if the age is the same at all steps. */
function newestSaid({ reading: { newest_known: newest } }: Result): string {
  const ages = groupedBy(newest, ({ median_steps: steps }) => String(steps))
  const none = newest.filter(({ median_steps: steps }) => steps === null)
  const ageTexts = [...ages.values()].flatMap((of) => {
    const steps = of[0]?.median_steps ?? null
    const where = ages.size === 1 ? '' : ` (${stepsSaid(of.map(({ step }) => step))})`
    if (steps === null) return []
    if (steps === 0) return `that of the origin itself${where}`
    const side = steps > 0 ? 'before' : 'after'
    return `that of ${counted(Math.abs(steps), 'period')} ${side} the origin${where}`
  })
  return keepSentences([
    ageTexts.length > 0 &&
      `At the median origin, the newest value public when a forecast is due is ${listed(ageTexts)}.`,
    none.length > 0 &&
      `No value is public then${ageTexts.length === 0 ? '' : ` at ${stepsSaid(none.map(({ step }) => step))}`}.`,
  ]).join(' ')
}

/** What a reader must know about series and steps. */
export function seriesCautions(result: Result): string[] {
  const { settings, cells, reading } = result
  const minimum = counted(settings.rules.dependence.minimum_pairs, 'origin')
  const untested = cells.steps.reduce((sum, of) => sum + of.cells - of.in_test, 0)
  const tested = new Set(reading.tests.filter((of) => of.cells > 0).map(({ step }) => step))
  const without = stepsIn(result).filter((step) => !tested.has(step))
  return keepSentences([
    ...notAskedIn(result),
    untested > 0 &&
      `${formatWhole(untested)} of ${counted(cells.lines, 'cell')} (a series at a step) ${untested === 1 ? 'is' : 'are'} in no test, because fewer than ${minimum} of the window have such a target: ${namesSaid(cells.no_test)}.`,
    ...worseSeriesSaid(result),
    without.length > 0 &&
      `No test at ${stepsSaid(without, isHours(result))}: fewer than ${minimum} of the window have such a target.`,
    settings.rules.outcome.release.rule.startsWith('as_of') &&
      'Comparators take preliminary values as they are. Where these are mostly too low or too high, a candidate that corrects them by one number has a lower loss without more skill.',
    settings.rules.outcome.release.rule === 'first' &&
      'What counts is the first value, and comparators see corrected ones. Where first values are mostly too low or too high, a candidate that expects so by one number has a lower loss without more skill.',
    settings.rules.forecast.integer &&
      'The usual value is the median of about a hundred. Where two whole numbers are about as frequent, chance decides which of them it is: a constant has a loss 3 to 4 % lower without any skill.',
    !isHours(result) && untriedSaid(result),
  ])
}

/** What no built-in comparator did: a protocol may require some of it. */
function untriedSaid(result: Result): string {
  const { required, baselines } = result.settings.rules
  const ids = required.flatMap(({ model }) => ('built_in' in model ? [model.built_in] : []))
  const kinds = baselines.flatMap(({ id, kind }) => (ids.includes(id) ? [kind] : []))
  const untried = keepSentences([
    !kinds.includes('ema') && 'smoothing',
    !kinds.includes('ar1') && 'regression',
    !kinds.includes('strongest') &&
      (result.series.count > 1 || stepsIn(result).length > 1) &&
      'the simple method that suits each series and step best',
    'a trend on top of a season',
    'a season of a fortnight, a month or a tide',
  ])
  return `No built-in comparator used ${untried.join(', ')}, or the part of a moving mean that is already known. The result holds only against the comparators named above.`
}

/** The list holds ten names at most; whether there are more is not known. */
const namesSaid = (names: readonly string[]) =>
  names.length < SERIES_NAMED ? listed(names) : `${names.join(', ')}, …`

/** What was not registered although the protocol requires it, and what remains open because of it. */
function notAskedIn({ series, settings, window }: Result): string[] {
  const each = settings.not_asked.map(({ comparator, series: count, first }) => {
    if (count === series.count) return comparator
    const of =
      count <= MOST_NAMED ? listed(first) : `${formatWhole(count)} series, ${first[0]} first`
    return `${comparator} of ${of}`
  })
  return keepSentences([
    window.year_not_asked &&
      'The year was not asked of every series: the list has too little of it before the window. A candidate that knows the season and nothing else may be better than all that was asked.',
    each.length > 0 &&
      `Not asked: ${listed(each)}. For each, the values before the window are too few, or its season is not longer than a period.`,
  ])
}

/** Further names are only counted. */
const MOST_NAMED = 3

/** Which cells are replaced by others in the basis of the verdict. */
export function standInsSentence({ cells }: Result): string | undefined {
  if (cells.no_means.length === 0) return undefined
  const without = cells.steps.reduce((sum, of) => sum + of.in_test - of.in_means, 0)
  return `${counted(without, 'cell')} of ${namesSaid(cells.no_means)} ${without === 1 ? 'has' : 'have'} no outcome at more than half of the keys and ${without === 1 ? 'is' : 'are'} in no figure here. In the verdict the worst other series of the step counts in that place, or for a negative one the best.`
}

type Spread = Reading['spread'][number]

/** Comparisons over several series. */
export const spreadIn = ({ series, reading }: Result): readonly Spread[] =>
  series.count < 2 ? [] : reading.spread

/**
 * The number of series that are worse by more than the harm limit than each comparator, the one with the most first,
 * and the worst of them; ten are in the section on series.
 */
function worseSeriesSaid(result: Result): string[] {
  const { harm } = result.settings.rules.limits
  const all = spreadIn(result).filter(({ worse }) => worse > 0)
  return [...groupedBy(all, ({ candidate }) => candidate).values()].map((of) => {
    const [first, ...others] = of.toSorted((a, b) => b.worse - a.worse)
    const { candidate, comparator, series, worse, worst } = first!
    const named = worst
      .filter(({ difference }) => difference > harm)
      .slice(0, MOST_NAMED)
      .map(({ series: id, difference }) => `${id} (${percent(difference, 0)})`)
    const shown =
      named.length < worse ? `, the worst of them ${listed(named)}` : `: ${listed(named)}`
    const rest = others.map((of) => `, than ${of.comparator} in ${formatWhole(of.worse)}`).join('')
    return `${candidate} is worse than ${comparator} by more than the limit of ${percent(harm)} in ${formatWhole(worse)} of ${formatWhole(series)} series${shown}${rest && `;${rest.slice(1)}`}.`
  })
}

/** Comparisons without a worse series: always folded, because they changed nothing. */
export function noSeriesWorse(result: Result): string[] {
  const limit = percent(result.settings.rules.limits.harm)
  const none = spreadIn(result).filter(({ worse }) => worse === 0)
  return [...groupedBy(none, ({ candidate }) => candidate)].map(
    ([candidate, of]) =>
      `In no series is ${candidate} worse than ${listed(of.map(({ comparator }) => comparator))} by more than the limit of ${limit}.`,
  )
}

/** The smallest number of origins for a decision. */
function originsNeeded(result: Result): number {
  const { minimum_pairs: pairs, block_origins: length } = result.settings.rules.dependence
  const days = Math.ceil(LEAST_DAYS * result.window.origins_a_day)
  return Math.max(pairs, minimumBlocksIn(result) * length, days)
}

/** Whether a window is too short for any decision. */
export const isShort = (result: Result): boolean => result.window.origins < originsNeeded(result)

/** The number of origins that a decision needs, and how much longer a short window has to be. */
export function lengthSaid(result: Result): string {
  const { first_due: first, last_due: last } = result.settings.window
  const { origins } = result.window
  const needed = originsNeeded(result)
  const one = `With blocks of ${blockLength(result)} this takes ${counted(needed, 'origin')} at least, with an outcome of every cell`
  if (!isShort(result) || origins < 2 || first === null || last === null) return `${one}.`
  const days = (instantOrNaN(last) - instantOrNaN(first)) / MICROS_PER_DAY / (origins - 1)
  return `${one}; the window has ${formatWhole(origins)}, and at its pace the others take about ${counted(Math.ceil(days * (needed - origins)), 'day')} more.`
}

type OtherRule = Reading['other_rules'][number]

/** Means under a rule, by step and model; that of the protocol first. */
export const rulesIn = ({ reading }: Result): Map<string, OtherRule[]> =>
  new Map(groupedBy(reading.other_rules, ({ rule }) => rule))

/** Where a candidate and a comparator swap ranks under another rule than the protocol's. */
export function turnedSaid(result: Result): string[] {
  const [registered, ...others] = [...rulesIn(result)]
  if (registered === undefined) return []
  const sign = (of: readonly OtherRule[], a: string, b: string, step: number) => {
    const [first, second] = [a, b].map(
      (model) => of.find((one) => one.model === model && one.step === step)?.mean ?? null,
    )
    return first == null || second == null ? 0 : Math.sign(first - second)
  }
  return others.flatMap(([rule, means]) =>
    rivalsIn(result).flatMap(({ candidate, comparator }) => {
      const turned = stepsIn(result).filter((step) => {
        const signs = [registered[1], means].map((of) => sign(of, candidate, comparator, step))
        return signs[0]! * signs[1]! < 0
      })
      if (turned.length === 0) return []
      return `Under ${rule} the order of ${candidate} and ${comparator} turns at ${stepsSaid(turned)}.`
    }),
  )
}

/** What losses are: divided by a scale or not, and over what they are averaged. */
export function scalingSaid({ settings }: Result): string {
  return settings.rules.scaling.kind === 'none'
    ? 'no loss is scaled'
    : 'losses are divided by the scale of their series'
}

/** The sentence about counts; undefined for other values. */
export function countsSaid({ settings }: Result): string | undefined {
  if (!settings.rules.forecast.integer) return undefined
  return 'Values are whole numbers, so an interval that includes both its ends covers more than its levels say. Coverage above the nominal level is no fault by itself.'
}
