import { decidingTail, timesSeldom } from '../../contract/deciding-tail.js'
import type { SeriesProtocol } from '../../contract/types.js'
import type { PeriodList } from '../../periods/list.js'
import { Seasons, type TargetDistance } from '../../periods/seasons.js'
import type { TruthView } from '../../truth/truth-view.js'

export type SeriesBaseline = SeriesProtocol['baselines'][number]

/** The point forecast of a target from what is public; NaN where there is none. */
type PointRule = (view: TruthView, target: number) => number
/** The values, ascending, whose median and quantiles are a forecast; undefined where there are too few. */
type SampleRule = (view: TruthView, target: number) => Float64Array | undefined

export type SeriesRule =
  | { readonly of: 'point'; readonly make: PointRule }
  | { readonly of: 'sample'; readonly make: SampleRule }

/** The slope of a drift is that over the most periods in this range. */
const MOST_DRIFT = 50
const LEAST_DRIFT = 20
/** So many of the newest values a climatology takes, and at least so many, of all and of one season. */
const SAMPLE = 100
const LEAST_OF_ALL = 20
const LEAST_OF_SEASON = 5

/** How many values a climatology takes: the further out the levels lie that decide, the more it needs. */
interface SampleSize {
  readonly most: number
  readonly least: number
}

export function sampleSize(protocol: SeriesProtocol): SampleSize {
  const tail = decidingTail(protocol)
  return {
    most: Math.max(SAMPLE, timesSeldom(4, tail)),
    least: Math.max(LEAST_OF_ALL, timesSeldom(1, tail)),
  }
}

/** @param isBrief - samples end as soon as they are large enough: whether there is a forecast is all that is asked. */
export function ruleOf(
  { kind, season = 'day' }: SeriesBaseline,
  periods: PeriodList,
  distance: TargetDistance,
  size: SampleSize,
  isBrief = false,
): SeriesRule {
  const sampled = (view: TruthView, positions: Iterable<number>, least: number) =>
    newest(view, positions, least, isBrief ? least : size.most)
  switch (kind) {
    // The last value that is public, be it a preliminary one.
    case 'persistence':
      return { of: 'point', make: (view) => view.value(view.newest) }
    case 'drift':
      return { of: 'point', make: drift }
    case 'climatology':
      return { of: 'sample', make: (view) => sampled(view, backFrom(view.newest), size.least) }
    case 'seasonal_naive':
      return { of: 'point', make: seasonalNaive(new Seasons(periods, season, distance)) }
    case 'seasonal_climatology': {
      const seasons = new Seasons(periods, season, distance)
      const make: SampleRule = (view, at) => sampled(view, seasons.around(at), LEAST_OF_SEASON)
      return { of: 'sample', make }
    }
  }
}

/** Goes on by the mean step of the last periods, from the position of the last value. */
function drift(view: TruthView, target: number): number {
  const from = view.newest
  const last = view.value(from)
  for (let back = MOST_DRIFT; back >= LEAST_DRIFT; back--) {
    const before = view.value(from - back)
    if (!Number.isNaN(before)) return last + ((target - from) * (last - before)) / back
  }
  return Number.NaN
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

/** The first values at these positions, in order of size. */
function newest(view: TruthView, positions: Iterable<number>, least: number, most: number) {
  const found: number[] = []
  for (const at of positions) {
    const value = view.value(at)
    if (Number.isNaN(value)) continue
    found.push(value)
    if (found.length === most) break
  }
  return found.length < least ? undefined : Float64Array.from(found).sort()
}
