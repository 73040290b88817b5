import { describe, expect, it } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import type { Plan, Registration, SeriesProtocol } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import { readDocument } from '../../src/document/read.js'
import type { PeriodList } from '../../src/periods/list.js'
import { listGroups } from '../../src/protocol/rules/groups.js'
import { prepareRegistration } from '../../src/registration/prepare.js'
import { seriesPlanTemplate } from '../../src/registration/series-template.js'
import { verifyRegistration } from '../../src/registration/verify.js'
import { ALWAYS } from '../../src/truth/releases.js'
import type { TruthVintage } from '../../src/truth/releases-vintage.js'
import { type Changes, changedIn, documentOf } from '../protocol/sample.js'
import { BEFORE, exampleOf, instant } from './series-examples.js'

const [WEEKLY, DAILY] = [await exampleOf('weekly'), await exampleOf('daily')]
const { periods, protocol } = WEEKLY

interface Given {
  readonly plan?: Changes
  readonly protocol?: Changes
  readonly periods?: PeriodList
  readonly now?: number
  readonly vintage?: TruthVintage | undefined
}

function prepare(given: Given = {}, example = WEEKLY) {
  const value: Plan = changedIn(example.plan, given.plan ?? {})
  const plan = readDocument(Buffer.from(JSON.stringify(value)), 'plan.json')
  if (!plan.ok) throw new Error('unreadable')
  const { periods = example.periods, now = BEFORE, vintage } = given
  const protocol: SeriesProtocol = changedIn(example.protocol, given.protocol ?? {})
  return prepareRegistration({
    ...{ plan, protocol: documentOf(protocol), periods, now, releases: vintage },
  })
}

const said = (found: ReturnType<typeof prepare>['findings']) =>
  found.map((each) => `${each.severity} ${each.pointer} ${formatMessage(each).text}`)

/** Wednesday of the week 2026-W48, which begins on Sunday, 29 November: 23:00 in New York. */
const DUE = '2026-12-03T04:00:00Z'

