import type { Instant } from '../contract/instant.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { countedValue, datedReleases, inForce, type Releases } from './releases.js'
import type { TruthVintage } from './releases-vintage.js'

/** The outcomes of a protocol: series by their position in it, periods by their position in the list. */
export interface SeriesTruth {
  /** The value that counts; NaN if the outcome is absent. */
  value(series: number, period: number): number
  /** The value in force at an instant; NaN if there is none, or none could be known yet. */
  view(series: number, period: number, at: Instant): number
  /**
   * All rows that count; undated rows are dated when they could be public. For a `TruthView`, which shows them one
   * after another.
   */
  releases(series: number, period: number): Releases
}

export function seriesTruth(
  protocol: SeriesProtocol,
  periods: PeriodList,
  times: SeriesTimes,
  vintage: TruthVintage,
): SeriesTruth {
  const { release } = protocol.outcome
  const counted = protocol.series.map(() => new Float64Array(periods.length))
  const releases = protocol.series.map(({ id }, series) =>
    periods.map(({ label, end }, at) => {
      const dated = datedReleases(vintage.releases(id, label), { end, known: times.known(at) })
      const value = countedValue(release, dated, times.settled(at))
      ;(counted[series] as Float64Array)[at] = value ?? Number.NaN
      return dated
    }),
  )
  const of = (series: number, period: number) => releases[series]?.[period] as Releases
  return {
    value: (series, period) => counted[series]?.[period] as number,
    view: (series, period, at) => {
      const isKnown = times.known(period) <= at
      return (isKnown ? inForce(of(series, period), at) : undefined) ?? Number.NaN
    },
    releases: of,
  }
}
