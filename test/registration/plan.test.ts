import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Plan, WitnessRule } from '../../src/contract/types.js'
import { KEY_TYPE, toVerifierKey } from '../../src/log/verifier-key.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { commitmentFindings, planFindings } from '../../src/registration/plan-rules.js'
import { argsOf } from '../contract/args-of.js'
import { authority, NOW, plan, protocol, saidOf, session, volatility } from './made.js'

/** Code and pointer of everything found in a plan. */
const found = (value: unknown, under = protocol()) =>
  saidOf(planFindings(value, compileRules(under), NOW))

const bound = (over: Plan['bound']) => plan({ bound: { ...plan().bound, ...over } })

/** The plan with other strata after the session. */
const strata = (...more: Plan['strata']) => plan({ strata: [session, ...more] })
const cutAt = (...levels: NonNullable<Plan['strata'][number]['levels']>) =>
  strata({ ...volatility, levels })
const CALM = [{ level: 'calm', regimes: ['low'] }]
const ofHours = (...hours: number[]) => ({ level: `from ${hours[0]}`, hours })
const ofPeriod = (level: string, from: 0 | 1) => ({ level, from: AHEAD[from], to: AHEAD[1] })

const window = (from: string, to: string) => ({ window: { from, to } })
const AHEAD = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'] as const

const ONE = authority('one', '1')
const witnessed = (at_least: number, ...authorities: ReturnType<typeof authority>[]) => ({
  commitment: 'stamped' as const,
  time: { at_least, authorities },
})
const PAST = {
  mode: 'backtest' as const,
  ...window('2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z'),
  outcomes: { source: 'coinbase', vintage_id: null, vintage_sha256: 'a'.repeat(64) },
}

describe('a sound plan', () => {
  it('may name authorities, and ask for none of them', () => {
    const { time } = witnessed(0, ONE, authority('two', '2'))
    expect(found(plan({ time }))).toEqual([])
    // What lies in the past may be published whenever.
    expect(found(plan({ ...PAST, provenance_required: false }))).toEqual([])
    expect(found(plan({ provenance_required: false, due_minutes: 0 }))).toEqual([])
    expect(found(plan({ ...PAST, time: { ...time, at_least: 2 } }))).toEqual([])
    expect(found(plan(witnessed(2, ...time.authorities)))).toEqual([])
  })

  it('has no finding', () => {
    expect(found(plan())).toEqual([])
  })

  it('may begin at the very time of its registration, with any offset', () => {
    expect(found(plan(window('2026-01-01T01:00:00+01:00', AHEAD[1])))).toEqual([])
  })
})

