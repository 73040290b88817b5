import { instantOrNaN, MICROS_PER_DAY } from '../../contract/instant.js'
import { log10 } from '../../contract/logarithm.js'
import { isBetween, type Rivals } from '../../evaluation/result/readings.js'
import type { AnyResult, SeriesEvaluationResult } from '../../evaluation/result/types.js'
import { LEAST_DAYS } from '../../inference/days.js'
import {
  counted,
  decimal,
  formatShare,
  keepSentences,
  listed,
  NOTHING,
  percent,
  readableTime,
  scientific,
  whole,
} from '../../output/figures.js'
import { askedIn } from '../../scoring/baselines/reach.js'
import { blockLength, horizonName } from '../sentences.js'
import { groupedBy, mostOf, relativeInterval, rivalsOf } from '../view.js'

/** Sentences only for results of any series, the same in every format. */

const stepSaid = (horizon: number) => horizonName({ result_version: 2 }, horizon)

/** `step 2`, `steps −1, 0 and 5`; three or more in a row are `steps 13 to 37`. */
export function stepsSaid(steps: readonly number[]): string {
  const runs: [from: number, to: number][] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === step - 1) last[1] = step
    else runs.push([step, step])
  }
  const said = runs.flatMap(([from, to]) =>
    to - from < 2 ? [...new Set([from, to])].map(whole) : [`${whole(from)} to ${whole(to)}`],
  )
  return `${steps.length === 1 ? 'step' : 'steps'} ${listed(said)}`
}

/** The score that decides, with its options: `wis_log (weighted interval, log_shift 1)`. */
export function primarySaid({ settings }: SeriesEvaluationResult): string {
  const { id = '', kind = '', transform = '' } = settings.scores.find((of) => of.primary) ?? {}
  const through = transform === 'identity' ? '' : `, ${transform}`
  return `${id} (${kind.replaceAll('_', ' ')}${through})`
}

/** A release rule in words: `the one in force 28 days after its period (as_of_lag P28D)`. */
export function releaseSaid(release: string): string {
  const [rule = '', time = ''] = release.split(' ')
  const [, days] = /^P(\d+)D$/.exec(time) ?? []
  const span = days === undefined ? time : counted(Number(days), 'day')
  const said: Readonly<Record<string, string>> = {
    unrevised: 'the only one',
    first: 'the first one',
    as_of_lag: `the one in force ${span} after its period`,
    as_of_instant: `the one in force at ${readableTime(time)}`,
  }
  return `${said[rule] ?? 'the latest one'} (${release})`
}

/** What was forecast, for the first lines. */
export function seriesWindowSaid(result: SeriesEvaluationResult): string {
  const { origins, from, to: registered, through, horizons, release } = result.settings
  const to = through === undefined ? registered : `${through} (registered: to ${registered})`
  const units = [...new Set(result.series.map(({ unit }) => unit))]
  const unit = units.length <= 3 ? listed(units) : counted(units.length, 'unit')
  return `${whole(result.series.length)} series (${unit}), ${counted(origins, 'origin')} from ${from} to ${to}, ${stepsSaid(horizons)}. The value that counts is ${releaseSaid(release)}. ${newestSaid(result)}`
}

/** The age of the newest value that a forecast can know; one statement if it is the same at all horizons. */
function newestSaid({ newest_known: newest }: SeriesEvaluationResult): string {
  const ages = groupedBy(newest, ({ median_steps: steps }) => String(steps))
  const said = [...ages.values()].map((of) => {
    const steps = of[0]?.median_steps ?? null
    const where = ages.size === 1 ? '' : ` (${stepsSaid(of.map(({ horizon }) => horizon))})`
    if (steps === null) return `not there${where}`
    if (steps === 0) return `that of the origin itself${where}`
    const side = steps > 0 ? 'before' : 'after'
    return `that of ${counted(Math.abs(steps), 'period')} ${side} the origin${where}`
  })
  return `When a forecast is due, the newest public value is ${listed(said)}, in the median.`
}

