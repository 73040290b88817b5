import type { ReadonlyDeep } from '../../contract/readonly-deep.js'
import type { SeriesProtocol, SeriesRegistration } from '../../contract/types.js'
import { expectedFrom } from '../../periods/expected.js'
import type { PeriodList } from '../../periods/list.js'
import { isAskedFor, targetDistance } from '../../periods/seasons.js'
import type { SeriesTimes } from '../../periods/series-times.js'
import type { SeriesTruth } from '../../task/series-truth.js'
import { seriesBaselineRows } from './series.js'

type NotAsked = SeriesRegistration['not_asked']

/** Whether a comparator is asked of a series. */
export function askedIn(
  unasked: ReadonlyDeep<NotAsked>,
): (comparator: string, series: string) => boolean {
  const without = new Map(unasked.map(({ comparator, series }) => [comparator, new Set(series)]))
  return (comparator, series) => without.get(comparator)?.has(series) !== true
}

/**
 * The required baselines that are not asked of every series: those of a season that is hardly longer than the window's
 * targets lie apart, and of a series those that could not forecast half of its keys if every value of it were there
 * from the period on from which values are expected. Outcomes change nothing, so that nobody chooses by them.
 * @param origins - of the window: positions, ascending.
 * @returns in the order of `comparisons.required`.
 */
export function notAsked(
  protocol: SeriesProtocol,
  periods: PeriodList,
  times: SeriesTimes,
  origins: readonly number[],
): NotAsked {
  const { series, baselines, comparisons } = protocol
  const distance = targetDistance(periods, times, origins)
  const far = baselines.flatMap(({ id, season }) =>
    season === undefined || isAskedFor(season, distance) ? [id] : [],
  )
  const ids = comparisons.required.filter((name) => baselines.some(({ id }) => id === name))
  // Series from the same period on are alike: one stands for all.
  const startOf = new Map(series.map((each) => [each.id, expectedFrom(each, periods)]))
  const starts = [...new Set(startOf.values())]
  const standing = starts.map((from) => series.find(({ id }) => startOf.get(id) === from))
  const alike = standing.flatMap((each) => each ?? [])
  const truth = everyValue(starts, times)
  const asked = ids.filter((id) => far.includes(id))
  const counts = new Map<string, { keys: number; made: number }>()
  const rows = seriesBaselineRows(
    { ...protocol, series: alike },
    ...([periods, times, truth, asked, origins] as const),
  )
  for (const { model, series: of, attempt } of rows) {
    const key = `${startOf.get(of)} ${model}`
    const count = counts.get(key) ?? { keys: 0, made: 0 }
    count.keys++
    if (attempt === null) count.made++
    counts.set(key, count)
  }
  const isAsked = (id: string, of: string) => {
    const { keys, made } = counts.get(`${startOf.get(of)} ${id}`) ?? { keys: 0, made: 0 }
    return far.includes(id) && 2 * made >= keys
  }
  return ids.flatMap((comparator) => {
    const without = series.flatMap(({ id: of }) => (isAsked(comparator, of) ? [] : [of]))
    return without.length === 0 ? [] : [{ comparator, series: without }]
  })
}

/** What of a registered window says whether the year is asked. */
interface AskedWindow {
  readonly protocol: SeriesProtocol
  readonly periods: PeriodList
  readonly times: Pick<SeriesTimes, 'targetsOf'>
  readonly origins: readonly number[]
  readonly registration: Pick<SeriesRegistration, 'comparators' | 'not_asked'>
}

/** Whether targets lie nearer to each other than years do, and either baseline of the year is asked of fewer than all series. */
export function isYearUnasked(window: AskedWindow): boolean {
  const { protocol, periods, times, origins, registration } = window
  if (!isAskedFor('year', targetDistance(periods, times, origins))) return false
  const isAsked = askedIn(registration.not_asked)
  const whole = registration.comparators.flatMap(({ name }) => {
    const own = protocol.baselines.find(({ id, season }) => id === name && season === 'year')
    return own && protocol.series.every(({ id }) => isAsked(name, id)) ? [own.kind] : []
  })
  return new Set(whole).size < 2
}

/** Outcomes as if every value were there as soon as it can be known. @param starts - of each series. */
function everyValue(starts: readonly number[], { known }: SeriesTimes): SeriesTruth {
  const isThere = (series: number, period: number) => period >= (starts[series] as number)
  const value = (series: number, period: number) => (isThere(series, period) ? 1 : Number.NaN)
  return {
    value,
    view: (series, period, at) => (known(period) <= at ? value(series, period) : Number.NaN),
    releases: (series, period) =>
      isThere(series, period) ? [{ asOf: known(period), value: 1 }] : [],
  }
}