describe('a plan of version 2', () => {
  it('has comparators that can forecast half of the keys', () => {
    // 2,000 days before anything is known, of a list of 400 weeks: nothing when the first forecasts are due.
    const { findings, registration } = prepare({ protocol: { '/outcome/known/offset': 'P2000D' } })
    expect(said(findings)).toEqual([
      'error /window/from by the list last_value cannot forecast half of the keys of US in the window: too little lies before it',
    ])
    expect(registration).toBeUndefined()
  })

  it('becomes a registration with every test by name', () => {
    const { registration, findings } = prepare()
    expect(findings).toEqual([])
    expect(registration).toMatchObject({
      registration_version: 1,
      registered_at: '2026-11-20T00:00:00Z',
      protocol: { version: 'flu-admissions-2026-1', sha256: protocol.protocol_sha256 },
      // 5 weeks of 2026, 52 of 2027, 22 of 2028.
      window: {
        ...{ from: '2026-W48', to: '2028-W22', origins: 79 },
        ...{ first_inputs: '2026-12-03T04:00:00Z', first_due: '2026-12-03T04:00:00Z' },
      },
      comparators: ['last_value', 'last_season', 'trend', 'usual', 'usual_season'].map((name) => {
        return { source: 'built_in', name, required_as: [name] }
      }),
      not_asked: [],
      ...{ scales: [], scales_as_of: null },
      rules: { weights: { verdict: 0.6, deciding: 0.4, other: null }, test: { method: 'ewc-t' } },
      outcomes: { source: 'the health department', vintage_id: null, vintage_sha256: null },
      family: { size: 40 },
    })
    expect(listGroups(registration!.rules)).toEqual(['nation', 'state'])
    expect(verifyRegistration(registration, protocol, periods)).toEqual([])
  })

  it('counts for an origin if it is registered by the time that is due', () => {
    expect(prepare({ now: instant(DUE) }).findings).toEqual([])
    expect(said(prepare({ now: instant(DUE) + 1 }).findings)).toEqual([
      `error /window/from forecasts of 2026-W48 were due at ${DUE}, before the registration at 2026-12-03T04:00:00.000001Z; it counts for origins that are due later`,
    ])
  })

  it.each([
    // The list ends with 2029-W35, and the longest horizon is three weeks.
    ['/window/to', '2029-W35', 'the last is "2029-W32"'],
    ['/window/to', '2031-W01', 'the last is "2029-W32"'],
    ['/window/from', 'W48', 'the first origin with all its targets in the list is "2022-W02"'],
  ])('says which label would do: %s %s', (pointer, label, says) => {
    const { findings } = prepare({ plan: { [pointer]: label } })
    expect(findings.map((each) => formatMessage(each).help?.toLowerCase()).join()).toContain(
      says.toLowerCase(),
    )
  })

  it('says with which origin a window that has begun may begin', () => {
    const [found] = prepare({ now: instant(DUE) + 1 }).findings
    expect(found && formatMessage(found).help).toContain('Begin the window with "2026-W49"')
  })

  const PAST = { '/mode': 'backtest' }
  const DIGEST = { '/outcomes/vintage_sha256': 'a'.repeat(64) }
  const planned: readonly [expected: string, plan: Changes][] = [
    ['error /window/from there is no period "W48" in the list', { '/window/from': 'W48' }],
    [
      'error /window the window ends with 2026-W48 before it begins with 2027-W01',
      { '/window': { from: '2027-W01', to: '2026-W48' } },
    ],
    ['error /window not all targets of 2029-W33 are in the list', { '/window/to': '2029-W35' }],
    [
      'warning /window/to the last forecasts of the window of the backtest, of 2028-W22, are due',
      { ...PAST, ...DIGEST },
    ],
    [
      'warning /outcomes the digest of the vintage is not registered',
      { ...PAST, '/window': { from: '2023-W01', to: '2024-W40' } },
    ],
    ['error /outcomes/vintage_sha256 a prospective window has no outcomes yet', DIGEST],
    // What a comparator is, is said by the protocol alone.
    ['error /comparators ', { '/comparators': {} }],
    [
      'error /candidates/0 "last_season" is the name of a baseline',
      { '/candidates': ['last_season'] },
    ],
    ['error /candidates/1 ', { '/candidates': ['a', 'a'] }],
    ['error /candidates/0 ', { '/candidates': [{ source: 'history', name: 'mine' }] }],
    ['error /commitment ', { '/commitment': 'stamped' }],
    ['error /plan_version ', { '/plan_version': 2 }],
    [
      'error /strata the plan gives strata',
      { '/strata': [{ name: 'a', by: 'omitted', reason: 'b' }] },
    ],
    ['error /limits the plan gives limits', { '/limits': { harm: 0.01 } }],
    ['error /bound the plan gives bound', { '/bound': { last_value: 'mine' } }],
    ['error /due_minutes the plan gives due_minutes', { '/due_minutes': 2 }],
    ['error /name <name> is a placeholder', { '/name': '<name>' }],
  ]
  it.each<[string, Given]>([
    ...planned.map(([expected, plan]): [string, Given] => [expected, { plan }]),
    [
      'error /window/to no forecasts are made of the period "2028-W22"',
      { periods: periods.map((week) => ({ ...week, origin: week.label !== '2028-W22' })) },
    ],
  ])('%s', (expected, given) => {
    const { findings, registration } = prepare(given)
    const found = said(findings).map((text) => text.slice(0, expected.length))
    expect(found).toContain(expected)
    expect(registration === undefined).toBe(found.some((text) => text.startsWith('error')))
    expect(findings.every(({ position }) => position !== undefined)).toBe(true)
  })
})

