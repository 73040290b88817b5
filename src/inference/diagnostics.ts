import { type CosineTables, cosineSums } from './cosines.js'
import { LEAST_NU, runEwcTest } from './ewc.js'
import { fisherTail, studentTail, tailQuantile } from './student-t.js'
import type { Centred, MeanSums } from './sums.js'

// Diagnostics shown with the tests of an evaluation that has verdict hypotheses. None of them decides anything.

/** The number of slow waves; they are compared with the quicker ones, up to half of the blocks. */
export const SLOW_WAVES = 8
/** With fewer effective blocks there are too few quick waves to detect anything. */
export const LEAST_MEMORY_BLOCKS = 40
/** How often independent hours are flagged. */
export const MEMORY_LEVEL = 0.01

export interface WeekMemory {
  /** Mean squared cosine sum of waves 1 to 8 over that of the quicker ones; null if it cannot be computed. */
  readonly ratio: number | null
  /** What independent hours exceed in 1 % of evaluations: F with 8 and ⌊blocks / 2⌋ − 8 degrees of freedom. */
  readonly limit: number | null
  /** p of the cosine test with the fewest degrees of freedom, which is the most sensitive to long memory. */
  readonly p: number | null
}

/**
 * Tests whether differences depend on each other over weeks: then their slow cosine waves are stronger than the quicker
 * ones. The waves of independent normal differences are independent with equal variance, so the ratio follows Fisher's
 * F.
 * @param blocks effective blocks of the test
 */
export function testWeekMemory(centred: Centred, blocks: number, tables: CosineTables): WeekMemory {
  const { p } = runEwcTest(centred, LEAST_NU, tables)
  const quick = Math.floor(blocks / 2) - SLOW_WAVES
  if (blocks < LEAST_MEMORY_BLOCKS) return { ratio: null, limit: null, p }
  const { values } = centred
  const squares = cosineSums(values, SLOW_WAVES + quick, tables(values.length)).map(
    (sum) => sum * sum,
  )
  const mean = (from: number, to: number) =>
    squares.subarray(from, to).reduce((sum, square) => sum + square, 0) / (to - from)
  const strength = mean(SLOW_WAVES, SLOW_WAVES + quick)
  if (strength === 0) return { ratio: null, limit: null, p }
  const limit = tailQuantile((x) => fisherTail(x, quick), MEMORY_LEVEL)
  return { ratio: mean(0, SLOW_WAVES) / strength, limit, p }
}

export interface HlnFigures {
  readonly statistic: number
  /** Two-sided, Student's t with one degree of freedom less than pairs. */
  readonly p: number
}

/**
 * The Diebold–Mariano statistic with the correction for short series. The variance of the mean assumes that errors
 * depend on each other over fewer than `lead` steps, with equal weights; gaps are removed. Source: Harvey, Leybourne &
 * Newbold (1997), Testing the equality of prediction mean squared errors.
 * @param lead steps ahead, from 1
 * @returns null if that variance is not positive, because the statistic then does not exist
 */
export function hlnTest({ estimate, values }: Centred, lead: number): HlnFigures | null {
  const n = values.length
  let variance = 0
  for (let lag = 0; lag < lead; lag++) {
    let sum = 0
    for (let i = lag; i < n; i++) sum += (values[i] as number) * (values[i - lag] as number)
    variance += ((lag === 0 ? 1 : 2) * sum) / n / n
  }
  const correction = (n + 1 - 2 * lead + (lead * (lead - 1)) / n) / n
  if (!(variance > 0 && correction > 0)) return null
  const statistic = estimate * Math.sqrt(correction / variance)
  return { statistic, p: studentTail(statistic, n - 1) }
}

/** Number of steps into which a window is divided for its cumulative difference. */
export const CUMULATIVE_STEPS = 100

/**
 * The contribution of the origins up to each hundredth of the window to a mean difference: from 0 to the estimate.
 */
export function cumulativeDifference(sums: MeanSums): number[] {
  const values = sums.contributions()
  const reached = [0]
  let sum = 0
  for (let at = 0, step = 1; step <= CUMULATIVE_STEPS; step++) {
    const end = Math.floor((step * values.length) / CUMULATIVE_STEPS)
    for (; at < end; at++) sum += values[at] as number
    reached.push(sum)
  }
  return reached
}

/** Share of the window over which the fluctuation test sums, in steps of the cumulative difference. */
export const FLUCTUATION_STEPS = 30
const FLUCTUATION_CRITICAL = 3.012

/**
 * The 95 % limit of how far a cumulative difference moves within 30 of 100 steps, anywhere in the window, if the true
 * difference is 0 throughout. The fluctuation statistic is the sum of the differences over a share μ of the window,
 * divided by the root of its length and their long-run standard deviation. With μ = 0.3 its largest value exceeds 3.012
 * in 5 % of windows. Here the error is that of the cosine test. Source: Giacomini & Rossi (2010), Forecast comparisons
 * in unstable environments, table I, two-sided.
 * @param standardError of the mean over the whole window
 */
export function fluctuationBand(standardError: number): number {
  return FLUCTUATION_CRITICAL * Math.sqrt(FLUCTUATION_STEPS / CUMULATIVE_STEPS) * standardError
}
