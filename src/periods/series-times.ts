import { checkedInstant, type Instant } from '../contract/instant.js'
import type { RulesData } from '../contract/types.js'
import type { Period, PeriodList } from './list.js'
import { later, type Offset, parseOffset } from './offset.js'
import { type Zone, zoneNamed } from './zone.js'

/** The times that rules give to periods; periods are named by position. */
export interface SeriesTimes {
  /** The deadline for a forecast of an origin; NaN if the list has an empty cell for it. */
  due(origin: number): Instant
  /** The earliest time at which the final value could be public; NaN likewise. */
  known(target: number): Instant
  /** When the final value can no longer change; NaN if this depends on `known` and that is NaN. */
  settled(target: number): Instant
  /** The steps from an origin to its targets in the list, ascending. Empty if it is not an origin. */
  targetsAt(origin: number): readonly number[]
}

/** @param rules - for a list of periods. */
export function createSeriesTimes(
  rules: Pick<RulesData, 'zone' | 'outcome' | 'steps'> & {
    readonly origins: Pick<RulesData['origins'], 'due'>
  },
  periods: PeriodList,
): SeriesTimes {
  const { origins, outcome, steps: all } = rules
  const zone = zoneNamed(rules.zone) as Zone
  const due = instantsBy(origins.due as Anchored, periods, 'due', zone)
  const knownTimes = instantsBy(outcome.known, periods, 'known', zone)
  const settled = settledAt(outcome.release, periods, knownTimes, zone)
  return {
    due: (origin) => due[origin] as Instant,
    known: (target) => knownTimes[target] as Instant,
    settled: (target) => settled[target] as Instant,
    targetsAt: (at) => {
      const { origin = true, steps = all } = periods[at] ?? NO_ORIGIN
      if (!origin) return []
      // Called for every key, so the common case is fast: most origins have all steps.
      const isAll = at + (steps[0] ?? 0) >= 0 && at + (steps.at(-1) ?? 0) < periods.length
      return isAll ? steps : steps.filter((step) => periods[at + step] !== undefined)
    },
  }
}

const NO_ORIGIN: Pick<Period, 'origin' | 'steps'> = { origin: false }

/** The targets of origins, one for each step. */
export const targetsFrom = (
  { targetsAt }: Pick<SeriesTimes, 'targetsAt'>,
  origins: readonly number[],
): number[] => origins.flatMap((origin) => targetsAt(origin).map((step) => origin + step))

/** When the last value of the targets of some origins can no longer change; −∞ without targets. */
export const lastSettled = (times: SeriesTimes, origins: readonly number[]): Instant =>
  targetsFrom(times, origins).reduce(
    (latest, target) => Math.max(latest, times.settled(target)),
    Number.NEGATIVE_INFINITY,
  )

type Anchored = RulesData['outcome']['known']

function instantsBy(
  { anchor, offset }: Anchored,
  periods: PeriodList,
  column: 'due' | 'known',
  zone: Zone,
): Instant[] {
  if (anchor === 'column') return periods.map((period) => period[column] ?? Number.NaN)
  const by = parseOffset(offset ?? 'PT0S') as Offset
  return periods.map((period) => later(period[anchor], by, zone))
}

function settledAt(
  { at, lag, wait }: RulesData['outcome']['release'],
  periods: PeriodList,
  knownTimes: readonly Instant[],
  zone: Zone,
): Instant[] {
  if (at !== null) return Array(periods.length).fill(checkedInstant(at))
  const by = parseOffset(lag ?? wait ?? 'PT0S') as Offset
  if (lag !== null) return periods.map(({ end }) => later(end, by, zone))
  return knownTimes.map((from) => (Number.isNaN(from) ? from : later(from, by, zone)))
}

/**
 * The first position at which a series is expected to have values: the list's first, unless the protocol names a later
 * one.
 */
export function expectedFrom(
  { from = null }: { readonly from?: string | null },
  periods: PeriodList,
): number {
  return from === null ? 0 : periods.findIndex(({ label }) => label === from)
}
