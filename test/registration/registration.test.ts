import { describe, expect, it } from 'vitest'
import { checkRegistration } from '../../src/contract/generated/check-registration.js'
import { formatUtc } from '../../src/contract/instant.js'
import type { Registration, RulesData, StratumDefinition } from '../../src/contract/types.js'
import { poolIn } from '../../src/protocol/rules/bind.js'
import { listCalendar } from '../../src/protocol/rules/calendar.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { chain } from '../../src/protocol/rules/entry.js'
import { createRegistration } from '../../src/registration/build.js'
import { enumerateFamily, familyDigest, registeredCells } from '../../src/registration/family.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { findRegisteredEntry, ledgerFindings } from '../../src/registration/verify.js'
import { codeOf } from '../contract/args-of.js'
import { type Changes, changedIn } from '../protocol/sample.js'
import { foundIn as found, hours, NOW, plan, protocol, sealed } from './made.js'

const registration = createRegistration(plan(), compileRules(protocol()), NOW)

/** The registration with changes, and its digest made again. */
const forged = (changes: Changes) => sealed(changedIn(registration, changes))

describe('a registration', () => {
  it('has the form of one and verifies', () => {
    expect(checkRegistration(registration)).toEqual([])
    expect(found(registration)).toEqual([])
  })

  it('writes out what the plan left to follow', () => {
    expect(registration).toMatchObject({
      registered_at: '2026-01-01T00:00:00Z',
      // 90 days from January to March.
      window: {
        origins: 90 * 24,
        // Due two minutes after their origins; the last target is 16 hours after the last origin.
        ...{ first_inputs: '2026-01-01T00:00:00Z', first_due: '2026-01-01T00:02:00Z' },
        ...{ last_due: '2026-03-31T23:02:00Z', last_settled: '2026-04-01T15:00:00Z' },
      },
      rules: {
        ...{ steps: [2, 4, 8, 16], limits: { harm: 0.05, direction: 0.02 } },
        origins: { due: { anchor: 'end', minutes: 2 } },
      },
      outcomes: { source: 'coinbase', vintage_id: null, vintage_sha256: null },
      // 1 candidate, 4 comparators, 29 tests, all origins and 4 levels.
      family: { size: 4 * 29 * 5 },
      // Nothing of a list, of scales and of others who vouch for times.
      ...{ not_asked: [], scales: [], scales_as_of: null, instants: null },
      ...{ description: null, time: null, commitment: 'self_declared', commitment_log: null },
    })
    expect(poolIn(registration.rules)).toEqual(['ar1', 'drift_24h', 'persistence'])
    expect(registration.rules.scores[1]?.epsilon).toBe(1e-6)
    expect(registration.family.tests).toHaveLength(580)
    expect(registration.family.sha256).toBe(familyDigest(registration.family.tests, null))
  })

  it('gives times in UTC', () => {
    const window = { from: '2026-02-01T02:00:00+02:00', to: '2026-03-01T01:00:00+01:00' }
    expect(
      createRegistration(plan({ window }), compileRules(protocol()), NOW).window,
    ).toMatchObject({
      from: '2026-02-01T00:00:00Z',
      to: '2026-03-01T00:00:00Z',
      origins: 28 * 24 + 1,
    })
  })

  it('counts one model behind two required names once', () => {
    const under = protocol()
    under.estimands.comparisons.required.push('champion')
    const twice = plan({ bound: { incumbent: 'kernel_memory', champion: 'kernel_memory' } })
    expect(planFindings(twice, compileRules(under), NOW)).toEqual([])
    const made = createRegistration(twice, compileRules(under), NOW)
    expect(made.comparators.at(-1)).toEqual({
      ...model('kernel_memory'),
      required_as: ['incumbent', 'champion'],
    })
    expect(made.family.size).toBe(registration.family.size)
    expect(found(made, under)).toEqual([])
  })

  it('is the same for the same plan, and another at another time', () => {
    const again = createRegistration(plan(), compileRules(protocol()), NOW)
    expect(again.registration_sha256).toBe(registration.registration_sha256)
    const later = createRegistration(plan(), compileRules(protocol()), NOW - 1)
    expect(later.registration_sha256).not.toBe(registration.registration_sha256)
  })

  it('verifies with a pool whose names the plan resolved', () => {
    const under = protocol()
    under.estimands.comparisons.simple_baseline_pool.push('random_walk')
    const made = createRegistration(
      plan({ bound: { incumbent: 'kernel_memory', random_walk: 'drift_7d' } }),
      compileRules(under),
      NOW,
    )
    expect(poolIn(made.rules)).toEqual(['ar1', 'drift_24h', 'drift_7d', 'persistence'])
    expect(found(made, under)).toEqual([])
  })
})

