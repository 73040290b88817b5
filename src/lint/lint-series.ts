import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { degreesOfWindow } from '../inference/ewc.js'
import { studentQuantile } from '../inference/student-t.js'
import { originsAt } from '../pairing/make-plan.js'
import type { PeriodList } from '../periods/list.js'
import { lastSettled } from '../periods/series-times.js'
import type { Rules } from '../protocol/rules/compile.js'
import { laxFindings } from '../protocol/rules/lax.js'
import { stratumFindings } from '../protocol/rules/stratum-findings.js'
import { WEIGHTS } from '../protocol/rules/weights.js'
import { mostOriginsADay, testDesign } from '../registration/design.js'
import { primaryMemory } from '../registration/family.js'
import { findWindowOrigins, leastFirst, originsIn } from '../registration/series-plan-rules.js'
import { leastOrigins, wholeOrigins } from '../registration/series-template.js'
import { seriesStrata } from '../registration/strata.js'
import { seriesBaselineRows } from '../scoring/baselines/series-baselines.js'
import { listScores } from '../scoring/scores.js'
import { risingFindings } from '../truth/rising.js'
import type { SeriesTruth } from '../truth/series-truth.js'
import { listTruth, NO_TRUTH } from '../truth/shown-values.js'
import { shortWindow, tightWindow } from './family.js'
import { levelSizeFindings } from './levels.js'

/** The parts of a registration that determine how much it can find. */
interface RegisteredWindow extends Pick<Registration, 'mode'> {
  readonly candidates: readonly unknown[]
  readonly window: Pick<Registration['window'], 'from' | 'to' | 'origins'>
}

/** What a window of one length can find, under a protocol of version 2. */
export interface SeriesLength {
  readonly origins: number
  /** Labels of its first and last origin; null if the list is too short. */
  readonly from: string | null
  readonly to: string | null
  /** Complete blocks, and the degrees of freedom that they give. */
  readonly blocks: number
  readonly degrees_of_freedom: number
  /** The |t| that a mean over all cells has to exceed for a verdict; null if the window is too short to decide. */
  readonly t: number | null
  /** `t` times the standard error, in standard deviations of a block mean. */
  readonly half_width: number | null
  /** When its last outcome can no longer change, RFC 3339. */
  readonly settled_at: string | null
}

/** Lengths as multiples of the shortest that can decide. */
const MULTIPLES = [1, 2, 4, 8]

/**
 * What windows of several lengths can find: the shortest that decides, longer ones, and the registered one.
 * @param registered - the windows begin where it does; without it, where the next window may begin or, if the list ends
 * too early for that, the first backtest.
 */
export function seriesLengths(
  rules: Rules,
  periods: PeriodList,
  now: Instant,
  registered?: RegisteredWindow,
): SeriesLength[] {
  const inWindow = registered === undefined ? [] : findWindowOrigins(periods, registered.window)
  const needed = leastOrigins(rules, periods)
  const ahead = wholeOrigins(rules, periods, now, true)
  const [next = 0] = ahead.length < needed ? [leastFirst(rules, periods).first] : ahead
  const origins = originsIn(periods).filter((at) => at >= (inWindow[0] ?? next))
  const lengths = [
    ...MULTIPLES.map((multiple) => multiple * needed),
    ...(inWindow.length > 0 ? [inWindow.length] : []),
  ]
  const { blockLength, alpha } = testDesign(rules)
  const candidates = registered?.candidates.length ?? 1
  const level = (alpha * WEIGHTS.verdict) / candidates
  return [...new Set(lengths)]
    .sort((a, b) => a - b)
    .map((length) => {
      const blocks = Math.floor(length / blockLength)
      const perDay = mostOriginsADay(origins.slice(0, length), rules)
      const nu = degreesOfWindow({ origins: length, blockLength }, primaryMemory(rules), perDay)
      const t = length < needed ? null : studentQuantile(level, nu)
      const last = origins[length - 1]
      const settled = lastSettled(rules, last === undefined ? [] : [last])
      return {
        origins: length,
        from: last === undefined ? null : (periods[origins[0] as number]?.label ?? null),
        to: last === undefined ? null : (periods[last]?.label ?? null),
        blocks,
        degrees_of_freedom: nu,
        t,
        half_width: t && t / Math.sqrt(blocks),
        settled_at: Number.isFinite(settled) ? formatUtc(settled) : null,
      }
    })
}

/**
 * Checks whether a registered window can decide anything; the pointers are those of plans and registrations. A backtest
 * that cannot is only warned of: its figures are still useful, and there may be no more data than one season.
 */
export function lintSeriesWindow(
  { window, mode }: Omit<RegisteredWindow, 'candidates'>,
  rules: Rules,
  periods: PeriodList,
  truth?: SeriesTruth,
): Finding[] {
  const severity = mode === 'backtest' ? 'warning' : undefined
  const origins = findWindowOrigins(periods, window)
  const perDay = mostOriginsADay(origins, rules)
  const by = { asks: 'the protocol', severity, perDay } as const
  const design = testDesign(rules)
  const short = shortWindow(window.origins, design, by)
  if (short.length > 0) return short
  const tight = tightWindow(window.origins, design, rules.limits.availability)
  // Volatility is known only of a window that is over.
  const seen = mode === 'backtest' && truth ? listTruth(truth, periods, rules) : undefined
  const usable = rules.strata.filter((of) => of.by !== 'past_volatility' || seen !== undefined)
  const strata = seriesStrata({ ...rules, strata: usable }, seen ?? NO_TRUTH)
  const levels = strata.flatMap((stratum) =>
    levelSizeFindings(stratum, originsAt(origins), design, () => '/window', false),
  )
  return [...tight, ...levels]
}

