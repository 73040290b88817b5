import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { checkedInstant } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { earliestOfSeries, listFindings } from '../../src/lint/earliest.js'
import { lintSeries, lintSeriesWindow, seriesLengths } from '../../src/lint/lint-series.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { ALWAYS } from '../../src/truth/releases.js'
import { createSeriesTruth } from '../../src/truth/series-truth.js'
import { exampleOf } from '../registration/series-examples.js'

const { periods, protocol } = await exampleOf('sessions')

const rulesOf = (over: Partial<SeriesProtocol> = {}) =>
  compileRules({ ...protocol, ...over }, periods)
const rules = rulesOf()
const NOW = checkedInstant('2027-01-15T00:00:00Z')

/** Prices that go up and down in turns: those of INDEX by `share` in all, those of SHARE by 1 %. */
const truth = (move: number, over: Partial<SeriesProtocol> = {}) =>
  truthBy((at, id) => 100 * Math.exp((at % 2) * (id === 'INDEX' ? move : 0.01)), over)

/** @param value - by the position of a period. */
function truthBy(
  value: (at: number, series: string) => number,
  over: Partial<SeriesProtocol> = {},
) {
  const rules = rulesOf(over)
  const places = new Map(periods.map(({ label }, at) => [label, at]))
  return createSeriesTruth(rules, periods, {
    manifest: {} as never,
    releases: (series, label) => [
      { asOf: ALWAYS, value: value(places.get(label) as number, series) },
    ],
  })
}
const said = (found: ReturnType<typeof lintSeries>) => found.map((each) => formatMessage(each).text)

describe('lint of version 2', () => {
  it('says where one series makes up most of the loss of a comparator', () => {
    // Errors of the last close are 9 % and 1 % at both horizons, which are odd: 9 of 10 parts.
    expect(said(lintSeries(rules, periods, truth(0.09)))).toEqual([
      'losses are not scaled, and the series INDEX makes up 90 % of the loss of last_close: the mean over all series is mostly its own',
    ])
    // One of two is always over half, or both are half.
    for (const move of [0.01, 0.015, 0.03]) {
      expect(said(lintSeries(rules, periods, truth(move)))).toEqual([])
    }
    expect(lintSeries(rules, periods, undefined)).toEqual([])
  })

  it('says nothing of it where losses are scaled, or there is one series', () => {
    const scaling = { kind: 'seasonal_naive' as const, period_steps: 1 }
    const scaled = rulesOf({ scaling })
    expect(lintSeries(scaled, periods, truth(0.09, { scaling }))).toEqual([])
    const series = protocol.series.slice(0, 1)
    expect(lintSeries(rulesOf({ series }), periods, truth(0.09, { series }))).toEqual([])
  })

  it('names every number that is laxer than the reference', () => {
    const { limits } = protocol
    const lax = rulesOf({ limits: { ...limits, harm: '0.1', direction: '0.05' } })
    const found = lintSeries(lax, periods, undefined)
    expect(found.map(({ pointer }) => pointer)).toEqual(['/limits/harm', '/limits/direction'])
    expect(said(found)[0]).toBe(
      'the limit of the loss is 0.1, laxer than that of the reference, 0.05',
    )
  })

  it('says that the median of values that are 0 or 1 is no probability', () => {
    const of = (value: (at: number, series: string) => number) =>
      said(lintSeries(scaled, periods, truthBy(value, { scaling })))
    const scaling = { kind: 'seasonal_naive' as const, period_steps: 1 }
    const scaled = rulesOf({ scaling })
    const rains = (at: number) => Number(at % 3 === 0)
    expect(of(rains)[0]).toMatch(/^all values of the series \w+ are 0 or 1, and those of 2 of 2/)
    expect(of((at, series) => (series === 'SHARE' ? rains(at) : at % 7))).toEqual([
      'all values of the series SHARE are 0 or 1: a median of them is 0 or 1, and not the probability of an event',
    ])
    // Nothing was sold yet, or two once.
    expect(of(() => 0)).toEqual([])
    expect(of((at) => (at === 50 ? 2 : rains(at)))).toEqual([])
  })

  it('says where fewer pairs are needed than the blocks hold', () => {
    const dependence = { ...protocol.dependence, minimum_pairs: 79 }
    expect(said(lintSeries(rulesOf({ dependence }), periods, undefined))[0]).toContain('80')
  })

  it('says that a window is too short to decide anything', () => {
    const windowOf = (origins: number) => {
      const [from = '', to = ''] = [periods[0]?.label, periods[origins - 1]?.label]
      return { from, to, origins }
    }
    const found = (mode: 'prospective' | 'backtest', origins: number) =>
      lintSeriesWindow({ mode, window: windowOf(origins) }, rules, periods)
    const faults = (origins: number) => said(found('prospective', origins))
    // A backtest may have no more data than one season, and its figures are still useful.
    for (const [mode, severity] of [
      ['prospective', 'error'],
      ['backtest', 'warning'],
    ] as const) {
      expect(found(mode, 99)).toMatchObject([{ severity }])
    }
    expect(faults(106)).toEqual([])
    expect(faults(100)).toHaveLength(1)
    expect(faults(99)[0]).toContain('requires 100 pairs at each horizon')
    expect(faults(79)).toHaveLength(2)
    // Each fault asks for the same window: one that is long enough for all.
    expect(new Set(found('prospective', 79).map((each) => formatMessage(each).help))).toEqual(
      new Set(['Register a window of at least 100 origins.']),
    )
    expect(faults(79)[0]).toContain('15 full blocks of 5, but the protocol requires 16')
  })

  it('says which levels of strata are too small in a window, and what they leave out', () => {
    const strata: SeriesProtocol['strata'] = [
      {
        ...{ name: 'part', by: 'weekday' },
        levels: [
          { level: 'week', days: ['mon', 'tue', 'wed', 'thu'] },
          { level: 'friday', days: ['fri'] },
        ],
      },
      {
        ...{ name: 'turmoil', by: 'past_volatility', series: 'SHARE', changes: 5 },
        levels: [{ level: 'calm', below: '1000' }, { level: 'rough' }],
      },
    ]
    const own = rulesOf({ strata })
    expect(said(lintSeries(own, periods, undefined))).toEqual([
      'no level holds sat, sun; their origins count only in the results over all origins',
    ])
    const last = 149
    const window = { from: periods[0]!.label, to: periods[last]!.label, origins: last + 1 }
    const found = (mode: 'prospective' | 'backtest') =>
      said(lintSeriesWindow({ mode, window }, own, periods, truth(0.09, { strata })))
    // Of 150 sessions a fifth are Fridays: as many blocks of 5, but not 100 pairs.
    const fridays = periods
      .slice(0, last + 1)
      .filter(({ start }) => new Date(start / 1000).getUTCDay() === 5)
    expect(found('prospective')).toEqual([
      expect.stringContaining(`the level "friday" of "part" has ${fridays.length} origins`),
    ])
    expect(found('backtest')).toEqual([
      expect.stringContaining('the level "friday" of "part"'),
      expect.stringContaining('the level "rough" of "turmoil" has 0 origins in 0 blocks'),
    ])
  })
})