describe('a registration that was tampered with', () => {
  it('does not have its digest', () => {
    expect(found({ ...registration, name: 'another' })).toEqual([
      'digest-mismatch registration /registration_sha256',
    ])
  })

  it('is of another protocol', () => {
    const under = protocol()
    under.protocol_sha256 = '0'.repeat(64)
    expect(found(registration, under)).toEqual(['registration-of-other-protocol /protocol'])
  })

  const { tests } = registration.family
  const strongest = registration.rules.baselines.findIndex(({ id }) => id === 'strongest_simple')
  const pool = `/rules/baselines/${strongest}/pool`
  const differs = 'registration-differs'
  it.each<[expected: string, Changes]>([
    [`${differs} /family/tests/579`, { '/family/tests': tests.slice(0, -1) }],
    [`${differs} /family/tests/580`, { '/family/tests': [...tests, 'x'] }],
    [`${differs} /family/tests/7`, { '/family/tests': tests.with(7, 'x') }],
    [`${differs} /family/size`, { '/family/size': 1 }],
    [`${differs} /family/sha256`, { '/family/sha256': 'a'.repeat(64) }],
    [`${differs} /window/origins`, { '/window/origins': 5 }],
    ...['first_inputs', 'first_due', 'last_due', 'last_settled'].map((name): [string, Changes] => [
      `${differs} /window/${name}`,
      { [`/window/${name}`]: '2026-02-01T00:00:00Z' },
    ]),
    ['plan-window has-begun /window/from', { '/registered_at': '2026-01-01T00:00:00.000001Z' }],
    ['registration-of-other-protocol /protocol', { '/protocol/version': 'another' }],
    [
      'vintage-unfit too-early /outcomes/vintage_sha256',
      { '/outcomes/vintage_sha256': 'a'.repeat(64) },
    ],
    [`${differs} ${pool}/1`, { [pool]: ['ar1', 'persistence'] }],
    [`${differs} ${pool}/0`, { [pool]: [] }],
    [`${differs} ${pool}/2`, { [pool]: ['ar1', 'drift_24h', 'magic'] }],
    [`${differs} /rules/alpha`, { '/rules/alpha': 0.01 }],
    [`${differs} /rules/limits/practical_effect`, { '/rules/limits/practical_effect': 0 }],
    [`${differs} /rules/dependence/minimum_pairs`, { '/rules/dependence/minimum_pairs': 1 }],
    [`${differs} /rules/required/0/model/built_in`, { '/rules/required/0/model/built_in': 'ar1' }],
    [`${differs} /not_asked/0`, { '/not_asked': [{ comparator: 'ar1', series: ['BTC-USD'] }] }],
    [`${differs} /instants`, { '/instants': { sha256: 'a'.repeat(64), tz: '2026a' } }],
    [`${differs} /scales_as_of`, { '/scales_as_of': '2026-01-01T00:00:00Z' }],
  ])('has %s (%#)', (expected, changes) => {
    expect(found(forged(changes))).toEqual([expected])
  })

  it('has another model beside a comparator, under the same required name', () => {
    const beside = { source: 'history' as const, name: 'weak', required_as: ['persistence'] }
    const comparators = [beside, ...registration.comparators]
    const own = { ...registration, comparators }
    const tests = enumerateFamily(registration.rules, own).map(({ name }) => name)
    expect(tests).toHaveLength(5 * 29 * 5)
    const family = { size: tests.length, sha256: familyDigest(tests, null), tests }
    const changes = { '/comparators': comparators, '/family': family }
    expect(found(forged(changes))[0]).toMatch(/^registration-differs \/comparators/)
  })

  it('lost a comparator, or steps of its protocol', () => {
    expect(found(forged({ '/comparators': registration.comparators.slice(1) }))).toEqual([
      'registration-differs /comparators/0/name',
    ])
    expect(found(forged({ '/rules/steps': [2, 4] }))).toEqual([
      'registration-differs /rules/steps/2',
    ])
  })
})

