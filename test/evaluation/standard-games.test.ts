import { describe, expect, it } from 'vitest'
import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_MINUTE } from '../../src/contract/instant.js'
import { checkPolicy } from '../../src/protocol/rules/policy.js'
import { changedIn } from '../protocol/sample.js'
import { WEEKS, weekly } from '../protocol/weekly.js'
import { type StandardOptions, standard } from '../support/standard.js'
import { type Game, played, several } from './played.js'

/**
 * Candidates without skill that know one simple thing which the comparators of a protocol do not: a mean, a trend, a
 * season. Each was eligible where the protocol chose its comparators; none is against the standard ones.
 */

const ELIGIBLE = 'eligible_for_human_review'
const ONE = several(1, { loss: 1 })

/** The same game against persistence alone, and against the standard comparators. */
async function both(game: Game, seasons: StandardOptions['seasons'] = []) {
  const alone = await played(game)
  const all = await played({ ...game, protocol: { ...game.protocol, ...standard({ seasons }) } })
  return {
    alone: alone.disposition,
    all: all.disposition,
    asked: all.result.settings.comparators.length,
  }
}

/** What of a year, from 0 to 1, is over at the end of a period. */
const ofYear = (end: number) => Math.sin((2 * Math.PI * end) / (365.25 * MICROS_PER_DAY))

describe('a mean', () => {
  it('of white noise is no skill', async () => {
    const game: Game = { series: ONE, value: (_, noise) => 1000 + noise, says: () => 1000 }
    const { alone, all } = await both(game, ['week'])
    expect(alone).toBe(ELIGIBLE)
    expect(all).toBe('inconclusive')
  })

  it('of sparse counts, which is 0, is none', async () => {
    const game: Game = {
      series: ONE,
      value: (_, noise) => (noise > 0.5 ? Math.ceil(10 * noise) : 0),
      says: () => 0,
    }
    const { alone, all } = await both(game, ['week'])
    expect(alone).toBe(ELIGIBLE)
    expect(all).not.toBe(ELIGIBLE)
  })
})

describe('a trend', () => {
  it('of cumulative counts is no skill', async () => {
    const game: Game = {
      series: ONE,
      value: (before, noise) => before + Math.round(20 + 2 * noise),
      says: (before) => before + 20,
      protocol: { forecast: { point: 'median', levels: [], integer: true } },
    }
    const { alone, all } = await both(game, ['week'])
    expect(alone).toBe(ELIGIBLE)
    expect(all).toBe('inconclusive')
  })
})

describe('a season', () => {
  it('of a day in hours is no skill', async () => {
    const ofDay = (at: number) => 1000 + 100 * Math.sin((2 * Math.PI * at) / 24)
    const game: Game = {
      ...{ series: ONE, length: MICROS_PER_HOUR, count: 3000, window: [2500, 2990] },
      value: (_, noise, at) => ofDay(at) + 10 * noise,
      says: (_before, _value, at) => ofDay(at),
      protocol: { dependence: { block_origins: 24, minimum_blocks: 10, minimum_pairs: 240 } },
    }
    const { alone, all } = await both(game, ['day', 'week'])
    expect(alone).toBe(ELIGIBLE)
    expect(all).toBe('inconclusive')
  })

  const days = (count: number) => (at: number) => at * count * MICROS_PER_DAY
  const weekdays = (at: number) => (Math.floor(at / 5) * 7 + (at % 5)) * MICROS_PER_DAY
  it.each([
    ['days', days(1), 1, 1700],
    ['weekdays', weekdays, 1, 1300],
    ['fortnights', days(14), 14, 400],
    ['four weeks', days(28), 28, 400],
  ] as const)('of earlier years in %s is no skill', async (_, starts, length, count) => {
    const usual = (at: number) => 15 + 10 * ofYear(starts(at) + length * MICROS_PER_DAY)
    const game: Game = {
      ...{ series: ONE, starts, length: length * MICROS_PER_DAY, count },
      window: [count - 200, count - 10],
      value: (_, noise, at) => usual(at) + 8 * noise,
      says: (_before, _value, at) => usual(at),
    }
    const seasons = length === 1 ? (['week', 'year'] as const) : (['year'] as const)
    const { alone, all, asked } = await both(game, [...seasons])
    expect([alone, asked]).toEqual([ELIGIBLE, 3 + 2 * seasons.length])
    expect(all).toBe('inconclusive')
  })
})

describe('a season of a week, where every weekday comes in turn,', () => {
  const usual = (day: number) => 1000 + (day % 7 < 2 ? 40 : 0)
  const game = (days: number): Game => ({
    ...{ series: ONE, length: MICROS_PER_DAY, starts: (at) => at * days * MICROS_PER_DAY },
    value: (_, noise, at) => usual(at * days) + 5 * noise,
    says: (_before, _value, at) => usual(at * days),
  })

  // The value of the nearest period a week before is of another weekday; of five days the week was not asked.
  it.each([2, 3, 5, 9])('is no skill in a list of every %d days', async (days) => {
    const found = await both({ ...game(days), count: 700, window: [500, 660] }, ['week', 'year'])
    expect(found).toEqual({ alone: ELIGIBLE, all: 'inconclusive', asked: 7 })
  })

  it('is none at every fifth origin of a list of days', async () => {
    const steps = (at: number) => (at % 5 === 0 ? [1] : [])
    const found = await both({ ...game(1), steps, count: 1500, window: [900, 1400] }, ['week'])
    expect(found).toEqual({ alone: ELIGIBLE, all: 'inconclusive', asked: 5 })
  })
})

