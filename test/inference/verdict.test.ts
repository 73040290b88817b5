import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCosineTables } from '../../src/inference/cosines.js'
import { type EwcFamilyTest, ewcFamily } from '../../src/inference/ewc-family.js'
import { boundsAt } from '../../src/inference/ewc-judge.js'
import { weightedHolm } from '../../src/inference/holm.js'
import type { EwcResult, EwcTested } from '../../src/inference/test-result.js'
import { simultaneousLevel, type VerdictPart } from '../../src/inference/verdict.js'
import { hourlyADay } from '../evaluation/made.js'
import { numbers } from '../support/random.js'
import { judgedTest, type MadeTest, madeSeries } from './made.js'

const HOURS = 24 * 24
const DESIGN = {
  ...{ blockLength: 24, alpha: 0.05, minimumPairs: 100, minimumBlocks: 10 },
  originsADay: hourlyADay(HOURS),
}
/** A test of a family, with its share of alpha. */
type Weighted = MadeTest & Pick<EwcFamilyTest, 'weight'>
const judge = (test: MadeTest) => judgedTest(test, DESIGN, createCosineTables())
const given = (tests: readonly Weighted[]): EwcFamilyTest[] =>
  tests.map((test) => ({ judged: judge(test), weight: test.weight }))
const testsOf = (tests: readonly Weighted[]) => ewcFamily(given(tests), DESIGN.alpha).tests

