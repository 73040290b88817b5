import { describe, expect, it } from 'vitest'
import { MICROS_PER_DAY, MICROS_PER_MINUTE } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { checkDraft } from '../../src/protocol/freeze.js'
import { renderMarkdown } from '../../src/report/markdown/page.js'
import { beforeYouRead } from '../../src/report/notes.js'
import { changedIn, documentOf } from '../protocol/sample.js'
import { WEEKS, weekly } from '../protocol/weekly.js'
import { FIRST, type Game, LAST, played, several } from './played.js'

/**
 * What an author of a protocol or a plan could do under version 2: each made a candidate without skill eligible, or a
 * good rival negative, by the rules before.
 */

describe('a draft', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'with a logarithm of counts that can be 0',
      { '/scores/0/transform': { kind: 'log' }, '/forecast/minimum': '0' },
      'series-policy /scores/0/transform',
    ],
    [
      'whose values are said to be known before they are',
      {
        '/dependence/block_origins': 3,
        '/origins/due': { anchor: 'start', offset: 'P4D' },
        '/outcome/known': { anchor: 'start', offset: 'P4D' },
      },
      'series-periods /dependence/block_origins',
    ],
    [
      'in which half of the forecasts may be left out',
      { '/limits/availability': '0.5' },
      'series-policy /limits/availability',
    ],
  ])('%s is refused', (_, changes, expected) => {
    const found = checkDraft(documentOf(changedIn(weekly(), changes)), WEEKS)
    expect(found.map(({ code, pointer }) => `${code} ${pointer}`)).toContain(expected)
  })
})

describe('a window that was searched', () => {
  const BACKTEST: Game['plan'] = { mode: 'backtest' }

  it('makes a rival negative where it lay ahead, and never in a backtest', async () => {
    const series = several(10, { loss: 1.6 })
    expect((await played({ series })).disposition).toBe('negative')
    const { disposition, codes, result } = await played({ series, plan: BACKTEST })
    expect([disposition, codes[0]]).toEqual(['higher', 'significantly_worse'])
    expect(renderMarkdown(result)).toContain('no error rate holds')
  })

  it('makes nobody eligible', async () => {
    const series = several(10, { loss: 0.7 })
    expect((await played({ series })).disposition).toBe('eligible_for_human_review')
    expect((await played({ series, plan: BACKTEST })).disposition).toBe('lower')
  })
})

describe('origins of a quarter of an hour', () => {
  const length = 15 * MICROS_PER_MINUTE
  const quarters = { series: several(5, { loss: 0.5 }), length }
  const later = (at: number) => at * length + (at >= LAST ? 16 * MICROS_PER_DAY : 0)

  it.each<[string, Game]>([
    ['are of fewer than 16 days, however many they are', quarters],
    // 120 of them, 92 in a stretch of 23 hours.
    ['are so with one 16 days later, too', { ...quarters, starts: later }],
  ])('%s', async (_, game) => {
    const { disposition, reasons } = await played(game)
    expect([disposition, reasons[0]?.code]).toEqual(['blocked', 'deciding_test_blocked'])
    expect(reasons[0]?.details).toContain('too_few_days')
  })

  it('are so in each of ten windows, one after the other', async () => {
    const windows = Array.from({ length: 10 }, (_, at) => [60 + 50 * at, 109 + 50 * at] as const)
    for (const window of windows) {
      const { disposition, reasons } = await played({ ...quarters, count: 570, window })
      expect([disposition, reasons[0]?.code]).toEqual(['blocked', 'deciding_test_blocked'])
      expect(reasons[0]?.details).toContain('too_few_days')
    }
  })
})

it('without a log the worst can be left out afterwards, which the first lines say', async () => {
  const series = several(10, { loss: 1 })
  const { disposition, codes } = await played({ series, isSilent: (worse) => worse > 0.3 })
  expect([disposition, codes[0]]).toEqual(['blocked', 'availability_limit_exceeded'])
  const { result } = await played({ series, isSilent: (worse) => worse > 0.45 })
  const left = result.differences.reduce((sum, { lost }) => sum + lost.candidate_not_scored, 0)
  expect(left).toBeGreaterThan(0)
  expect(beforeYouRead(result).open.join()).toContain('once the worst twentieth is gone')
})

describe('direction', () => {
  const scores: SeriesProtocol['scores'] = [
    { id: 'ae', kind: 'absolute_error', primary: true },
    { id: 'way', kind: 'direction', epsilon: '0.000001' },
  ]
  const limits = {
    ...{ availability: '0.05', availability_stratum: '0.1', harm: '0.05' },
    ...{ practical_effect: '0.03', direction: '0.02' },
  }
  const baselines: SeriesProtocol['baselines'] = [
    { id: 'last', kind: 'persistence' },
    { id: 'trend', kind: 'drift' },
  ]
  const protocol = { scores, limits, baselines, comparisons: { required: ['last', 'trend'] } }
  const asked = { series: several(10, { loss: 1 }), protocol }
  const found = (game: Game) => played({ ...asked, ...game })
  const called = ({ result }: Awaited<ReturnType<typeof found>>, comparator: string) => {
    const own = result.differences.filter(
      (keys) => keys.comparator === comparator && keys.scope === 'all',
    )
    const sum = (of: 'asked' | 'not_called') =>
      own.reduce((all, { uncalled }) => all + uncalled![of], 0)
    return [sum('asked'), sum('not_called')]
  }

  it('that is wrong wherever the trend is right half of the time makes a candidate negative', async () => {
    // Nearly the last value, but always on the wrong side of it.
    const against = (before: number, value: number) => before - 0.01 * (value - before)
    const only = { ...protocol, comparisons: { required: ['trend'] } }
    const game = await found({ ...asked, protocol: only, says: against })
    expect(game.disposition).toBe('negative')
    const [first] = game.reasons
    expect(first).toMatchObject({
      ...{ code: 'direction_limit_exceeded', comparator: 'trend', score: 'way', limit: 0.02 },
    })
    expect(first!.found!).toBeGreaterThan(0.3)
    expect(game.codes).not.toContain('significantly_worse')
    expect(called(game, 'trend')).toEqual([10 * (LAST - FIRST + 1), 0])
  })

  it('that is never called counts half an error, and is counted', async () => {
    const game = await found({ ...asked, says: (before) => before })
    const keys = 10 * (LAST - FIRST + 1)
    expect(called(game, 'trend')).toEqual([keys, keys])
    // Persistence says neither up nor down.
    expect(called(game, 'last')).toEqual([0, 0])
    const test = game.result.tests.find(({ name }) => name === 'mine/trend/way/1/all')
    // The trend is wrong at about half of them itself.
    expect(Math.abs(test!.observed!)).toBeLessThan(0.05)
    expect(game.codes).not.toContain('direction_limit_exceeded')
  })
})
