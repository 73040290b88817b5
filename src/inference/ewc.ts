import type { RulesData } from '../contract/types.js'
import { type CosineTables, cosineSums, cosines } from './cosines.js'
import { studentTail } from './student-t.js'
import type { Series } from './types.js'

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
  const waves = ({ most, blocks }: (typeof WAVES)[Memory]) =>
    Math.floor(Math.min(most, effectiveBlocks / blocks, pairs / ORIGINS_A_WAVE, days / DAYS_A_WAVE))
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
 * @param components each with at least one pair, all of one length
 * @param nu degrees of freedom, 1 or more
 * @param tables the source of the cosines; share it between many tests
 */
export function ewcTest(
  components: readonly Series[],
  nu: number,
  tables: CosineTables = cosines,
): EwcFigures {
  const { estimate, values } = centred(components)
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

interface Centred {
  readonly estimate: number
  /** The contribution of each origin with a pair, in time order. */
  readonly values: Float64Array
}

/** The mean over the components; an origin counts if any of them has a pair. */
export function centred(components: readonly Series[]): Centred {
  // A fast path: almost every test has one component, and takes half the time this way.
  if (components.length === 1) return centredSeries(components[0] as Series)
  const length = components[0]?.values.length ?? 0
  const sums = new Float64Array(length)
  const paired = new Uint8Array(length)
  const means = components.map(meanOf)
  let n = 0
  for (const { values, members } of components) {
    for (let i = 0; i < length; i++) {
      if (paired[i] === 1 || !isPair(values[i] as number, members, i)) continue
      paired[i] = 1
      n++
    }
  }
  components.forEach(({ values, members }, index) => {
    const { count, mean } = means[index] as Mean
    const share = n / count / components.length
    for (let i = 0; i < length; i++) {
      const value = values[i] as number
      if (isPair(value, members, i)) sums[i] = (sums[i] as number) + (value - mean) * share
    }
  })
  const estimate = means.reduce((sum, { mean }) => sum + mean, 0) / components.length
  return { estimate, values: withoutHoles(sums, paired, n) }
}

function centredSeries({ values, members }: Series): Centred {
  const pairs = new Float64Array(values.length)
  let n = 0
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (!isPair(value, members, i)) continue
    pairs[n++] = value
    sum += value
  }
  const estimate = sum / n
  for (let i = 0; i < n; i++) pairs[i] = (pairs[i] as number) - estimate
  return { estimate, values: pairs.subarray(0, n) }
}

function withoutHoles(sums: Float64Array, paired: Uint8Array, n: number): Float64Array {
  const values = new Float64Array(n)
  for (let i = 0, to = 0; to < n; i++) {
    if (paired[i] === 1) values[to++] = sums[i] as number
  }
  return values
}

interface Mean {
  readonly count: number
  readonly mean: number
}

function meanOf({ values, members }: Series): Mean {
  let count = 0
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (!isPair(value, members, i)) continue
    count++
    sum += value
  }
  return { count, mean: sum / count }
}

function isPair(value: number, members: Uint8Array | undefined, i: number): boolean {
  return !Number.isNaN(value) && (members === undefined || members[i] === 1)
}

/** Ω: the mean of the first nu squared cosine sums. */
function longRunVariance(values: Float64Array, nu: number, table: Float64Array): number {
  let omega = 0
  for (const lambda of cosineSums(values, nu, table)) omega += lambda * lambda
  return omega / nu
}