describe('a registration of version 2 that is not what it says', () => {
  const sound = prepare().registration as Registration
  const scaled = (value: number) => ({ series: 'US', transform: 'identity', value })
  const faults = (changes: Changes, sealed = true) => {
    const edited = changedIn(sound, changes)
    if (sealed) edited.registration_sha256 = digestWithout(edited, 'registration_sha256')
    return said(verifyRegistration(edited, protocol, periods))
  }

  it.each<[string, Changes]>([
    ['error /window/origins the value is 80', { '/window/origins': 80 }],
    ...['first_inputs', 'first_due', 'last_due', 'last_settled'].map(
      (name): [string, Record<string, unknown>] => [
        `error /window/${name} the value is 2027-02-01`,
        { [`/window/${name}`]: '2027-02-01T00:00:00Z' },
      ],
    ),
    ['error /rules/series/0/group the value is state', { '/rules/series/0/group': 'state' }],
    ['error /rules/alpha the value is 0.1', { '/rules/alpha': 0.1 }],
    ['error /rules/strata/0 the value is {', { '/rules/strata': [{ name: 'a', by: 'by_plan' }] }],
    ['error /instants the value is null', { '/instants': null }],
    ['error /scales/0 the value is {', { '/scales': [scaled(1)] }],
    ['error /scales/0/value ', { '/scales': [scaled(0)] }],
    ['error /instants/sha256 the value is 000', { '/instants/sha256': '0'.repeat(64) }],
    ['error /family/tests/1 the value is x', { '/family/tests/1': 'x' }],
    ['error /rules/weights/verdict ', { '/rules/weights/verdict': 0.8 }],
    ['error /window/from forecasts of', { '/registered_at': '2027-01-01T00:00:00Z' }],
    ['error /protocol the registration was made under', { '/protocol/sha256': 'a'.repeat(64) }],
    ['error /comparators/0/name the value is mine', { '/comparators/0/name': 'mine' }],
    ['error /as_of ', { '/as_of': '2029-01-01T00:00:00Z' }],
  ])('%s', (expected, changes) => {
    expect(faults(changes).map((text) => text.slice(0, expected.length))).toContain(expected)
  })

  it('has other instants by a table of time zones of that version alone', () => {
    const other = { '/instants': { sha256: '0'.repeat(64), tz: '2019a' } }
    expect(() => faults(other)).toThrow('version 2019a of the table of time zones')
    expect(faults(other, false)[0]).toContain('registration_sha256')
    // Where no offset is in days, no table moves anything.
    const hours = {
      '/outcome/known/offset': 'PT120H',
      '/outcome/release/lag': 'PT672H',
    }
    const edited = changedIn(prepare({ protocol: hours }).registration as Registration, other)
    edited.registration_sha256 = digestWithout(edited, 'registration_sha256')
    const found = verifyRegistration(edited, changedIn(protocol, hours), periods)
    expect(said(found)).toEqual([expect.stringContaining('/instants/sha256')])
  })

  it('has another digest after any edit', () => {
    expect(faults({ '/name': 'another' }, false)[0]).toContain('registration_sha256')
  })
})

describe('the template of a plan', () => {
  it('begins with the next origin that is due and is a quarter longer than the least', () => {
    // The least is 50 pairs, or 10 blocks of 5 origins.
    expect(seriesPlanTemplate(protocol, periods, { mode: 'prospective', now: BEFORE })).toEqual({
      plan_version: 1,
      name: '<name of this evaluation>',
      description: null,
      mode: 'prospective',
      window: { from: '2026-W47', to: '2028-W05' },
      due_minutes: null,
      candidates: ['<name of your model in the history>'],
      bound: {},
      strata: [],
      limits: {},
      provenance_required: false,
      outcomes: { source: 'the health department', vintage_id: null, vintage_sha256: null },
      time: null,
      commitment: 'self_declared',
      commitment_log: null,
    })
  })

  it('ends with the last origin that was due for a backtest', () => {
    const plan = seriesPlanTemplate(protocol, periods, { mode: 'backtest', now: BEFORE })
    expect(plan).toMatchObject({ window: { from: '2025-W37', to: '2026-W46' } })
    const chosen = { mode: 'backtest' as const, now: BEFORE, from: '2025-W01' }
    expect(seriesPlanTemplate(protocol, periods, chosen)).toMatchObject({
      window: { from: '2025-W01', to: '2026-W46' },
    })
  })

  it('says where the list has no such origin', () => {
    const late = { mode: 'prospective' as const, now: instant('2030-01-01T00:00:00Z') }
    expect(() => seriesPlanTemplate(protocol, periods, late)).toThrow('no origin that is due later')
  })
})

/** The first `days` days, up by 1 and by 3 in turns; `south` does as `of` says. */
function vintage(
  days: number,
  of: (day: number) => number = (day) => day,
  complete_to = '2027-03-01T00:00:00Z',
): TruthVintage {
  const values = new Map<string, number>()
  for (let day = 0; day < days; day++) {
    const label = DAILY.periods[day]?.label ?? ''
    values.set(`north ${label}`, Math.floor(day / 2) * 4 + (day % 2))
    values.set(`south ${label}`, of(day))
  }
  return {
    manifest: {
      ...{ schema_version: 2, vintage_id: 'v', source: 'the weather service', series: 2, rows: 0 },
      ...{ first_as_of: null, last_as_of: null, complete_to, sha256: 'a'.repeat(64), input: null },
    },
    releases: (series, period) => {
      const value = values.get(`${series} ${period}`)
      return value === undefined ? [] : [{ asOf: ALWAYS, value }]
    },
  }
}

function scaled(vintage: TruthVintage | undefined, plan: Changes = {}) {
  const now = instant('2027-01-31T12:00:00Z')
  const prepared = prepare({ plan, now, vintage }, DAILY)
  return { ...prepared, said: prepared.findings.map((each) => formatMessage(each).text) }
}

