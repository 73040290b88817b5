import type { Instant } from '../contract/instant.js'
import { remembering } from '../contract/remembering.js'
import type { RulesData } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTimes } from '../periods/series-times.js'
import { countedValue, datedReleases, inForce, type Releases } from './releases.js'
import type { TruthVintage } from './releases-vintage.js'

/** The parts of rules that say which value counts. */
export interface OutcomeRules extends Pick<SeriesTimes, 'known' | 'settled'> {
  readonly series: readonly { readonly id: string }[]
  readonly outcome: Pick<RulesData['outcome'], 'over'> & {
    readonly release: Pick<RulesData['outcome']['release'], 'rule'>
  }
}

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

/** Series of which the values are kept at a time: they are asked for one after another. */
const KEPT = 4

export function createSeriesTruth(
  { series: all, outcome, known, settled }: OutcomeRules,
  periods: PeriodList,
  vintage: TruthVintage,
): SeriesTruth {
  const { release } = outcome
  const made = remembering((series: number) => {
    const { id = '' } = all[series] ?? {}
    const counted = new Float64Array(periods.length)
    const releases = periods.map(({ label, end }, at) => {
      const dated = datedReleases(vintage.releases(id, label), { end, known: known(at) })
      counted[at] = countedValue(release, dated, settled(at)) ?? Number.NaN
      return dated
    })
    return { counted, releases }
  }, KEPT)
  const of = (series: number, period: number) => made(series).releases[period] as Releases
  return {
    value: (series, period) => made(series).counted[period] as number,
    view: (series, period, at) => {
      const isKnown = known(period) <= at
      return (isKnown ? inForce(of(series, period), at) : undefined) ?? Number.NaN
    },
    releases: of,
  }
}