/** What a reader must know first. */
export function seriesCautions(result: SeriesEvaluationResult): string[] {
  const { horizons, minimum_pairs: least } = result.settings
  const cells = result.cells.filter(({ in_test: own }) => !own)
  const some = counted(cells.length, 'cell', 'cells')
  const tested = new Set(result.tests.map(({ horizon }) => horizon))
  const without = horizons.filter((horizon) => !tested.has(horizon))
  return keepSentences([
    ...notAskedIn(result),
    cells.length > 0 &&
      `${some} of ${whole(result.cells.length)} (a series at a step) ${cells.length === 1 ? 'is' : 'are'} in no test: fewer than ${counted(least, 'origin')} of the window have such a target there: ${placesSaid(cells, horizons.length)}.`,
    ...worseSeriesSaid(result),
    without.length > 0 &&
      `No test at ${stepsSaid(without)}: fewer than ${counted(least, 'origin')} of the window have such a target.`,
    result.settings.release.startsWith('as_of') &&
      'Comparators take preliminary values as they are: where these are mostly too low, or too high, whoever corrects them by one number has a lower loss without more.',
    'Smoothing, regression, the usual step of values that fall slowly and jump, and seasons of a month or a tide were not asked: what is said of a candidate is said against the comparators above alone.',
  ])
}

/** What was not registered although the protocol requires it, and what remains open because of it. */
function notAskedIn({ series, settings }: SeriesEvaluationResult): string[] {
  const each = settings.not_asked.map(({ comparator, series: of }) => {
    if (of.length === series.length) return comparator
    const first =
      of.length <= MOST_NAMED ? listed(of) : `${whole(of.length)} series, ${of[0]} first`
    return `${comparator} of ${first}`
  })
  return keepSentences([
    settings.year_not_asked &&
      'The year was not asked of every series: the list has too little of it before the window. A candidate that knows the season and nothing else may be better than all that was asked.',
    each.length > 0 &&
      `Not asked, for want of values before the window, or of a season longer than a period: ${listed(each)}.`,
  ])
}

/** Further names are only counted. */
const MOST_NAMED = 3

/** Which cells are replaced by others in the basis of the verdict. */
export function standIns({ cells, settings }: SeriesEvaluationResult): string | undefined {
  const without = cells.filter((cell) => cell.in_test && !cell.in_means)
  if (without.length === 0) return undefined
  return `In no figure here, for want of outcomes at half of their keys: ${placesSaid(without, settings.horizons.length)}. In what the verdict rests on, the worst other series of the step counts in their place, or for a negative one the best.`
}

/** Further worse series are only counted. */
const WORST_SERIES = 10

/** Every comparison, with the series that are worse by more than the harm limit, the worst first. */
function worseSeries(result: SeriesEvaluationResult) {
  const { regression_limit: limit } = result.settings
  if (result.series.length < 2) return []
  const isAsked = askedIn(result.settings.not_asked)
  return rivalsOf(result).map((rivals) => {
    const own = result.cell_differences
      .filter(isBetween(rivals))
      .filter(({ series }) => isAsked(rivals.comparator, series))
    const worse = [...groupedBy(own, ({ series }) => series)].flatMap(([series, cells]) => {
      const known = cells.filter(({ pairs }) => pairs > 0)
      const total = (of: (cell: (typeof known)[number]) => number | null) =>
        known.reduce((sum, cell) => sum + (of(cell) ?? 0), 0)
      const change = total((cell) => cell.observed) / total((cell) => cell.comparator_mean)
      return change > limit ? [{ series, change }] : []
    })
    const asked = result.series.filter(({ id }) => isAsked(rivals.comparator, id)).length
    return { ...rivals, asked, worse: worse.sort((a, b) => b.change - a.change) }
  })
}

/** The number of series that are worse by more than the harm limit, and the worst of them. */
function worseSeriesSaid(result: SeriesEvaluationResult): string[] {
  const limit = percent(result.settings.regression_limit)
  return worseSeries(result).flatMap(({ candidate, comparator, asked, worse }) => {
    if (worse.length === 0) return []
    const worst = worse.slice(0, WORST_SERIES)
    const named = listed(worst.map(({ series, change }) => `${series} (${percent(change, 0)})`))
    const shown = worst.length < worse.length ? `, the worst of them ${named}` : `: ${named}`
    return `Against ${comparator} ${candidate} is worse by more than the limit of ${limit} in ${whole(worse.length)} of ${whole(asked)} series${shown}.`
  })
}

/**
 * Comparisons without a series that is worse by more than the limit: counted, and always folded, because they changed
 * nothing.
 */
export function noSeriesWorse(result: AnyResult): string[] {
  if (result.result_version === 1) return []
  const limit = percent(result.settings.regression_limit)
  const none = worseSeries(result).filter(({ worse }) => worse.length === 0)
  const byCandidate = groupedBy(none, ({ candidate }) => candidate)
  return [...byCandidate].map(
    ([candidate, of]) =>
      `${candidate} is worse by more than the limit of ${limit} in 0 series against ${listed(of.map(({ comparator }) => comparator))}.`,
  )
}

type Cell = SeriesEvaluationResult['cells'][number]

