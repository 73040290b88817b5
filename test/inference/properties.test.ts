import fc from 'fast-check'
import seedrandom from 'seedrandom'
import { describe, expect, it } from 'vitest'
import type {
  FamilyInput,
  FamilyTest,
  InferenceDesign,
  Series,
} from '../../src/inference/family-input.js'
import { blockSums } from '../../src/inference/resample.js'
import { runFamily } from '../../src/inference/run-family.js'
import { neededRanks, percentileBounds, summarise } from '../../src/inference/summary.js'
import type { TestResult } from '../../src/inference/test-result.js'
import { numbers } from '../support/random.js'
import { family, madeSeries, single } from './made.js'

/** A few series and masks over one window, from which tests choose, some of them twice. */
function pool(origins: number, seed: number): Series[] {
  const random = numbers(seed)
  const values = [0, 0.1, 0.6].map((gapRate) =>
    Float64Array.from({ length: origins }, () =>
      random() < gapRate ? Number.NaN : Math.round(1000 * (random() - 0.5)) / 1000,
    ),
  )
  const members = Uint8Array.from({ length: origins }, () => (random() < 0.5 ? 1 : 0))
  return values.flatMap((one) => [{ values: one }, { values: one, members }])
}

function expectReference(found: TestResult, input: FamilyInput, test: FamilyTest): void {
  const replicates = referenceReplicates(input, test)
  if (found.status === 'blocked') {
    const empty = found.reasons[0] === 'empty_replicate'
    const thin = found.pairs === 0 || found.effectiveBlocks === 0
    expect(empty ? replicates.some(Number.isNaN) : thin).toBe(true)
    return
  }
  expect(found.replicates.mean).toBe(replicates.reduce((a, b) => a + b, 0) / replicates.length)
  expect(found.replicates.atOrBelowZero).toBe(replicates.filter((x) => x <= 0).length)
  expect(found.replicates.atOrAboveZero).toBe(replicates.filter((x) => x >= 0).length)
  expect(found.bounds.lower).toBe(quantile7(replicates, input.alpha / 2))
  const mirrored = replicates.map((x) => -x)
  expect(found.bounds.upper).toBe(-quantile7(mirrored, input.alpha / 2))
  expect(found.bounds.upper).toBeCloseTo(quantile7(replicates, 1 - input.alpha / 2), 12)
}

describe('any family', () => {
  it('has the replicates of the plain reference, bit for bit', async () => {
    const design = fc.record({
      origins: fc.integer({ min: 1, max: 90 }),
      cut: fc.nat(),
      seed: fc.integer(),
      components: fc.array(fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 8 }), {
        minLength: 1,
        maxLength: 14,
      }),
      redraw: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(design, async ({ origins, cut, seed, components, redraw }) => {
        const series = pool(origins, seed)
        const tests = components.map(
          (chosen, i): FamilyTest => ({
            name: `t${i}`,
            components: chosen.map((index) => series[index]!),
          }),
        )
        const changes = { blockLength: 1 + (cut % origins), replicates: 40, seed }
        const input = family(tests, redraw ? { ...changes, memory: 0 } : changes)
        const result = await runFamily(input)
        result.tests.forEach((found, i) => {
          expectReference(found, input, tests[i]!)
        })
      }),
      { numRuns: 150 },
    )
  })

  it('gives the same bits in a window of many thousand origins', async () => {
    const long = 65_600
    const gappy = single('gaps', madeSeries(long, 3, 0.3))
    const full = single('full', madeSeries(long, 4))
    for (const tests of [[gappy], [full]]) {
      const input = family(tests, { blockLength: 4000, replicates: 50 })
      expectReference((await runFamily(input)).tests[0]!, input, tests[0]!)
    }
  })

  it('keeps exact bounds when many replicates leave only their tails', async () => {
    const input = family([single('t', madeSeries(300, 8, 0.1)), single('u', madeSeries(300, 9))], {
      replicates: 20_000,
    })
    const { tests } = await runFamily(input)
    tests.forEach((found, i) => {
      expectReference(found, input, input.tests[i]!)
    })
  })
})

