import type { Finding } from '../contract/findings/finding.js'
import { type Instant, MICROS_PER_DAY, MICROS_PER_HOUR } from '../contract/instant.js'
import { ln } from '../contract/logarithm.js'
import { pointerTo } from '../contract/pointer.js'
import type { ReadonlyDeep } from '../contract/readonly-deep.js'
import type { RulesData, StratumDefinition } from '../contract/types.js'
import type { Stratum } from '../pairing/plan.js'
import { type Zone, zoneNamed } from '../periods/zone.js'
import { HOURS } from '../protocol/rules/calendar.js'
import type { Rules } from '../protocol/rules/compile.js'
import {
  DAY_NAMES,
  levelSpans,
  omittedStrata,
  repeatedStrata,
  stratumFindings,
} from '../protocol/rules/stratum-findings.js'
import { compileTransform } from '../protocol/rules/transforms.js'
import type { PairingTruth } from '../truth/shown-values.js'
import { undefinedName, unknownName } from './model-rules.js'

/** The data that strata of version 1 use; both functions return nothing later than the given origin. */
export interface StratumSources {
  /** The close of the bar that ends at the instant. */
  readonly closeAt?: (instant: Instant) => number | undefined
  /** The regime that the history recorded with the origin. */
  readonly regimeAt?: (origin: Instant) => string | null | undefined
}

/** The level of an origin, by its position; undefined if no level holds it, so that it counts over all origins only. */
type LevelOf = (origin: number) => string | undefined

type Definition = RulesData['strata'][number]

/** Strata in the form that pairing and scoring need, by full hours in UTC. */
export function compileStrata(
  definitions: readonly Definition[],
  sources: StratumSources,
): Stratum[] {
  return definitions
    .filter((of): of is StratumDefinition => !NOT_OF_HOURS.includes(of.by))
    .map((of) => ({ ...named(of), levelAt: hourlyLevels(of, sources) }))
}

/** Strata of a protocol of version 2. @param truth - for past volatility. */
export function seriesStrata(rules: Rules, truth: PairingTruth): Stratum[] {
  return rules.strata.map((of) => ({ ...named(of), levelAt: seriesLevels(of, rules, truth) }))
}

/** Those without levels of hourly origins. */
const NOT_OF_HOURS: readonly string[] = ['omitted', 'by_plan', 'past_volatility']

const named = (of: Definition) => ({ name: of.name, levels: levelNames(of) })

/** The levels of a stratum by their names; none if it is omitted, or left to a plan. */
export const levelNames = (of: ReadonlyDeep<Definition>): string[] =>
  'levels' in of ? (of.levels ?? []).map(({ level }) => level) : []

function hourlyLevels(
  { by, levels = [], lookback_hours: hours = 0 }: StratumDefinition,
  { closeAt = () => undefined, regimeAt }: StratumSources,
): LevelOf {
  switch (by) {
    case 'hour_of_day':
    case 'weekday':
      return clockLevels(by, levels, HOURS.end, UTC)
    case 'regime': {
      const byRegime = levelsBy(levels, ({ regimes = [] }) => regimes)
      return (hour) => byRegime.get(regimeAt?.(HOURS.end(hour)) ?? '')
    }
    case 'period': {
      const spans = levelSpans(levels)
      return (hour) => {
        const origin = HOURS.end(hour)
        return spans.find(({ from, to }) => from <= origin && origin <= to)?.level
      }
    }
    case 'volatility':
      return (hour) => levelBelow(levels, volatilityAt(closeAt, HOURS.end(hour), hours))
    case 'trailing_return':
      return (hour) => levelBelow(levels, trailingReturnAt(closeAt, HOURS.end(hour), hours))
    case 'omitted':
      return () => undefined
  }
}

function seriesLevels(of: Definition, rules: Rules, truth: PairingTruth): LevelOf {
  switch (of.by) {
    case 'hour_of_day':
    case 'weekday':
      return clockLevels(of.by, of.levels ?? [], rules.calendar.start, zoneNamed(rules.zone))
    case 'past_volatility': {
      const valueAt = pastVolatility(of, rules, truth)
      return (origin) => levelBelow(of.levels, valueAt(origin))
    }
    default:
      return () => undefined
  }
}

const UTC = zoneNamed('UTC')

