import type { FamilyInput, FamilyTest } from './family-input.js'
import { bootstrapP, holm } from './holm.js'
import { assertReplicates, type PreparedTest, prepareTest } from './prepare.js'
import type { DrawnTest, Resampling } from './resample.js'
import { type BootstrapSummary, neededRanks, percentileBounds } from './summary.js'
import { createMeanSums } from './sums.js'
import type { FamilyResult, TestResult } from './test-result.js'
import { resampleShares, type Share, stopIfAsked } from './worker-pool.js'

/** Maximum bytes of statistics and block sums in memory, over all threads. */
const MEMORY = 3 * 2 ** 27

/** Fewer tests than this finish before another thread has started. */
const TESTS_A_THREAD = 8

/**
 * Tests a whole family with the joint paired moving-block bootstrap and Holm's procedure.
 *
 * Every replicate draws K = floor(N / L) block starts uniformly from 0 .. N - L, the same for every
 * test. The statistic of a series is the sum of its differences over the drawn origins divided by
 * the number of pairs among them; a test of several components averages theirs. Source of the
 * moving-block bootstrap: Kunsch (1989), The jackknife and the bootstrap for general stationary
 * observations. See docs/statistics.md.
 *
 * Step by step: block starts, sums over blocks and the statistic of every replicate (resample.ts), moments and tails of
 * a test's replicates (summary.ts), p-values, Holm's ladder and bounds (`assembleFamily`).
 *
 * The result is the same bit for bit for any number of workers.
 *
 * @throws ForeproofError invalid-input for more replicates than can be held; interrupted on `signal`
 */
export async function runFamily(input: FamilyInput): Promise<FamilyResult> {
  assertReplicates(input.replicates)
  stopIfAsked(input.signal)
  const { replicates, signal } = input
  const prepared = input.tests.map((test) => prepare(test, input))
  const drawn = toDraw(input, prepared)
  const summaries = new Map<number, BootstrapSummary>()
  const total = drawn.length * replicates
  let completed = 0
  await resampleShares(divideTests(drawn, input), {
    signal,
    onStep: (step) => {
      for (const summary of step.summaries) summaries.set(summary.test, summary)
      completed += step.completed
      input.onProgress?.({ completed, total })
    },
  })
  return assembleFamily(input, prepared, summaries)
}

function prepare(test: FamilyTest, input: FamilyInput): PreparedTest {
  const { name, components } = test
  const { counts, reasons } = prepareTest(
    { name, sums: createMeanSums(components, input.blockLength) },
    input,
  )
  return input.origins >= input.blockLength
    ? { counts, reasons }
    : { counts, reasons: [...reasons, 'window_shorter_than_block'] }
}

/** The tests that are not blocked. */
function toDraw({ tests }: FamilyInput, prepared: readonly PreparedTest[]): DrawnTest[] {
  return tests.flatMap(({ components }, test) =>
    prepared[test]?.reasons.length === 0 ? [{ test, components }] : [],
  )
}

/**
 * Distributes the tests over the threads, in groups that fit in memory; each group makes its own draws. A test counts
 * as one series, because tests with several components share them with others.
 */
function divideTests(tests: readonly DrawnTest[], input: FamilyInput): Share[] {
  const { workers = 1, memory = MEMORY, origins, blockLength, replicates, seed, alpha } = input
  const ranks = neededRanks(replicates, alpha)
  const design: Resampling = { origins, blockLength, replicates, seed, ranks }
  const threads = Math.min(Math.max(1, workers), Math.ceil(tests.length / TESTS_A_THREAD))
  const fitting = Math.floor(memory / threads / (8 * (replicates + origins)))
  const rounds = Math.ceil(tests.length / threads / Math.max(1, fitting))
  const size = Math.ceil(tests.length / threads / rounds)
  return Array.from({ length: threads }, (_, thread) => ({
    design,
    groups: Array.from({ length: rounds }, (_round, round) => {
      const first = (thread * rounds + round) * size
      return tests.slice(first, first + size)
    }).filter((group) => group.length > 0),
  }))
}

/**
 * Turns the summaries of all tests into the result: p-values, Holm's ladder over the whole family, and the bounds at
 * alpha.
 *
 * @param summaries by position of the test
 */
function assembleFamily(
  input: FamilyInput,
  prepared: readonly PreparedTest[],
  summaries: ReadonlyMap<number, BootstrapSummary>,
): FamilyResult {
  const { replicates, alpha } = input
  const pValues = prepared.map((_, test) => {
    const summary = summaries.get(test)
    if (!summary?.replicates || summary.empty > 0) return null
    const { atOrBelowZero, atOrAboveZero } = summary.replicates
    return bootstrapP(atOrBelowZero, atOrAboveZero, replicates)
  })
  const steps = holm(pValues, alpha)
  const tests = prepared.map((test, index): TestResult => {
    const { counts, reasons } = test
    const summary = summaries.get(index)
    const [p, step] = [pValues[index] ?? null, steps[index] ?? null]
    if (p === null || step === null || !summary?.replicates || counts.observed === null) {
      return {
        ...counts,
        status: 'blocked',
        reasons: summary?.empty ? ['empty_replicate'] : reasons,
      }
    }
    return {
      ...counts,
      observed: counts.observed,
      status: 'tested',
      p,
      side: findSide(summary.replicates),
      holm: step,
      replicates: summary.replicates,
      bounds: percentileBounds(summary.tails!, replicates, alpha),
    }
  })
  return { tests }
}

function findSide(figures: { atOrBelowZero: number; atOrAboveZero: number }) {
  if (figures.atOrBelowZero > figures.atOrAboveZero) return 'below'
  return figures.atOrBelowZero < figures.atOrAboveZero ? 'above' : 'neither'
}
