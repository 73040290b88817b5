import type { FamilyInput, FamilyTest, Series } from '../../src/inference/types.js'
import { numbers } from '../support/random.js'

export function madeSeries(origins: number, seed: number, gapRate = 0, shift = 0): Series {
  const random = numbers(seed)
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