/**
 * Reports what a protocol of version 2 allows that makes its conclusions weaker than they look.
 * @param truth - outcomes so far, if there are any: they show the size of the losses of each series.
 */
export function lintSeries(
  rules: Rules,
  periods: PeriodList,
  truth: SeriesTruth | undefined,
): Finding[] {
  const { blockLength, minimumBlocks, minimumPairs } = testDesign(rules)
  const product = minimumBlocks * blockLength
  const args = { minimumPairs, minimumBlocks, blockLength, product }
  const few = { pointer: '/dependence/minimum_pairs' }
  return [
    ...laxFindings(rules),
    ...(minimumPairs < product ? [finding('minimum-pairs-below-blocks', args, few)] : []),
    ...rules.strata.flatMap((stratum, at) =>
      // Of cut-points there are only errors, which the protocol cannot have.
      stratum.by === 'by_plan' || stratum.by === 'past_volatility'
        ? []
        : stratumFindings(stratum, `/strata/${at}`),
    ),
    ...(truth === undefined
      ? []
      : [
          ...heavyFindings(rules, periods, truth),
          ...binaryFindings(rules, periods, truth),
          ...risingFindings(rules, periods, truth, Number.POSITIVE_INFINITY),
        ]),
  ]
}

/** Series of events: the median of their outcomes is also 0 or 1. */
function binaryFindings({ series }: Rules, periods: PeriodList, truth: SeriesTruth): Finding[] {
  const binary = series.flatMap(({ id }, index) => {
    const values = [...periods.keys()].map((at) => truth.value(index, at))
    const distinct = new Set(values.filter((value) => !Number.isNaN(value)))
    return distinct.size === 2 && distinct.has(0) && distinct.has(1) ? [id] : []
  })
  const [first] = binary
  if (first === undefined) return []
  const args = { series: first, count: binary.length, all: series.length }
  return [finding('series-binary', args, { pointer: '/forecast/point' })]
}

/**
 * With few series, one is always near or above half of the sum; so its loss must also be this multiple of the mean of
 * the others.
 */
const HEAVY_TIMES = 4

/** Without scaling, a series with most of a comparator's loss decides for all series. */
function heavyFindings(rules: Rules, periods: PeriodList, truth: SeriesTruth): Finding[] {
  const { scaling, series, baselines, required } = rules
  if (scaling.kind !== 'none' || series.length < 2) return []
  // A series that is heavy is so with any of them, and persistence is quick.
  const asked = baselines.filter(({ id }) => required.some(({ name }) => name === id))
  const comparator = (asked.find(({ kind }) => kind === 'persistence') ?? asked[0])?.id
  if (comparator === undefined) return []
  const means = lossBySeries(rules, periods, truth, comparator)
  const sum = means.reduce((total, mean) => total + mean, 0)
  const heavy = means.findIndex((mean) => {
    const others = (sum - mean) / (series.length - 1)
    return mean > sum / 2 && mean > HEAVY_TIMES * others
  })
  if (heavy < 0) return []
  const share = (means[heavy] as number) / sum
  const args = { series: series[heavy]?.id ?? '', share, comparator }
  return [finding('series-heavy', args, { pointer: '/scaling' })]
}

/** For each series the mean loss of a baseline over all origins with an outcome, summed over horizons. */
function lossBySeries(
  rules: Rules,
  periods: PeriodList,
  truth: SeriesTruth,
  comparator: string,
): number[] {
  const { series, steps } = rules
  const score = listScores(rules, []).find(({ primary }) => primary)
  const positions = new Map(periods.map(({ label }, at) => [label, at]))
  const indices = new Map(series.map(({ id }, at) => [id, at]))
  const [sums, counts] = [0, 0].map(() => new Float64Array(series.length * steps.length))
  for (const row of seriesBaselineRows(rules, periods, truth, [comparator], originsIn(periods))) {
    const { series: id, originAt, horizon, forecast, quantiles } = row
    const index = indices.get(id) as number
    const outcome = truth.value(index, (positions.get(originAt) as number) + horizon)
    const levels = Float64Array.from(quantiles, (value) => value ?? Number.NaN)
    const loss = score?.of(forecast ?? Number.NaN, levels, outcome, index, Number.NaN) ?? Number.NaN
    if (Number.isNaN(loss)) continue
    const cell = index * steps.length + steps.indexOf(horizon)
    sums![cell]! += loss
    counts![cell]!++
  }
  return series.map((_, index) =>
    [...steps.keys()].reduce((all, step) => {
      const cell = index * steps.length + step
      return counts![cell] === 0 ? all : all + sums![cell]! / counts![cell]!
    }, 0),
  )
}