/** What is found, and a plan in which it is. */
const cases: readonly [expected: string, value: unknown][] = [
  ['plan-lag /due_minutes', plan({ due_minutes: null })],
  ['name-unknown bound /bound/persistence', bound({ persistence: 'mine' })],
  ['commitment-unfounded too_few /time/at_least', plan(witnessed(2, ONE))],
  [
    // By its anchor, and by its name.
    'commitment-unfounded repeated /time/authorities/1, commitment-unfounded repeated /time/authorities/2',
    plan(witnessed(2, authority('a', '1'), authority('b', '1'), authority('A', '2'))),
  ],
  ['commitment-unfounded no_authorities /commitment', plan(witnessed(0, ONE))],
  ['commitment-unfounded no_authorities /commitment', plan({ commitment: 'stamped' })],
  ['commitment-unfounded backtest /commitment', plan({ ...PAST, ...witnessed(1, ONE) })],
  ['commitment-unfounded log_alone /commitment_log', plan({ commitment_log: 'example.org/made' })],
  ['malformed-text /commitment_log', plan({ ...witnessed(1, ONE), commitment_log: 'two words' })],
  [
    'commitment-unfounded regime /strata/1/by',
    { ...strata({ name: 'volatility', by: 'regime', levels: CALM }), ...witnessed(1, ONE) },
  ],
  ['malformed-text /time/authorities/0/name', plan(witnessed(1, authority('../one', '1')))],
  ['plan-window has-begun /window/from', plan(window('2025-12-31T23:00:00Z', AHEAD[1]))],
  ['plan-window off-the-hour /window/from', plan(window('2026-02-01T00:30:00Z', AHEAD[1]))],
  ['invalid-timestamp range /window/to', plan(window(AHEAD[0], '9999-12-30T00:00:00Z'))],
  ['invalid-timestamp calendar /window/to', plan(window(AHEAD[0], '2027-02-30T00:00:00Z'))],
  ['plan-window reversed /window', plan(window(AHEAD[1], AHEAD[0]))],
  ['plan-window lies-ahead /window/to', plan({ mode: 'backtest', outcomes: PAST.outcomes })],
  ['vintage-unfit unnamed /outcomes', plan({ ...PAST, outcomes: plan().outcomes })],
  ['vintage-unfit too-early /outcomes/vintage_sha256', plan({ outcomes: PAST.outcomes })],
  ['name-undefined comparator /bound', plan({ bound: {} })],
  ['name-unknown bound /bound/incumbant', bound({ incumbant: 'other' })],
  ['model-ambiguous comparator /candidates/0', plan({ candidates: ['kernel_memory'] })],
  ['model-ambiguous sources /candidates/0', plan({ candidates: ['drift_7d'] })],
  ['listed-twice /candidates/1', plan({ candidates: ['a', 'a'] })],
  ['limit-loosened /limits/direction', plan({ limits: { direction: 0.05 } })],
  ['name-undefined stratum /strata', plan({ strata: [session] })],
  ['stratum-omitted /strata', strata({ name: 'volatility', by: 'omitted', reason: 'few hours' })],
  ['stratum-omitted /strata, missing-key /strata/1', strata({ name: 'volatility', by: 'omitted' })],
  ['name-unknown stratum /strata/2/name', strata(volatility, { ...session, name: 'moon' })],
  ['listed-twice /strata/2/name', strata(volatility, session)],
  [
    'stratum-levels overlap /strata/0/levels/1/hours/0, levels-leave-out /strata/0/levels',
    plan({ strata: [{ ...session, levels: [ofHours(0, 1), ofHours(1, 2)] }, volatility] }),
  ],
  ['listed-twice /strata/1/levels/1/level', cutAt({ level: 'a', below: 1 }, { level: 'a' })],
  [
    'stratum-levels descending /strata/1/levels/1/below, stratum-levels last-cut-point /strata/1/levels/2/below',
    cutAt({ level: 'a', below: 2 }, { level: 'b', below: 1 }, { level: 'c', below: 3 }),
  ],
  [
    'stratum-levels unused-key /strata/1/levels/0/hours, missing-key /strata/1/levels/0',
    cutAt({ level: 'a', hours: [1] }, { level: 'b' }),
  ],
  [
    'stratum-levels unused-key /strata/0/lookback_hours',
    plan({ strata: [{ ...session, lookback_hours: 24 }, volatility] }),
  ],
  [
    'stratum-levels descending /strata/1/levels/1/below',
    cutAt({ level: 'a', below: 1 }, { level: 'b', below: 1 }, { level: 'c' }),
  ],
  [
    'stratum-levels reversed /strata/0/levels/1',
    plan({
      strata: [
        {
          ...{ name: 'session', by: 'period' },
          levels: [ofPeriod('a', 1), { level: 'b', from: AHEAD[0], to: '2026-01-31T00:00:00Z' }],
        },
        volatility,
      ],
    }),
  ],
  [
    'stratum-levels overlap /strata/0/levels/1',
    plan({
      strata: [
        { name: 'session', by: 'period', levels: [ofPeriod('a', 0), ofPeriod('b', 1)] },
        volatility,
      ],
    }),
  ],
]

describe('a plan that', () => {
  it.each(cases)('has %s', (expected, value) => {
    expect(found(value).join(', ')).toBe(expected)
  })

  it('has several faults gets all of them reported', () => {
    const value = {
      ...plan({ bound: {} }),
      ...window('2025-01-01T00:00:01Z', AHEAD[1]),
      strata: [],
    }
    expect(found(value).sort()).toEqual([
      'name-undefined comparator /bound',
      'name-undefined stratum /strata',
      'name-undefined stratum /strata',
      'plan-window has-begun /window/from',
      'plan-window off-the-hour /window/from',
    ])
  })

  it('does not have the form of a plan is refused with the nearest key', () => {
    const { provenance_required: _gone, ...rest } = plan()
    const findings = planFindings(
      { ...rest, provenance_require: true },
      compileRules(protocol()),
      NOW,
    )
    expect(findings.map(({ code }) => code).sort()).toEqual(['missing-key', 'unknown-key'])
    expect(argsOf(findings.find(({ code }) => code === 'unknown-key')).nearest).toEqual([
      'provenance_required',
    ])
  })

  it('names members of every object is none the wiser', () => {
    const under = protocol()
    under.estimands.comparisons.required.push('constructor')
    expect(found(plan(), under)).toEqual(['name-undefined comparator /bound'])
  })

  it('resolves pool names that are no built-ins', () => {
    const under = protocol()
    under.estimands.comparisons.simple_baseline_pool.push('random_walk')
    expect(found(plan(), under)).toEqual(['name-undefined pool /bound'])
    expect(found(bound({ random_walk: 'drift_7d' }), under)).toEqual([])
    expect(found(bound({ random_walk: 'strongest_simple' }), under)).toEqual([
      'name-unknown baseline /bound/random_walk',
    ])
  })

  it('needs no pool where strongest_simple is not required', () => {
    const under = protocol()
    under.estimands.comparisons.simple_baseline_pool.push('random_walk')
    under.estimands.comparisons.required = ['persistence', 'incumbent']
    expect(found(plan(), under)).toEqual([])
    expect(found(bound({ incumbent: 'strongest_simple' }), under)).toEqual([
      'name-undefined pool /bound',
    ])
  })
})