/** Why a cell is in no figure. */
export function whyNotTested({ settings }: SeriesEvaluationResult, cell: Cell): string {
  return cell.in_test
    ? 'no outcomes at more than half of the keys of the series'
    : `fewer than ${counted(settings.minimum_pairs, 'origin')} have this target`
}

/** Further names are only counted. */
const MOST_NAMES = 8

/** `06 and 53 at every step; 13 at step 2`. */
function placesSaid(cells: readonly Cell[], steps: number): string {
  const bySeries = [...groupedBy(cells, ({ series }) => series)]
  const alike = groupedBy(bySeries, ([, of]) =>
    of.length === steps ? 'every step' : stepsSaid(of.map(({ horizon }) => horizon)),
  )
  return [...alike]
    .map(([where, of]) => {
      const names = of.map(([series]) => series)
      const more = names.length - MOST_NAMES
      const shown = more > 0 ? [...names.slice(0, MOST_NAMES), `${whole(more)} more`] : names
      return `${listed(shown)} at ${where}`
    })
    .join('; ')
}

/** The smallest number of origins for a decision. */
const originsNeeded = ({ settings }: SeriesEvaluationResult): number =>
  Math.max(
    settings.minimum_pairs,
    settings.minimum_blocks * settings.block_origins,
    LEAST_DAYS * settings.origins_a_day,
  )

/** Whether a window is too short for any decision; for any series only. */
export const isShort = (result: AnyResult): boolean =>
  result.result_version === 2 && result.settings.origins < originsNeeded(result)

/** The number of origins that a decision needs, and how much longer a short window has to be; empty for version 1. */
export function lengthSaid(result: AnyResult): string {
  if (result.result_version === 1) return ''
  const { origins, first_due: first, last_due: last } = result.settings
  const needed = originsNeeded(result)
  const one = `With blocks of ${blockLength(result.settings)} this takes ${counted(needed, 'origin')} at least, with an outcome of every cell`
  if (!isShort(result) || origins < 2) return ` ${one}.`
  const days = (instantOrNaN(last) - instantOrNaN(first)) / MICROS_PER_DAY / (origins - 1)
  return ` ${one}; the window has ${whole(origins)}. At its pace the others take about ${counted(Math.ceil(days * (needed - origins)), 'day')} more.`
}

type OtherRule = SeriesEvaluationResult['other_rules'][number]

/** Means under a rule, by step and model. */
export function rulesOf({ other_rules: all }: SeriesEvaluationResult): Map<string, OtherRule[]> {
  return new Map(groupedBy(all, ({ rule }) => rule))
}

/** Where a candidate and a comparator swap ranks under another rule than the protocol's. */
export function turnedSaid(result: SeriesEvaluationResult): string[] {
  const [own, ...others] = [...rulesOf(result)]
  if (own === undefined) return []
  const sign = (of: readonly OtherRule[], a: string, b: string, horizon: number) => {
    const [first, second] = [a, b].map(
      (model) => of.find((one) => one.model === model && one.horizon === horizon)?.mean ?? null,
    )
    return first == null || second == null ? 0 : Math.sign(first - second)
  }
  return others.flatMap(([rule, means]) =>
    rivalsOf(result).flatMap(({ candidate, comparator }) => {
      const turned = result.settings.horizons.filter((horizon) => {
        const signs = [own[1], means].map((of) => sign(of, candidate, comparator, horizon))
        return signs[0]! * signs[1]! < 0
      })
      if (turned.length === 0) return []
      return `Under ${rule} the order of ${candidate} and ${comparator} turns at ${stepsSaid(turned)}.`
    }),
  )
}

/** The sentence about counts; undefined for other values. */
export function countsSaid({ settings }: SeriesEvaluationResult): string | undefined {
  if (!settings.integer) return undefined
  return 'Values are whole numbers. An interval between whole numbers that has both its ends covers more than its levels say, the more so the smaller the numbers: coverage above the nominal level is no fault by itself.'
}

/** What losses were divided by. */
export function scalingSaid({ settings: { scaling } }: SeriesEvaluationResult): string {
  return scaling === 'none'
    ? 'no loss is scaled'
    : `losses are divided by the scale of their series (${scaling})`
}

/** The mean score of a model in a scope; for coverage a share. */
export function scoreSaid(
  { id, kind }: SeriesEvaluationResult['settings']['scores'][number],
  at: SeriesEvaluationResult['measures'][number] | undefined,
): string {
  const value = at?.scores[id] ?? null
  return kind === 'coverage' || kind === 'direction' ? percent(value, 1) : scoreText(value)
}

