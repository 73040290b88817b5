import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EwcFamilyTest, ewcFamily as ewcLadder } from '../../src/inference/ewc-family.js'
import type { EwcResult, EwcTested } from '../../src/inference/types.js'
import { numbers } from '../support/random.js'
import { madeSeries } from './made.js'

const DESIGN = { blockLength: 24, alpha: 0.05, minimumPairs: 100, minimumBlocks: 10 }
const HOURS = 24 * 24
const ewcFamily = (...of: Parameters<typeof ewcLadder>) => ewcLadder(...of).tests

const one = (name: string, shift: number, over: Partial<EwcFamilyTest> = {}): EwcFamilyTest => ({
  name,
  components: [madeSeries(HOURS, name.length * 7 + name.charCodeAt(0), 0.1, shift)],
  memory: 'hours',
  weight: 1,
  ...over,
})
const reasons = (result: EwcResult | undefined) =>
  result?.status === 'blocked' ? result.reasons : 'tested'

describe('a family by the cosine test', () => {
  it('blocks what has too little, and what does not vary', () => {
    const values = (from: number, to: number, value = () => 1) =>
      Float64Array.from({ length: HOURS }, (_, i) => (i >= from && i < to ? value() : Number.NaN))
    const random = numbers(3)
    const of = (name: string, series: Float64Array) =>
      one(name, 0, { components: [{ values: series }] })
    const found = ewcFamily(
      [
        of('none', values(0, 0)),
        of('few pairs', values(0, 50, random)),
        // 15 blocks are above the protocol's minimum and below what the method needs.
        of('15 blocks', values(0, 15 * 24, random)),
        of('16 blocks', values(0, 16 * 24, random)),
        of('constant', values(0, HOURS)),
        of(
          'zero',
          values(0, HOURS, () => 0),
        ),
        one('a component without', 0, {
          components: [madeSeries(HOURS, 1), { values: values(0, 0) }],
        }),
      ],
      DESIGN,
    )
    expect(found.map(reasons)).toEqual([
      ['no_pairs', 'too_few_pairs', 'too_few_blocks'],
      ['too_few_pairs', 'too_few_blocks'],
      ['too_few_blocks'],
      'tested',
      ['no_variance'],
      'tested',
      ['no_pairs', 'too_few_pairs', 'too_few_blocks'],
    ])
    expect(found[5]).toMatchObject({
      ...{ p: 1, observed: 0, side: 'neither', standardError: 0 },
      bounds: { lower: 0, upper: 0 },
      adjustedBounds: { lower: 0, upper: 0 },
    })
    expect(found[4]).toMatchObject({ observed: 1 })
  })

  it('blocks a loss plus a constant, which differs from the loss by that and by rounding', () => {
    const random = numbers(8)
    const losses = Array.from({ length: HOURS }, () => Math.abs(random() - 0.5) / 50)
    const shifted = [1e-2, -1e-3, 1e-4, -1e-5, 1e-6, 1e-7].map((constant) => {
      const values = Float64Array.from(losses, (loss) => loss + constant - loss)
      expect(new Set(values).size).toBeGreaterThan(1)
      return one(`${constant}`, 0, { components: [{ values }] })
    })
    expect(ewcFamily(shifted, DESIGN).map(reasons)).toEqual(shifted.map(() => ['no_variance']))
  })

  it('has bounds that leave 0 out exactly where the plain p is at or below alpha', () => {
    const found = ewcFamily(
      [one('a', 0), one('bb', 0.05), one('ccc', 0.2), one('dddd', -0.3)],
      DESIGN,
    ) as readonly EwcTested[]
    for (const { p, bounds, observed, side } of found) {
      expect(bounds.lower > 0 || bounds.upper < 0).toBe(p <= 0.05)
      expect((bounds.lower + bounds.upper) / 2).toBeCloseTo(observed, 12)
      expect(side).toBe(observed < 0 ? 'below' : 'above')
    }
    expect(found.map(({ p }) => p <= 0.05)).toContain(true)
    expect(found.map(({ p }) => p <= 0.05)).toContain(false)
  })

  it('is dual: no test that is not rejected has adjusted bounds that leave 0 out, and each that is has', () => {
    const test = fc.record({
      seed: fc.integer({ min: 1, max: 10_000 }),
      shift: fc.constantFrom(0, 0, 0.02, -0.05, 0.1, -0.2),
      weight: fc.constantFrom(0.8 / 3, 0.2 / 9, 1),
      memory: fc.constantFrom('hours' as const, 'days' as const),
      gaps: fc.constantFrom(0, 0.2, 0.97),
    })
    let rejections = 0
    let blocked = 0
    fc.assert(
      fc.property(fc.array(test, { minLength: 1, maxLength: 12 }), (list) => {
        const found = ewcFamily(
          list.map(({ seed, shift, weight, memory, gaps }, index) => ({
            ...{ name: `t${index}`, weight, memory },
            components: [madeSeries(HOURS, seed, gaps, shift)],
          })),
          DESIGN,
        )
        for (const each of found) {
          if (each.status === 'blocked') {
            blocked++
            continue
          }
          const { lower, upper } = each.adjustedBounds
          expect(lower > 0 || upper < 0).toBe(each.holm.rejected)
          if (each.holm.rejected) rejections++
        }
      }),
      { numRuns: 60 },
    )
    expect(rejections).toBeGreaterThan(20)
    expect(blocked).toBeGreaterThan(5)
  })
})
