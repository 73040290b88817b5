import { checkedInstant, type Instant } from '../contract/instant.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { Period, PeriodList } from './list.js'
import { later, type Offset, parseOffset } from './offset.js'
import { type Zone, zoneNamed } from './zone.js'

/** What a protocol says of its periods, which are named by their positions in the list, from 0. */
export interface SeriesTimes {
  /** By then a forecast of an origin is to be committed; NaN where the list has a column for it that is empty. */
  due(origin: number): Instant
  /** When the value that counts could be public at the earliest; NaN as above. */
  known(target: number): Instant
  /** When the value that counts can no longer change; NaN where `known` is needed for it and is. */
  settled(target: number): Instant
  /** The steps from an origin to its targets, ascending: those that lead to a period of the list. None where it is no origin. */
  targetsOf(origin: number): readonly number[]
}

/** @param protocol - without findings of its own. */
export function seriesTimes(protocol: SeriesProtocol, periods: PeriodList): SeriesTimes {
  const { origins, outcome, horizons } = protocol
  const zone = zoneNamed(protocol.zone) as Zone
  const due = periods.map((period) => instantBy(origins.due, period, period.due, zone))
  const known = periods.map((period) => instantBy(outcome.known, period, period.known, zone))
  const settled = periods.map(({ end }, at) =>
    settledAt(outcome.release, end, known[at] as Instant, zone),
  )
  return {
    due: (origin) => due[origin] as Instant,
    known: (target) => known[target] as Instant,
    settled: (target) => settled[target] as Instant,
    targetsOf: (at) => {
      const { origin = true, steps = horizons } = periods[at] as Period
      return origin ? steps.filter((step) => periods[at + step] !== undefined) : []
    },
  }
}

/** The targets of origins, one for each of their steps. */
export const targetsFrom = (
  { targetsOf }: Pick<SeriesTimes, 'targetsOf'>,
  origins: readonly number[],
): number[] => origins.flatMap((origin) => targetsOf(origin).map((step) => origin + step))

function instantBy(
  { anchor, offset = 'PT0S' }: SeriesProtocol['outcome']['known'],
  period: Period,
  own: Instant | undefined,
  zone: Zone,
): Instant {
  if (anchor === 'column') return own ?? Number.NaN
  return later(period[anchor], parseOffset(offset) as Offset, zone)
}

function settledAt(
  { at, lag, wait = 'PT0S' }: SeriesProtocol['outcome']['release'],
  end: Instant,
  known: Instant,
  zone: Zone,
): Instant {
  if (at !== undefined) return checkedInstant(at)
  if (lag !== undefined) return later(end, parseOffset(lag) as Offset, zone)
  return Number.isNaN(known) ? known : later(known, parseOffset(wait) as Offset, zone)
}
