import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runFamily } from '../../src/inference/run-family.js'
import { neededRanks, percentileBounds, summarise } from '../../src/inference/summary.js'
import type { FamilyTest, Series } from '../../src/inference/types.js'
import { numbers } from '../support/random.js'
import { family } from './made.js'
import { quantile7, referenceReplicates } from './reference.js'

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
          const expected = referenceReplicates(input, tests[i]!)
          if (found.status === 'blocked') {
            const empty = found.reasons[0] === 'empty_replicate'
            expect(empty ? expected.some(Number.isNaN) : found.pairs === 0 || thin(found)).toBe(
              true,
            )
            return
          }
          expect(found.replicates.least).toBe(Math.min(...expected))
          expect(found.replicates.greatest).toBe(Math.max(...expected))
          expect(found.replicates.mean).toBe(expected.reduce((a, b) => a + b, 0) / 40)
          expect(found.adjustedBounds.lower).toBe(
            quantile7(expected, found.adjustedBounds.level / 2),
          )
        })
      }),
      { numRuns: 150 },
    )
  })

  const thin = (found: { effectiveBlocks: number }) => found.effectiveBlocks === 0
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
      for (const [alpha, size] of [
        [0.05, 1],
        [0.05, 300],
        [0.2, 3],
      ] as const) {
        const ranks = neededRanks(length, alpha, size)
        const tails = summarise(0, statistics, ranks).tails!
        expect([...tails.lower]).toEqual([...ranks].map((rank) => sorted[rank]))
        expect([...tails.upper]).toEqual([...ranks].map((rank) => sorted[length - 1 - rank]))
        for (let multiplier = 1; multiplier <= size; multiplier++) {
          percentileBounds(tails, ranks, length, alpha / multiplier)
        }
      }
    }
  })
})