describe('the ledger', () => {
  const protocolOf = { protocol_version: 'v', protocol_sha256: registration.protocol.sha256 }
  const freeze = { ...protocolOf, file: 'v.json', frozen_at: formatUtc(NOW - hours(1)) }
  const frozen = chain(freeze, undefined)
  const fields = {
    ...{ ...protocolOf, registration_sha256: registration.registration_sha256 },
    file: '../registration.json',
    mode: registration.mode,
    first_inputs: registration.window.first_inputs,
    last_settled: registration.window.last_settled,
    registered_at: registration.registered_at,
  }
  const ledger = (...entries: Parameters<typeof chain>[0][]) => ({
    file: 'ledger.jsonl',
    findings: [],
    lines: [frozen, ...entries.map((entry) => chain(entry, frozen))].map((entry, line) => ({
      text: '',
      line: line + 1,
      entry,
    })),
  })
  const codes = (...args: Parameters<typeof ledgerFindings>) =>
    ledgerFindings(...args).map((each) => `${codeOf(each)} ${each.pointer}`)

  it('bears a registration out that was entered', () => {
    expect(codes(registration, ledger(fields))).toEqual([])
    expect(findRegisteredEntry(registration, ledger(fields))?.seq).toBe(2)
  })

  it('does not bear out what was never entered, or entered at another time', () => {
    expect(codes(registration, ledger())).toEqual(['registration-unentered absent '])
    const later = { ...fields, registered_at: formatUtc(NOW + 1) }
    expect(codes(registration, ledger(later))).toEqual([
      'registration-unentered differs /registered_at',
    ])
  })

  it('shows a registration that is older than its protocol', () => {
    const early = forged({ '/registered_at': formatUtc(NOW - hours(2)) })
    const { registration_sha256, registered_at } = early
    const found = codes(early, ledger({ ...fields, registration_sha256, registered_at }))
    expect(found).toEqual(['registration-unentered before-frozen /registered_at'])
  })
})

it.each(Object.keys(registration))('a registration without %s is refused', (member) => {
  const { [member as keyof Registration]: _, ...without } = registration
  expect(found(without as Registration)).toEqual(['missing-key '])
})

const model = (name: string) => ({ source: 'history' as const, name })
const stratum = (name: string, by: StratumDefinition['by'], ...levels: string[]) => ({
  ...{ name, by, levels: levels.map((level) => ({ level })) },
})
const basis = {
  candidates: ['a', 'b', 'c'].map(model),
  comparators: ['w', 'x', 'y', 'z'].map((name) => ({ ...model(name), required_as: [name] })),
}
const strata = [
  stratum('session', 'hour_of_day', 'asia', 'europe', 'america', 'late'),
  stratum('volatility', 'volatility', 'low', 'mid', 'high'),
]
const rules = { ...compileRules(protocol()), strata }

describe('the family', () => {
  it('of 3 candidates, 4 comparators and 7 levels has 2,784 tests, each with a name of its own', () => {
    const tests = enumerateFamily(rules, basis)
    expect(tests).toHaveLength(2784)
    expect(new Set(tests.map((test) => test.name)).size).toBe(2784)
  })

  it('decides on the point loss and the direction over all origins: 9 tests a comparison', () => {
    const deciding = enumerateFamily(rules, basis).filter((test) => test.decides)
    expect(deciding).toHaveLength(3 * 4 * 9)
    expect(deciding.filter((test) => test.horizon === 'overall')).toHaveLength(12)
    expect(deciding.every((test) => test.stratum === 'all')).toBe(true)
  })

  it('names tests in a fixed order', () => {
    const names = enumerateFamily(rules, basis).map((test) => test.name)
    expect(names.slice(0, 3)).toEqual([
      'a/w/point_loss/overall/all',
      'a/w/point_loss/2/all',
      'a/w/direction_error/2/all',
    ])
    expect(names[29]).toBe('a/w/point_loss/overall/stratum:session=asia')
    expect(names.at(-1)).toBe('c/z/coverage/16/stratum:volatility=high')
  })

  it('keeps names apart that contain its separators', () => {
    const tests = enumerateFamily(rules, {
      ...basis,
      candidates: [model('a/b'), model('a'), model('a%2Fb')],
      comparators: [model('c'), model('b/c')],
    })
    expect(new Set(tests.map((test) => test.name)).size).toBe(tests.length)
    const own = { ...rules, strata: [stratum('a:b/c', 'weekday', '5%=x')] }
    const scoped = enumerateFamily(own, basis).at(-1)
    expect(scoped?.name).toBe('c/z/coverage/16/stratum:a%3Ab%2Fc=5%25%3Dx')
  })

  it('has the digest that sha256sum gives of the list of names', () => {
    // printf 'x\ny\n' | sha256sum
    expect(familyDigest(['x', 'y'], null)).toBe(
      '09834d488008f5f1ef589a2d7cedc52425bee9dd23b2212e4c1d673c5cbb54e4',
    )
  })
})