/** A mean score, with enough decimals for four digits. */
export function scoreText(value: number | null): string {
  const size = Math.abs(value ?? 0)
  if (value !== null && size > 0 && (size < 1e-5 || size >= 1e12)) return scientific(value)
  const digits = size === 0 ? 1 : Math.min(8, Math.max(0, 3 - Math.floor(log10(size))))
  return decimal(value, digits)
}

/** The attempts that no share counts. */
export function seriesApart({ accounting }: SeriesEvaluationResult): string {
  const model = accounting[0]?.model
  const of = accounting.filter((one) => one.model === model && one.horizon === 'all')
  const each = of.flatMap(({ series, without_outcome: count }) =>
    series === 'all' || count === 0 ? [] : [`${series} (${whole(count)})`],
  )
  if (each.length === 0) return 'Every attempt has an outcome.'
  return `Attempts without an outcome, for want of a value that counts, are apart, of each model as many: ${listed(each)}. They count against no model; what is expected, and every share of it, has only attempts with an outcome.`
}

/** What a candidate left out of a series against a comparator, at the worst step. */
export function seriesLeftOut(
  { shared_keys: keys }: SeriesEvaluationResult,
  rivals: Rivals,
  series: string,
): string {
  const cells = keys.filter(isBetween(rivals)).filter((one) => one.series === series)
  const most = mostOf(cells, true)
  return most === undefined
    ? NOTHING
    : `${formatShare(most.notScored, most.origins)} (${stepSaid(most.horizon)})`
}

/**
 * Every mean over series as a row: the model, `overall`, `step −1` or `group south`, the number of forecasts of the
 * deciding score, the scores. A score with another number of forecasts shows it.
 */
export function scoreRows(
  result: SeriesEvaluationResult,
  isShown: (of: SeriesEvaluationResult['measures'][number]) => boolean = () => true,
): string[][] {
  const { scores } = result.settings
  const primary = scores.find((score) => score.primary)?.id ?? ''
  return result.measures
    .filter((of) => of.series === 'all' && isShown(of))
    .map((of) => {
      const pairs = of.pairs[primary]
      return [
        of.model,
        of.group === 'all' ? horizonName(result, of.horizon) : `group ${of.group}`,
        whole(pairs ?? 0),
        ...scores.map((score) => {
          const count = of.pairs[score.id] ?? 0
          return `${scoreSaid(score, of)}${count === pairs ? '' : ` (of ${whole(count)})`}`
        }),
      ]
    })
}

/** A cell of the table of cells. */
export type RelativeCell = ReturnType<typeof relativeInterval> & { readonly tested: boolean }

export interface CellGrid {
  readonly caption: string
  readonly head: readonly string[]
  readonly rows: readonly { label: string; cells: readonly (RelativeCell | undefined)[] }[]
}

/** A page has no room for more columns. */
const MOST_COLUMNS = 6

/** The cells of a comparison as tables: the longer of series and steps runs down, the other across. */
export function cellGrid(result: SeriesEvaluationResult, rivals: Rivals): CellGrid[] {
  const { candidate, comparator } = rivals
  const key = (series: string, horizon: number) => `${horizon} ${series}`
  const tested = new Map(result.cells.map((of) => [key(of.series, of.horizon), of.in_means]))
  const cells = new Map(
    result.cell_differences.filter(isBetween(rivals)).map((of) => {
      const at = key(of.series, of.horizon)
      return [at, { ...relativeInterval(of), tested: tested.get(at) === true }]
    }),
  )
  const series = result.series.map(({ id }) => ({ label: id, series: id }))
  const steps = result.settings.horizons.map((horizon) => ({ label: stepSaid(horizon), horizon }))
  const down = series.length >= steps.length
  const [rows, columns] = down ? [series, steps] : [steps, series]
  const caption = `${candidate} against ${comparator}: difference in loss, in per cent of the comparator’s`
  return chunksOf<{ label: string; series?: string; horizon?: number }>(columns).map((some) => ({
    caption:
      some.length === columns.length
        ? caption
        : `${caption} (${some[0]?.label} to ${some.at(-1)?.label})`,
    head: [down ? 'series' : 'step', ...some.map(({ label }) => label)],
    rows: rows.map((row) => ({
      label: row.label,
      cells: some.map((column) => {
        const at = { series: '', horizon: 0, ...row, ...column }
        return cells.get(key(at.series, at.horizon))
      }),
    })),
  }))
}

function chunksOf<T>(items: readonly T[]): T[][] {
  const chunks = Math.ceil(items.length / MOST_COLUMNS)
  const size = Math.ceil(items.length / chunks)
  return Array.from({ length: chunks }, (_, at) => items.slice(at * size, (at + 1) * size))
}
