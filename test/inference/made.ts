import type { FamilyInput, FamilyTest, Series } from '../../src/inference/types.js'

/** A small generator of test data (mulberry32), uniform in [0, 1). */
export function made(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function madeSeries(origins: number, seed: number, gapRate = 0, shift = 0): Series {
  const random = made(seed)
  const values = Float64Array.from({ length: origins }, () => {
    const value = random() - 0.5 + shift
    return random() < gapRate ? Number.NaN : value
  })
  return { values }
}

export function single(name: string, series: Series): FamilyTest {
  return { name, components: [series] }
}

/** A family's input with unremarkable figures, changed where a test cares. */
export function family(
  tests: readonly FamilyTest[],
  changes: Partial<FamilyInput> = {},
): FamilyInput {
  return {
    origins: tests[0]!.components[0]!.values.length,
    blockLength: 24,
    replicates: 999,
    seed: 410,
    alpha: 0.05,
    minimumPairs: 1,
    minimumBlocks: 1,
    tests,
    ...changes,
  }
}
