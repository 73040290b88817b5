import { describe, expect, it } from 'vitest'
import { MICROS_PER_DAY } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { listCautions } from '../../src/report/notes.js'
import { normals, numbers } from '../support/random.js'
import { standard } from '../support/standard.js'
import { copied, FIRST, type Game, LAST, played, several } from './played.js'

/** Games that no other file of games plays: most are closed; what is open is said in the first lines. */

const ELIGIBLE = 'eligible_for_human_review'

async function said(game: Game) {
  const { disposition, codes, result, basis } = await played(game)
  return { disposition, codes, result, basis, all: listCautions(result).join(' ') }
}

const after = (offset: string) => ({ anchor: 'end', offset }) as const

const closing = (due: string, known: string): Partial<SeriesProtocol> => ({
  ...standard({ seasons: ['week'] }),
  origins: { due: after(due) },
  outcome: { known: after(known), over: 'end', release: { rule: 'unrevised', wait: 'PT1H' } },
})

it('every eighth outcome of two bad series of ten, left out, makes nobody eligible', async () => {
  const series = [...several(8, { loss: 0.8 }), ...several(2, { loss: 1.6 }, 'b')]
  const isLeftOut = (id: string, at: number) =>
    id.startsWith('b') && at > FIRST && at <= LAST + 1 && at % 8 === 0
  const { disposition, codes } = await played({ series, isLeftOut })
  expect([disposition, codes[0]]).toEqual(['inconclusive', 'outcomes_missing'])
})

it('a copy six hours after the close, where these move more than others, is no skill', async () => {
  for (let seed = 1; seed <= 4; seed++) {
    const game = { ...copied(seed, () => 0.35), series: several(3, { loss: 1 }) }
    const { disposition } = await played({ ...game, protocol: closing('PT6H', 'PT6H') })
    expect(disposition).toBe('inconclusive')
  }
})

describe('values that a keeper dates in dumps,', () => {
  it.each([
    [2, 'practical_floor_not_reached'],
    [7, 'waiting_too_long'],
  ])('every %d days, make a copy of the last close no skill', async (days, why) => {
    const { disposition, codes } = await played({
      ...{ series: several(3, { loss: 1 }), says: (before) => before, count: 300 },
      window: [100, 270],
      published: (value, end, at) => [
        { asOf: end + (days - 1 - (at % days)) * MICROS_PER_DAY, value },
      ],
      protocol: {
        ...standard({ seasons: ['week'] }),
        outcome: {
          ...{ known: after('PT0S'), over: 'end' },
          release: { rule: 'unrevised', wait: 'P20D' },
        },
        dependence: { block_origins: 9, minimum_blocks: 10, minimum_pairs: 50 },
      },
    })
    expect([disposition, codes]).toEqual(['inconclusive', expect.arrayContaining([why])])
  })
})

