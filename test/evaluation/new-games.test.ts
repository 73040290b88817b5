import { describe, expect, it } from 'vitest'
import { MICROS_PER_DAY, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { checkPolicy } from '../../src/protocol/rules/policy.js'
import { checkSeriesPeriods } from '../../src/protocol/rules/series-periods.js'
import { seriesWindowFindings } from '../../src/registration/series-plan-rules.js'
import { beforeYouRead, listCautions } from '../../src/report/notes.js'
import { changedIn } from '../protocol/sample.js'
import { WEEKS, weekly } from '../protocol/weekly.js'
import { normals } from '../support/random.js'
import { standard } from '../support/standard.js'
import { type Game, played, several } from './played.js'

/**
 * Games that were invented from the page on judgement alone, by somebody who did not build it. Each ended eligible
 * without skill, or negative for a good rival, unless it says otherwise.
 */

const ELIGIBLE = 'eligible_for_human_review'
const ONE = several(1, { loss: 1 })

describe('periods at uneven distances', () => {
  const tuesdays = (at: number) => (Math.floor(at / 2) * 7 + (at % 2 ? 2 : 0)) * MICROS_PER_DAY
  const twice = (at: number) => (Math.floor(at / 2) * 24 + (at % 2 ? 4 : 0)) * MICROS_PER_HOUR
  /** The one of two has another mean than the other, and the candidate says the means. */
  const usual = (at: number) => 1000 + (at % 2 ? 20 : 0)
  const game: Game = {
    series: ONE,
    value: (_, noise, at) => usual(at) + 5 * noise,
    says: (_before, _value, at) => usual(at),
  }

  it('that make more of the longer ones turn no season off', async () => {
    // Of an odd number of distances between Tuesdays and Thursdays most are five days, and a week is less than 1.5 of these.
    const { disposition, result } = await played({
      ...{ ...game, starts: tuesdays, count: 700, window: [500, 681] },
      protocol: standard({ seasons: ['week', 'year'] }),
    })
    expect(result.settings.not_asked).toEqual([])
    expect(disposition).toBe('inconclusive')
  })

  it('mix no two hours of a day in what is usual', async () => {
    const length = MICROS_PER_HOUR
    const { disposition, result } = await played({
      ...{ ...game, starts: twice, length, count: 1700, window: [1400, 1681] },
      protocol: standard({ seasons: ['day', 'week', 'year'] }),
    })
    expect(result.settings.not_asked).toEqual([])
    expect(disposition).toBe('inconclusive')
  })
})

it('hours of a list that begins with the window know no week, and are refused', async () => {
  const ofWeek = (at: number) => 1000 + (at % 168 < 48 ? 50 : 0)
  const game: Game = {
    ...{ series: ONE, length: MICROS_PER_HOUR, count: 900 },
    value: (_, noise, at) => ofWeek(at) + 10 * noise,
    says: (_before, _value, at) => ofWeek(at),
    protocol: {
      ...standard({ seasons: ['day', 'week'] }),
      dependence: { block_origins: 24, minimum_blocks: 10, minimum_pairs: 240 },
    },
  }
  const refused = async (first: number) => {
    const { basis } = await played({ ...game, window: [first, 890] })
    const { registration, rules, periods } = basis
    const found = seriesWindowFindings(registration, rules, periods, 0)
    return found.map(({ args }) => args)
  }
  expect(await refused(55)).toMatchObject([{ fault: 'silent', at: 'usual_week', than: 's10' }])
  // Of five weeks 840 hours: half of the targets have as many before them.
  expect(await refused(800)).toEqual([])
})

describe('a protocol', () => {
  const ofScore = (score: object, levels: string[], more = {}) => ({
    '/scores': [{ id: 'own', primary: true, ...score }],
    '/forecast/levels': levels,
    ...more,
  })
  it.each([
    // Persistence, drift and the seasons were silent throughout, and a copy of the last value eligible.
    ['whose baseline waits for 100,000 errors', { '/baselines/0/errors/minimum': 100_000 }, 'many'],
    // A copy with well-set quantiles was 57 % better than persistence with those of 50 errors.
    [
      'with a weighted interval of two far levels',
      ofScore({ kind: 'weighted_interval' }, ['0.0005', '0.9995']),
      'errors',
    ],
    // A narrow interval that is hardly ever missed: up to 31 % of those that are no better, with half a miss to be expected.
    [
      'of which a level is hardly ever missed',
      ofScore({ kind: 'pinball', level: '0.99' }, ['0.5', '0.99'], {
        '/dependence/minimum_pairs': 399,
      }),
      'pairs',
    ],
  ])('%s is refused', (_, changes, fault) => {
    const found = checkPolicy({ value: changedIn(weekly(), changes) }, WEEKS)
    expect(found.map(({ args }) => (args as { fault: string }).fault)).toContain(fault)
  })

  it('with a tail that is nothing to most of its score is not', () => {
    const levels = ['0.005', '0.25', '0.5', '0.75', '0.995']
    const value = changedIn(weekly(), ofScore({ kind: 'weighted_interval' }, levels))
    expect(checkPolicy({ value }, WEEKS)).toEqual([])
  })
})

it('a constant on white noise is no skill in a far tail, where a hundred values are few', async () => {
  // Of the sum of three uniforms half a percent lies above 3 - (6 · 0.005)^(1/3). Of 0.99 a constant was 6 % better than a
  // climatology of a hundred values, of 0.999 34.
  const far = 1.5 - 0.03 ** (1 / 3)
  const { disposition, codes } = await played({
    ...{ series: several(3, { loss: 1 }), count: 1900, window: [900, 1890] },
    value: (_, noise) => 1000 + noise,
    says: () => 1000,
    spread: (level) => (level === 0.5 ? 0 : far),
    protocol: {
      forecast: { point: 'median', levels: ['0.5', '0.995'], integer: false },
      scores: [{ id: 'far', kind: 'pinball', level: '0.995', primary: true }],
      ...standard({ seasons: ['week'], errors: { window: 400, minimum: 200 } }),
      dependence: { block_origins: 2, minimum_blocks: 10, minimum_pairs: 800 },
    },
  })
  expect([disposition, codes]).toEqual([
    'inconclusive',
    expect.arrayContaining(['practical_floor_not_reached']),
  ])
})

it('the largest of sixty series is no exception from silence', async () => {
  const large = { id: 'large', loss: 2, size: 500 }
  const isSilent = (_: number, id: string) => id === 'large'
  const game = { series: [...several(60, { loss: 0.7 }), large], isSilent }
  const { disposition, reasons } = await played(game)
  expect([disposition, reasons[0]?.details]).toEqual(['blocked', ['series: large']])
  // One as small as the others is.
  const small = [...several(60, { loss: 0.7 }), { ...large, size: 1 }]
  expect((await played({ series: small, isSilent })).disposition).toBe(ELIGIBLE)
})

describe('a good rival', () => {
  const limits = { availability: '0.05', availability_stratum: '0.1', practical_effect: '0.03' }
  const series = several(10, { loss: 1 })

  it('is made negative by no limit of 0 at a far step', async () => {
    const { disposition, codes } = await played({
      series,
      // 30 % better at four steps, 2 % worse at the fifth.
      says: (before, value, _, step) => value - (step === 5 ? 1.02 : 0.7) * (value - before),
      protocol: {
        ...{ horizons: [1, 2, 3, 4, 5], limits: { ...limits, harm: '0' } },
        dependence: { block_origins: 5, minimum_blocks: 10, minimum_pairs: 50 },
      },
    })
    expect([disposition, codes]).toEqual(['inconclusive', ['verdict_not_established']])
  })

  it('is made negative by no epsilon that is larger than its calls', async () => {
    const scores: SeriesProtocol['scores'] = [
      { id: 'ae', kind: 'absolute_error', primary: true },
      { id: 'way', kind: 'direction', epsilon: '0.2' },
    ]
    const baselines: SeriesProtocol['baselines'] = [
      { id: 'last', kind: 'persistence' },
      { id: 'trend', kind: 'drift' },
    ]
    const { disposition, codes } = await played({
      series,
      value: (before, noise) => before + noise + 0.35,
      // Always to the right side, and never far.
      says: (before, value) => before + 0.15 * (value - before),
      protocol: {
        ...{ scores, baselines, comparisons: { required: ['last', 'trend'] } },
        limits: { ...limits, harm: '0.05', direction: '0.02' },
      },
    })
    expect(disposition).toBe('inconclusive')
    expect(codes).not.toContain('direction_limit_exceeded')
  })
})

describe('what stays open is said:', () => {
  const said = async (game: Game) => {
    const { disposition, result } = await played(game)
    return {
      disposition,
      open: beforeYouRead(result).open.join(),
      all: listCautions(result).join(),
    }
  }

  it('a mean of a day, said to be of its end, is half known at noon', async () => {
    const random = normals(3)
    let [price, half, now] = [1000, 0, 0]
    const hours = (count: number) =>
      Array.from({ length: count }, () => (price += random())).reduce((sum, one) => sum + one, 0)
    const value = () => {
      half = hours(12) / 24
      now = price
      return half + hours(12) / 24
    }
    const noon = { anchor: 'end', offset: 'PT12H' } as const
    const { disposition, open } = await said({
      ...{ series: ONE, count: 300, window: [60, 290], value, says: () => half + now / 2 },
      protocol: {
        ...standard({ seasons: ['week'] }),
        origins: { due: noon },
        outcome: { known: noon, over: 'end', release: { rule: 'unrevised', wait: 'PT1H' } },
      },
    })
    expect(disposition).toBe(ELIGIBLE)
    expect(open).toContain('Were it a mean or a total')
  })

  it('a season of a month, and the usual step of what falls slowly and jumps', async () => {
    const payday = (at: number) => 1000 + (at % 30 === 0 ? 30 : at % 30 < 4 ? 10 : 0)
    const window = { count: 1200, window: [900, 1190] as const }
    const protocol = standard({ seasons: ['week', 'year'] })
    const month: Game = {
      ...{ series: ONE, ...window, protocol },
      value: (_, noise, at) => payday(at) + 2 * noise,
      says: (_before, _value, at) => payday(at),
    }
    const falling: Game = {
      ...{ series: several(3, { loss: 1 }), ...window, protocol },
      value: (before, noise) => before - 1 + Math.max(0, 30 * (noise - 0.9)),
      says: (before) => before - 1,
    }
    for (const game of [month, falling]) {
      const { disposition, all } = await said(game)
      expect(disposition).toBe(ELIGIBLE)
      expect(all).toContain('a season of a fortnight, a month or a tide')
    }
  })

  it('preliminary values that are always a tenth too low, which a factor mends', async () => {
    const { disposition, all } = await said({
      ...{ series: several(3, { loss: 1 }), count: 300, window: [100, 270] },
      value: (before, noise) => before + 30 * noise,
      says: (before) => before,
      published: (value, end) => [
        { asOf: end, value: 0.9 * value },
        { asOf: end + 10 * MICROS_PER_DAY, value },
      ],
      protocol: {
        ...standard({ seasons: ['week'] }),
        outcome: {
          ...{ known: { anchor: 'end', offset: 'PT0S' }, over: 'end' },
          release: { rule: 'as_of_lag', lag: 'P20D' },
        },
      },
    })
    expect(disposition).toBe(ELIGIBLE)
    expect(all).toContain('a candidate that corrects them by one number')
  })

  it('a comparator of the history that was filled in afterwards makes a good rival negative', async () => {
    const { disposition, open } = await said({
      series: several(10, { loss: 1 }),
      says: (before, value) => value - 0.7 * (value - before),
      rival: { name: 'champion', says: (before, value) => value - 0.5 * (value - before) },
      protocol: { comparisons: { required: ['last', 'champion'] } },
    })
    expect(disposition).toBe('negative')
    expect(open).toContain('a comparator filled in afterwards (champion)')
  })
})

describe('what gained nothing before', () => {
  const noise: Game = {
    ...{ series: ONE, count: 250, window: [100, 240], value: (_, own) => 1000 + own },
    says: () => 1000,
    protocol: standard({ seasons: ['week'] }),
  }
  const swapped: Pick<SeriesProtocol, 'baselines' | 'comparisons'> = {
    baselines: [
      { id: 'climatology', kind: 'persistence' },
      { id: 'persistence', kind: 'climatology' },
    ],
    comparisons: { required: ['climatology', 'persistence'] },
  }
  let atDue = 0
  it.each<[string, Game, string[]]>([
    [
      'earlier values dated after the window',
      {
        ...noise,
        published: (value, end, at) => [
          { asOf: end + (at < 95 ? 400 : 0) * MICROS_PER_DAY, value },
        ],
      },
      ['inconclusive', 'outcomes_missing'],
    ],
    [
      'values that are withdrawn the day after the next',
      {
        ...noise,
        published: (value, end) => [
          { asOf: end, value },
          { asOf: end + 1.5 * MICROS_PER_DAY, value: undefined },
        ],
      },
      ['blocked', 'deciding_test_blocked'],
    ],
    [
      'steps that a few origins each have',
      {
        ...{ series: ONE, count: 300, window: [60, 219] },
        steps: (at) => [(at % 60) + 1],
        protocol: {
          horizons: Array.from({ length: 60 }, (_, at) => at + 1),
          dependence: { block_origins: 16, minimum_blocks: 10, minimum_pairs: 1 },
        },
      },
      ['blocked', 'deciding_test_blocked'],
    ],
    [
      'persistence under another name',
      {
        series: several(3, { loss: 1 }),
        value: (before, own) => {
          atDue = before + own / 2
          return before + own
        },
        says: () => atDue,
        protocol: {
          ...swapped,
          origins: { due: { anchor: 'end', offset: 'PT12H' } },
          outcome: {
            ...{ known: { anchor: 'end', offset: 'PT12H' }, over: 'end' },
            release: { rule: 'unrevised', wait: 'PT1H' },
          },
        },
      },
      ['inconclusive', 'verdict_not_established'],
    ],
  ])('%s', async (_, game, expected) => {
    const { disposition, codes } = await played(game)
    expect([disposition, codes[0]]).toEqual(expected)
  })

  it('a column that puts off when earlier values are known', async () => {
    const known = { anchor: 'column' } as const
    const { basis } = await played({
      ...noise,
      known: (at) => (at < 98 ? 4000 : 0) * MICROS_PER_DAY,
      protocol: {
        ...noise.protocol,
        origins: { due: { anchor: 'end', offset: 'PT0S' } },
        outcome: { known, over: 'end', release: { rule: 'unrevised', wait: 'PT1H' } },
      },
    })
    const found = checkSeriesPeriods(basis.protocol, basis.periods)
    expect(found.map(({ pointer }) => pointer)).toEqual(['/dependence/block_origins'])
  })
})