const one = (name: string, shift: number, over: Partial<Weighted> = {}): Weighted => ({
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
    const found = testsOf([
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
    ])
    expect(found.map(reasons)).toEqual([
      ['no_pairs', 'too_few_pairs', 'too_few_blocks', 'too_few_days'],
      ['too_few_pairs', 'too_few_blocks', 'too_few_days'],
      ['too_few_blocks', 'too_few_days'],
      'tested',
      ['no_variance'],
      'tested',
      ['no_pairs', 'too_few_pairs', 'too_few_blocks', 'too_few_days'],
    ])
    expect(found[5]).toMatchObject({
      ...{ p: 1, observed: 0, side: 'neither', standardError: 0 },
      bounds: { lower: 0, upper: 0 },
      adjustedBounds: { lower: 0, upper: 0 },
    })
    expect(found[4]).toMatchObject({ observed: 1 })
  })

  it('blocks what was withheld, and what is held against a loss of 0', () => {
    const found = testsOf([
      one('withheld', -0.3, { withheld: true }),
      one('no scale', -0.3, { noScale: true }),
      one('both', -0.3, { withheld: true, noScale: true }),
      one('neither', -0.3),
    ])
    expect(found.map(reasons)).toEqual([
      ['withheld'],
      ['no_scale'],
      ['withheld', 'no_scale'],
      'tested',
    ])
  })

  it('blocks a loss plus a constant, which differs from the loss by that and by rounding', () => {
    const random = numbers(8)
    const losses = Array.from({ length: HOURS }, () => Math.abs(random() - 0.5) / 50)
    const shifted = [1e-2, -1e-3, 1e-4, -1e-5, 1e-6, 1e-7].map((constant) => {
      const values = Float64Array.from(losses, (loss) => loss + constant - loss)
      expect(new Set(values).size).toBeGreaterThan(1)
      return one(`${constant}`, 0, { components: [{ values }] })
    })
    expect(testsOf(shifted).map(reasons)).toEqual(shifted.map(() => ['no_variance']))
  })

  it('has bounds that leave 0 out exactly where the plain p is at or below alpha', () => {
    const found = testsOf([
      one('a', 0),
      one('bb', 0.05),
      one('ccc', 0.2),
      one('dddd', -0.3),
    ]) as readonly EwcTested[]
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
        const found = testsOf(
          list.map(({ seed, shift, weight, memory, gaps }, index) => ({
            ...{ name: `t${index}`, weight, memory },
            components: [madeSeries(HOURS, seed, gaps, shift)],
          })),
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

const WINDOW = 24 * 60

const series = (name: string, shift: number, seed = 1): Weighted => ({
  name,
  components: [madeSeries(WINDOW, seed, 0, shift)],
  memory: 'hours',
  weight: 0.1,
})

const LIMITED = { comparator: 'x', horizon: 2, measure: 'point_loss' } as const
const limited = (test: MadeTest, limit: number | null) => ({
  ...{ ...LIMITED, judged: judge(test), limit },
})

/** A candidate with these overall tests and other parts, the family being the overall tests alone. */
function judged(tests: readonly Weighted[], parts: readonly VerdictPart[], weight = 0.6) {
  const implies = tests.map((_, at) => at)
  const overall = tests.map((test) => ({ ...limited(test, 0), horizon: 'overall' as const }))
  const hypothesis = { candidate: 'c', weight, parts: [...overall, ...parts], implies }
  const ladder = ewcFamily(given(tests), DESIGN.alpha, [hypothesis])
  return { ...ladder, verdict: ladder.verdicts[0]! }
}

describe('a verdict hypothesis', () => {
  it('has the largest p of its parts', () => {
    const { tests, verdict } = judged([series('a', -0.3), series('b', -0.1, 2)], [])
    const own = tests.map((test) => (test.status === 'tested' ? test.p : 1))
    expect(verdict.p).toBe(Math.max(...own))
    expect(verdict.parts.map(({ p }) => p)).toEqual(own)
  })

  it('has p 1 where the loss is not lower, however small the two-sided p', () => {
    const { tests, verdict } = judged([series('a', -0.3), series('b', 0.5, 2)], [])
    expect(tests[1]).toMatchObject({ side: 'above', holm: { rejected: true } })
    expect(verdict.p).toBe(1)
    expect(verdict.holm?.rejected).toBe(false)
  })

  // 2 P(T > (limit - d) / se) is at most the level exactly where the upper bound at it is at most the limit.
  it('holds a limit as the upper bound at the same level does', () => {
    const test = series('a', -0.3)
    const [found] = judged([test], []).tests
    if (found?.status !== 'tested') throw new Error('blocked')
    const { upper } = boundsAt(found, 0.02)
    const partAt = (limit: number) =>
      judged([test], [limited(test, limit)]).verdict.parts[1]?.p ?? 2
    expect(partAt(upper)).toBeCloseTo(0.02, 9)
    expect(partAt(upper + 0.01)).toBeLessThan(0.02)
    expect(partAt(found.observed - 1e-9)).toBe(1)
  })

  it('takes a limit on a test outside the family', () => {
    const direction = { name: 'mean direction', ...madeDirection(0.5) }
    const { verdict, tests } = judged([series('a', -0.3)], [limited(direction, 0.02)])
    expect(tests).toHaveLength(1)
    expect(verdict.parts[1]).toMatchObject({ test: 'mean direction', p: 1 })
  })

  it('has no p where a part has none', () => {
    const empty = {
      ...series('b', 0),
      components: [{ values: new Float64Array(WINDOW).fill(NaN) }],
    }
    expect(judged([series('a', -0.3), empty], []).verdict).toMatchObject({ p: null, holm: null })
    const a = series('a', -0.3)
    expect(judged([a], [limited(a, null)]).verdict.p).toBeNull()
    expect(judged([], []).verdict.p).toBeNull()
  })

  it('rejects the overall tests of its candidate with it, and gives their weight back', () => {
    // By itself, each p would need to be below 0.05 * 0.1 / 0.4.
    const p = [0.03, 0.03, 0.06, 0.03]
    const alone = weightedHolm(p, [0.1, 0.1, 0.1, 0.7], 0.05)
    expect(alone.map((step) => step?.rejected)).toEqual([false, false, false, true])
    const steps = weightedHolm(p, [0.1, 0.1, 0.1, 0.7], 0.05, new Map([[3, [0, 1]]]))
    expect(steps.map((step) => step?.rejected)).toEqual([true, true, false, true])
    expect(steps.map((step) => step?.by)).toEqual([3, 3, undefined, undefined])
    expect(steps[0]?.adjustedP).toBe(steps[3]?.adjustedP)
    // What is left for the third is its own weight.
    expect(steps[2]?.multiplier).toBeCloseTo(1, 12)
  })
})

function madeDirection(shift: number) {
  return { components: [madeSeries(WINDOW, 9, 0, shift)], memory: 'hours' as const }
}

it('gives what comes after the first that is not rejected the level of that one', () => {
  // By itself the second would be rejected: 0.04 is below 0.05. Its bounds must not say so.
  const steps = weightedHolm([0.03, 0.04], [1, 1], 0.05)
  expect(steps.map((step) => [step?.rejected, step?.level])).toEqual([
    [false, 0.025],
    [false, 0.025],
  ])
})

it('shares half of alpha among the overall tests: |t| of 3.25 with five of them and 16 degrees', () => {
  const level = simultaneousLevel(0.05, 5)
  const bounds = boundsAt({ observed: 0, standardError: 1, degreesOfFreedom: 16 }, level)
  expect(bounds.upper).toBeCloseTo(3.252, 3)
})

/** The ladder as one would write it down: reject what can be, take its weight and what it implies out, go on. */
function byHand(
  p: readonly (number | null)[],
  weights: readonly number[],
  implied: ReadonlyMap<number, readonly number[]>,
): boolean[] {
  const rejected = p.map(() => false)
  for (;;) {
    const left = weights.reduce((sum, weight, at) => sum + (rejected[at] ? 0 : weight), 0)
    const next = p.findIndex(
      (value, at) => value !== null && !rejected[at] && value * left <= 0.05 * weights[at]!,
    )
    if (next < 0) return rejected
    for (const at of [next, ...(implied.get(next) ?? [])]) rejected[at] = true
  }
}

it('rejects what the procedure by hand does, in any order of the tests', () => {
  // Weights of halves and quarters: sums are exact, so that both ways agree at the border too.
  const test = fc.record({
    p: fc.option(fc.integer({ min: 0, max: 64 }).map((n) => n / 640)),
    weight: fc.constantFrom(0.25, 0.5, 1, 4),
  })
  fc.assert(
    fc.property(fc.array(test, { minLength: 4, maxLength: 12 }), fc.nat(), (list, seed) => {
      const weights = list.map(({ weight }) => weight)
      const implied = new Map([
        [0, [1 + (seed % 3)]],
        [list.length - 1, [1, 2]],
      ])
      // What is implied has a p no greater than that of what implies it, as parts of a maximum have.
      const p = list.map((each) => each.p)
      for (const [from, to] of implied) {
        for (const at of to) p[at] = p[from] === null ? p[at]! : Math.min(p[at] ?? 1, p[from]!)
      }
      const steps = weightedHolm(p, weights, 0.05, implied)
      expect(steps.map((step) => step?.rejected ?? false)).toEqual(byHand(p, weights, implied))
    }),
  )
})
