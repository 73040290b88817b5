import type { RulesData, SeriesProtocol } from '../../contract/types.js'
import type { PeriodList } from '../../periods/list.js'
import {
  createTargetDistance,
  isAskedFor,
  SEASON_LENGTHS,
  type Season,
  Seasons,
} from '../../periods/seasons.js'
import { createSeriesTimes, type SeriesTimes, targetsFrom } from '../../periods/series-times.js'

type Baseline = SeriesProtocol['baselines'][number]

/** The simple methods of the textbook: Hyndman and Athanasopoulos, Forecasting: principles and practice, 5.2. */
const OF_ALL = ['persistence', 'drift', 'climatology'] as const
const OF_A_SEASON = ['seasonal_naive', 'seasonal_climatology'] as const

/** Standard comparators for the given seasons, without names and own errors. */
function standardKinds(seasons: readonly Season[]): Pick<Baseline, 'kind' | 'season'>[] {
  return [
    ...OF_ALL.map((kind) => ({ kind })),
    ...seasons.flatMap((season) => OF_A_SEASON.map((kind) => ({ kind, season }))),
  ]
}

/**
 * The standard comparators that a protocol does not require, as members of it: with their ids in the protocol, or with
 * new ones.
 * @param seasons - those that are possible. @param errors - for those with own errors, if there are levels.
 */
export function missingStandard(
  { baselines, required, forecast }: Pick<RulesData, 'baselines' | 'required' | 'forecast'>,
  seasons: readonly Season[],
  errors: NonNullable<Baseline['errors']>,
): { readonly baseline: Baseline; readonly isThere: boolean }[] {
  const names = new Set(required.map(({ name }) => name))
  const used = new Set([...names, ...baselines.map(({ id }) => id)])
  return standardKinds(seasons).flatMap((standard) => {
    const { kind, season } = standard
    const alike = baselines.filter((each) => each.kind === kind && each.season === (season ?? null))
    if (alike.some(({ id }) => names.has(id))) return []
    let id = [kind, ...(season ? [season] : [])].join('_')
    while (used.has(id)) id += '_'
    const hasErrors = forecast.levels.length > 0 && !kind.endsWith('climatology')
    const made = { id: alike[0]?.id ?? id, ...standard, ...(hasErrors && { errors }) }
    return [{ baseline: made, isThere: alike.length > 0 }]
  })
}

/**
 * The possible seasons of a list: longer than the distance of its targets, and with a period one season before at least
 * half of the targets in the last window that can decide.
 */
export function askedSeasons(
  rules: Pick<RulesData, 'zone' | 'origins' | 'outcome' | 'steps' | 'dependence'>,
  periods: PeriodList,
): Season[] {
  const times = createSeriesTimes(rules, periods)
  const origins = [...periods.keys()].filter((at) => times.targetsAt(at).length > 0)
  const { block_origins: block, minimum_blocks: blocks, minimum_pairs: pairs } = rules.dependence
  const last = origins.slice(-Math.max(pairs, blocks * block))
  return metSeasons(periods, times, last, createTargetDistance(periods, times, origins))
}

/**
 * The seasons that are long enough for targets at this distance, with a period one season before at least half of them.
 */
function metSeasons(
  periods: PeriodList,
  times: Pick<SeriesTimes, 'targetsAt'>,
  origins: readonly number[],
  distance = createTargetDistance(periods, times, origins),
): Season[] {
  const targets = targetsFrom(times, origins)
  return (Object.keys(SEASON_LENGTHS) as Season[]).filter((season) => {
    if (!isAskedFor(season, distance)) return false
    const seasons = new Seasons(periods, season, distance)
    const withSeason = targets.filter((target) => seasons.nearest(target).next().done !== true)
    return 2 * withSeason.length >= targets.length
  })
}

/**
 * Whether a window must have a baseline: those without a season, and those of a day and a week if the list has them. A
 * year of values is often missing; a few weeks before a window are not. @returns for each baseline.
 */
export function neededIn(
  periods: PeriodList,
  times: Pick<SeriesTimes, 'targetsAt'>,
  origins: readonly number[],
): (baseline: Pick<RulesData['baselines'][number], 'season'>) => boolean {
  const seasons = metSeasons(periods, times, origins)
  return ({ season }) => season === null || (season !== 'year' && seasons.includes(season))
}
