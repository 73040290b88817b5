import type { Instant } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'
import { compareText } from '../contract/order.js'
import { FEW, remembering } from '../contract/remembering.js'
import { forecastFaults } from '../forecast/forecast-fault.js'
import type { PairingRow } from '../forecast/row.js'
import type { Rules } from '../protocol/rules/compile.js'
import type { PairingTruth } from '../truth/shown-values.js'
import type { GridCell, PeriodPosition, WindowOrigins } from './grid.js'
import type { Status } from './paired-attempt.js'
import type { CellKey, PairingPlan, PairingRules, Seen, Target } from './plan.js'

/** The parts of a plan that do not follow from its rules. */
export interface PlanOptions extends Omit<PairingPlan, 'origins' | 'cells' | 'rules'> {
  /** The scored origins, ascending; default: all from `from` to `to`. */
  readonly origins?: WindowOrigins
}

/** Models × origins of a window × series × steps. @param options - from and to are positions in the calendar of the rules. */
export function createPairingPlan(
  rules: Rules,
  truth: PairingTruth,
  { origins: given, ...options }: PlanOptions,
): PairingPlan {
  const origins = given ?? originsBetween(rules, options.from, options.to)
  return {
    ...options,
    models: [...new Set(options.models)].sort(compareText),
    origins,
    cells: listCells(rules),
    rules: pairingRules(rules, truth, origins, options.asOf),
  }
}

/** By series in code point order, then by step; numbered in this order. */
function listCells({ series, steps }: Pick<Rules, 'series' | 'steps'>): GridCell[] {
  const ids = series.map(({ id }) => id).sort(compareText)
  const ascending = [...new Set(steps)].sort((a, b) => a - b)
  const keys = ids.flatMap((id) => ascending.map((horizon) => ({ series: id, horizon })))
  return keys.map((key, id) => ({ id, ...key }))
}

/** The origins from one position to another, both included. */
export function originsBetween(
  { targetsAt }: Pick<Rules, 'targetsAt'>,
  from: PeriodPosition,
  to: PeriodPosition,
): WindowOrigins {
  const positions: number[] = []
  for (let at = Math.ceil(from); at <= to; at++) if (targetsAt(at).length > 0) positions.push(at)
  return originsAt(positions)
}

/** @param positions - ascending. */
export function originsAt(positions: readonly PeriodPosition[]): WindowOrigins {
  const indices = new Map(positions.map((position, index) => [position, index]))
  return {
    count: positions.length,
    position: (index) => positions[index] ?? Number.NaN,
    indexOf: (position) => indices.get(position),
  }
}

function pairingRules(
  rules: Rules,
  truth: PairingTruth,
  origins: WindowOrigins,
  asOf: Instant,
): PairingRules {
  const { calendar, targetsAt, inputs, latest, settled } = rules
  const positions = new Map(rules.series.map(({ id }, at) => [id, at]))
  const begins = rules.series.map(({ from }) =>
    from === null ? -Infinity : calendar.position(from),
  )
  const seenIn = seenAt(rules, truth, origins)
  const beginAt = (series: string) => begins[positions.get(series) ?? -1] ?? Number.NaN
  return {
    position: remembering((text: string) => calendar.position(text), FEW),
    label: (position) => calendar.label(position),
    target: (origin, { series, horizon }: CellKey): Target => {
      const position = origin + horizon
      const value = truth.value(positions.get(series) ?? -1, position)
      const end = calendar.end(position)
      // A position without a period has no value.
      const isPeriod = !Number.isNaN(end)
      return {
        position: isPeriod ? position : Number.NaN,
        text: calendar.stated(position),
        outcome: Number.isFinite(value) ? value : undefined,
        matured: !(settled(position) > asOf),
        end,
        latest: latest(origin, position),
      }
    },
    hasCell: (origin, { series, horizon }) =>
      targetsAt(origin).includes(horizon) && origin + horizon >= beginAt(series),
    seen: (origin, series) => {
      const index = positions.get(series)
      return index === undefined ? NOTHING_SEEN : seenIn(index, origin)
    },
    inputs,
    fault: forecastFaults(rules),
    interval: rules.forecast.interval === 'separate' ? separateInterval : (_, point) => point,
  }
}

const NOTHING_SEEN: Seen = { seen: null, base: null }

/** @param origins - of which it is asked. */
function seenAt(
  { seen: until, inputs, due }: Rules,
  truth: PairingTruth,
  origins: WindowOrigins,
): (series: number, origin: PeriodPosition) => Seen {
  const columns = remembering((series: number) => {
    const shown = truth.shown(series)
    const newest = new Float64Array(origins.count)
    const values = new Float64Array(origins.count)
    for (let index = 0; index < origins.count; index++) {
      const origin = origins.position(index)
      shown.show(until === 'origin' ? inputs(origin) : due(origin))
      newest[index] = shown.newest
      // A baseline that sees only up to the origin abstains if the value at the origin is missing.
      const isSilent = until === 'origin' && shown.newest !== origin
      values[index] = isSilent ? Number.NaN : shown.value(shown.newest)
    }
    return { newest, values }
    // A cache of 1 is enough, because the series come one after the other.
  }, 1)
  return (series, origin) => {
    const index = origins.indexOf(origin)
    if (index === undefined) return NOTHING_SEEN
    const { newest, values } = columns(series)
    const seen = newest[index] as number
    const base = values[index] as number
    return seen < 0 ? NOTHING_SEEN : { seen, base: Number.isNaN(base) ? null : base }
  }
}

/**
 * The status of an interval that is an estimand of its own. It is missing without bounds, failed if the bounds cross or
 * are not above 0, and ineligible at another level; otherwise it ended as the point did. Equal bounds do not cross.
 */
function separateInterval(
  { quantiles, level }: Pick<PairingRow, 'quantiles' | 'level'>,
  point: Status,
): Status {
  if (quantiles.every((value) => value === null)) return 'missing'
  let before = 0
  for (const value of quantiles) {
    if (value === null || !(value > 0 && value >= before && Number.isFinite(value))) return 'failed'
    before = value
  }
  return level === INTERVAL_LEVEL ? point : 'ineligible'
}

/**
 * Rows with exactly the levels of a protocol: null if a row lacks one.
 * @param levels - of the protocol.
 */
export function withLevels(levels: readonly string[]): (row: PairingRow) => PairingRow {
  const indicesByLevels = new Map<readonly string[], readonly number[]>()
  return (row) => {
    let indices = indicesByLevels.get(row.levels)
    if (indices === undefined) {
      indices = levels.map((level) => row.levels.indexOf(level))
      indicesByLevels.set(row.levels, indices)
    }
    return { ...row, levels, quantiles: indices.map((at) => row.quantiles[at] ?? null) }
  }
}
