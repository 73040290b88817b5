import { describe, expect, it } from 'vitest'
import { MICROS_PER_DAY, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { verdictName } from '../../src/report/sentences.js'
import { normals } from '../support/random.js'
import { type Game, played, several } from './played.js'

/** What waiting gave without any skill: each of these copies made a candidate eligible by the rules before. */

type Outcome = Omit<SeriesProtocol['outcome'], 'release'> & Partial<SeriesProtocol['outcome']>

const after = (offset: string) => ({ anchor: 'end', offset }) as const
const rules = (
  due: SeriesProtocol['origins'],
  { release = { rule: 'unrevised', wait: 'PT1H' }, ...outcome }: Outcome,
): Partial<SeriesProtocol> => ({
  origins: due,
  outcome: { ...outcome, release },
  dependence: { block_origins: 9, minimum_blocks: 10, minimum_pairs: 50 },
})
const CLOSE = { over: 'end', known: after('P1D') } as const

/** Walks of which a share of the time, by period, is over when its forecast is due; the candidate copies the value of then. */
function copied(seed: number, over: (at: number) => number, size = (_: number) => 1) {
  const random = normals(seed)
  let atDue = 0
  return {
    value: (before: number, _: number, at: number) => {
      atDue = before + size(at) * Math.sqrt(over(at)) * random()
      return atDue + size(at) * Math.sqrt(1 - over(at)) * random()
    },
    says: () => atDue,
  } satisfies Partial<Game>
}

/** Of ten series, each with walks of its own. */
const game = (seed: number, protocol: Partial<SeriesProtocol>, more: Partial<Game>): Game => ({
  ...{ series: several(3, { loss: 1 }), protocol, ...more },
  plan: { name: `game ${seed}` },
})

describe('a copy of the value at the time when forecasts are due', () => {
  it.each([6, 12])(
    '%d hours after the close is never eligible, by whatever seed',
    async (hours) => {
      const protocol = rules(
        { due: after(`PT${hours}H`) },
        { ...CLOSE, known: after(`PT${hours}H`) },
      )
      for (let seed = 1; seed <= 8; seed++) {
        const made = copied(seed, () => hours / 24)
        const { disposition, result } = await played(game(seed, protocol, made))
        expect(disposition).toBe('inconclusive')
        // It is lower by 1 - sqrt(18 / 24) or 1 - sqrt(12 / 24); charged is a quarter, or a half.
        const worth = result.waiting.find(({ horizon }) => horizon === 'overall')?.worth
        expect(worth).toBeCloseTo(hours / 24, 12)
      }
    },
  )

  it('on days that move, where a column makes them due late, is charged at these keys', async () => {
    const isBig = (at: number) => at % 3 === 0
    const size = (at: number) => (isBig(at) ? 5 : 1)
    const share = (at: number) => (isBig(at) ? 0.75 : 0)
    // The forecast of a big day is due 18 hours into it.
    const due = (origin: number) => (isBig(origin + 1) ? 18 : 0) * MICROS_PER_HOUR
    const protocol = rules({ due: { anchor: 'column' } }, CLOSE)
    const more = { ...copied(5, share, size), due }
    const { disposition, codes } = await played(game(5, protocol, more))
    expect(disposition).toBe('inconclusive')
    expect(codes).toContain('practical_floor_not_reached')
  })

  it('of the last close, where values are known, or dated, long after it, is refused', async () => {
    const copy = { says: (before: number) => before }
    const late = rules({ due: after('PT0S') }, { over: 'end', known: after('P7D') })
    const { disposition, codes, reasons } = await played(
      game(1, late, { ...copy, dated: 7 * MICROS_PER_DAY }),
    )
    expect([disposition, codes]).toEqual([
      'inconclusive',
      expect.arrayContaining(['waiting_too_long']),
    ])
    // Of eight days one is left.
    const found = reasons.find(({ code }) => code === 'waiting_too_long')?.found
    expect(found).toBeCloseTo(7 / 8, 12)
    const task = {
      due: after('PT0S'),
      waiting: 'part_of_the_task',
      waiting_reason: 'late',
    } as const
    const release = { rule: 'unrevised', wait: 'P60D' } as const
    const known = rules(task, { over: 'end', known: after('PT0S'), release })
    const dated = await played(game(1, known, { ...copy, dated: 30 * MICROS_PER_DAY, count: 250 }))
    expect(dated.disposition).toBe('inconclusive')
    expect(dated.codes).toContain('waiting_too_long')
  })

  it('of a total that has begun is of a nowcast, and nobody is eligible by it alone', async () => {
    const protocol = rules({ due: after('PT3H') }, { over: 'period', known: after('PT3H') })
    const { disposition, codes, result } = await played(
      game(
        1,
        protocol,
        copied(1, () => 0.3),
      ),
    )
    expect(disposition).toBe('inconclusive')
    expect(codes).toContain('only_nowcasts')
    expect(result.nowcasts).toEqual([1])
  })

  it('that is the outcome itself is nothing but nowcasts', async () => {
    const own = { says: (_: number, value: number) => value }
    const protocol = rules({ due: after('P1D') }, { over: 'end', known: after('P1D') })
    const { disposition, codes, result } = await played(game(1, protocol, own))
    expect([disposition, result.nowcasts]).toEqual(['inconclusive', [1]])
    expect(codes).toContain('only_nowcasts')
  })
})

describe('who is better by more than waiting gives', () => {
  const due = after('PT6H')
  const known = { ...CLOSE, known: due }

  it('is eligible all the same', async () => {
    const skilled = { series: several(3, { loss: 0.4 }) }
    const { disposition } = await played({ ...skilled, protocol: rules({ due }, known) })
    expect(disposition).toBe('eligible_for_human_review')
  })

  it('and who only waited, where that is part of the task, has a verdict that says so', async () => {
    const task = { due, waiting: 'part_of_the_task', waiting_reason: 'Prices move on.' } as const
    const said = async (of: SeriesProtocol['origins'], more: Outcome, dated = 0) => {
      const made = { ...copied(2, () => 0.5), dated }
      const { disposition, result } = await played(game(2, rules(of, more), made))
      expect(disposition).toBe('eligible_waiting_given_away')
      return verdictName(result, disposition)
    }
    expect(await said(task, known)).toMatch(/^Eligible, waiting given away \(25\.0.%\)/)
    const lag = { over: 'end', known: after('P1D') } as const
    const words = /^Eligible, given a publication lag \(worth up to 50\.0.%\)/
    expect(await said({ ...task, due: after('PT0S') }, lag, MICROS_PER_DAY)).toMatch(words)
  })
})