describe('what stays open is said:', () => {
  it('a list whose periods end twelve hours after the close', async () => {
    const game = { ...copied(8, () => 0.5), series: several(3, { loss: 1 }) }
    const { disposition, all } = await said({ ...game, protocol: closing('PT0S', 'PT0S') })
    expect(disposition).toBe(ELIGIBLE)
    expect(all).toMatch(/relies on the starts and ends in the list/)
  })

  it('values dated before anybody had them make a good rival negative', async () => {
    const { disposition, all } = await said({ series: several(10, { loss: 1.25 }) })
    expect(disposition).toBe('negative')
    expect(all).toContain(
      'Persistence saw values on the median 0 minutes after their end, by the dates of the vintage and of the list. Were they public later, a negative verdict would not hold.',
    )
  })

  it('preliminary values, of which persistence has the dates and the errors', async () => {
    const late = MICROS_PER_DAY / 4
    const { result, basis, all } = await said({
      ...{ series: several(10, { loss: 1.4 }), value: (before, noise) => before + 30 * noise },
      published: (value, end, at) => [
        { asOf: end + late, value: value + (at % 2 ? 20 : -20) },
        { asOf: end + 2 * MICROS_PER_DAY, value },
      ],
      protocol: {
        origins: { due: after('PT12H') },
        outcome: { known: after('PT1H'), over: 'end', release: { rule: 'as_of_lag', lag: 'P5D' } },
      },
    })
    const { seen_after_end: age, lower_if_final: lower } = result.window
    const { truth, origins } = basis
    const lossOf = (by: number) =>
      several(10, { loss: 1 })
        .flatMap((_, at) =>
          origins.map((o) => truth.value(at, o) + (o % 2 ? by : -by) - truth.value(at, o + 1)),
        )
        .reduce((sum, off) => sum + Math.abs(off), 0)
    expect([age, lower]).toEqual([6 * 3600, expect.closeTo(1 - lossOf(0) / lossOf(20), 12)])
    expect(all).toContain('on the median 6 hours after their end')
    expect(all).toMatch(/With the values that count its loss would be \d\d\.\d\u202f% lower\./)
  })

  it('a copy after six hours in which most of a move of a day is over', async () => {
    const game = { ...copied(8, () => 0.8), series: several(3, { loss: 1 }) }
    const { disposition, all } = await said({ ...game, protocol: closing('PT6H', 'PT6H') })
    expect(disposition).toBe(ELIGIBLE)
    expect(all).toContain('if most of a move is over when forecasts are due')
  })

  it('a mean of seven days, of which the oldest drops out', async () => {
    const random = normals(5)
    const days: number[] = []
    const { disposition, all } = await said({
      ...{ series: several(1, { loss: 1 }), count: 400, window: [100, 380] },
      value: () => {
        days.push(random())
        return 1000 + days.slice(-7).reduce((sum, each) => sum + each, 0) / 7
      },
      says: (before) => before - (days.at(-8) ?? 0) / 7,
      protocol: {
        ...closing('PT0S', 'PT0S'),
        dependence: { block_origins: 9, minimum_blocks: 10, minimum_pairs: 50 },
      },
    })
    expect(disposition).toBe(ELIGIBLE)
    expect(all).toContain('the part of a moving mean that is already known')
  })

  it('first values that are always a tenth too low, put right a day later', async () => {
    const { disposition, all } = await said({
      ...{ series: several(3, { loss: 1 }), count: 300, window: [100, 270] },
      value: (before, noise) => before + 30 * noise,
      says: (before) => 0.9 * before,
      published: (value, end) => [
        { asOf: end, value: 0.9 * value },
        { asOf: end + MICROS_PER_DAY / 48, value },
      ],
      protocol: {
        ...standard({ seasons: ['week'] }),
        origins: { due: after('PT1H') },
        outcome: { known: after('PT0S'), over: 'end', release: { rule: 'first', wait: 'P2D' } },
      },
    })
    expect(disposition).toBe(ELIGIBLE)
    expect(all).toContain('a candidate that expects so by one number')
  })

  it('a trend on top of a season', async () => {
    const usual = (at: number) => 1000 + 10 * at + (at % 7 < 2 ? 200 : 0)
    const { disposition, all } = await said({
      ...{ series: several(1, { loss: 1 }), count: 700, window: [500, 660] },
      value: (_, noise, at) => usual(at) + 5 * noise,
      says: (_before, _value, at) => usual(at),
      protocol: standard({ seasons: ['week', 'year'] }),
    })
    expect(disposition).toBe(ELIGIBLE)
    expect(all).toContain('a trend on top of a season')
  })

  it('a constant on coins of which the median of a hundred is the wrong side by chance', async () => {
    const random = numbers(9)
    const { disposition, all } = await said({
      ...{ series: several(60, { loss: 1 }), count: 600, window: [300, 560], says: () => 0 },
      value: () => Number(random() < 0.46),
      protocol: {
        ...standard({ seasons: ['week'] }),
        forecast: { point: 'median', levels: [], integer: true, minimum: '0' },
      },
    })
    expect(disposition).toBe(ELIGIBLE)
    expect(all).toContain('a constant has a loss 3 to 4 % lower without any skill')
  })

  it.each([false, true])(
    'the usual value where it is best, else the last: asked %s',
    async (asked) => {
      const { baselines, comparisons } = standard({ seasons: ['week'] })
      const more: typeof baselines = [
        { id: 'best', kind: 'strongest', pool: ['last', 'trend', 'usual'] },
        { id: 'ema', kind: 'ema' },
        { id: 'ar1', kind: 'ar1' },
      ]
      let walks = 0
      const { disposition, all } = await said({
        ...{ series: several(4, { loss: 1 }), count: 400, window: [120, 380] },
        value: (before, noise, at) => {
          if (at === 0) walks++
          return walks % 2 ? before + noise : 1000 + noise
        },
        says: (before) => (walks % 2 ? before : 1000),
        protocol: {
          baselines: asked ? [...baselines, ...more] : baselines,
          comparisons: {
            required: [...comparisons.required, ...(asked ? more.map(({ id }) => id) : [])],
          },
        },
      })
      expect(disposition).toBe(asked ? 'inconclusive' : ELIGIBLE)
      expect(/comparator used (.*), a trend on top/.exec(all)?.[1]).toBe(
        asked
          ? undefined
          : 'smoothing, regression, the simple method that suits each series and step best',
      )
    },
  )

  it('one easy series under nine names, beside a hard one', async () => {
    const { disposition, all } = await said({
      series: [...several(9, { loss: 0.7 }), { id: 'hard', loss: 1.4 }],
    })
    expect(disposition).toBe(ELIGIBLE)
    expect(all).toContain('hard')
  })
})
