import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Comparison,
  type DispositionInput,
  type DispositionReason,
  decideDisposition,
  type VerdictBasis,
} from '../../src/inference/disposition.js'
import type { BlockedTest, TestedTest, TestResult } from '../../src/inference/test-result.js'

function test(observed: number, changes: Partial<TestedTest> = {}): TestedTest {
  const side = observed < 0 ? 'below' : observed > 0 ? 'above' : 'neither'
  const half = 0.0001
  return {
    ...{ name: 't', status: 'tested', observed, pairs: 500, effectiveBlocks: 20, p: 0.001, side },
    holm: { rank: 1, multiplier: 10, adjustedP: 0.01, rejected: side !== 'neither' },
    replicates: {
      ...{ mean: observed, standardDeviation: half / 2, least: observed, greatest: observed },
      ...{ atOrBelowZero: 0, atOrAboveZero: 0 },
    },
    bounds: { level: 0.05, lower: observed - half, upper: observed + half },
    simultaneousBounds: { level: 0.005, lower: observed - half, upper: observed + half },
    ...changes,
  }
}

const blockedTest: BlockedTest = {
  ...{ name: 'b', status: 'blocked', observed: null, pairs: 3, effectiveBlocks: 1 },
  reasons: ['too_few_pairs', 'too_few_blocks'],
}

/** A candidate a tenth better than a comparator whose losses are about one percent. */
function good(comparator: string): Comparison {
  return {
    comparator,
    candidateFailures: { failures: 1, expected: 100 },
    comparatorFailures: { failures: 1, expected: 100 },
    availability: [],
    overall: { test: test(-0.001), comparatorLoss: 0.01 },
    horizons: [2, 4].map((horizon) => ({
      horizon,
      point: { test: test(-0.001), comparatorLoss: 0.01 },
      direction: test(-0.01),
    })),
  }
}

const WORST = { test: 'a part', observed: -0.001, p: 0.01, reasons: [] } as const

/** What is asked by a verdict hypothesis, which is rejected. */
const basis = (changes: Partial<VerdictBasis> = {}, rejected = true): VerdictBasis => ({
  verdict: {
    ...{ candidate: 'c', weight: 0.6, p: 0.01 },
    parts: [{ ...{ comparator: 'a', horizon: 2, measure: 'point_loss', limit: 0 }, ...WORST }],
    holm: { rank: 1, weight: 0.6, multiplier: 1, adjustedP: 0.02, level: 0.05, rejected },
  },
  alpha: 0.05,
  substituted: [],
  missingOutcomes: [],
  tooLax: [],
  ...changes,
})

function input(changes: Partial<DispositionInput> = {}): DispositionInput {
  return {
    byVerdict: basis(),
    mode: 'prospective',
    comparisons: [good('a'), good('b')],
    practicalFloor: 0.02,
    regressionLimit: 0.05,
    directionLimit: 0.02,
    availabilityLimits: { all: 1, level: 1 },
    ...changes,
  }
}

const withB = (changes: Partial<Comparison>) =>
  input({ comparisons: [good('a'), { ...good('b'), ...changes }] })

type Failures = readonly [failures: number, expected: number]
const failuresOf = ([failures, expected]: Failures) => ({ failures, expected })
const withFailures = (ours: Failures, theirs: Failures, more: Partial<Comparison> = {}) =>
  withB({ candidateFailures: failuresOf(ours), comparatorFailures: failuresOf(theirs), ...more })

const withOverall = (of: TestResult, comparatorLoss: number | null = 0.01) =>
  withB({ overall: { test: of, comparatorLoss } })

const withPoint = (point: TestResult, comparatorLoss: number | null = 0.01) =>
  withB({
    horizons: good('b').horizons.map((cell, i) =>
      i === 0 ? { ...cell, point: { test: point, comparatorLoss } } : cell,
    ),
  })

const withDirection = (direction: TestResult) =>
  withB({
    horizons: good('b').horizons.map((cell, i) => (i === 1 ? { ...cell, direction } : cell)),
  })

const wide = (lower: number, upper: number): Partial<TestedTest> => ({
  simultaneousBounds: { level: 0.01, lower, upper },
})

