/** Forecasters of one law on a market, and how often they were found to differ nevertheless. */
export interface MeasuredSize {
  readonly method: 'ewc-t' | 'percentile-bootstrap'
  /** `made`: volatility that lasts, with jumps. `real`: windows of hourly BTC/USD closes. */
  readonly market: 'made' | 'real'
  /** How long the widths of intervals remember. */
  readonly memory: 'hours' | 'days' | 'week'
  /** Blocks of 24 hourly origins in the window. */
  readonly blocks: number
  readonly evaluations: number
  /** Evaluations in which something was rejected, of all tests of the family. */
  readonly any: number
  /** The same, of the tests that decide. */
  readonly deciding: number
  /** The same, of the tests that decide, had they been the whole family. */
  readonly alone: number
}

type Counts = readonly [
  blocks: number,
  evaluations: number,
  any: number,
  deciding: number,
  alone: number,
]

function lines(
  method: MeasuredSize['method'],
  market: MeasuredSize['market'],
  memory: MeasuredSize['memory'],
  counts: readonly Counts[],
): MeasuredSize[] {
  return counts.map(([blocks, evaluations, any, deciding, alone]) => {
    return { method, market, memory, blocks, evaluations, any, deciding, alone }
  })
}

/** Counts of `bench/null-calibration.mjs`: blocks, evaluations, any, deciding, alone. */
export const MEASURED_SIZES: readonly MeasuredSize[] = [
  ...lines('ewc-t', 'made', 'hours', [
    [20, 1000, 29, 28, 36],
    [60, 1000, 39, 32, 37],
    [180, 1000, 36, 32, 37],
  ]),
  ...lines('ewc-t', 'made', 'days', [
    [20, 1000, 46, 41, 49],
    [60, 1000, 29, 25, 32],
    [180, 1000, 28, 24, 32],
  ]),
  ...lines('ewc-t', 'made', 'week', [
    [20, 1000, 50, 40, 50],
    [60, 1000, 43, 27, 32],
    [180, 1000, 34, 27, 36],
  ]),
  ...lines('ewc-t', 'real', 'hours', [
    [20, 1000, 36, 33, 43],
    [60, 1000, 31, 24, 33],
    [180, 1000, 34, 28, 35],
  ]),
  ...lines('ewc-t', 'real', 'days', [
    [20, 1000, 36, 32, 40],
    [60, 1000, 28, 23, 29],
    [180, 1000, 36, 28, 36],
  ]),
  ...lines('ewc-t', 'real', 'week', [
    [20, 1000, 43, 38, 44],
    [60, 1000, 42, 23, 34],
    [180, 1000, 35, 29, 33],
  ]),
  ...lines('percentile-bootstrap', 'made', 'days', [
    [20, 200, 82, 3, 24],
    [60, 100, 33, 0, 8],
    [180, 50, 15, 0, 6],
  ]),
  ...lines('percentile-bootstrap', 'real', 'days', [
    [20, 200, 91, 7, 34],
    [60, 100, 36, 0, 5],
    [180, 50, 12, 0, 2],
  ]),
]

/** Both ends of a share over several markets and memories, in [0, 1]. */
export interface ShareRange {
  readonly least: number
  readonly most: number
}

/** What was measured of a method with as many blocks. */
export interface NearestSize {
  readonly blocks: number
  /** Widths that remember for hours or days. */
  readonly any: ShareRange
  readonly deciding: ShareRange
  /** Any of all tests where widths remember for a week; of the bootstrap that is not known. */
  readonly week: ShareRange | undefined
}

/**
 * How often a method rejects although nothing is there to be found, at the block count nearest to
 * that of a design (by ratio). docs/statistics.md says how this was measured and how to read it.
 *
 * @param blocks effective blocks, 1 or more
 */
export function nearestSize(method: MeasuredSize['method'], blocks: number): NearestSize {
  const own = MEASURED_SIZES.filter((line) => line.method === method)
  const distance = (line: MeasuredSize) => Math.abs(Math.log(line.blocks / blocks))
  const nearest = own.reduce((best, line) => (distance(line) < distance(best) ? line : best))
  const there = own.filter((line) => line.blocks === nearest.blocks)
  const usual = there.filter(({ memory }) => memory !== 'week')
  const week = there.filter(({ memory }) => memory === 'week')
  return {
    blocks: nearest.blocks,
    any: rangeOf(usual, 'any'),
    deciding: rangeOf(usual, 'deciding'),
    week: week.length === 0 ? undefined : rangeOf(week, 'any'),
  }
}

function rangeOf(measured: readonly MeasuredSize[], of: 'any' | 'deciding'): ShareRange {
  const shares = measured.map((line) => line[of] / line.evaluations)
  return { least: Math.min(...shares), most: Math.max(...shares) }
}

/** Both kinds of false verdicts, as shares of evaluations. */
export interface VerdictShares {
  readonly eligible: ShareRange
  readonly negative: ShareRange
}

/** What was measured of verdict hypotheses: equal forecasters, two comparators, four horizons, no strata. */
export interface VerdictSize {
  readonly blocks: number
  readonly candidates: number
  /** Errors and widths that remember for hours, days or a week. */
  readonly usual: VerdictShares
  /** Errors that remember for two weeks, and forecasters that are better and worse by turns for 10 and 30 days. */
  readonly long: VerdictShares
}

/** In percent: the least and the most of rows of the table. */
type Ends = readonly [eligible: number, eligible: number, negative: number, negative: number]

function sharesOf([eligible, mostEligible, negative, mostNegative]: Ends): VerdictShares {
  return {
    eligible: { least: eligible / 100, most: mostEligible / 100 },
    negative: { least: negative / 100, most: mostNegative / 100 },
  }
}

const sizeOf = (blocks: number, candidates: number, usual: Ends, long: Ends): VerdictSize => {
  return { blocks, candidates, usual: sharesOf(usual), long: sharesOf(long) }
}

/** Of the table of verdicts in docs/statistics.md. */
export const VERDICT_SIZES: readonly VerdictSize[] = [
  sizeOf(20, 1, [0, 0, 1, 1.3], [0, 0.1, 1.8, 5.5]),
  sizeOf(20, 3, [0, 0, 0.8, 1.2], [0, 0, 1.6, 5.5]),
  sizeOf(60, 1, [0.1, 0.1, 0.9, 1.5], [0.1, 2.6, 2.6, 11.3]),
  sizeOf(60, 3, [0, 0.1, 0.8, 1.1], [0, 2.9, 2.8, 17.2]),
  sizeOf(180, 1, [0.1, 0.1, 0.8, 1.3], [0.1, 1.6, 2.1, 7]),
  sizeOf(180, 3, [0.1, 0.1, 0.7, 1.1], [0, 1.8, 1.4, 9.4]),
]

/** The measured design nearest to another, by ratio; blocks come first. @param blocks 1 or more @param candidates 1 or more */
export function nearestVerdictSize(blocks: number, candidates: number): VerdictSize {
  const distance = (size: VerdictSize) =>
    Math.abs(Math.log(size.blocks / blocks)) * 10 + Math.abs(Math.log(size.candidates / candidates))
  return VERDICT_SIZES.reduce((best, size) => (distance(size) < distance(best) ? size : best))
}
