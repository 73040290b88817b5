import { describe, expect, it } from 'vitest'
import type { FamilyTest } from '../../src/inference/family-input.js'
import { runFamily } from '../../src/inference/run-family.js'
import { normals } from '../support/random.js'
import { family, madeSeries, single } from './made.js'

const N = 24 * 12 + 7

describe('runFamily', () => {
  it('has no doubt of a copy', async () => {
    const { tests } = await runFamily(family([single('copy', { values: new Float64Array(N) })]))
    expect(tests).toMatchObject([
      {
        observed: 0,
        p: 1,
        side: 'neither',
        bounds: { lower: 0, upper: 0 },
        holm: { rejected: false },
      },
    ])
  })

  it('keeps blocked tests in the family, with every reason', async () => {
    const none = single('none', { values: new Float64Array(N).fill(Number.NaN) })
    const few = madeSeries(N, 1)
    few.values.fill(Number.NaN, 30)
    const good = single('good', madeSeries(N, 2, 0, 5))
    const oneEmptyHorizon: FamilyTest = {
      name: 'horizon missing',
      components: [good.components[0]!, none.components[0]!],
    }
    const input = family([none, single('few', few), good, oneEmptyHorizon], {
      minimumPairs: 40,
      minimumBlocks: 8,
    })
    const { tests } = await runFamily(input)
    expect(tests.map((test) => test.status === 'blocked' && test.reasons)).toEqual([
      ['no_pairs', 'too_few_pairs', 'too_few_blocks'],
      ['too_few_pairs', 'too_few_blocks'],
      false,
      ['no_pairs', 'too_few_pairs', 'too_few_blocks'],
    ])
    expect(tests[1]).toMatchObject({ pairs: 30, effectiveBlocks: 2 })
    expect(tests[2]).toMatchObject({ holm: { rank: 1, multiplier: 4 } })
    expect(tests[3]).toMatchObject({ observed: null, pairs: 0, effectiveBlocks: 0 })
  })

  it('counts blocks that are full and hold a pair', async () => {
    const values = new Float64Array(N).fill(Number.NaN)
    for (const origin of [0, 23, 24, 100, 24 * 11, 24 * 12, N - 1]) values[origin] = 1
    const { tests } = await runFamily(family([single('t', { values })], { replicates: 9 }))
    // Blocks 0, 1, 4 and 11; the seven origins after block 11 make no full block.
    expect(tests[0]).toMatchObject({ pairs: 7, effectiveBlocks: 4 })
  })

  it('blocks everything in a window shorter than a block', async () => {
    const input = family([single('t', madeSeries(20, 1))], { blockLength: 24 })
    const { tests } = await runFamily(input)
    expect(tests[0]).toMatchObject({
      status: 'blocked',
      reasons: ['too_few_blocks', 'window_shorter_than_block'],
    })
  })

  it('refuses more replicates than can be held', async () => {
    const input = family([single('t', madeSeries(N, 1))], { replicates: 20_000_001 })
    const refused = { code: 'invalid-input', message: expect.stringContaining('one run can hold') }
    await expect(runFamily(input)).rejects.toMatchObject(refused)
  })

  it('reports its progress and can be stopped', async () => {
    const tests = Array.from({ length: 30 }, (_, i) => single(`t${i}`, madeSeries(N, i)))
    const seen: number[] = []
    await runFamily(
      family(tests, {
        replicates: 100_000,
        onProgress: ({ completed, total }) => seen.push(completed / total),
      }),
    )
    expect(seen.length).toBeGreaterThan(2)
    expect([...seen].sort((a, b) => a - b)).toEqual(seen)
    expect(seen.at(-1)).toBe(1)
    const stop = new AbortController()
    const stopping = runFamily(
      family(tests, { signal: stop.signal, onProgress: () => stop.abort() }),
    )
    await expect(stopping).rejects.toMatchObject({ code: 'interrupted' })
    await expect(runFamily(family(tests, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'interrupted',
    })
  })

  it('has nothing to do for an empty family', async () => {
    const input = { ...family([single('t', madeSeries(N, 1))]), tests: [] }
    expect(await runFamily(input)).toEqual({ tests: [] })
  })
})

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

describe('the enumerable bootstrap', () => {
  it('is the case of the published figures', () => {
    const mean = means.reduce((a, b) => a + b, 0) / 625
    expect(mean).toBeCloseTo(31 / 150, 12)
    const variance = means.reduce((a, b) => a + (b - mean) ** 2, 0) / 625
    expect(variance).toBeCloseTo(41_243 / 40_000, 12)
    expect(means.filter((value) => value <= 0).length).toBe(259)
  })

  it('reaches the exact share, mean and variance', async () => {
    const R = 200_000
    const input = family([single('enumerable', { values })], { replicates: R, seed: 7 })
    const [test] = (await runFamily(input)).tests
    if (test?.status !== 'tested') throw new Error('blocked')
    const { observed, replicates, bounds } = test
    expect(observed).toBeCloseTo(29 / 48, 14)
    // Within three standard errors.
    const [share, variance] = [259 / 625, 41_243 / 40_000]
    const sigma = Math.sqrt((share * (1 - share)) / R)
    expect(Math.abs(replicates.atOrBelowZero / R - share)).toBeLessThan(3 * sigma)
    expect(Math.abs(replicates.mean - 31 / 150)).toBeLessThan(3 * Math.sqrt(variance / R))
    const fourth = means.reduce((a, b) => a + (b - 31 / 150) ** 4, 0) / 625
    const spread = Math.sqrt((fourth - variance ** 2) / R)
    expect(Math.abs(replicates.standardDeviation ** 2 - variance)).toBeLessThan(3 * spread)
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

const SERIES = 1000

/** A stationary first-order autoregression around 0; white noise for rho = 0. */
function autoregression(origins: number, rho: number, normal: () => number): Float64Array {
  const values = new Float64Array(origins)
  let value = normal() / Math.sqrt(1 - rho * rho)
  for (let i = 0; i < origins; i++) {
    values[i] = value
    value = rho * value + normal()
  }
  return values
}

/** The share of true nulls rejected by a one-sided test at 5 %, with blocks of 24. */
async function size(blocks: number, rho: number): Promise<number> {
  const normal = normals(1000 * blocks + 100 * rho)
  const tests = Array.from({ length: SERIES }, (_, i) =>
    single(`series ${i}`, { values: autoregression(24 * blocks, rho, normal) }),
  )
  const replicates = 1999
  const result = await runFamily(family(tests, { replicates }))
  const rejected = result.tests.filter(
    (test) =>
      test.status === 'tested' && (1 + test.replicates.atOrBelowZero) / (replicates + 1) <= 0.05,
  )
  return rejected.length / SERIES
}

// Rejection rates known from simulation elsewhere, rounded to a percent: with few blocks, or strong
// dependence, the block bootstrap rejects true nulls too often. That is what the protocol's minimum
// number of blocks is for, and why lint warns.
describe('the size of a single one-sided test under the null', () => {
  it.each([
    ['white noise', 0, 2, 0.2],
    ['white noise', 0, 5, 0.09],
    ['white noise', 0, 10, 0.07],
    ['white noise', 0, 20, 0.05],
    ['AR(1) 0.9', 0.9, 2, 0.32],
    ['AR(1) 0.9', 0.9, 5, 0.17],
    ['AR(1) 0.9', 0.9, 10, 0.12],
    ['AR(1) 0.9', 0.9, 20, 0.11],
  ])('%s (rho %f), %i blocks: %f', async (_, rho, blocks, expected) => {
    const found = await size(blocks, rho)
    const sigma = Math.sqrt((expected * (1 - expected)) / SERIES)
    expect(Math.abs(found - expected)).toBeLessThan(3 * sigma + 0.005)
  })
})
