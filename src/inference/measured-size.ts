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