const DAY = 86_400_000_000
const score = (
  id: string,
  kind: RulesData['scores'][number]['kind'],
  primary: boolean,
  tested: RulesData['scores'][number]['tested'],
): RulesData['scores'][number] => ({
  ...{ id, kind, primary, tested, transform: { kind: 'identity', offset: null } },
  ...{ level: null, lower: null, upper: null, epsilon: null },
})
/** Forty days; only the last thirty are followed two days later. */
const periods = Array.from({ length: 40 }, (_, day) => ({
  label: `d${day}`,
  start: day * DAY,
  end: (day + 1) * DAY,
  origin: true,
  steps: day < 10 ? [-1, 0] : [-1, 0, 2],
}))
const series: Parameters<typeof registeredCells>[0] = {
  series: [
    { id: 'a', group: 'nation', from: null },
    { id: 'b', group: 'x=y', from: null },
    { id: 'c', group: 'late', from: 'd13' },
  ].map((each) => ({ ...each, unit: '1' })),
  dependence: { block_origins: 1, minimum_blocks: 10, minimum_pairs: 30 },
  steps: [-1, 0, 2],
  scores: [
    score('mae', 'absolute_error', false, null),
    score('wis', 'weighted_interval', true, 'deciding'),
  ],
  baselines: [{ id: 'last', kind: 'persistence', season: null, pool: null, errors: null }],
  strata: [],
  ...{ calendar: listCalendar(periods), targetsAt: (at: number) => periods[at]?.steps ?? [] },
}
const seriesBasis = {
  candidates: [{ source: 'history' as const, name: 'mine' }],
  comparators: [
    { source: 'built_in' as const, name: 'last', required_as: ['last'] },
    { source: 'history' as const, name: 'a/b', required_as: ['rival'] },
  ],
}
const origins = [...periods.keys()]
const familyOf = (own = series, among = origins) =>
  enumerateFamily(own, seriesBasis, registeredCells(own, among))

describe('the family over a list of periods', () => {
  it('has one test overall, one a horizon, one a group, of the primary score', () => {
    const names = familyOf().map(({ name }) => name)
    expect(names).toEqual([
      'mine/last/wis/overall/all',
      'mine/last/wis/-1/all',
      'mine/last/wis/0/all',
      'mine/last/wis/2/all',
      'mine/last/wis/overall/group=nation',
      'mine/last/wis/overall/group=x%3Dy',
      'mine/a%2Fb/wis/overall/all',
      'mine/a%2Fb/wis/-1/all',
      'mine/a%2Fb/wis/0/all',
      'mine/a%2Fb/wis/2/all',
      'mine/a%2Fb/wis/overall/group=nation',
      'mine/a%2Fb/wis/overall/group=x%3Dy',
    ])
  })

  it('has the direction at each horizon and in each group, but not against persistence', () => {
    const turns = score('tu:rns', 'direction', false, 'deciding')
    const tests = familyOf({ ...series, scores: [...series.scores, turns] })
    expect(tests).toHaveLength(17)
    expect(tests.every(({ decides }) => decides)).toBe(true)
    const own = tests.filter(({ role }) => role === 'direction_error')
    expect(own.map(({ name }) => name)).toEqual([
      'mine/a%2Fb/tu%3Arns/-1/all',
      'mine/a%2Fb/tu%3Arns/0/all',
      'mine/a%2Fb/tu%3Arns/2/all',
      'mine/a%2Fb/tu%3Arns/overall/group=nation',
      'mine/a%2Fb/tu%3Arns/overall/group=x%3Dy',
    ])
  })

  it('has no groups where no series names one', () => {
    const alike = series.series.map((each) => ({ ...each, group: null }))
    expect(familyOf({ ...series, series: alike })).toHaveLength(8)
  })

  it('has no group all of whose series begin too late for a test', () => {
    const names = familyOf().map(({ name }) => name)
    expect(names.filter((name) => name.includes('late'))).toEqual([])
  })

  it('has no horizon that fewer origins of the window have than a test needs pairs', () => {
    const names = familyOf(series, origins.slice(0, -1)).map(({ name }) => name)
    expect(names.filter((name) => name.includes('/2/'))).toEqual([])
    expect(names).toHaveLength(10)
  })

  it('has the digest that sha256sum gives of the names and the two weights', () => {
    // printf 'mine/last/wis/overall/all\nverdict 0.6\ndeciding 0.4\n' | sha256sum
    const weights = { verdict: 0.6, deciding: 0.4, other: null }
    expect(familyDigest(['mine/last/wis/overall/all'], weights)).toBe(
      'bdd5fdd3dbc6dbd8c679b82386d4b97d81623372f2e866eb22629aecc92d733e',
    )
  })
})
