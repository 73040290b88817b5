import { decidingTail, timesSeldom } from '../../contract/deciding-tail.js'
import type { RulesData } from '../../contract/types.js'
import type { PeriodList } from '../../periods/list.js'
import { Seasons, type TargetDistance } from '../../periods/seasons.js'
import type { TruthView } from '../../truth/truth-view.js'

type Baseline = RulesData['baselines'][number]

/** A baseline of rules, or of a document of version 2, which leaves out what it does not say. */
export type SeriesBaseline = Pick<Baseline, 'id' | 'kind'> &
  Partial<Pick<Baseline, 'season' | 'pool' | 'errors'>>

/** The point forecast of a target from public values; NaN if it cannot be made. */
type PointRule = (view: TruthView, target: number) => number
/** The values, ascending, whose median and quantiles are a forecast; undefined if there are too few. */
type SampleRule = (view: TruthView, target: number) => Float64Array | undefined

/** How a baseline forecasts; a baseline that chooses among others has only a pool. */
export type SeriesRule =
  | { readonly of: 'choice' }
  | { readonly of: 'point'; readonly make: PointRule }
  | { readonly of: 'sample'; readonly make: SampleRule }

/** A drift uses the slope over the largest number of periods in this range that has a value at both ends. */
const MOST_DRIFT = 50
const LEAST_DRIFT = 20
/**
 * How many of the newest values a climatology uses unless its levels need more; the minimum of all, and of one season.
 */
const SAMPLE = 100
const LEAST_OF_ALL = 20
const LEAST_OF_SEASON = 5

/** How many of the newest periods a rule learns from, and the smallest number of values or pairs in them. */
const LEARNT = 100
export const LEAST_LEARNT = 20
/** Each weight is this times that of the next newer value: a span of 10, as in pandas. */
const FADING = 1 - 2 / (10 + 1)

/** How many values a climatology uses: the more extreme the deciding levels are, the more it needs. */
interface SampleSize {
  readonly max: number
  readonly min: number
}

export function sampleSize(rules: Parameters<typeof decidingTail>[0]): SampleSize {
  const tail = decidingTail(rules)
  return {
    max: Math.max(SAMPLE, timesSeldom(4, tail)),
    min: Math.max(LEAST_OF_ALL, timesSeldom(1, tail)),
  }
}

/**
 * @param isBrief - stop sampling as soon as the sample is large enough, because only whether there is a forecast
 * matters.
 */
export function createRule(
  { kind, season: own }: SeriesBaseline,
  periods: PeriodList,
  distance: TargetDistance,
  size: SampleSize,
  isBrief = false,
): SeriesRule {
  const values = new Float64Array(size.max)
  const sampled = (view: TruthView, positions: Iterable<number>, min: number) =>
    newest(view, positions, min, isBrief ? values.subarray(0, min) : values)
  const season = own ?? 'day'
  switch (kind) {
    // The last public value, even a preliminary one.
    case 'persistence':
      return { of: 'point', make: (view) => view.value(view.newest) }
    case 'drift':
      return { of: 'point', make: drift }
    case 'ema':
      return { of: 'point', make: ema }
    case 'ar1':
      return { of: 'point', make: ar1Values }
    case 'hourly':
      throw new TypeError('a baseline over full hours is computed from closes')
    case 'strongest':
      return { of: 'choice' }
    case 'climatology':
      return { of: 'sample', make: (view) => sampled(view, backFrom(view.newest), size.min) }
    case 'seasonal_naive':
      return { of: 'point', make: seasonalNaive(new Seasons(periods, season, distance)) }
    case 'seasonal_climatology': {
      const seasons = new Seasons(periods, season, distance)
      const make: SampleRule = (view, at) => sampled(view, seasons.around(at), LEAST_OF_SEASON)
      return { of: 'sample', make }
    }
  }
}

/** Continues from the position of the last value by the mean step of the last periods. */
function drift(view: TruthView, target: number): number {
  const from = view.newest
  const last = view.value(from)
  for (let back = MOST_DRIFT; back >= LEAST_DRIFT; back--) {
    const before = view.value(from - back)
    if (!Number.isNaN(before)) return last + ((target - from) * (last - before)) / back
  }
  return Number.NaN
}

/** The exponentially weighted mean of the existing values, by their age in periods. */
function ema(view: TruthView): number {
  let [sum, total, count, weight] = [0, 0, 0, 1]
  for (let age = 0; age < LEARNT; age++, weight *= FADING) {
    const value = view.value(view.newest - age)
    if (Number.isNaN(value)) continue
    sum += weight * value
    total += weight
    count++
  }
  return count < LEAST_LEARNT ? Number.NaN : sum / total
}

/**
 * First-order autoregression: each value on the previous one, with an intercept, by ordinary least squares, iterated
 * from the last value. The slope is limited to ±1, so that forecasts do not explode; it is 0 if all values are equal.
 */
function ar1Values(view: TruthView, target: number): number {
  const pairs: (readonly [before: number, after: number])[] = []
  for (let age = 0; age < LEARNT; age++) {
    const pair = [view.value(view.newest - age - 1), view.value(view.newest - age)] as const
    if (!pair.some(Number.isNaN)) pairs.push(pair)
  }
  if (pairs.length < LEAST_LEARNT) return Number.NaN
  const mean = (at: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length
  const [before, after] = [mean(0), mean(1)]
  let [variation, covariation] = [0, 0]
  for (const [x, y] of pairs) {
    variation += (x - before) * (x - before)
    covariation += (x - before) * (y - after)
  }
  const slope = variation > 0 ? Math.max(-1, Math.min(1, covariation / variation)) : 0
  let value = view.value(view.newest)
  for (let at = view.newest; at < target; at++) value = after + slope * (value - before)
  return value
}

const seasonalNaive = (seasons: Seasons): PointRule => {
  return (view, target) => {
    for (const at of seasons.nearest(target)) {
      const value = view.value(at)
      if (!Number.isNaN(value)) return value
    }
    return Number.NaN
  }
}

function* backFrom(newest: number): Generator<number> {
  for (let at = newest; at >= 0; at--) yield at
}

/** The first values at these positions, sorted. @param into - has room for the maximum; every sample uses it. */
function newest(view: TruthView, positions: Iterable<number>, min: number, into: Float64Array) {
  let count = 0
  for (const at of positions) {
    const value = view.value(at)
    if (Number.isNaN(value)) continue
    into[count++] = value
    if (count === into.length) break
  }
  return count < min ? undefined : into.subarray(0, count).sort()
}
