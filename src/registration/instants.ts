import { createHash } from 'node:crypto'
import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { Plan, Registration, RulesData } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { parseOffset } from '../periods/offset.js'
import { lastSettled, type SeriesTimes } from '../periods/series-times.js'
import { UNKNOWN_TABLE, zoneTable } from '../periods/zone.js'
import type { Rules } from '../protocol/rules/compile.js'
import { findWindowOrigins } from './series-plan-rules.js'

type Window = Registration['window']
type Ends = Pick<Plan['window'], 'from' | 'to'>

/**
 * The instants of a window of a list of periods, by its origins; null if the list leaves one open. Forecasts need not
 * be due in the order of their origins.
 */
function windowInstants(
  rules: Rules,
  origins: readonly number[],
): Omit<Window, 'from' | 'to' | 'origins'> {
  const [inputs, due] = [origins.map(rules.inputs), origins.map(rules.due)]
  const toText = (instant: Instant) => (Number.isFinite(instant) ? formatUtc(instant) : null)
  const latest = (a: Instant, b: Instant) => Math.max(a, b)
  const earliest = (a: Instant, b: Instant) => Math.min(a, b)
  return {
    first_inputs: toText(inputs[0] ?? Number.NaN),
    first_due: toText(due.reduce(earliest, Number.POSITIVE_INFINITY)),
    last_due: toText(due.reduce(latest, Number.NEGATIVE_INFINITY)),
    last_settled: toText(lastSettled(rules, origins)),
  }
}

/**
 * A window as a registration has it. @param periods - the list, if the rules have one.
 * @returns also the positions of its origins in the list; of full hours only its ends, whose times are the first and
 * the last.
 */
export function registeredWindow(rules: Rules, periods: PeriodList, { from, to }: Ends) {
  const { calendar } = rules
  const isHourly = rules.periods.kind === 'hours'
  const [first, last] = [calendar.position(from), calendar.position(to)]
  const origins = isHourly ? [first, last] : findWindowOrigins(periods, { from, to })
  const window: Window = {
    from: calendar.label(first),
    to: calendar.label(last),
    origins: isHourly ? last - first + 1 : origins.length,
    ...windowInstants(rules, origins),
  }
  return { window, origins }
}

/**
 * A digest of when the forecasts of a window are due and their outcomes known and settled. It has one line per key, in
 * the order of origins and then steps: the labels of origin and target and the three instants, separated by commas. An
 * instant that the list leaves open is empty. Null for full hours.
 */
export function registeredInstants(
  window: Ends,
  rules: Rules,
  periods: PeriodList,
): Registration['instants'] {
  if (rules.periods.kind === 'hours') return null
  const times: SeriesTimes = rules
  const digest = createHash('sha256')
  for (const origin of findWindowOrigins(periods, window)) {
    for (const step of times.targetsAt(origin)) {
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
  registered: Registration['instants'],
  here: Registration['instants'],
  rules: Pick<RulesData, 'origins' | 'outcome'>,
): void {
  if (registered === null || here === null) return
  const isSameTable = registered.tz === here.tz && here.tz !== UNKNOWN_TABLE
  if (registered.sha256 === here.sha256 || isSameTable || !asksZone(rules)) return
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
function asksZone({ origins, outcome }: Pick<RulesData, 'origins' | 'outcome'>): boolean {
  const { lag, wait } = outcome.release
  const due = 'offset' in origins.due ? origins.due.offset : null
  const offsets = [due, outcome.known.offset, lag, wait]
  return offsets.some((offset) => (parseOffset(offset ?? '')?.days ?? 0) !== 0)
}