it('hours at the end of a list of days leave these the season of a week', async () => {
  const [days, hours] = [180, 240]
  // Each week begins 31 minutes later: within half a day of the last one, and not within half an hour.
  const starts = (at: number) =>
    at < days
      ? at * MICROS_PER_DAY + Math.floor(at / 7) * 31 * MICROS_PER_MINUTE
      : (days + 1) * MICROS_PER_DAY + (at - days) * MICROS_PER_HOUR
  const seen: number[] = []
  const game: Game = {
    ...{ series: ONE, starts, length: MICROS_PER_HOUR, count: days + hours, window: [60, 170] },
    value(_, noise, at) {
      seen[at] = 1000 + 20 * Math.sin((2 * Math.PI * at) / 7) + 5 * noise
      return seen[at]
    },
    says(_before, _value, at) {
      const alike = seen.slice(0, at).filter((_, each) => (at - each) % 7 === 0)
      return alike.reduce((sum, each) => sum + each, 0) / alike.length || 1000
    },
  }
  const { alone, all, asked } = await both(game, ['week'])
  expect([alone, asked]).toEqual([ELIGIBLE, 5])
  expect(all).toBe('inconclusive')
})

it('a comparator is asked of the series that begin early enough for it, and its tests are of these', async () => {
  const series = [
    ...several(2, { loss: 0.6 }),
    { id: 'late', from: 'D500', loss: 0.6 },
    { id: 'later', from: 'D640', loss: 0.6 },
  ]
  const {
    result,
    cells: lines,
    disposition,
  } = await played({
    ...{ series, count: 900, window: [700, 890] },
    protocol: standard({ seasons: ['week', 'year'] }),
  })
  // Of the late one there is a value a year before targets from D860 on: 32 of 191.
  const unasked = ['late', 'later']
  expect(result.settings.not_asked).toEqual(
    ['last_year', 'usual_year'].map((comparator) => ({ comparator, series: 2, first: unasked })),
  )
  expect(result.window.year_not_asked).toBe(true)
  const cells = result.tests.flatMap(({ comparator, step, cells }) =>
    step === 1 ? [[comparator, cells]] : [],
  )
  expect(Object.fromEntries(cells)).toEqual({
    ...{ last: 4, trend: 4, usual: 4, last_week: 4, usual_week: 4, last_year: 2, usual_year: 2 },
  })
  const overall = result.measures.find(
    (of) => of.model === 'last_year' && of.step === 'overall' && of.scope === 'all',
  )
  const own = lines.filter((of) => /^s1/.test(of.series) && of.step === 1)
  const means = own.map((of) => of.models.last_year?.means.ae as number)
  expect(overall?.means.ae).toBeCloseTo((means[0]! + means[1]!) / 2, 10)
  expect(disposition).toBe(ELIGIBLE)
})

describe('a protocol', () => {
  const errors = (window: number, minimum: number) => ({
    '/baselines/0/errors': { window, minimum },
  })
  const scored = (score: object) => ({ '/scores': [{ id: 'own', primary: true, ...score }] })
  it.each([
    ['whose baseline has quantiles of two errors', errors(2, 2)],
    [
      'whose 99 % interval is of fifty',
      { ...errors(50, 20), ...scored({ kind: 'interval', lower: '0.005', upper: '0.995' }) },
    ],
    [
      'whose quantile of 0.999 is of fifty',
      { ...errors(50, 20), ...scored({ kind: 'pinball', level: '0.999' }) },
    ],
    ['of a season alone', { '/comparisons/required': ['last_season'] }],
  ])('%s is refused', (_, changes) => {
    const found = checkPolicy({ value: changedIn(weekly(), changes) }, WEEKS)
    expect(found.map(({ code }) => code)).toContain('series-policy')
  })
})

it('values that are public a minute after a period are no skill, though a season does not know them', async () => {
  // Due 23 hours after the target is over, and before it is said to be known.
  const protocol: Game['protocol'] = {
    origins: { due: { anchor: 'end', offset: 'P1DT23H' } },
    outcome: {
      ...{ known: { anchor: 'end', offset: 'P1D' }, over: 'end' },
      release: { rule: 'unrevised', wait: 'P2D' },
    },
  }
  const says = (_: number, value: number) => value
  const copied = await played({
    ...{ series: ONE, says },
    protocol: { ...protocol, ...standard({ seasons: ['week'] }) },
  })
  expect(copied.disposition).not.toBe(ELIGIBLE)
})
