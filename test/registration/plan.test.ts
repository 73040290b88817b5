import { describe, expect, it } from 'vitest'
import { messageOf } from '../../src/contract/findings/finding.js'
import type { Plan } from '../../src/contract/types.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { argsOf, codeOf } from '../contract/args-of.js'
import { NOW, plan, protocol, session, volatility } from './made.js'

const builtIn = (name: string) => ({ source: 'built_in' as const, name })
const model = (name: string) => ({ source: 'history' as const, name })

/** Code and pointer of everything found in a plan. */
function found(value: unknown, under = protocol()): string[] {
  return planFindings(value, under, NOW).map((each) => `${codeOf(each)} ${each.pointer}`)
}

function comparators(over: Plan['comparators']): Plan {
  return plan({ comparators: { ...plan().comparators, ...over } })
}

function without(name: string): Plan {
  const { [name]: _gone, ...comparators } = plan().comparators
  return plan({ comparators })
}

const window = (from: string, to: string) => ({ window: { from, to } })
const AHEAD = ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'] as const

const authority = (name: string, digit: string) => ({ name, anchor_sha256: digit.repeat(64) })
const witnessed = (at_least: number, ...authorities: ReturnType<typeof authority>[]) => ({
  commitment: 'stamped' as const,
  time: { at_least, authorities },
})
const PAST = {
  mode: 'retrospective' as const,
  ...window('2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z'),
  outcomes: { source: 'coinbase', vintage_sha256: 'a'.repeat(64) },
}

