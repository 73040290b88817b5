import { readFileSync } from 'node:fs'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import { createHourlyCloses, type HourlyCloses } from '../../src/scoring/baselines/closes.js'
import type { ScoredPairs } from '../../src/scoring/scored-pairs.js'

type Column = readonly (number | null)[]
type Means = Record<string, Record<'all' | 'masked', { count: number; mean: number | null }>>

export interface MeasuresGolden {
  readonly p0: Column
  readonly p1: Column
  readonly mask: readonly number[]
  readonly models: readonly Record<'forecast' | 'q10' | 'q50' | 'q90' | 'vintage', Column>[]
  readonly means: readonly Means[]
  readonly comparisons: Record<
    string,
    Record<'all' | 'masked', { count: number; mean: number; comparator: number }>
  >
}

export interface BaselinesGolden {
  readonly closes: Column
  readonly origins: readonly number[]
  /** By name and horizon: forecast, q10, q50, q90 at each of the origins. */
  readonly expected: Record<string, Record<string, readonly Column[]>>
}

export const HORIZONS = [2, 4, 8, 16]

/** Figures of test/outside/scoring_golden.py. */
export function golden<T>(name: string, folder = 'test/golden/scoring'): T {
  return JSON.parse(readFileSync(`${folder}/${name}.json`, 'utf8')) as T
}

/** Numbers with null as NaN. */
export function column(values: Column): Float64Array {
  return Float64Array.from(values, (value) => value ?? Number.NaN)
}

/** A model's pairs; closes are only where the forecast is, as in a panel. */
export function pairsOf(figures: MeasuresGolden, model: number): ScoredPairs {
  const own = figures.models[model] as MeasuresGolden['models'][number]
  return {
    p0: column(figures.p0),
    p1: column(figures.p1),
    forecast: column(own.forecast),
    quantiles: [own.q10, own.q50, own.q90].map(column),
    vintage: Uint32Array.from(own.vintage as number[]),
  }
}

/** A series of hourly closes from 1970 on, as a vintage would give them. */
export function closesFrom(values: ArrayLike<number>): HourlyCloses {
  return createHourlyCloses({
    first: 0,
    last: (values.length - 1) * MICROS_PER_HOUR,
    closeAt: (instant) => {
      const value = values[instant / MICROS_PER_HOUR]
      return value === undefined || Number.isNaN(value) ? undefined : value
    },
  })
}

/** How far two figures are apart, relative to the expected one; 0 when both are missing. */
export function distance(found: number | null, expected: number | null): number {
  if (expected === null || found === null) return expected === found ? 0 : Number.POSITIVE_INFINITY
  if (Number.isNaN(found)) return Number.POSITIVE_INFINITY
  return expected === 0 ? Math.abs(found) : Math.abs(found / expected - 1)
}
