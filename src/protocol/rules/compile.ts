import { type Instant, MICROS_PER_MINUTE } from '../../contract/instant.js'
import type { Protocol, RulesData, SeriesProtocol } from '../../contract/types.js'
import type { PeriodList } from '../../periods/list.js'
import { type SeriesTimes, seriesTimes } from '../../periods/series-times.js'
import { type Calendar, HOURS, listCalendar } from './calendar.js'
import { compileHourly } from './compile-hourly.js'
import { compileSeries } from './compile-series.js'

/**
 * The compiled rules of a protocol of either version: its data, and functions of them, which are created on reading and
 * never written. Periods are identified by their positions in its calendar.
 */
export interface Rules extends RulesData, SeriesTimes {
  readonly calendar: Calendar
  /** The deadline for the inputs of an origin to be known, and for the registration. */
  inputs(origin: number): Instant
  /** The deadline for making and committing a forecast. */
  latest(origin: number, target: number): Instant
}

/**
 * Compiles the rules of a frozen protocol; pairing, scoring and testing read a document only through these.
 * @param document - without findings of its own.
 * @param periods - for a protocol of version 2.
 */
export function compileRules(document: Protocol | SeriesProtocol, periods: PeriodList = []): Rules {
  if (document.schema_version === 1) return hourlyRules(compileHourly(document))
  const data = compileSeries(document)
  const times = seriesTimes(data, periods)
  const { due } = times
  return { ...data, ...times, calendar: listCalendar(periods), inputs: due, latest: due }
}

/** The functions of rules over all full hours. */
export function hourlyRules(data: RulesData): Rules {
  const { end } = HOURS
  const { due } = data.origins
  const lag = 'minutes' in due ? due.minutes * MICROS_PER_MINUTE : 0
  return {
    ...data,
    calendar: HOURS,
    inputs: end,
    due: (origin) => end(origin) + lag,
    // With a long lag, the nearest target may end before the forecast is due.
    latest: (origin, target) => Math.min(end(origin) + lag, end(target)),
    known: end,
    settled: end,
    targetsOf: () => data.steps,
  }
}