describe('a sound plan', () => {
  it('may name authorities, and ask for none of them', () => {
    const { time } = witnessed(0, authority('one', '1'), authority('two', '2'))
    expect(found(plan({ time }))).toEqual([])
    // What lies in the past may be published whenever.
    expect(found(plan({ ...PAST, provenance_required: false }))).toEqual([])
    expect(found(plan({ provenance_required: false, publication_lag_minutes: 0 }))).toEqual([])
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

const cases: readonly [string, unknown, readonly string[]][] = [
  [
    'has no record of inputs, and a lag',
    plan({ provenance_required: false }),
    ['lag-without-provenance /provenance_required'],
  ],
  [
    'takes a comparator from the history under the name of a built-in',
    comparators({ persistence: model('persistence') }),
    ['comparator-substituted /comparators/persistence'],
  ],
  [
    'asks for more authorities than it names',
    plan(witnessed(2, authority('one', '1'))),
    ['commitment-unfounded too_few /time/at_least'],
  ],
  [
    'names one authority twice, by its anchor or by its name',
    plan(witnessed(2, authority('a', '1'), authority('b', '1'), authority('A', '2'))),
    [
      'commitment-unfounded repeated /time/authorities/1',
      'commitment-unfounded repeated /time/authorities/2',
    ],
  ],
  [
    'commits to forecasts and asks for no authority',
    plan(witnessed(0, authority('one', '1'))),
    ['commitment-unfounded no_authorities /commitment'],
  ],
  [
    'commits to forecasts and has no authorities',
    plan({ commitment: 'stamped' }),
    ['commitment-unfounded no_authorities /commitment'],
  ],
  [
    'commits to what has happened already',
    plan({ ...PAST, ...witnessed(1, authority('one', '1')) }),
    ['commitment-unfounded retrospective /commitment'],
  ],
  [
    'names a log, and holds forecasts against none',
    plan({ commitment_log: 'example.org/made' }),
    ['commitment-unfounded log_alone /commitment_log'],
  ],
  [
    'names a log as none is called',
    plan({ ...witnessed(1, authority('one', '1')), commitment_log: 'two words' }),
    ['malformed-text /commitment_log'],
  ],
  [
    'commits to forecasts, and parts them by what was not committed to',
    plan({
      ...witnessed(1, authority('one', '1')),
      strata: [
        session,
        { name: 'volatility', by: 'regime', levels: [{ level: 'calm', regimes: ['low'] }] },
      ],
    }),
    ['commitment-unfounded regime /strata/1/by'],
  ],
  [
    'names an authority by a path',
    plan(witnessed(1, authority('../one', '1'))),
    ['malformed-text /time/authorities/0/name'],
  ],
  [
    'begins before it is registered',
    plan(window('2025-12-31T23:00:00Z', AHEAD[1])),
    ['plan-window has-begun /window/from'],
  ],
  [
    'begins off the hour',
    plan(window('2026-02-01T00:30:00Z', AHEAD[1])),
    ['plan-window off-the-hour /window/from'],
  ],
  ['ends before it begins', plan(window(AHEAD[1], AHEAD[0])), ['plan-window reversed /window']],
  [
    'is retrospective and lies ahead',
    plan({
      mode: 'retrospective',
      outcomes: { source: 'coinbase', vintage_sha256: 'a'.repeat(64) },
    }),
    ['plan-window lies-ahead /window/to'],
  ],
  [
    'is retrospective without a vintage',
    plan({ mode: 'retrospective', ...window('2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z') }),
    ['vintage-unfit unnamed /outcomes'],
  ],
  [
    'is prospective and knows its vintage',
    plan({ outcomes: { source: 'coinbase', vintage_sha256: 'a'.repeat(64) } }),
    ['vintage-unfit too-early /outcomes/vintage_sha256'],
  ],
  [
    'stops before the last target',
    plan({ as_of: '2026-04-01T14:59:59Z' }),
    ['plan-window as-of-early /as_of'],
  ],
  ['lacks a required comparator', without('ar1'), ['name-undefined comparator /comparators']],
  [
    'names a comparator that is not required',
    comparators({ incumbant: model('other') }),
    ['name-unknown comparator /comparators/incumbant'],
  ],
  [
    'names a baseline that does not exist',
    comparators({ incumbent: builtIn('arima') }),
    ['name-unknown baseline /comparators/incumbent/name'],
  ],
  [
    'puts one built-in under the name of another',
    comparators({ ar1: builtIn('drift_24h') }),
    ['comparator-substituted /comparators/ar1'],
  ],
  [
    'compares a candidate with itself',
    plan({ candidates: [model('kernel_memory')] }),
    ['model-ambiguous comparator /candidates/0'],
  ],
  [
    'names a candidate twice',
    plan({ candidates: [model('a'), model('a')] }),
    ['listed-twice /candidates/1'],
  ],
  [
    'takes one name from two sources',
    comparators({ incumbent: model('persistence') }),
    ['model-ambiguous sources /comparators/incumbent'],
  ],
  [
    'maps a pool name to no rule',
    plan({ baseline_pool: { drift_24h: 'strongest_simple' } }),
    ['name-unknown baseline /baseline_pool/drift_24h'],
  ],
  [
    'maps a pool name to another rule',
    plan({ baseline_pool: { drift_24h: 'drift_7d' } }),
    ['comparator-substituted /baseline_pool/drift_24h'],
  ],
  [
    'maps what is not in the pool',
    plan({ baseline_pool: { drift_7d: 'drift_7d' } }),
    ['name-unknown pool /baseline_pool/drift_7d'],
  ],
  [
    'loosens a limit',
    plan({ limits: { directional_loss: 0.05 } }),
    ['limit-loosened /limits/directional_loss'],
  ],
  ['leaves a stratum out', plan({ strata: [session] }), ['name-undefined stratum /strata']],
  [
    'omits a stratum with a reason',
    plan({ strata: [session, { name: 'volatility', by: 'omitted', reason: 'too few hours' }] }),
    ['stratum-omitted /strata/1'],
  ],
  [
    'omits a stratum without a reason',
    plan({ strata: [session, { name: 'volatility', by: 'omitted' }] }),
    ['missing-key /strata/1', 'stratum-omitted /strata/1'],
  ],
  [
    'invents a stratum',
    plan({ strata: [session, volatility, { ...session, name: 'moon' }] }),
    ['name-unknown stratum /strata/2/name'],
  ],
  [
    'defines a stratum twice',
    plan({ strata: [session, volatility, session] }),
    ['listed-twice /strata/2/name'],
  ],
  [
    'puts an hour into two levels and leaves others out',
    plan({
      strata: [
        {
          ...session,
          levels: [
            { level: 'a', hours: [0, 1] },
            { level: 'b', hours: [1, 2] },
          ],
        },
        volatility,
      ],
    }),
    ['stratum-levels overlap /strata/0/levels/1/hours/0', 'levels-leave-out /strata/0/levels'],
  ],
  [
    'gives two levels one name',
    plan({
      strata: [session, { ...volatility, levels: [{ level: 'a', below: 1 }, { level: 'a' }] }],
    }),
    ['listed-twice /strata/1/levels/1/level'],
  ],
  [
    'lets cut-points descend, and gives the last level one',
    plan({
      strata: [
        session,
        {
          ...volatility,
          levels: [
            { level: 'a', below: 2 },
            { level: 'b', below: 1 },
            { level: 'c', below: 3 },
          ],
        },
      ],
    }),
    [
      'stratum-levels descending /strata/1/levels/1/below',
      'stratum-levels last-cut-point /strata/1/levels/2/below',
    ],
  ],
  [
    'mixes the members of two kinds',
    plan({
      strata: [session, { ...volatility, levels: [{ level: 'a', hours: [1] }, { level: 'b' }] }],
    }),
    ['stratum-levels unused-key /strata/1/levels/0/hours', 'missing-key /strata/1/levels/0'],
  ],
  [
    'lets periods overlap',
    plan({
      strata: [
        {
          name: 'session',
          by: 'period',
          levels: [
            { level: 'a', from: AHEAD[0], to: AHEAD[1] },
            { level: 'b', from: AHEAD[1], to: AHEAD[1] },
          ],
        },
        volatility,
      ],
    }),
    ['stratum-levels overlap /strata/0/levels/1'],
  ],
]

describe('a plan that', () => {
  it.each(cases)('%s', (_, value, expected) => {
    expect(found(value)).toEqual(expected)
  })

  it('has several faults gets all of them reported', () => {
    const value = { ...without('ar1'), ...window('2025-01-01T00:00:01Z', AHEAD[1]), strata: [] }
    expect(found(value).sort()).toEqual([
      'name-undefined comparator /comparators',
      'name-undefined stratum /strata',
      'name-undefined stratum /strata',
      'plan-window has-begun /window/from',
      'plan-window off-the-hour /window/from',
    ])
  })

  it('does not have the form of a plan is refused with the nearest key', () => {
    const { provenance_required: _gone, ...rest } = plan()
    const findings = planFindings({ ...rest, provenance_require: true }, protocol(), NOW)
    expect(findings.map(({ code }) => code).sort()).toEqual(['missing-key', 'unknown-key'])
    expect(argsOf(findings.find(({ code }) => code === 'unknown-key')).nearest).toEqual([
      'provenance_required',
    ])
  })

  it('names members of every object is none the wiser', () => {
    const under = protocol()
    under.estimands.comparisons.required.push('constructor')
    expect(found(plan(), under)).toEqual(['name-undefined comparator /comparators'])
  })

  it('resolves pool names that are no built-ins', () => {
    const under = protocol()
    under.estimands.comparisons.simple_baseline_pool.push('random_walk')
    expect(found(plan(), under)).toEqual(['name-undefined pool /baseline_pool'])
    expect(found(plan({ baseline_pool: { random_walk: 'drift_7d' } }), under)).toEqual([])
  })

  it('needs no pool where strongest_simple is a model of the history', () => {
    const under = protocol()
    under.estimands.comparisons.simple_baseline_pool.push('random_walk')
    expect(found(comparators({ strongest_simple: model('strongest') }), under)).toEqual([
      'comparator-substituted /comparators/strongest_simple',
    ])
  })
})

it('every finding has words of its own', () => {
  for (const [, value] of cases) {
    for (const finding of planFindings(value, protocol(), NOW)) {
      const { text } = messageOf(finding)
      expect(text).not.toBe(finding.code)
      expect(text).not.toMatch(/undefined|\[object/)
    }
  }
})
