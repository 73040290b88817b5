import type { CosineTables } from '../../src/inference/cosines.js'
import { computeTest, type EwcDesign, type EwcTest } from '../../src/inference/ewc-judge.js'
import type { FamilyInput, FamilyTest, Series } from '../../src/inference/family-input.js'
import { createMeanSums } from '../../src/inference/sums.js'
import { numbers } from '../support/random.js'

export function madeSeries(origins: number, seed: number, gapRate = 0, shift = 0): Series {
  const random = numbers(seed)
  const values = Float64Array.from({ length: origins }, () => {
    const value = random() - 0.5 + shift
    return random() < gapRate ? Number.NaN : value
  })
  return { values }
}

/** Components as a test keeps them. */
export const centredOf = (components: readonly Series[]) => createMeanSums(components, 1).centred()

/** A test whose components are all at hand. */
export type MadeTest = Omit<EwcTest, 'sums'> & FamilyTest

export function judgedTest(
  { components, ...test }: MadeTest,
  design: EwcDesign,
  tables: CosineTables,
) {
  return computeTest(
    { ...test, sums: createMeanSums(components, design.blockLength) },
    design,
    tables,
  )
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
