import { ln } from '../contract/logarithm.js'

/** Both ends of a share over several markets and memories, in [0, 1]. */
export interface ShareRange {
  readonly min: number
  readonly max: number
}

/** How often a method found a difference between forecasters of equal skill, on simulated and on real markets. */
export interface MeasuredSize {
  readonly method: 'ewc-t' | 'percentile-bootstrap'
  /** Blocks of 24 hourly origins in the window. */
  readonly blocks: number
  /** At least one rejection among all tests of the family; widths of intervals depend over hours or days. */
  readonly any: ShareRange
  /** The same for the deciding tests. */
  readonly deciding: ShareRange
  /** Any of all tests, if widths depend over a week; not measured for the bootstrap. */
  readonly week: ShareRange | undefined
}

const from = (min: number, max: number): ShareRange => ({ min, max })

function measured(
  method: MeasuredSize['method'],
  blocks: number,
  any: ShareRange,
  deciding: ShareRange,
  week?: ShareRange,
): MeasuredSize {
  return { method, blocks, any, deciding, week }
}

/** From the table of sizes in docs/reference/measured-errors.md. */
export const MEASURED_SIZES: readonly MeasuredSize[] = [
  measured('ewc-t', 20, from(0.029, 0.046), from(0.028, 0.041), from(0.043, 0.05)),
  measured('ewc-t', 60, from(0.028, 0.039), from(0.023, 0.032), from(0.042, 0.043)),
  measured('ewc-t', 180, from(0.028, 0.036), from(0.024, 0.032), from(0.034, 0.035)),
  measured('percentile-bootstrap', 20, from(0.41, 0.455), from(0.015, 0.035)),
  measured('percentile-bootstrap', 60, from(0.33, 0.36), from(0, 0)),
  measured('percentile-bootstrap', 180, from(0.24, 0.3), from(0, 0)),
]

const OF_BOOTSTRAP = MEASURED_SIZES.filter(({ method }) => method === 'percentile-bootstrap')

/** How often the bootstrap rejected something, over all measured designs. */
export const BOOTSTRAP_SIZE = from(
  Math.min(...OF_BOOTSTRAP.map(({ any }) => any.min)),
  Math.max(...OF_BOOTSTRAP.map(({ any }) => any.max)),
)

/**
 * How often a method rejects although there is no difference, at the measured block count nearest to that of a design
 * (by ratio). docs/reference/measured-errors.md explains the measurement and how to read it.
 *
 * @param blocks effective blocks, 1 or more
 */
export function nearestSize(method: MeasuredSize['method'], blocks: number): MeasuredSize {
  const distance = (size: MeasuredSize) => Math.abs(ln(size.blocks / blocks))
  return MEASURED_SIZES.filter((size) => size.method === method).reduce((best, size) =>
    distance(size) < distance(best) ? size : best,
  )
}

/** Both kinds of false verdicts, as shares of evaluations. */
export interface VerdictShares {
  readonly eligible: ShareRange
  readonly negative: ShareRange
}

/** Measured error rates of verdict hypotheses: equal forecasters, two comparators, four horizons, no strata. */
export interface VerdictSize {
  readonly blocks: number
  readonly candidates: number
  /** Errors and widths that depend over hours, days or a week. */
  readonly usual: VerdictShares
  /** Errors that depend over two weeks, and forecasters that are alternately better and worse for 10 and 30 days. */
  readonly long: VerdictShares
}

/** In percent: the minimum and maximum over rows of the table. */
type Ends = readonly [eligible: number, eligible: number, negative: number, negative: number]

function toShares([eligible, mostEligible, negative, mostNegative]: Ends): VerdictShares {
  return {
    eligible: from(eligible / 100, mostEligible / 100),
    negative: from(negative / 100, mostNegative / 100),
  }
}

const toSize = (blocks: number, candidates: number, usual: Ends, long: Ends): VerdictSize => {
  return { blocks, candidates, usual: toShares(usual), long: toShares(long) }
}

/** From the table of verdicts in docs/reference/measured-errors.md. */
export const VERDICT_SIZES: readonly VerdictSize[] = [
  toSize(20, 1, [0, 0, 1.1, 1.3], [0, 0.1, 1.7, 5.2]),
  toSize(20, 3, [0, 0, 0.9, 1.4], [0, 0, 1.8, 5.1]),
  toSize(60, 1, [0.1, 0.1, 0.9, 1.5], [0.1, 2.7, 2.3, 10.8]),
  toSize(60, 3, [0, 0.1, 0.8, 0.9], [0, 2.6, 2.5, 16.8]),
  toSize(180, 1, [0.1, 0.1, 0.8, 1.3], [0.1, 1.6, 2.1, 7]),
  toSize(180, 3, [0.1, 0.1, 0.7, 1.1], [0, 1.8, 1.4, 9.4]),
]

/**
 * The measured design nearest to the given one, by ratio; blocks are compared first. @param blocks 1 or more @param
 * candidates 1 or more
 */
export function nearestVerdictSize(blocks: number, candidates: number): VerdictSize {
  const distance = (size: VerdictSize) =>
    Math.abs(ln(size.blocks / blocks)) * 10 + Math.abs(ln(size.candidates / candidates))
  return VERDICT_SIZES.reduce((best, size) => (distance(size) < distance(best) ? size : best))
}