describe('scales', () => {
  it('are written as numbers into the registration', () => {
    // 21 days have 20 differences: of north 1 and 3 in turns, of south always 1. All losses are on the values as they are.
    const { registration, said } = scaled(vintage(21))
    expect(said).toEqual([])
    expect(registration?.scales).toEqual([
      { series: 'north', transform: 'identity', value: 2 },
      { series: 'south', transform: 'identity', value: 1 },
    ])
    expect(registration?.scales_as_of).toBe('2027-01-31T12:00:00Z')
    expect(registration?.outcomes.vintage_sha256).toBeNull()
    expect(verifyRegistration(registration, DAILY.protocol, DAILY.periods)).toEqual([])
  })

  it('are of the instant up to which the outcomes are complete, where that is earlier', () => {
    // In Berlin 21 January is over at 23:00 UTC, and known then.
    const until = '2026-01-21T23:00:00Z'
    const { registration } = scaled(vintage(31, undefined, until))
    expect(registration?.scales_as_of).toBe(until)
    // 21 January, the 20th difference, is not yet known a minute earlier.
    const { said } = scaled(vintage(31, undefined, '2026-01-21T22:59:00Z'))
    expect(said[0]).toContain('north has 19 differences')
  })

  it.each([
    ['none', 0, () => 7],
    ['one', 1, (day: number) => Number(day > 3)],
    ['19', 19, (day: number) => Math.max(1, day)],
  ])('need 20 differences that are not 0; %s are too few', (_, count, of) => {
    const { said, registration } = scaled(vintage(21, of))
    const is =
      count === 1
        ? '1 difference between values a season apart that is'
        : `${count} differences between values a season apart that are`
    expect(said).toEqual([
      `the series south has ${is} not 0 (transform identity), and a scale needs 20`,
    ])
    expect(registration).toBeUndefined()
  })

  it('need outcomes, of each series, and a unit in which they are not all but 0', () => {
    expect(scaled(undefined).said[0]).toContain('there are none here')
    expect(scaled(vintage(20)).said).toHaveLength(2)
    expect(scaled(vintage(20)).said[0]).toContain('north has 19 differences')
    expect(scaled(vintage(21, (day) => day * 1e-42)).said[0]).toMatch(
      /^the scale of the series south is \S+e-42 /,
    )
  })
})

describe('values that are said to be of the ends of their periods', () => {
  const rising = (days: number, over: 'end' | 'period') => {
    const protocol = { ...DAILY.protocol, outcome: { ...DAILY.protocol.outcome, over } }
    const now = instant('2027-01-31T12:00:00Z')
    // South falls once, on the last day.
    const given = vintage(days, (day) => day - 2 * Number(day === days - 1))
    const { findings } = prepare({ now, vintage: given }, { ...DAILY, protocol })
    return findings.flatMap((each) =>
      each.code === 'series-policy' ? formatMessage(each).text : [],
    )
  }

  it('are refused where the last 100 never fall, as those of a running total', () => {
    const says =
      'the last 100 values of north never fall, as those of a running total, and outcome.over says that a value is of the end of its period'
    expect(rising(110, 'end')).toEqual([says])
    expect(rising(110, 'period')).toEqual([])
    expect(rising(99, 'end')).toEqual([])
  })
})

describe('a backtest', () => {
  const over = (from: string, to: string): Changes => ({
    '/mode': 'backtest',
    '/window': { from, to },
  })

  it('is tied to its outcomes', () => {
    const { registration, said } = scaled(vintage(31), over('2027-01-02', '2027-01-20'))
    expect(said).toEqual([])
    const outcomes = { vintage_id: 'v', vintage_sha256: 'a'.repeat(64) }
    expect(registration?.outcomes).toMatchObject(outcomes)
  })

  it('is not asked for the outcomes that it is given, whatever else is wrong', () => {
    const { said } = scaled(vintage(31), over('2027-01-20', '2027-01-02'))
    expect(said).toEqual(['the window ends with 2027-01-02 before it begins with 2027-01-20'])
  })

  it('is refused on outcomes that are another source, or end before the last one is settled', () => {
    const plan = { ...over('2027-01-02', '2027-02-28'), '/outcomes/source': 'x' }
    const { said } = scaled(vintage(31), plan)
    expect(said).toContain('the value is x, but the vintage says the weather service')
    // The last target is 3 March, which is known at midnight in Berlin and settled 7 days later.
    expect(said).toContain(
      'outcomes are needed up to 2027-03-10T23:00:00Z; the vintage ends at 2027-03-01T00:00:00Z',
    )
  })
})