/** Levels by the local time of origins. @param instantAt - the instant by which an origin is named. */
function clockLevels(
  by: 'hour_of_day' | 'weekday',
  levels: NonNullable<StratumDefinition['levels']>,
  instantAt: (origin: number) => Instant,
  zone: Zone | undefined,
): LevelOf {
  const localAt = (origin: number) => {
    const instant = instantAt(origin)
    return instant + (zone?.offsetAt(instant) ?? Number.NaN)
  }
  if (by === 'hour_of_day') {
    const byHour = levelsBy(levels, ({ hours = [] }) => hours)
    return (origin) => byHour.get(modulo(Math.floor(localAt(origin) / MICROS_PER_HOUR), 24))
  }
  const byDay = levelsBy(levels, ({ days = [] }) => days)
  return (origin) => {
    // 1970-01-01 was a Thursday.
    const day = Math.floor(localAt(origin) / MICROS_PER_DAY) + DAY_NAMES.indexOf('thu')
    return byDay.get(DAY_NAMES[modulo(day, 7)] ?? '')
  }
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by

/** The level of each value that levels list. */
function levelsBy<L extends { readonly level: string }, V>(
  levels: readonly L[],
  toValues: (level: L) => readonly V[],
): Map<V | string, string> {
  return new Map(levels.flatMap((of) => toValues(of).map((value) => [value, of.level] as const)))
}

/** The first level whose cut-point is above a value; none for NaN. */
function levelBelow(
  levels: readonly { readonly level: string; readonly below?: number | null | undefined }[],
  value: number,
): string | undefined {
  return levels.find(({ below }) => value < (below ?? Number.POSITIVE_INFINITY))?.level
}

type CloseAt = NonNullable<StratumSources['closeAt']>

/**
 * Standard deviation (divisor n − 1) of the last n hourly log returns up to the origin; NaN if one of the n + 1 closes
 * is missing.
 */
export function volatilityAt(closeAt: CloseAt, origin: Instant, hours: number): number {
  const returns = new Float64Array(hours)
  let before = closeAt(origin - hours * MICROS_PER_HOUR) ?? Number.NaN
  for (let index = 0; index < hours; index++) {
    const close = closeAt(origin - (hours - 1 - index) * MICROS_PER_HOUR) ?? Number.NaN
    returns[index] = ln(close / before)
    before = close
  }
  return deviation(returns)
}

/**
 * Standard deviation (divisor n − 1) of the last n changes, from one period to the next, of the values of a series that
 * are public when the forecasts of an origin are due. NaN if one of the n + 1 values is missing.
 */
function pastVolatility(
  { series, changes, transform }: Extract<Definition, { by: 'past_volatility' }>,
  rules: Rules,
  truth: PairingTruth,
): (origin: number) => number {
  const shown = truth.shown(rules.series.findIndex(({ id }) => id === series))
  const { of } = compileTransform({ transform })
  const differences = new Float64Array(changes)
  return (origin) => {
    shown.show(rules.seen === 'origin' ? rules.inputs(origin) : rules.due(origin))
    const first = shown.newest - changes
    let before = of(shown.value(first))
    for (let index = 0; index < changes; index++) {
      const value = of(shown.value(first + 1 + index))
      differences[index] = value - before
      before = value
    }
    return deviation(differences)
  }
}

function deviation(values: Float64Array): number {
  let mean = 0
  for (const value of values) mean += value / values.length
  let squares = 0
  for (const value of values) squares += (value - mean) * (value - mean)
  return Math.sqrt(squares / (values.length - 1))
}

/** Log return over the last n hours; NaN if a close at its ends is missing. */
export function trailingReturnAt(closeAt: CloseAt, origin: Instant, hours: number): number {
  const now = closeAt(origin) ?? Number.NaN
  return ln(now / (closeAt(origin - hours * MICROS_PER_HOUR) ?? Number.NaN))
}

/**
 * Checks the strata of a plan or registration of version 1: each of the protocol's is defined or stated to be omitted,
 * there are no others, and their levels do not overlap.
 */
export function strataFindings(
  strata: readonly StratumDefinition[],
  required: readonly string[],
): Finding[] {
  const names = strata.map(({ name }) => name)
  const open = required.filter((name) => !names.includes(name))
  const isFirst = (name: string, index: number) => names.indexOf(name) === index
  return [
    ...open.map((name) => undefinedName('stratum', name, '/strata')),
    ...repeatedStrata(strata),
    ...omittedStrata(strata),
    ...strata.flatMap((stratum, index) => {
      const at = pointerTo('/strata', index)
      const { name } = stratum
      const isUnknown = isFirst(name, index) && !required.includes(name)
      return [
        ...(isUnknown ? [unknownName('stratum', name, `${at}/name`, open)] : []),
        ...stratumFindings(stratum, at),
      ]
    }),
  ]
}
