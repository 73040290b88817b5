import { assembleFamily, type PreparedTest } from './assemble.js'
import { seriesFigures } from './blocks.js'
import { checkFamily } from './check-family.js'
import { type Job, type JobStart, stopIfAsked } from './job.js'
import { LANES } from './kernel.js'
import { layoutOf } from './layout.js'
import { neededRanks } from './quantiles.js'
import { runHere } from './run-here.js'
import type { BootstrapSummary } from './summary.js'
import { type DrawnTest, planTiles } from './tiles.js'
import type { BlockedReason, FamilyInput, FamilyResult, FamilyTest } from './types.js'
import { startPool } from './worker-pool.js'

/**
 * Tests a whole family with the joint paired moving-block bootstrap and Holm's procedure.
 *
 * Every replicate draws K = floor(N / L) block starts uniformly from 0 .. N - L, the same for every
 * test. The statistic of a series is the sum of its differences over the drawn origins divided by
 * the number of pairs among them; a test of several components averages theirs. Source of the
 * moving-block bootstrap: Kunsch (1989), The jackknife and the bootstrap for general stationary
 * observations. See docs/statistics.md.
 *
 * Step by step: block starts (draws.ts), sums over blocks and the statistic of every replicate
 * (engine.ts, eight series side by side as a tile), moments and tails of a test's replicates
 * (summary.ts), p-values, Holm's ladder and bounds (assemble.ts). layout.ts says where in the
 * kernel's memory each of these lies.
 *
 * The result is the same bit for bit for any number of workers.
 *
 * @throws ForeproofError invalid-input for figures or series that mean nothing (an infinite
 * difference, a series of the wrong length, two tests of one name); interrupted on `signal`
 */
export async function runFamily(input: FamilyInput): Promise<FamilyResult> {
  checkFamily(input)
  stopIfAsked(input.signal)
  const ranks = neededRanks(input.replicates, input.alpha, input.tests.length)
  const start = startOf(input, ranks)
  const pool = start && startPool(start)
  try {
    const prepared = input.tests.map((test) => prepare(test, input))
    const drawn = toDraw(input, prepared)
    const summaries = new Map<number, BootstrapSummary>()
    const total = drawn.length * input.replicates
    if (start && drawn.length > 0) {
      const job: Job = {
        ...start,
        tiles: planTiles(drawn),
        signal: input.signal,
        onSummaries: (some) => {
          for (const summary of some) summaries.set(summary.test, summary)
          input.onProgress?.({ completed: summaries.size * input.replicates, total })
        },
      }
      await (pool ? pool.run(job) : runHere(job))
    }
    return assembleFamily(input, prepared, summaries, ranks)
  } finally {
    await pool?.stop()
  }
}

/** Undefined when the window is too short for a single block. */
function startOf(input: FamilyInput, ranks: Int32Array): JobStart | undefined {
  const { origins, blockLength, seed, tests, controls = [] } = input
  if (origins < blockLength) return undefined
  const tiles = Math.ceil((tests.length + controls.length) / LANES)
  const workers = Math.max(1, Math.min(input.workers ?? 1, tiles))
  return { layout: layoutOf({ ...input, workers }), seed, ranks }
}

function prepare(test: FamilyTest, input: FamilyInput): PreparedTest {
  const figures = test.components.map((series) => seriesFigures(series, input.blockLength))
  const pairs = Math.min(...figures.map((figure) => figure.pairs))
  const effectiveBlocks = Math.min(...figures.map((figure) => figure.effectiveBlocks))
  const observed = figures.reduce((sum, figure) => sum + figure.mean, 0) / figures.length
  const reasons: BlockedReason[] = []
  if (pairs === 0) reasons.push('no_pairs')
  if (pairs < input.minimumPairs) reasons.push('too_few_pairs')
  if (effectiveBlocks < input.minimumBlocks) reasons.push('too_few_blocks')
  if (input.origins < input.blockLength) reasons.push('window_shorter_than_block')
  return {
    name: test.name,
    pairs,
    effectiveBlocks,
    reasons,
    observed: pairs === 0 ? null : observed,
  }
}

/** The tests that nothing blocks, and the controls that have a pair to be judged by. */
function toDraw(input: FamilyInput, prepared: readonly PreparedTest[]): DrawnTest[] {
  const tests = input.tests.map((test, index) => ({ test: index, components: test.components }))
  const controls = (input.controls ?? []).map((control, index) => ({
    test: prepared.length + index,
    components: control.components,
  }))
  return [
    ...tests.filter(({ test }) => prepared[test]!.reasons.length === 0),
    ...controls.filter(
      ({ components }) =>
        input.origins >= input.blockLength &&
        components.every((series) => seriesFigures(series, input.blockLength).pairs > 0),
    ),
  ]
}