describe('tails', () => {
  const shapes: [string, (i: number, random: () => number) => number][] = [
    ['uniform', (_, random) => random()],
    ['ascending', (i) => i],
    ['descending', (i) => -i],
    ['all equal', () => 3],
    ['few distinct values', (_, random) => Math.floor(4 * random())],
    ['one outlier', (i) => (i === 777 ? 1e9 : 0)],
    ['two lumps', (i, random) => (i % 2) * 100 + random()],
    ['a third in the middle', (i, random) => (i % 3 === 0 ? 0 : random() - 0.5)],
  ]

  it.each(shapes)('are those of the sorted replicates: %s', (_, shape) => {
    for (const length of [1, 2, 40, 8193, 30_000]) {
      const random = numbers(length)
      const statistics = Float64Array.from({ length }, (_each, i) => shape(i, random))
      const sorted = statistics.slice().sort()
      for (const alpha of [0.05, 0.2]) {
        const ranks = neededRanks(length, alpha)
        const tails = summarise(0, statistics, ranks).tails!
        expect([...tails.lower]).toEqual(ranks.map((rank) => sorted[rank]))
        expect([...tails.upper]).toEqual(ranks.map((rank) => sorted[length - 1 - rank]))
        const { lower, upper } = percentileBounds(tails, length, alpha)
        expect(sorted[0]! <= lower && lower <= upper && upper <= sorted.at(-1)!).toBe(true)
      }
    }
  })
})

it('block sums are those of their block alone, bit for bit, for every length', () => {
  const values = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: 1,
    maxLength: 70,
  })
  fc.assert(
    fc.property(values, fc.nat(), (series, pick) => {
      const length = 1 + (pick % series.length)
      const sums = blockSums(Float64Array.from(series), length)
      expect(sums).toHaveLength(series.length - length + 1)
      sums.forEach((sum, start) => {
        expect(sum).toBe(blockSum(series.slice(start, start + length)))
      })
    }),
  )
})

/**
 * The bootstrap written as plainly as it is defined: no chunks, nothing side by side. It gives the same
 * bits because it adds in the same order, block by block; within a block, it adds as the definition
 * of `blockSums` says, halves of a power of two at a time.
 */
export function referenceReplicates(design: InferenceDesign, test: FamilyTest): number[] {
  const { origins, blockLength, replicates, seed } = design
  const random = seedrandom(String(seed))
  const starts = origins - blockLength + 1
  const blocks = Math.floor(origins / blockLength)
  const series = test.components.map(({ values, members }) =>
    Array.from(values, (value, i) => (members && members[i] !== 1 ? Number.NaN : value)),
  )
  const statistics: number[] = []
  for (let replicate = 0; replicate < replicates; replicate++) {
    const drawn = Array.from({ length: blocks }, () => Math.floor(random() * starts))
    let total: number | undefined
    for (const values of series) {
      let sum = 0
      let count = 0
      for (const start of drawn) {
        const block = values.slice(start, start + blockLength)
        sum += blockSum(block)
        count += block.filter((value) => !Number.isNaN(value)).length
      }
      total = total === undefined ? sum / count : total + sum / count
    }
    statistics.push(series.length === 1 ? total! : total! / series.length)
  }
  return statistics
}

/** Cuts a block along the binary digits of its length, smallest first, and adds the pieces. */
export function blockSum(block: readonly number[]): number {
  let sum: number | undefined
  let from = 0
  for (let size = 1; size <= block.length; size *= 2) {
    if ((block.length & size) === 0) continue
    const piece = halved(block.slice(from, from + size))
    sum = sum === undefined ? piece : sum + piece
    from += size
  }
  return sum ?? 0
}

function halved(values: readonly number[]): number {
  if (values.length === 1) return Number.isNaN(values[0]) ? 0 : values[0]!
  const middle = values.length / 2
  return halved(values.slice(0, middle)) + halved(values.slice(middle))
}

/** Type-7 quantile of a sample by its textbook definition. */
export function quantile7(sample: readonly number[], q: number): number {
  const sorted = [...sample].sort((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below]! + (at - below) * (sorted[above]! - sorted[below]!)
}
