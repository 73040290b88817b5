import { describe, expect, it } from 'vitest'
import { runFamily } from '../../src/inference/run-family.js'
import type { TestedTest } from '../../src/inference/types.js'
import { family, single } from './made.js'

// A series short enough that all 625 pairs of blocks can be written out.
const LEVEL = [1, 6, -3]
const values = Float64Array.from({ length: 48 }, (_, index) => {
  const t = index + 1
  return ((7 * t * t) % 19) - 9 + LEVEL[Math.floor(t / 12) % 3]!
})

const means: number[] = []
for (let first = 0; first < 25; first++) {
  for (let second = 0; second < 25; second++) {
    const sum = (start: number) => values.subarray(start, start + 24).reduce((a, b) => a + b, 0)
    means.push((sum(first) + sum(second)) / 48)
  }
}

async function run(replicates: number, seed = 410): Promise<TestedTest> {
  const input = family([single('enumerable', { values })], { replicates, seed })
  const [test] = (await runFamily(input)).tests
  if (test?.status !== 'tested') throw new Error('blocked')
  return test
}

describe('the enumerable bootstrap', () => {
  it('is the case of the published figures', () => {
    const mean = means.reduce((a, b) => a + b, 0) / 625
    expect(mean).toBeCloseTo(31 / 150, 12)
    const variance = means.reduce((a, b) => a + (b - mean) ** 2, 0) / 625
    expect(variance).toBeCloseTo(41_243 / 40_000, 12)
    expect(means.filter((value) => value <= 0).length).toBe(259)
  })

  it('observes the sample mean', async () => {
    expect((await run(99)).observed).toBeCloseTo(29 / 48, 14)
  })

  it('reaches the exact share, mean and variance within three standard errors', async () => {
    const R = 10_000
    const { replicates } = await run(R)
    const share = 259 / 625
    expect(Math.abs(replicates.atOrBelowZero / R - share)).toBeLessThan(0.015)
    const variance = 41_243 / 40_000
    expect(Math.abs(replicates.mean - 31 / 150)).toBeLessThan(3 * Math.sqrt(variance / R))
    const fourth = means.reduce((a, b) => a + (b - 31 / 150) ** 4, 0) / 625
    const spread = Math.sqrt((fourth - variance ** 2) / R)
    expect(Math.abs(replicates.standardDeviation ** 2 - variance)).toBeLessThan(3 * spread)
  })

  it('visits every one of the replicates about as often as it should', async () => {
    const R = 200_000
    const { replicates, bounds } = await run(R, 7)
    const sigma = Math.sqrt(((259 / 625) * (366 / 625)) / R)
    expect(Math.abs(replicates.atOrBelowZero / R - 259 / 625)).toBeLessThan(3 * sigma)
    expect(replicates.least).toBe(Math.min(...means))
    expect(replicates.greatest).toBe(Math.max(...means))
    expect(means).toContain(bounds.lower)
    expect(means).toContain(bounds.upper)
    for (const [bound, inside] of [
      [bounds.lower, (x: number) => x <= bounds.lower],
      [bounds.upper, (x: number) => x >= bounds.upper],
    ] as const) {
      const tail = means.filter(inside).length / 625
      const at = means.filter((x) => x === bound).length / 625
      expect(tail).toBeGreaterThan(0.025 - 0.0011)
      expect(tail - at).toBeLessThan(0.025 + 0.0011)
    }
  })
})
