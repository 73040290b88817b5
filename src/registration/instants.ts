import { createHash } from 'node:crypto'
import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { parseOffset } from '../periods/offset.js'
import { lastSettled, type SeriesTimes } from '../periods/series-times.js'
import { UNKNOWN_TABLE, zoneTable } from '../periods/zone.js'
import type { Rules } from '../protocol/rules/compile.js'
import { windowOrigins } from './series-plan-rules.js'

type Instants = SeriesRegistration['instants']

/** When the forecasts of a window are made and its outcomes become known. */
export interface WindowInstants<Open extends null> {
  readonly first_inputs: string | Open
  readonly first_due: string | Open
  readonly last_due: string | Open
  readonly last_settled: string | Open
}

/**
 * The instants of a window of a list of periods, by its origins; null if the list leaves one open. Forecasts need not
 * be due in the order of their origins.
 */
export function windowInstants(rules: Rules, origins: readonly number[]): WindowInstants<null> {
  const [inputs, due] = [origins.map(rules.inputs), origins.map(rules.due)]
  const said = (instant: Instant) => (Number.isFinite(instant) ? formatUtc(instant) : null)
  const latest = (a: Instant, b: Instant) => Math.max(a, b)
  const earliest = (a: Instant, b: Instant) => Math.min(a, b)
  return {
    first_inputs: said(inputs[0] ?? Number.NaN),
    first_due: said(due.reduce(earliest, Number.POSITIVE_INFINITY)),
    last_due: said(due.reduce(latest, Number.NEGATIVE_INFINITY)),
    last_settled: said(lastSettled(rules, origins)),
  }
}

/** The same for hourly origins, where none is open. */
export function hourlyWindowInstants(
  rules: Rules,
  window: Pick<SeriesRegistration['window'], 'from' | 'to'>,
): WindowInstants<never> {
  const ends = [window.from, window.to].map((end) => rules.calendar.position(end))
  return windowInstants(rules, ends) as WindowInstants<never>
}

/**
 * A digest of when the forecasts of a window are due and their outcomes known and settled. It has one line per key, in
 * the order of origins and then steps: the labels of origin and target and the three instants, separated by commas. An
 * instant that the list leaves open is empty.
 */
export function registeredInstants(
  window: Pick<SeriesRegistration['window'], 'from' | 'to'>,
  times: SeriesTimes,
  periods: PeriodList,
): Instants {
  const digest = createHash('sha256')
  for (const origin of windowOrigins(periods, window)) {
    for (const step of times.targetsOf(origin)) {
      const target = origin + step
      const labels = [periods[origin]?.label, periods[target]?.label]
      const instants = [times.due(origin), times.known(target), times.settled(target)]
      digest.update(`${[...labels, ...instants.map(instantText)].join(',')}\n`)
    }
  }
  return { sha256: digest.digest('hex'), tz: zoneTable() }
}

const instantText = (instant: Instant): string => (Number.isNaN(instant) ? '' : formatUtc(instant))

/**
 * Stops if another table of time zones gives other instants than those registered: any fault found would be blamed on
 * people who did nothing wrong. If no table can be the cause, it does nothing.
 * @throws {ForeproofError} `unavailable`
 */
export function assertZoneTable(
  registered: Instants,
  here: Instants,
  protocol: SeriesProtocol,
): void {
  const isSameTable = registered.tz === here.tz && here.tz !== UNKNOWN_TABLE
  if (registered.sha256 === here.sha256 || isSameTable || !asksZone(protocol)) return
  throw new ForeproofError(
    'unavailable',
    `the registration was made with ${named(registered.tz)}; ${named(here.tz)}, which is in use here, gives other times for due, known or settled`,
    {
      help: `Run this with a Node that has ${named(registered.tz)}; node -p process.versions.tz says which one it has. Nobody is to blame: governments change their clocks.`,
    },
  )
}

const named = (table: string): string =>
  table === UNKNOWN_TABLE
    ? 'a table of time zones of unknown version'
    : `version ${table} of the table of time zones`

/** Only an offset in days uses the clock of a zone. */
function asksZone({ origins, outcome }: SeriesProtocol): boolean {
  const { lag, wait } = outcome.release
  const offsets = [origins.due.offset, outcome.known.offset, lag, wait]
  return offsets.some((offset) => (parseOffset(offset ?? '')?.days ?? 0) !== 0)
}
