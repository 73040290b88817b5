import { describe, expect, it } from 'vitest'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { seriesBaselineRows } from '../../src/scoring/baselines/series-baselines.js'
import { computeScales } from '../../src/scoring/scales.js'
import { numbers } from '../support/random.js'
import { ABSOLUTE, inputsOf, type Released, type SeriesCase } from './series-sample.js'

const PERIODS = 36
const WEEK = 604_800_000_000
const DAY = 86_400_000_000
const QUARTER = DAY / 4
const RELEASES: readonly SeriesProtocol['outcome']['release'][] = [
  { rule: 'unrevised', wait: 'P1D' },
  { rule: 'first', wait: 'P30D' },
  { rule: 'as_of_lag', lag: 'P28D' },
  { rule: 'as_of_instant', at: '2027-01-01T00:00:00Z' },
]
const BASELINES: SeriesProtocol['baselines'] = [
  { id: 'last', kind: 'persistence', errors: { window: 9, minimum: 3 } },
  { id: 'season', kind: 'seasonal_naive', season: 'day', errors: { window: 99, minimum: 2 } },
  { id: 'trend', kind: 'drift', errors: { window: 99, minimum: 1 } },
  { id: 'usual', kind: 'climatology' },
  { id: 'usual_season', kind: 'seasonal_climatology', season: 'day' },
  { id: 'level', kind: 'ema', errors: { window: 9, minimum: 1 } },
  { id: 'back', kind: 'ar1', errors: { window: 9, minimum: 1 } },
  {
    ...{ id: 'best', kind: 'strongest', pool: ['last', 'season'] },
    errors: { window: 9, minimum: 1 },
  },
]
const IDS = BASELINES.map(({ id }) => id)

type Random = () => number
const whole = (random: Random, below: number) => Math.floor(random() * below)

/** Some releases about when a value could be known; of the rule without revisions one, without a date. */
function releasesOf(random: Random, rule: string, known: number): Released {
  if (random() < 0.1) return []
  const value = () => (random() < 0.1 ? null : 1 + 40 * random())
  if (rule === 'unrevised') return [[null, value()]]
  const dates = Array.from({ length: 1 + whole(random, 4) }, () => whole(random, 60) - 4)
  return [...new Set(dates)].sort((a, b) => a - b).map((days) => [known + days * DAY, value()])
}

function caseOf(random: Random, release: SeriesProtocol['outcome']['release']): SeriesCase {
  const all = Array.from({ length: PERIODS }, (_, at) => at)
  const due = all.map((at) => (at + 1) * WEEK + whole(random, 4) * DAY)
  const known = all.map((at) => (at + 1) * WEEK + 4 * DAY + whole(random, 9) * DAY)
  return {
    // A season of a day is four periods.
    starts: all.map((at) => at * QUARTER),
    ends: all.map((at) => (at + 1) * QUARTER),
    due,
    known,
    settled: known.map((at) => at + 90 * DAY),
    ...{ origins: all, horizons: [0, 1, 3], levels: ['0.1', '0.5', '0.9'], minimum: '0' },
    ...{ integer: false, release, baselines: BASELINES, scores: ABSOLUTE },
    scaling: { kind: 'seasonal_naive', period_steps: 2 },
    truth: [0, 1].map(() => known.map((at) => releasesOf(random, release.rule, at))),
  }
}

/** The forecasts of the origins that are due by then, which is not all up to the last of them. */
function forecastsBy(given: SeriesCase, at: number) {
  const { protocol, periods, times, truth } = inputsOf(given)
  const origins = given.origins.filter((origin) => times.due(origin) <= at)
  const rows = seriesBaselineRows({ ...protocol, ...times }, periods, truth, IDS, origins)
  return [...rows].map(({ series, originAt, model, horizon, forecast, quantiles, attempt }) =>
    [series, originAt, model, horizon, forecast, ...quantiles, attempt].join(),
  )
}