describe('disposition', () => {
  it('is eligible when every comparison establishes the improvement', () => {
    const result = decideDisposition(input())
    expect(result.disposition).toBe('eligible_for_human_review')
    expect(result.reasons).toEqual([
      expect.objectContaining({ code: 'improvement_established', comparator: 'a', found: 0.1 }),
      expect.objectContaining({ code: 'improvement_established', comparator: 'b', limit: 0.02 }),
    ])
  })

  it.each<[string, DispositionReason['code'], DispositionInput]>([
    ['blocked', 'deciding_test_blocked', withOverall(blockedTest, null)],
    ['blocked', 'deciding_test_blocked', withPoint(blockedTest)],
    ['blocked', 'deciding_test_blocked', withDirection(blockedTest)],
    ['blocked', 'deciding_test_blocked', withPoint(test(-1), null)],
    ['negative', 'significantly_worse', withOverall(test(0.001))],
    ['negative', 'regression_limit_exceeded', withPoint(test(0.001, wide(0.00051, 0.002)))],
    ['negative', 'direction_limit_exceeded', withDirection(test(0.05, wide(0.021, 0.1)))],
    ['inconclusive', 'practical_floor_not_reached', withOverall(test(-0.00019))],
  ])('is %s: %s (%#)', (disposition, code, given) => {
    const result = decideDisposition(given)
    expect(result.disposition).toBe(disposition)
    expect(result.reasons[0]).toMatchObject({ code, leads_to: disposition })
  })

  const LIMITS = { availabilityLimits: { all: 0.02, level: 0.05 } }
  const silent = (notScored: number, level: string | null = null) =>
    withB({ availability: [{ horizon: 4, level, origins: 1000, notScored }] })

  it.each([
    ['all origins, at the limit', silent(20), 'eligible_for_human_review'],
    ['all origins, one more', silent(21), 'blocked'],
    ['one level, at the limit', silent(50, 'volatility: high'), 'eligible_for_human_review'],
    ['one level, one more', silent(51, 'volatility: high'), 'blocked'],
  ])('blocks by silence: %s', (_, given, disposition) => {
    const result = decideDisposition({ ...given, ...LIMITS })
    expect(result.disposition).toBe(disposition)
    const found = result.reasons.filter(({ code }) => code === 'availability_limit_exceeded')
    const level = given.comparisons[1]?.availability[0]?.level ?? null
    const shares = level === null ? { found: 0.021, limit: 0.02 } : { found: 0.051, limit: 0.05 }
    const reason = { leads_to: 'blocked', comparator: 'b', horizon: 4, ...shares }
    const details = level === null ? [] : [level]
    expect(found).toMatchObject(disposition === 'blocked' ? [{ ...reason, details }] : [])
  })

  it('does not ask for availability where a registration has no such limit', () => {
    expect(decideDisposition(silent(999)).disposition).toBe('eligible_for_human_review')
  })

  it('notes one failure in 17,376 and blocks nothing for it', () => {
    const availability = [{ horizon: 2, level: null, origins: 4344, notScored: 1 }]
    const given = withFailures([1, 17_376], [0, 17_376], { availability })
    const result = decideDisposition({ ...given, ...LIMITS })
    expect(result.disposition).toBe('eligible_for_human_review')
    expect(result.reasons.map(({ code }) => code)).toContain('failure_rate_above_comparator')
    // Fewer in number, and more of what was expected.
    const codes = (of: DispositionInput) => decideDisposition(of).reasons.map(({ code }) => code)
    expect(codes(withFailures([2, 100], [19, 1000]))).toContain('failure_rate_above_comparator')
    expect(codes(withFailures([2, 100], [20, 1000]))).not.toContain('failure_rate_above_comparator')
  })

  const byVerdict = (changes: Partial<VerdictBasis> = {}, rejected = true): DispositionInput => ({
    ...input({ byVerdict: basis(changes, rejected) }),
    ...LIMITS,
  })
  const gaps = (missing: number) =>
    byVerdict({ missingOutcomes: missing > 20 ? [{ ...MISSING, found: missing / 1000 }] : [] })
  const MISSING = { limit: 0.02, details: ['group south'] }
  const first = (given: DispositionInput) => {
    const { disposition, reasons } = decideDisposition(given)
    return { disposition, ...reasons[0] }
  }
  const ELIGIBLE = { disposition: 'eligible_for_human_review', code: 'improvement_established' }
  const INCONCLUSIVE = { disposition: 'inconclusive', leads_to: 'inconclusive' }

  it('by a verdict hypothesis needs that to be rejected', () => {
    expect(first(byVerdict())).toMatchObject(ELIGIBLE)
    expect(first(byVerdict({}, false))).toMatchObject({
      ...{ ...INCONCLUSIVE, code: 'verdict_not_established' },
      ...{ test: 'a part', found: 0.02, limit: 0.05 },
    })
  })

  it('is inconclusive where more outcomes are missing than may be, whatever is shown by the others', () => {
    const code = 'outcomes_missing'
    expect(first(gaps(20))).toMatchObject(ELIGIBLE)
    expect(first(gaps(21))).toMatchObject({
      ...{ ...INCONCLUSIVE, code, found: 0.021, limit: 0.02, details: ['group south'] },
    })
    const overall = { test: test(0.001), comparatorLoss: 0.01 }
    const worse = (missing: number) => ({
      ...gaps(missing),
      comparisons: [{ ...good('a'), overall }],
    })
    expect(first(worse(20))).toMatchObject({ disposition: 'negative', code: 'significantly_worse' })
    expect(first(worse(21))).toMatchObject({ ...INCONCLUSIVE, code })
    expect(first({ ...worse(21), shortened: true }).disposition).toBe('blocked')
  })

  it('is at most inconclusive where the rules are too lax, and negative all the same', () => {
    const tooLax = [{ found: 0.9, limit: 0.2, details: ['harm'] }]
    const code = 'rules_too_lax'
    expect(first(byVerdict({ tooLax }))).toMatchObject({ ...INCONCLUSIVE, code, ...tooLax[0] })
    const overall = { test: test(0.001), comparatorLoss: 0.01 }
    const worse = { ...byVerdict({ tooLax }), comparisons: [{ ...good('a'), overall }] }
    expect(first(worse)).toMatchObject({ disposition: 'negative', code: 'significantly_worse' })
  })

  it('needs the floor to be reached by the worst that is missing', () => {
    const at = (estimate: number) => {
      const overall = { ...good('a').overall, estimate }
      return first({ ...byVerdict(), comparisons: [{ ...good('a'), overall }] })
    }
    expect(at(-0.0002)).toMatchObject(ELIGIBLE)
    expect(at(-0.00019)).toMatchObject({
      ...{ ...INCONCLUSIVE, code: 'practical_floor_not_reached', found: 0.019 },
    })
  })

  it('asks for what waiting is worth besides, and is none where that is too much or all', () => {
    const improved = (waiting: number) => {
      const overall = { ...good('a').overall, estimate: -0.0003, waiting }
      return first({ ...byVerdict(), comparisons: [{ ...good('a'), overall }] })
    }
    // 3 % better, with a floor of 2 %.
    expect(improved(0.009)).toMatchObject(ELIGIBLE)
    expect(improved(0.011)).toMatchObject({
      ...{ ...INCONCLUSIVE, code: 'practical_floor_not_reached' },
    })
    const isOnly = { worth: 1, nowcasts: [0], isOnly: true }
    expect(first(byVerdict({ waiting: isOnly }))).toMatchObject({
      ...{ ...INCONCLUSIVE, code: 'only_nowcasts' },
    })
    const { reasons } = decideDisposition(
      byVerdict({ waiting: { worth: 0, nowcasts: [0], isOnly: false } }),
    )
    const noted = reasons.filter(({ code }) => code === 'nowcast')
    expect(noted).toMatchObject([{ leads_to: 'eligible_for_human_review', details: ['0'] }])
  })

  it('rests on parts and on bounds, whatever a test of the family says', () => {
    const { simultaneousBounds: bounds } = test(-0.001)
    const point = { test: { ...blockedTest, simultaneousBounds: bounds! }, comparatorLoss: 0.01 }
    const horizons = [{ horizon: 2, point, direction: undefined }]
    expect(first({ ...byVerdict(), comparisons: [{ ...good('a'), horizons }] })).toMatchObject(
      ELIGIBLE,
    )
    const without = [{ horizon: 2, point: { ...point, test: blockedTest }, direction: undefined }]
    const blocked = { disposition: 'blocked', code: 'deciding_test_blocked' }
    expect(
      first({ ...byVerdict(), comparisons: [{ ...good('a'), horizons: without }] }),
    ).toMatchObject({ ...blocked, details: blockedTest.reasons })
    const { verdict } = basis()
    const [part] = verdict.parts
    const parts = [{ ...part!, p: null, reasons: ['too_few_days' as const] }]
    expect(first(byVerdict({ verdict: { ...verdict, parts } }))).toMatchObject({
      ...{ ...blocked, test: 'a part', details: ['too_few_days'] },
    })
  })

  it('asks that harm is excluded in every group, and finds no candidate negative by one', () => {
    const group = { group: 'south', test: 'of south', comparatorLoss: 0.01, reasons: [] }
    const at = (found: number | null, reasons: readonly string[] = []) => {
      const groups = [{ ...group, found, reasons }]
      return first({ ...byVerdict(), comparisons: [{ ...good('a'), groups }] })
    }
    expect(at(0.0005)).toMatchObject(ELIGIBLE)
    expect(at(0.1)).toMatchObject({
      ...{ ...INCONCLUSIVE, code: 'group_harm_not_excluded', test: 'of south' },
      ...{ found: 10, limit: 0.05, details: ['south'] },
    })
    expect(at(null, ['no_pairs'])).toMatchObject({
      ...{ disposition: 'blocked', code: 'deciding_test_blocked', details: ['no_pairs'] },
    })
  })

  it('lets one series of fifty be left out, and names it', () => {
    const availability = (count: number, beyond: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ horizon: 'overall' as const, level: `series: ${at}`, isSeries: true, origins: 100 },
        notScored: at < beyond ? 6 : 5,
      }))
    const at = (count: number, beyond: number) =>
      decideDisposition({ ...withB({ availability: availability(count, beyond) }), ...LIMITS })
    expect(at(49, 0).disposition).toBe('eligible_for_human_review')
    expect(at(49, 1).disposition).toBe('blocked')
    const { disposition, reasons } = at(50, 1)
    expect(disposition).toBe('eligible_for_human_review')
    expect(reasons.find(({ code }) => code === 'availability_limit_exceeded')).toMatchObject({
      ...{ leads_to: 'eligible_for_human_review', details: ['series: 0'], found: 0.06 },
    })
    expect(at(99, 2).reasons.filter(({ leads_to }) => leads_to === 'blocked')).toHaveLength(2)
  })

  it('is inconclusive where a model of the history has the name of a built-in', () => {
    expect(first(byVerdict({ substituted: ['b'] }))).toMatchObject({
      ...{ ...INCONCLUSIVE, code: 'comparator_substituted', comparator: 'b' },
    })
  })

  it('is none of a window that was shortened when it was scored', () => {
    const code = 'window_shortened'
    expect(first({ ...input(), shortened: true })).toMatchObject({ disposition: 'blocked', code })
  })

  it('has no direction to lose where a comparator calls none, and none is missing', () => {
    const none = good('b').horizons.map((cell) => ({ ...cell, direction: null }))
    const { disposition, reasons } = decideDisposition(withB({ horizons: none }))
    expect(disposition).toBe('eligible_for_human_review')
    const silent = reasons.filter(({ code }) => code === 'direction_not_comparable')
    expect(silent.map(({ comparator, horizon }) => [comparator, horizon])).toEqual([
      ['b', 2],
      ['b', 4],
    ])
  })

  it.each([
    [20, 'eligible_for_human_review'],
    [21, 'blocked'],
  ])(
    'keeps a comparator of the history to the same limits: %i of 1,000',
    (notScored, disposition) => {
      const comparator = { origins: 1000, notScored }
      const availability = [
        { ...{ horizon: 4, level: null, origins: 1000, notScored: 0 }, comparator },
      ]
      const found = first({ ...withB({ availability }), ...LIMITS })
      expect(found.disposition).toBe(disposition)
      const isBlocked = found.code === 'comparator_availability_limit_exceeded'
      expect(isBlocked).toBe(disposition === 'blocked')
    },
  )

  it('accepts bounds that lie on their limits', () => {
    const [point, direction] = [test(0, wide(0.05 * 0.01, 1)), test(0, wide(0.02, 1))]
    for (const given of [withPoint(point), withDirection(direction)]) {
      expect(decideDisposition(given).disposition).toBe('eligible_for_human_review')
    }
  })

  it('lists every reason, the weightiest first', () => {
    const worse = withOverall(test(0.001))
    const result = decideDisposition(worse)
    expect(result.reasons.map((reason) => reason.code)).toEqual([
      'significantly_worse',
      'practical_floor_not_reached',
      'improvement_established',
    ])
  })

  it.each<[string, DispositionReason['code'], DispositionInput]>([
    ['blocked', 'deciding_test_blocked', withPoint(blockedTest)],
    ['blocked', 'window_shortened', input({ shortened: true })],
    ['higher', 'significantly_worse', withOverall(test(0.001))],
    ['neither', 'regression_limit_exceeded', withPoint(test(0.001, wide(0.00051, 0.002)))],
    ['neither', 'direction_limit_exceeded', withDirection(test(0.05, wide(0.021, 0.1)))],
    ['neither', 'practical_floor_not_reached', withOverall(test(-0.00019))],
    ['lower', 'improvement_established', input({})],
  ])('has no verdict in a backtest, and is %s: %s', (disposition, code, given) => {
    const result = decideDisposition({ ...given, mode: 'backtest' })
    expect(result.disposition).toBe(disposition)
    expect(result.reasons[0]).toMatchObject({ code, leads_to: disposition })
    const verdicts = ['eligible_for_human_review', 'negative', 'inconclusive']
    for (const { leads_to } of result.reasons) expect(verdicts).not.toContain(leads_to)
  })

  it('says why a deciding test is blocked', () => {
    const { reasons } = decideDisposition(withDirection(blockedTest))
    expect(reasons[0]).toEqual({
      ...{ found: null, limit: null },
      ...{ code: 'deciding_test_blocked', leads_to: 'blocked', comparator: 'b', horizon: 4 },
      ...{ measure: 'direction_error', test: 'b', details: ['too_few_pairs', 'too_few_blocks'] },
    })
  })

  it('never finds a copy of a comparator eligible, with any limits', () => {
    const number = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(number, number, number, (practicalFloor, regressionLimit, directionLimit) => {
        const same = test(0, { p: 1 })
        const copy: Comparison = {
          ...good('a'),
          overall: { test: same, comparatorLoss: 0.01 },
          horizons: [{ horizon: 2, point: { test: same, comparatorLoss: 0.01 }, direction: same }],
        }
        const given = input({
          comparisons: [copy],
          ...{ practicalFloor, regressionLimit, directionLimit },
          byVerdict: basis({}, false),
        })
        expect(decideDisposition(given).disposition).toBe('inconclusive')
      }),
    )
  })
})

describe('waiting until forecasts are due', () => {
  const waiting = (of: Partial<NonNullable<VerdictBasis['waiting']>>, comparison = good('a')) => {
    const byVerdict = basis({ waiting: { worth: 0.1, nowcasts: [], isOnly: false, ...of } })
    const { disposition, reasons } = decideDisposition(
      input({ comparisons: [comparison], byVerdict }),
    )
    return [disposition, reasons.map(({ code }) => code)] as const
  }

  it('that is given away has a verdict of its own', () => {
    expect(waiting({ isGivenAway: true })[0]).toBe('eligible_waiting_given_away')
  })

  it('of which most is over makes nobody eligible, whether charged or given away', () => {
    for (const isGivenAway of [true, false]) {
      const [disposition, [first]] = waiting({ worth: 0.61, isGivenAway })
      expect([disposition, first]).toEqual(['inconclusive', 'waiting_too_long'])
      expect(waiting({ worth: 0.6, isGivenAway })[0]).toMatch(/^eligible/)
    }
    // Whoever is worse is negative all the same.
    const worse = { ...good('a'), overall: { test: test(0.001), comparatorLoss: 0.01 } }
    expect(waiting({ worth: 0.61 }, worse)[0]).toBe('negative')
  })
})
