import { describe, expect, it } from 'vitest'
import { MICROS_PER_DAY, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { verdictName } from '../../src/report/sentences.js'
import { normals } from '../support/random.js'
import { standard } from '../support/standard.js'
import { copied, type Game, played, several } from './played.js'

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
        const worth = result.waiting.find(({ step }) => step === 'overall')?.w
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

it('the mirror of what is seen at due is charged against the usual value where persistence is far off', async () => {
  // Values swing to the other side in 18 hours and fade by half in 21: persistence, 24 hours old, is 1.6 times as far
  // off as a mean. Forecasts are due after six hours, and know the other side.
  const random = normals(5)
  const [kept, turn] = [Math.exp(-3 / 30), (2 * Math.PI * 3) / 36]
  let [x, y, atDue] = [0, 0, 0]
  const goOn = (steps: number) => {
    for (let step = 0; step < steps; step++) {
      const [cos, sin] = [kept * Math.cos(turn), kept * Math.sin(turn)]
      const noise = Math.sqrt(1 - kept * kept)
      ;[x, y] = [cos * x - sin * y + noise * random(), sin * x + cos * y + noise * random()]
    }
  }
  const of: Game = {
    series: several(3, { loss: 1 }),
    ...{ count: 900, window: [400, 860] },
    value: () => {
      goOn(2)
      atDue = x
      goOn(6)
      return 1000 + x
    },
    says: () => 1000 - 0.55 * atDue,
    protocol: {
      ...rules({ due: after('PT6H') }, { ...CLOSE, known: after('PT6H') }),
      ...standard({ seasons: ['week', 'year'] }),
    },
  }
  expect(await uncharged(of)).toBe('eligible_waiting_given_away')
  const { disposition, codes, result } = await played(of)
  expect(result.far_off).toContain('last')
  expect([disposition, codes]).toEqual([
    'inconclusive',
    expect.arrayContaining(['verdict_not_established', 'practical_floor_not_reached']),
  ])
  const charged = result.waiting.filter(({ step }) => step === 'overall')
  expect(charged.map(({ comparator }) => comparator)).toContain('usual')
})

/** The same game where waiting is part of the task: then nothing is charged, and it is worth playing. */
async function uncharged(game: Game): Promise<string> {
  const { origins } = game.protocol as SeriesProtocol
  const task = { ...origins, waiting: 'part_of_the_task', waiting_reason: 'It goes on.' } as const
  return (await played({ ...game, protocol: { ...game.protocol, origins: task } })).disposition
}

/** Of ten series whose value of the time when a forecast of a period is due is copied at all its steps. */
function copying(
  steps: number[],
  over: number,
  kept: number,
  protocol: Partial<SeriesProtocol>,
  ahead = 1,
): Game {
  const random = normals(4)
  const atDue: number[] = []
  return {
    series: several(10, { loss: 1 }),
    protocol: { ...protocol, horizons: steps },
    value: (before, _, at) => {
      // A part of the period's move, towards 1000 and by chance, and then the rest of it.
      const moved = (from: number, share: number) =>
        1000 + (from - 1000) * kept ** share + Math.sqrt(share) * random()
      atDue[at] = moved(before, over)
      return moved(atDue[at], 1 - over)
    },
    says: (_before, _value, at, step) => atDue[at - step + ahead] as number,
  }
}

describe('a step at which waiting gives much', () => {
  it('is charged by its loss, though a long step beside it would hide that', async () => {
    // Values go back to their mean: thirty periods on, persistence loses little more than one period on.
    const [over, steps] = [0.75, [1, 30]]
    const protocol = rules({ due: after('PT18H') }, { ...CLOSE, known: after('PT18H') })
    const game: Game = {
      ...copying(steps, over, 0.3, {
        ...protocol,
        dependence: { block_origins: 31, minimum_blocks: 10, minimum_pairs: 50 },
      }),
      ...{ count: 800, window: [200, 700] },
    }
    expect(await uncharged(game)).toBe('eligible_waiting_given_away')
    const { disposition, result } = await played(game)
    expect(disposition).toBe('inconclusive')
    const of = (model: string) =>
      result.measures.find(
        (each) => each.model === model && each.step === 'overall' && each.scope === 'all',
      )!.means.ae!
    const lower = 1 - of('mine') / of('last')
    // By the losses of a walk, which grow as the root of time, too little is charged.
    const losses = steps.map((step) => Math.sqrt(step))
    const closed = over * steps.reduce((sum, step, at) => sum + losses[at]! / step, 0)
    expect(closed / losses.reduce((a, b) => a + b)).toBeLessThan(lower - 0.03)
    const worth = result.waiting.find(({ step }) => step === 'overall')?.w
    expect(worth).toBeGreaterThan(lower)
  })

  it('of a period that runs when forecasts are due decides nothing, beside one that has not begun', async () => {
    // Three quarters of the origin's own day are over, which is forecast too; of the next one nothing is.
    const protocol = rules(
      { due: { anchor: 'start', offset: 'PT18H' } },
      { over: 'period', known: after('PT0S') },
    )
    const { disposition, codes, result } = await played(copying([0, 1], 0.75, 1, protocol, 0))
    expect(disposition).toBe('inconclusive')
    expect(codes).not.toContain('only_nowcasts')
    expect(result.nowcasts).toEqual([0])
  })
})

it('a target that was over before a forecast was due leaves nothing, though a later period was seen', async () => {
  // Twice in 42 days values leap; the forecast of the first leap is due when the day after it is over, and known.
  const isLeap = (at: number) => at % 21 === 0
  const day = MICROS_PER_DAY
  const protocol = rules(
    { due: { anchor: 'column' } },
    { over: 'end', known: { anchor: 'column' } },
  )
  const game: Game = {
    series: several(10, { loss: 1 }),
    protocol,
    due: (origin) => (isLeap(origin + 1) ? 2 * day : 0),
    known: (at) => (isLeap(at) ? 3 * day : 0),
    value: (before, noise, at) => before + (isLeap(at) || isLeap(at - 1) ? 25 : 1) * noise,
    says: (before, value, at) => (isLeap(at) ? value : before),
  }
  expect(await uncharged(game)).toBe('eligible_waiting_given_away')
  const { disposition, result } = await played(game)
  expect([disposition, result.nowcasts]).toEqual(['inconclusive', []])
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