/** Another truth that was the same until an instant: values that became public later are others, more or fewer. */
function mutant(random: Random, given: SeriesCase, at: number): SeriesCase {
  const { rule } = given.release
  const later = (known: number) => releasesOf(random, rule, Math.max(known, at + DAY))
  const truth = given.truth.map((series) =>
    series.map((released, period) => {
      const known = given.known[period] as number
      if (rule === 'unrevised') return known > at ? releasesOf(random, rule, known) : released
      const before = released.filter(([asOf]) => (asOf ?? known) <= at)
      const after = later(known).filter(([asOf]) => (asOf ?? known) > at)
      return [...before, ...after]
    }),
  )
  return { ...given, truth }
}

describe.each(RELEASES)('by the rule $rule', (release) => {
  it('no baseline looks ahead: 200 other futures change no forecast', () => {
    const random = numbers(20261123)
    let changed = 0
    let made = 0
    for (let each = 0; each < 20; each++) {
      const given = caseOf(random, release)
      const at = given.due[12 + whole(random, 20)] as number
      const [before, whole36] = [forecastsBy(given, at), forecastsBy(given, 1e18)]
      made += before.filter((row) => !row.endsWith('abstained')).length
      for (let other = 0; other < 10; other++) {
        const future = mutant(random, given, at)
        expect(forecastsBy(future, at)).toEqual(before)
        if (forecastsBy(future, 1e18).join() !== whole36.join()) changed++
      }
    }
    // The futures were others, and there was something to change.
    expect(changed).toBe(200)
    expect(made).toBeGreaterThan(2000)
  })

  it('nor does a scale', () => {
    const random = numbers(7)
    for (let each = 0; each < 50; each++) {
      const given = caseOf(random, release)
      const at = given.due[30] as number
      const scales = (of: SeriesCase) => {
        const { protocol, periods, truth } = inputsOf(of)
        return computeScales(protocol, periods, truth, at)
      }
      expect(scales(mutant(random, given, at))).toEqual(scales(given))
    }
  })
})

/** A value that no honest forecast is near. */
const SECRET = 1e9

describe('a seeded leak', () => {
  const { due: known, ...rest } = caseOf(() => 0.5, RELEASES[2] as never)
  const constant: SeriesCase = { ...rest, due: known, known, truth: [] }
  const plain = (given: SeriesCase): Released[] =>
    given.known.map((at) => [[given.release.rule === 'unrevised' ? null : at, 10]])
  const isUsed = (given: SeriesCase, at: number) =>
    forecastsBy(given, at).some((row) => row.split(',').some((cell) => Number(cell) >= SECRET / 2))

  it('of a release that comes later is not used: 50 of them, and used from then on', () => {
    const random = numbers(11)
    for (let each = 0; each < 50; each++) {
      const origin = 12 + whole(random, 18)
      const due = constant.due[origin] as number
      // The season of an origin to come.
      const period = origin - whole(random, 4)
      const truth = [plain(constant)]
      const own = (truth[0]?.[period] ?? []).filter(([asOf]) => (asOf ?? 0) <= due)
      // A microsecond too late, or in time.
      const leaked = (asOf: number) => {
        const released = [...own.filter(([at]) => (at ?? 0) < asOf), [asOf, SECRET] as const]
        return { ...constant, truth: [truth[0]?.with(period, released) as Released[]] }
      }
      expect(isUsed(leaked(due + 1), due)).toBe(false)
      expect(isUsed(leaked(due + 1), 1e18)).toBe(true)
      if (period === origin) expect(isUsed(leaked(due), due)).toBe(true)
    }
  })

  it('of a season that is not yet published is not used: 50 of them', () => {
    const random = numbers(12)
    const given = { ...constant, release: RELEASES[0] as SeriesCase['release'] }
    for (let each = 0; each < 50; each++) {
      const origin = 12 + whole(random, 18)
      const due = given.due[origin] as number
      // With steps of 3 and seasons of 4: the period before the origin, published late.
      const period = origin + 3 - 4
      const truth = [plain(given).with(period, [[null, SECRET]])]
      const known = given.known.with(period, due + 1 + whole(random, 1000))
      expect(isUsed({ ...given, truth, known }, due)).toBe(false)
      expect(isUsed({ ...given, truth, known: given.known.with(period, due) }, due)).toBe(true)
    }
  })
})
