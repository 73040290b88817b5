import { ForeproofError } from '../../contract/error.js'
import { type ComparatorErrors, comparatorErrors, type PastCloses } from './comparator.js'
import { type Resemblance, windowFault } from './design.js'
import type { SimulationCounts } from './figures.js'
import type { PlannedPower } from './planned-design.js'
import { seededRandom } from './random.js'
import { evaluationsOf, type Shard } from './shard.js'
import { addCounts, longestSimulated, noCounts, type Simulation, simulateOne } from './simulate.js'
import { type MadeCandidates, Surrogates } from './surrogate.js'

/** Correlations of errors that are assumed: loosely alike, alike, nearly the same. */
const ASSUMED: readonly Resemblance[] = [0.8, 0.9, 0.95].map((correlation) => ({
  correlation,
  candidate: null,
  pairs: null,
}))

/** The comparators of a plan before its window, and the one that is hardest to beat. */
export interface PastComparators {
  readonly all: readonly ComparatorErrors[]
  readonly reference: ComparatorErrors
}

/**
 * Computes the built-in comparators over the closes before the window. What is better than the one
 * with the smallest loss is better than all.
 */
export function pastComparators(
  closes: PastCloses,
  { builtIns, design }: PlannedPower,
  pool: readonly string[],
): PastComparators {
  const all = comparatorErrors(closes, builtIns, design.horizons, pool)
  const reference = all.reduce((best, each) => (each.loss < best.loss ? each : best))
  if (!(reference.loss > 0)) {
    throw new ForeproofError('invalid-input', 'the closes before the window do not vary')
  }
  return { all, reference }
}

export function madeCandidates(
  { reference, all }: PastComparators,
  estimated: readonly Resemblance[],
  seed: number,
): MadeCandidates {
  const resemblances = [...ASSUMED, ...estimated]
  const surrogates = new Surrogates(reference)
  const laws = resemblances.map(({ correlation }) =>
    surrogates.law(correlation, seededRandom(`${seed}/law`)),
  )
  return { resemblances, surrogates, laws, comparators: all }
}

/** How a simulation is cut and watched. */
export interface SimulationOptions {
  /** Of the whole run, all shards together. */
  readonly evaluations: number
  readonly shard?: Shard | undefined
  /** Awaited after each evaluation. */
  readonly onEvaluation?: (done: number, of: number) => Promise<void>
}

/**
 * Simulates the evaluations of a shard, or all.
 * @throws {ForeproofError} `refused` where every test of the planned window is blocked, and where the
 * closes hold none of its length.
 */
export async function simulate(
  simulation: Simulation,
  { evaluations, shard = { index: 1, of: 1 }, onEvaluation }: SimulationOptions,
): Promise<SimulationCounts> {
  const { design, surrogates, closes, laws } = simulation
  if (windowFault(design, design.origins) !== undefined) {
    throw new ForeproofError('refused', 'every test of the planned window is blocked', {
      help: 'There is nothing to simulate: plan a longer window, or leave out --simulate.',
    })
  }
  const longest = longestSimulated(surrogates, closes, design.horizons)
  if (design.origins > longest) {
    const [planned, held] = [design.origins, Math.max(0, longest)].map((origins) =>
      Math.floor(origins / 24),
    )
    const says = `the closes before the window hold no window of ${planned} days, but of ${held} at most`
    const help =
      'Give a vintage that begins earlier, or leave out --simulate: the prediction needs less.'
    throw new ForeproofError('refused', says, { help })
  }
  const of = evaluationsOf(shard, evaluations)
  let counts = noCounts(laws.length)
  for (let done = 0; done < of; done++) {
    counts = addCounts(counts, simulateOne(simulation, shard.index - 1 + done * shard.of))
    await onEvaluation?.(done + 1, of)
  }
  return counts
}