const key = () => generateKeyPairSync('ed25519').privateKey
const LOG = toVerifierKey('example.org/made', key()).text
const keys = ['a', 'b', 'c', 'd'].map((name) => ({
  name,
  vkey: toVerifierKey(`${name}.example`, key(), KEY_TYPE.cosignature).text,
}))
const [a, b, c] = keys as [WitnessRule['witnesses'][number], ...WitnessRule['witnesses']]
const group = (name: string, k: number, ...members: string[]) => ({ name, k, members })

const rule = (over: Partial<WitnessRule> = {}): WitnessRule => ({
  log: LOG,
  witnesses: [a, b!, c!],
  groups: [group('g', 2, 'a', 'b', 'c')],
  quorum: 'g',
  ...over,
})
const faults = (witnesses: WitnessRule | undefined, over: Partial<Plan> = {}) =>
  commitmentFindings({
    mode: 'prospective',
    strata: [],
    commitment: 'witnessed',
    commitment_log: null,
    time: {
      at_least: 1,
      authorities: [ONE],
      ...(witnesses && { witnesses }),
    },
    ...over,
  }).map(({ args, pointer }) => `${(args as { fault: string }).fault} ${pointer}`)

describe('witnesses in a plan or a registration', () => {
  it('are a policy in its one form', () => {
    expect(faults(rule())).toEqual([])
    expect(faults(rule({ witnesses: [a], groups: [], quorum: 'a' }))).toEqual([])
    const nested = [group('x', 2, 'a', 'b'), group('g', 2, 'c', 'x')]
    expect(faults(rule({ groups: nested }))).toEqual([])
  })

  it.each<[string, WitnessRule]>([
    ['witnesses that are not sorted', rule({ witnesses: [b!, a, c!] })],
    ['members that are not sorted', rule({ groups: [group('g', 2, 'b', 'a', 'c')] })],
    ['no quorum', rule({ witnesses: [], groups: [], quorum: 'none' })],
    ['none as the quorum', rule({ quorum: 'none' })],
    ['a quorum that two versions can have', rule({ groups: [group('g', 1, 'a', 'b', 'c')] })],
    ['2 of 4', rule({ witnesses: keys, groups: [group('g', 2, 'a', 'b', 'c', 'd')] })],
    ['one out of reach', rule({ witnesses: keys })],
    ['a group out of reach', rule({ groups: [...rule().groups, group('h', 1, 'g')] })],
    [
      'a group before its members',
      rule({ groups: [group('g', 2, 'c', 'x'), group('x', 2, 'a', 'b')] }),
    ],
    ['a threshold above all', rule({ groups: [group('g', 4, 'a', 'b', 'c')] })],
    ['the key of a witness as that of the log', rule({ log: a.vkey })],
    ['a key twice', rule({ witnesses: [a, { ...b!, vkey: a.vkey }, c!] })],
    ['a name of two lines', rule({ witnesses: [a, b!, { ...c!, name: 'c\nwitness' }] })],
    ['an address', rule({ witnesses: [a, b!, { ...c!, vkey: `${c!.vkey} https://c.example` }] })],
    ['a second log', rule({ log: `${LOG}\nlog ${LOG}` })],
  ])('are refused: %s', (_what, witnesses) => {
    expect(faults(witnesses)).toEqual(['policy /time/witnesses'])
  })

  it('go with forecasts that have to be witnessed, in the log of that key', () => {
    expect(faults(undefined)).toEqual(['no_witnesses /commitment'])
    expect(faults(rule(), { commitment: 'stamped' })).toEqual(['witnesses_alone /time/witnesses'])
    expect(faults(rule(), { commitment_log: 'example.org/made' })).toEqual([])
    expect(faults(rule(), { commitment_log: 'example.org/other' })).toEqual([
      'other_log /commitment_log',
    ])
    expect(faults(rule(), { mode: 'backtest' })).toEqual(['backtest /commitment'])
  })
})
