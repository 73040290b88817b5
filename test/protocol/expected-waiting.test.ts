import { expect, it } from 'vitest'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { dayPeriods } from '../../src/periods/make.js'
import { type Zone, zoneNamed } from '../../src/periods/zone.js'
import { bindPlan } from '../../src/protocol/rules/bind.js'
import { checkSeriesDocument } from '../../src/protocol/rules/check-series.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { computeWaiting } from '../../src/protocol/rules/expected-waiting.js'
import { checkPolicy } from '../../src/protocol/rules/policy.js'
import { argsOf } from '../contract/args-of.js'
import { frozen } from '../registration/made.js'
import { day, protocolOf } from '../truth/sample.js'

const DAYS = dayPeriods(
  { from: day('2026-01-01'), to: day('2026-03-01') },
  zoneNamed('UTC') as Zone,
)
const ORIGINS = DAYS.slice(10, -3).map((_, at) => at + 10)

type Over = 'end' | 'period'

/** Of days, due and known so long after their ends. */
function daysDue(due: string, known: string, horizons: number[], over: Over = 'end') {
  return protocolOf(['a'], 'UTC', DAYS, {
    horizons,
    origins: { due: { anchor: 'end', offset: due } },
    outcome: {
      over,
      known: { anchor: 'end', offset: known },
      release: { rule: 'unrevised', wait: 'P1D' },
    } satisfies SeriesProtocol['outcome'],
  })
}

const waiting = (...of: Parameters<typeof daysDue>) =>
  computeWaiting(compileRules(daysDue(...of), DAYS), ORIGINS)

/** 1 − Σ r√t / Σ√t of steps, each with its time from what is seen and the share that is left. */
function byHand(...steps: readonly (readonly [time: number, left: number])[]): number {
  const root = ([time]: readonly [number, number]) => Math.sqrt(time)
  const whole = steps.reduce((sum, step) => sum + root(step), 0)
  return 1 - steps.reduce((sum, step) => sum + root(step) * step[1], 0) / whole
}

it('is nothing where forecasts are due when the newest value is of', () => {
  expect(waiting('PT0S', 'PT0S', [1, 2])).toMatchObject({ worth: 0, nowcasts: [] })
})

it.each<[string, string, number[], number]>([
  // The price twelve hours after the close; that of a week later.
  ['PT12H', 'PT0S', [1, 5], byHand([1, 0.5], [5, 4.5 / 5])],
  // Published a day late: when a forecast is due, the newest value is that of the day before.
  ['PT0S', 'P1D', [1, 2], byHand([2, 1 / 2], [3, 2 / 3])],
  // Due a day and a half late, on what is a day late.
  ['PT36H', 'P2D', [2], byHand([3, 0.5 / 3])],
])('due %s after the end, known %s after it, at steps %s', (due, known, steps, worth) => {
  expect(waiting(due, known, steps).worth).toBeCloseTo(worth, 12)
})

it('is of the steps that have not begun, and 1 where all have', () => {
  const found = waiting('PT1H', 'PT2H', [1, 2], 'period')
  expect(found.nowcasts).toEqual([1])
  // The value of the day itself comes an hour after the forecast.
  expect(found.worth).toBeCloseTo(byHand([3, 47 / 72]), 12)
  expect(found.steps.get(2)).toBeCloseTo(found.worth, 12)
  expect(waiting('PT1H', 'PT2H', [1], 'period')).toMatchObject({ worth: 1, nowcasts: [1] })
  expect(waiting('PT1H', 'PT2H', [1, 2], 'end').nowcasts).toEqual([])
})

it('is 0.6 % of a lag of two minutes under the reference', () => {
  const rules = (minutes: number) => {
    return bindPlan(compileRules(frozen('btcusd-hourly-4')), { due_minutes: minutes })
  }
  const hours = ([2, 4, 8, 16] as const).map((step) => [step, 1 - 1 / 30 / step] as const)
  const { worth } = computeWaiting(rules(2), [490_000])
  expect(worth).toBeCloseTo(byHand(...hours), 12)
  expect(worth).toBeCloseTo(0.006, 3)
  expect(computeWaiting(rules(180), [490_000]).nowcasts).toEqual([2])
})

/** What is said of a protocol that is too lax for waiting so long, with what would do. */
function refused(due: string, known: string, horizons: number[], over: Over, more = {}) {
  const value = { ...daysDue(due, known, horizons, over), ...more }
  return checkPolicy({ value }, DAYS).flatMap((each) => {
    const { fault, bound } = argsOf(each)
    return fault === 'waiting' ? [[each.pointer, bound]] : []
  })
}

it.each<[string, Parameters<typeof refused>, string | undefined]>([
  ['a day later, when the target is all but over', ['PT23H', 'P1D', [1], 'end'], '3'],
  ['a copy of the last close, seven days before it is known', ['P5D', 'P7D', [6], 'end'], '10'],
  ['three hours into the day that is asked about', ['PT3H', 'PT6H', [1], 'period'], '2'],
  ['half a day later', ['PT12H', 'P1D', [1], 'end'], '2'],
  ['at the end of the last day', ['PT0S', 'PT0S', [1], 'end'], undefined],
  ['at the end of the last day, known a day later', ['PT0S', 'P1D', [1], 'end'], undefined],
])('due %s', (_, of, enough) => {
  expect(refused(...of)).toEqual(enough === undefined ? [] : [['/origins/due', enough]])
})

it('is refused as part of the task, too, and that needs a reason', () => {
  const task = { due: { anchor: 'end', offset: 'PT23H' }, waiting: 'part_of_the_task' }
  const origins = { ...task, waiting_reason: 'Values come late.' }
  expect(refused('PT23H', 'P1D', [1], 'end', { origins })).toEqual([['/origins/due', '3']])
  const sound = (more: object) =>
    checkSeriesDocument({ ...daysDue('PT23H', 'P1D', [1]), origins: { ...task, ...more } }).map(
      ({ code, pointer }) => `${code} ${pointer}`,
    )
  expect(sound({})).toEqual(['missing-key /origins'])
  expect(sound({ waiting_reason: 'Values come late.' })).toEqual([])
  const beside = { waiting: 'charged', waiting_reason: 'Values come late.' }
  expect(sound(beside)).toEqual(['unknown-key /origins/waiting_reason'])
})
