import { expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { MICROS_PER_DAY, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { Plan } from '../../src/contract/types.js'
import type { PeriodList } from '../../src/periods/list.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { checkPolicy } from '../../src/protocol/rules/policy.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { draftPlan } from '../../src/registration/template.js'
import { standard } from '../support/standard.js'
import { protocolOf, UNREVISED } from '../truth/sample.js'

/** 360 days, and then hours, less than a quarter of all. */
const DAYS = 360
const PERIODS: PeriodList = Array.from({ length: DAYS + 116 }, (_, at) => {
  const length = at < DAYS ? MICROS_PER_DAY : MICROS_PER_HOUR
  const start = Math.min(at, DAYS) * MICROS_PER_DAY + Math.max(0, at - DAYS) * MICROS_PER_HOUR
  return { label: `P${at}`, start, end: start + length }
})

const plan = (from: number, to: number): Plan => ({
  ...draftPlan({
    mode: 'prospective',
    window: { from: `P${from}`, to: `P${to}` },
    source: 'an office',
  }),
  ...{ name: 'p', candidates: ['mine'] },
})

it('a window of hours at the end of a list of days is refused without the season of a day', () => {
  const protocol = protocolOf(['a'], 'UTC', PERIODS, {
    outcome: UNREVISED,
    forecast: { point: 'median', levels: [], integer: false },
    scores: [{ id: 'ae', kind: 'absolute_error', primary: true }],
    ...standard({ seasons: ['week', 'year'] }),
  })
  // By all of its periods a day is no season.
  expect(checkPolicy({ value: protocol }, PERIODS)).toEqual([])
  const of = (from: number, to: number) =>
    planFindings(plan(from, to), compileRules(protocol, PERIODS), 0, PERIODS)
  expect(of(100, 200)).toEqual([])
  const found = of(DAYS + 40, DAYS + 110)
  expect(found.map(({ code, pointer }) => [code, pointer])).toEqual([['series-policy', '/window']])
  const { text } = formatMessage(found[0]!)
  // Of five days the list has not five hours each: the climatology of a day cannot be asked.
  expect(text).toBe('standard comparators are not required: seasonal_naive day')
})

it('of a window without targets only this is said, not that seasons are missing', () => {
  const week = 7 * 24 * MICROS_PER_HOUR
  const weeks: PeriodList = Array.from({ length: 200 }, (_, at) => {
    return { label: `P${at}`, start: at * week, end: (at + 1) * week }
  })
  const protocol = protocolOf(['a'], 'UTC', weeks, {
    outcome: UNREVISED,
    forecast: { point: 'median', levels: [], integer: false },
    scores: [{ id: 'ae', kind: 'absolute_error', primary: true }],
    ...standard({ seasons: ['year'] }),
  })
  const found = planFindings(plan(199, 199), compileRules(protocol, weeks), 0, weeks)
  expect(found.map(({ args }) => args)).toMatchObject([{ fault: 'target', at: 'P199' }])
})

it('a window begins fifty periods after the list, and after the first period of each series', () => {
  const series = ['a', 'b'].map((id) => ({ id, unit: 'u', source: 's' }))
  const late = [series[0]!, { ...series[1]!, from: 'P60' }]
  const of = (from: number, those = series) => {
    const protocol = protocolOf([], 'UTC', PERIODS, { series: those, outcome: UNREVISED })
    const found = planFindings(plan(from, from + 99), compileRules(protocol, PERIODS), 0, PERIODS)
    return found.map((each) => Object.values(formatMessage(each)).join('|')).filter(isLead)
  }
  const isLead = (said: string) => said.includes('50 periods')
  const says = (from: string, than: string, first: string) => [
    `the window begins with ${from}, less than 50 periods after ${than}, from which on values are expected|Begin the window with "${first}" or later: the comparators of every protocol need values before it.`,
  ]
  expect([of(50), of(49)]).toEqual([[], says('P49', 'P0', 'P50')])
  expect([of(110, late), of(109, late)]).toEqual([[], says('P109', 'P60', 'P110')])
})

it('a window in which a required comparator is silent at half of the keys is refused', () => {
  const hours: PeriodList = Array.from({ length: 900 }, (_, at) => {
    return { label: `P${at}`, start: at * MICROS_PER_HOUR, end: (at + 1) * MICROS_PER_HOUR }
  })
  const protocol = protocolOf(['a'], 'UTC', hours, {
    outcome: UNREVISED,
    forecast: { point: 'median', levels: [], integer: false },
    scores: [{ id: 'ae', kind: 'absolute_error', primary: true }],
    ...standard({ seasons: ['day', 'week'] }),
  })
  const of = (from: number) => {
    const found = planFindings(plan(from, 890), compileRules(protocol, hours), 0, hours)
    return found.flatMap(({ args }) => ('fault' in args && args.fault === 'silent' ? [args] : []))
  }
  // Of five weeks 840 hours: half of the targets have as many before them.
  expect(of(55)).toMatchObject([{ at: 'usual_week' }])
  expect(of(800)).toEqual([])
})
