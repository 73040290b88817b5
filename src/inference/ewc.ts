import type { RulesData } from '../contract/types.js'
import { type CosineTables, cosineSums, cosines } from './cosines.js'
import { studentTail } from './student-t.js'
import type { Centred } from './sums.js'

export const HOURS_A_DAY = 24

/** Fewest degrees of freedom. */
export const LEAST_NU = 4

/**
 * How long the differences of a measure depend on each other: the maximum number of waves, and the effective blocks
 * needed for each. Widths of intervals depend over days.
 */
export const WAVES = {
  hours: { most: 16, blocks: 4 },
  days: { most: 8, blocks: 2 },
} as const
export type Memory = keyof typeof WAVES

/** Origins with a pair, and days of them, needed for each wave. */
const ORIGINS_A_WAVE = 10
const DAYS_A_WAVE = 4

/** The amount of data from which a test estimates how much its difference varies. */
export interface Extent {
  readonly effectiveBlocks: number
  /** Origins with a pair. */
  readonly pairs: number
  /** Pairs divided by the most origins of one day; any number, 0 or more. */
  readonly days: number
}

/**
 * Degrees of freedom, which equal the number of waves: the quickest lasts at least four effective blocks, fifteen
 * origins and eight days. Errors of points, which depend over hours, may have more waves; the quickest lasts eight
 * blocks.
 */
export function degreesOfFreedom(extent: Extent, memory: Memory): number {
  const { effectiveBlocks, pairs, days } = extent
  const waves = ({ most: max, blocks }: (typeof WAVES)[Memory]) =>
    Math.floor(Math.min(max, effectiveBlocks / blocks, pairs / ORIGINS_A_WAVE, days / DAYS_A_WAVE))
  return Math.max(LEAST_NU, waves(WAVES.days), memory === 'hours' ? waves(WAVES.hours) : 0)
}

/** The degrees of freedom of a window without gaps. @param perDay - most origins of one day */
export const degreesOfWindow = (
  { origins, blockLength }: { readonly origins: number; readonly blockLength: number },
  memory: Memory,
  perDay: number = HOURS_A_DAY,
): number => {
  const effectiveBlocks = Math.floor(origins / blockLength)
  return degreesOfFreedom({ effectiveBlocks, pairs: origins, days: origins / perDay }, memory)
}

/** The minimum of effective blocks for a test of hourly forecasts. */
export const LEAST_EWC_BLOCKS = 16

/** The effective blocks that a test by this method needs, given the number in the protocol. */
export function leastBlocks(method: RulesData['test']['method'], minimumBlocks: number): number {
  return method === 'ewc-t' ? Math.max(minimumBlocks, LEAST_EWC_BLOCKS) : minimumBlocks
}

export interface EwcFigures {
  /** Mean difference; the mean of the components' means. */
  readonly estimate: number
  readonly standardError: number
  /** Two-sided; null if the differences do not vary and are not all 0. */
  readonly p: number | null
}

/**
 * Diebold–Mariano test of a mean difference of 0 with an equal-weighted cosine variance, after removing gaps.
 * With u the differences less their mean, in time order, n of them: Λ_j = √(2/n) Σ u_i cos(πj(i+½)/n), Ω the mean of
 * Λ_j² over j = 1..nu, se = √(Ω/n), and estimate / se follows Student's t with nu degrees of freedom. With several
 * components (the horizons of the overall loss), their mean is tested: at an origin with a pair in any of them, each
 * component adds its own difference, weighted by its share in its mean.
 * If all differences are 0, p is 1. If they are otherwise constant there is no p, because the standard error is only
 * rounding.
 * Reference: Lazarus, Lewis, Stock & Watson (2018), HAR Inference: Recommendations for Practice. All sums run in time
 * order, so the result is the same on every machine.
 *
 * @param nu degrees of freedom, 1 or more
 * @param tables the source of the cosines; share it between many tests
 */
export function runEwcTest(
  { estimate, values }: Centred,
  nu: number,
  tables: CosineTables = cosines,
): EwcFigures {
  const n = values.length
  const omega = longRunVariance(values, nu, tables(n))
  const standardError = Math.sqrt(omega / n)
  if (estimate === 0) return { estimate, standardError, p: 1 }
  let largest = Math.abs(estimate)
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(values[i] as number))
  // Written as a negation so that NaN, from a sum that overflows, gives no p either.
  if (!(standardError > largest * 2 ** -40)) return { estimate, standardError, p: null }
  return { estimate, standardError, p: studentTail(estimate / standardError, nu) }
}

/** Ω: the mean of the first nu squared cosine sums. */
function longRunVariance(values: Float64Array, nu: number, table: Float64Array): number {
  let omega = 0
  for (const lambda of cosineSums(values, nu, table)) omega += lambda * lambda
  return omega / nu
}
