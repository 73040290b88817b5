import { type Instant, MICROS_PER_MINUTE } from '../../contract/instant.js'
import type { Protocol, RulesData, SeriesProtocol } from '../../contract/types.js'
import type { PeriodList } from '../../periods/list.js'
import { createSeriesTimes, type SeriesTimes } from '../../periods/series-times.js'
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
  const isHourly = document.schema_version === 1
  return rulesOver(isHourly ? compileHourly(document) : compileSeries(document), periods)
}

/** The functions of rules, such as those of a registration. @param periods - the list, if they have one. */
export function rulesOver(data: RulesData, periods: PeriodList): Rules {
  if (data.periods.kind === 'hours') return hourlyRules(data)
  const times = createSeriesTimes(data, periods)
  const { due } = times
  return { ...data, ...times, calendar: listCalendar(periods), inputs: due, latest: due }
}

/** Rules without their functions, as a registration has them. */
export function rulesData(rules: Rules): RulesData {
  const { calendar, inputs, latest, due, known, settled, targetsAt, ...data } = rules
  return data
}

/** The functions of rules over all full hours. */
function hourlyRules(data: RulesData): Rules {
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
    targetsAt: () => data.steps,
  }
}
