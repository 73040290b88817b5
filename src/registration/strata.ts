import { type Instant, MICROS_PER_DAY, MICROS_PER_HOUR } from '../contract/instant.js'
import type { StratumDefinition } from '../contract/types.js'
import type { Stratum } from '../pairing/types.js'
import { DAYS, type Level, spansOf } from './strata-rules.js'

/** Where strata look up what they go by; both know nothing later than the origin asked for. */
export interface StratumSources {
  /** The close of the bar that ends at the instant. */
  readonly closeAt?: (instant: Instant) => number | undefined
  /** The regime that the history recorded with the origin. */
  readonly regimeAt?: (origin: Instant) => string | null | undefined
}

type LevelOf = (origin: Instant) => string | undefined

/**
 * Strata as pairing and scoring take them. An origin whose level is not known, because a close or
 * its regime is missing or no level names it, has none: it counts over all origins only.
 */
export function buildStrata(
  definitions: readonly StratumDefinition[],
  sources: StratumSources,
): Stratum[] {
  return definitions
    .filter(({ by }) => by !== 'omitted')
    .map((definition) => ({
      name: definition.name,
      levels: (definition.levels ?? []).map(({ level }) => level),
      levelOf: levelOf(definition, sources),
    }))
}

function levelOf(definition: StratumDefinition, sources: StratumSources): LevelOf {
  const { by, levels = [], lookback_hours: lookback = 0 } = definition
  const { closeAt = () => undefined, regimeAt = () => undefined } = sources
  switch (by) {
    case 'hour_of_day': {
      const level = byValue(levels, ({ hours = [] }) => hours)
      return (origin) => level.get(modulo(Math.floor(origin / MICROS_PER_HOUR), 24))
    }
    case 'weekday': {
      const level = byValue(levels, ({ days = [] }) => days)
      const thursday = DAYS.indexOf('thu')
      return (origin) => {
        const day = Math.floor(origin / MICROS_PER_DAY) + thursday
        return level.get(DAYS[modulo(day, 7)] as string)
      }
    }
    case 'regime': {
      const level = byValue(levels, ({ regimes = [] }) => regimes)
      return (origin) => level.get(regimeAt(origin) ?? '')
    }
    case 'period': {
      const spans = spansOf(levels)
      return (origin) => spans.find(({ from, to }) => from <= origin && origin <= to)?.level
    }
    case 'volatility':
      return byCutPoints(levels, (origin) => volatilityAt(closeAt, origin, lookback))
    case 'trailing_return':
      return byCutPoints(levels, (origin) => trailingReturnAt(closeAt, origin, lookback))
    case 'omitted':
      return () => undefined
  }
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}

function byValue(
  levels: readonly Level[],
  valuesOf: (level: Level) => readonly (string | number)[],
): Map<string | number, string> {
  return new Map(
    levels.flatMap((level) => valuesOf(level).map((value) => [value, level.level] as const)),
  )
}

/** Pairing and scoring both ask, and looking back costs: each origin is worked out once. */
function byCutPoints(levels: readonly Level[], valueAt: (origin: Instant) => number): LevelOf {
  const known = new Map<Instant, string | undefined>()
  return (origin) => {
    if (!known.has(origin)) {
      const value = valueAt(origin)
      const found = levels.find(({ below }) => value < (below ?? Number.POSITIVE_INFINITY))
      known.set(origin, found?.level)
    }
    return known.get(origin)
  }
}

type CloseAt = NonNullable<StratumSources['closeAt']>

/**
 * Standard deviation (divisor n − 1) of the last n hourly log returns up to the origin; NaN where
 * one of the n + 1 closes is missing.
 */
export function volatilityAt(closeAt: CloseAt, origin: Instant, hours: number): number {
  const returns = new Float64Array(hours)
  let before = closeAt(origin - hours * MICROS_PER_HOUR) ?? Number.NaN
  let mean = 0
  for (let index = 0; index < hours; index++) {
    const close = closeAt(origin - (hours - 1 - index) * MICROS_PER_HOUR) ?? Number.NaN
    const change = Math.log(close / before)
    returns[index] = change
    mean += change / hours
    before = close
  }
  let squares = 0
  for (const change of returns) squares += (change - mean) ** 2
  return Math.sqrt(squares / (hours - 1))
}

/** Log return over the last n hours; NaN where a close at its ends is missing. */
export function trailingReturnAt(closeAt: CloseAt, origin: Instant, hours: number): number {
  const now = closeAt(origin) ?? Number.NaN
  return Math.log(now / (closeAt(origin - hours * MICROS_PER_HOUR) ?? Number.NaN))
}
