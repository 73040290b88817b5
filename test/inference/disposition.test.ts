import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Comparison,
  type DispositionInput,
  type DispositionReason,
  decideDisposition,
} from '../../src/inference/disposition.js'
import type { BlockedTest, TestedTest, TestResult } from '../../src/inference/types.js'

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
    adjustedBounds: { level: 0.005, lower: observed - half, upper: observed + half },
    ...changes,
  }
}

const undecided = { holm: { rank: 9, multiplier: 2, adjustedP: 0.4, rejected: false } }
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

function input(changes: Partial<DispositionInput> = {}): DispositionInput {
  return {
    mode: 'prospective',
    required: ['a', 'b'],
    horizons: [2, 4],
    comparisons: [good('a'), good('b')],
    practicalFloor: 0.02,
    regressionLimit: 0.05,
    directionLimit: 0.02,
    controlsPassed: true,
    ...changes,
  }
}

const withB = (changes: Partial<Comparison>) =>
  input({ comparisons: [good('a'), { ...good('b'), ...changes }] })

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
  ...undecided,
  adjustedBounds: { level: 0.01, lower, upper },
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

  const CASES: [string, DispositionInput, string, DispositionReason['code']][] = [
    ['controls', input({ controlsPassed: false }), 'blocked', 'control_failed'],
    ['no comparison', input({ comparisons: [good('a')] }), 'blocked', 'comparison_missing'],
    ['nothing required', input({ required: [] }), 'blocked', 'comparison_missing'],
    ['a horizon without tests', input({ horizons: [2, 4, 8] }), 'blocked', 'comparison_missing'],
    [
      'more failures, though fewer in number',
      withB({
        candidateFailures: { failures: 2, expected: 100 },
        comparatorFailures: { failures: 19, expected: 1000 },
      }),
      'blocked',
      'failure_rate_above_comparator',
    ],
    ['overall blocked', withOverall(blockedTest, null), 'blocked', 'deciding_test_blocked'],
    ['horizon blocked', withPoint(blockedTest), 'blocked', 'deciding_test_blocked'],
    ['direction blocked', withDirection(blockedTest), 'blocked', 'deciding_test_blocked'],
    ['loss unknown', withPoint(test(-1), null), 'blocked', 'deciding_test_blocked'],
    ['significantly worse', withOverall(test(0.001)), 'negative', 'significantly_worse'],
    [
      'regression beyond the limit',
      withPoint(test(0.001, wide(0.00051, 0.002))),
      'negative',
      'regression_limit_exceeded',
    ],
    [
      'direction beyond the limit',
      withDirection(test(0.05, wide(0.021, 0.1))),
      'negative',
      'direction_limit_exceeded',
    ],
    [
      'too small to matter',
      withOverall(test(-0.00019)),
      'inconclusive',
      'practical_floor_not_reached',
    ],
    ['not significant', withOverall(test(-0.001, undecided)), 'inconclusive', 'not_significant'],
    [
      'replicates on the other side of zero than the observed value',
      withOverall(test(-0.001, { side: 'neither' })),
      'inconclusive',
      'not_significant',
    ],
    [
      'regression not excluded',
      withPoint(test(0, wide(-0.001, 0.00051))),
      'inconclusive',
      'regression_not_excluded',
    ],
    [
      'direction loss not excluded',
      withDirection(test(0, wide(-0.1, 0.021))),
      'inconclusive',
      'direction_loss_not_excluded',
    ],
    ['backtest', input({ mode: 'retrospective' }), 'inconclusive', 'retrospective'],
  ]

  it.each(CASES)('%s', (_, given, disposition, code) => {
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
    expect(found).toEqual(
      disposition !== 'blocked'
        ? []
        : [
            expect.objectContaining({
              ...{ leads_to: 'blocked', comparator: 'b', horizon: 4 },
              ...(level === null
                ? { found: 0.021, limit: 0.02, details: [] }
                : { found: 0.051, limit: 0.05, details: [level] }),
            }),
          ],
    )
  })

  it('does not ask for availability where a registration has no such limit', () => {
    expect(decideDisposition(silent(999)).disposition).toBe('eligible_for_human_review')
  })

  it('notes one failure in 17,376 and blocks nothing for it', () => {
    const given = withB({
      candidateFailures: { failures: 1, expected: 17_376 },
      comparatorFailures: { failures: 0, expected: 17_376 },
      availability: [{ horizon: 2, level: null, origins: 4344, notScored: 1 }],
    })
    expect(decideDisposition(given).disposition).toBe('blocked')
    const result = decideDisposition({ ...given, ...LIMITS })
    expect(result.disposition).toBe('eligible_for_human_review')
    expect(result.reasons.map(({ code }) => code)).toContain('failure_rate_above_comparator')
  })

  it('accepts bounds that lie on their limits', () => {
    const onLimits = [
      withPoint(test(0, wide(-1, 0.05 * 0.01))),
      withDirection(test(0, wide(-1, 0.02))),
    ]
    for (const given of onLimits) {
      expect(decideDisposition(given).disposition).toBe('eligible_for_human_review')
    }
  })

  it('lists every reason, the weightiest first', () => {
    const worse = withOverall(test(0.001))
    const result = decideDisposition({ ...worse, mode: 'retrospective', controlsPassed: false })
    expect(result.reasons.map((reason) => reason.code)).toEqual([
      'control_failed',
      'significantly_worse',
      'practical_floor_not_reached',
      'not_significant',
      'retrospective',
      'improvement_established',
    ])
  })

  it('says why a deciding test is blocked', () => {
    const { reasons } = decideDisposition(withDirection(blockedTest))
    expect(reasons[0]).toEqual({
      ...{ found: null, limit: null },
      ...{ code: 'deciding_test_blocked', leads_to: 'blocked', comparator: 'b', horizon: 4 },
      ...{ measure: 'direction_error', test: 'b', details: ['too_few_pairs', 'too_few_blocks'] },
    })
  })

  it('lets a comparator that is not required decide nothing', () => {
    const worse = { ...good('c'), overall: { test: test(0.001), comparatorLoss: 0.01 } }
    const given = input({ comparisons: [good('a'), good('b'), worse] })
    expect(decideDisposition(given).disposition).toBe('eligible_for_human_review')
  })

  it('never finds a copy of a comparator eligible, with any limits', () => {
    const number = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(number, number, number, (practicalFloor, regressionLimit, directionLimit) => {
        const same = test(0, { p: 1, ...undecided })
        const copy: Comparison = {
          ...good('a'),
          overall: { test: same, comparatorLoss: 0.01 },
          horizons: [{ horizon: 2, point: { test: same, comparatorLoss: 0.01 }, direction: same }],
        }
        const given = input({
          ...{ required: ['a'], horizons: [2], comparisons: [copy] },
          ...{ practicalFloor, regressionLimit, directionLimit },
        })
        expect(decideDisposition(given).disposition).toBe('inconclusive')
      }),
    )
  })
})
