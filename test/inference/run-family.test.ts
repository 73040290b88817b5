import { describe, expect, it } from 'vitest'
import { runFamily } from '../../src/inference/run-family.js'
import type { FamilyInput, FamilyTest, TestedTest } from '../../src/inference/types.js'
import { numbers } from '../support/random.js'
import { family, madeSeries, single } from './made.js'

const N = 24 * 12 + 7

async function tested(input: FamilyInput): Promise<TestedTest[]> {
  const { tests } = await runFamily(input)
  return tests.map((test) => {
    if (test.status === 'blocked') throw new Error(`${test.name}: ${test.reasons}`)
    return test
  })
}

describe('runFamily', () => {
  it('knows what a copy, a constant and a swap do', async () => {
    const random = numbers(77)
    const loss = () => Float64Array.from({ length: N }, () => random())
    const [candidate, comparator] = [loss(), loss()]
    const minus = (a: Float64Array, b: Float64Array) => a.map((x, i) => x - b[i]!)
    const k = 0.125
    const input = family([
      single('a', { values: minus(candidate, comparator) }),
      single('swapped', { values: minus(comparator, candidate) }),
      single('copy', { values: minus(comparator, comparator) }),
      single('shifted', {
        values: minus(
          candidate,
          comparator.map((x) => x + k),
        ),
      }),
    ])
    const [a, swapped, copy, shifted] = await tested(input)
    expect(swapped!.observed).toBe(-a!.observed)
    expect(swapped!.p).toBe(a!.p)
    expect(swapped!.bounds.lower).toBe(-a!.bounds.upper)
    expect(swapped!.bounds.upper).toBe(-a!.bounds.lower)
    expect(swapped!.replicates.mean).toBe(-a!.replicates.mean)
    expect(copy).toMatchObject({
      observed: 0,
      p: 1,
      side: 'neither',
      bounds: { lower: 0, upper: 0 },
    })
    expect(copy!.holm.rejected).toBe(false)
    expect(shifted!.replicates.least).toBeCloseTo(a!.replicates.least - k, 14)
    expect(shifted!.replicates.greatest).toBeCloseTo(a!.replicates.greatest - k, 14)
    expect(shifted!.bounds.lower).toBeCloseTo(a!.bounds.lower - k, 14)
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
    const { tests, familySize } = await runFamily(input)
    expect(familySize).toBe(4)
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

  it('blocks a test with a replicate that drew no pair', async () => {
    const values = new Float64Array(N).fill(Number.NaN)
    values[30] = 1
    const { tests } = await runFamily(family([single('t', { values })]))
    expect(tests[0]).toMatchObject({ status: 'blocked', reasons: ['empty_replicate'], pairs: 1 })
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
    const { tests, blocksPerReplicate } = await runFamily(input)
    expect(blocksPerReplicate).toBe(0)
    expect(tests[0]).toMatchObject({
      status: 'blocked',
      reasons: ['too_few_blocks', 'window_shorter_than_block'],
    })
  })

  it('does not change a test when others join the family, but for Holm', async () => {
    const tests = Array.from({ length: 20 }, (_, i) => single(`t${i}`, madeSeries(N, i, 0.1)))
    const alone = (await tested(family([tests[13]!])))[0]!
    const among = (await tested(family(tests)))[13]!
    expect(among.replicates).toEqual(alone.replicates)
    expect(among.p).toBe(alone.p)
    expect(among.bounds).toEqual(alone.bounds)
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
    expect(await runFamily(input)).toMatchObject({ tests: [], familySize: 0, controlsPassed: true })
  })
})