describe('a list that is too short', () => {
  const needed = 100
  /** What is said of the first periods of the list, at a time. */
  const found = (count: number, now: string) => {
    const short = periods.slice(0, count)
    return listFindings(compileRules(protocol, short), short, checkedInstant(now))
  }
  // The longest horizon is 5: of the first periods 50 come before a window and 5 are targets alone.
  const enough = needed + 50 + 5

  it('says that no window can decide anything', () => {
    for (const now of ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z']) {
      expect(found(enough - 1, now)).toMatchObject([
        {
          ...{ code: 'list-too-short', severity: 'error', pointer: '/periods' },
          args: { fault: 'no-window', usable: needed - 1, needed, since: periods[0]?.label },
        },
      ])
    }
    expect(found(60, '2020-01-01T00:00:00Z')).toMatchObject([{ args: { usable: 5, needed } }])
  })

  it('says that no verdict is possible from now on where a backtest is', () => {
    expect(found(enough, '2020-01-01T00:00:00Z')).toEqual([])
    expect(found(enough, '2030-01-01T00:00:00Z')).toMatchObject([
      { severity: 'warning', args: { fault: 'no-verdict', usable: 0, needed } },
    ])
  })
})

describe('the table of lengths', () => {
  it('begins where a window may begin, and with the earliest verdict', () => {
    const [before, after] = ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'].map((text) =>
      checkedInstant(text),
    ) as [number, number]
    const from = periods[50]?.label
    const [first] = seriesLengths(rules, periods, before)
    expect(first).toMatchObject({ origins: 100, from, to: periods[149]?.label })
    expect(first?.settled_at).toBe(earliestOfSeries(rules, periods, before).at)
    // Later nothing is due any more: then the lengths are those of backtests.
    expect(seriesLengths(rules, periods, after)[0]).toMatchObject({ from })
    const now = checkedInstant(`${periods[60]?.label}T12:00:00Z`)
    const [next] = seriesLengths(rules, periods, now)
    expect(next).toMatchObject({ from: periods[60]?.label })
    expect(next?.settled_at).toBe(earliestOfSeries(rules, periods, now).at)
  })

  it('has the shortest window that decides, longer ones and the registered one', () => {
    const candidates = [{ source: 'history' as const, name: 'mine' }]
    const window = { from: '2027-02-01', to: '2027-11-30', origins: 210 }
    const lengths = seriesLengths(rules, periods, NOW, { mode: 'prospective', window, candidates })
    expect(lengths.map(({ origins }) => origins)).toEqual([100, 200, 210, 400, 800])
    // ν: half the blocks up to 8, a quarter up to 16; the verdict has 0.03 of alpha: qt(0.985, 8) is 2.634.
    expect(lengths[0]).toMatchObject({ from: '2027-02-01', blocks: 20, degrees_of_freedom: 8 })
    expect(lengths[0]?.t).toBeCloseTo(2.6338, 3)
    expect(lengths[0]?.half_width).toBeCloseTo(2.6338 / Math.sqrt(20), 3)
    // Five sessions after the last one: 7 December, 21:00 UTC, and 3 days.
    expect(lengths[2]).toMatchObject({ to: '2027-11-30', settled_at: '2027-12-10T21:00:00Z' })
    expect(lengths[4]).toMatchObject({ blocks: 160, degrees_of_freedom: 16, to: null })
  })

  it('asks more of each where there are more candidates, and nothing of one that is too short', () => {
    const candidates = ['a', 'b', 'c'].map((name) => ({ source: 'history' as const, name }))
    const window = { from: '2027-02-01', to: '2027-02-26', origins: 19 }
    const lengths = seriesLengths(rules, periods, NOW, { mode: 'prospective', window, candidates })
    expect(lengths[0]).toMatchObject({ origins: 19, t: null, half_width: null })
    // qt(0.995, 8)
    expect(lengths[1]?.t).toBeCloseTo(3.3554, 3)
  })
})
