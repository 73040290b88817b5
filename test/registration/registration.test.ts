import { describe, expect, it } from 'vitest'
import { checkRegistration } from '../../src/contract/generated/check-registration.js'
import { formatUtc } from '../../src/contract/instant.js'
import type { Registration } from '../../src/contract/types.js'
import { chain } from '../../src/protocol/rules/entry.js'
import { buildRegistration } from '../../src/registration/build.js'
import { enumerateFamily, familyDigest } from '../../src/registration/family.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { ledgerFindings, registeredEntry } from '../../src/registration/verify.js'
import { codeOf } from '../contract/args-of.js'
import {
  cosineProtocol,
  earlyForm,
  ewc,
  foundIn as found,
  hours,
  NOW,
  plan,
  protocol,
  sealed,
} from './made.js'

const registration = buildRegistration(plan(), protocol(), NOW)

/** The registration with a change, and its digest made again. */
const forged = (change: Partial<Registration>) => sealed({ ...registration, ...change })

describe('a registration', () => {
  it('has the form of one and verifies', () => {
    expect(checkRegistration(registration)).toEqual([])
    expect(found(registration)).toEqual([])
  })

  it('writes out what the plan left to follow', () => {
    expect(registration).toMatchObject({
      registered_at: '2026-01-01T00:00:00Z',
      // 90 days from January to March.
      window: { origins: 90 * 24 },
      as_of: '2026-04-01T15:00:00Z',
      horizons_hours: [2, 4, 8, 16],
      limits: { per_horizon_regression: 0.05, directional_loss: 0.02, direction_epsilon: 1e-6 },
      baseline_pool: ['ar1', 'drift_24h', 'persistence'],
      outcomes: { source: 'coinbase', vintage_id: null, vintage_sha256: null },
      // 1 candidate, 4 comparators, 29 tests, all origins and 4 levels.
      family_size: 4 * 29 * 5,
    })
    expect(registration.family).toHaveLength(580)
    expect(registration.family_sha256).toBe(familyDigest(registration.family))
  })

  it('gives times in UTC', () => {
    const window = { from: '2026-02-01T02:00:00+02:00', to: '2026-03-01T01:00:00+01:00' }
    expect(buildRegistration(plan({ window }), protocol(), NOW).window).toEqual({
      from: '2026-02-01T00:00:00Z',
      to: '2026-03-01T00:00:00Z',
      origins: 28 * 24 + 1,
    })
  })

  it('counts one model behind two required names once', () => {
    const under = protocol()
    under.estimands.comparisons.required.push('champion')
    const incumbent = { source: 'history' as const, name: 'kernel_memory' }
    const twice = plan({ comparators: { ...plan().comparators, champion: incumbent } })
    expect(planFindings(twice, under, NOW)).toEqual([])
    const made = buildRegistration(twice, under, NOW)
    expect(made.comparators.at(-1)).toEqual({
      ...incumbent,
      required_as: ['incumbent', 'champion'],
    })
    expect(made.family_size).toBe(registration.family_size)
    expect(found(made, under)).toEqual([])
  })

  it('is the same for the same plan, and another at another time', () => {
    const again = buildRegistration(plan(), protocol(), NOW)
    expect(again.registration_sha256).toBe(registration.registration_sha256)
    const later = buildRegistration(plan(), protocol(), NOW - 1)
    expect(later.registration_sha256).not.toBe(registration.registration_sha256)
  })

  it('verifies with a pool whose names the plan resolved', () => {
    const under = protocol()
    under.estimands.comparisons.simple_baseline_pool.push('random_walk')
    const made = buildRegistration(plan({ baseline_pool: { random_walk: 'drift_7d' } }), under, NOW)
    expect(made.baseline_pool).toEqual(['ar1', 'drift_24h', 'drift_7d', 'persistence'])
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

  const family = registration.family
  const differs = 'registration-differs'
  it.each<[expected: string, Partial<Registration>]>([
    [`${differs} value /family/579`, { family: family.slice(0, -1) }],
    [`${differs} value /family/580`, { family: [...family, 'x'] }],
    [`${differs} value /family/7`, { family: family.with(7, 'x') }],
    [`${differs} value /family_size`, { family_size: 1 }],
    [`${differs} value /family_sha256`, { family_sha256: 'a'.repeat(64) }],
    [`${differs} value /window/origins`, { window: { ...registration.window, origins: 5 } }],
    ['plan-window has-begun /window/from', { registered_at: '2026-01-01T00:00:00.000001Z' }],
    ['plan-window as-of-early /as_of', { as_of: '2026-04-01T14:00:00Z' }],
    [`${differs} pool /baseline_pool`, { baseline_pool: ['ar1', 'persistence'] }],
    [`${differs} pool /baseline_pool`, { baseline_pool: [] }],
    [`${differs} pool /baseline_pool`, { baseline_pool: ['ar1', 'drift_24h', 'magic'] }],
  ])('has %s (%#)', (expected, change) => {
    expect(found(forged(change))).toEqual([expected])
  })

  it('has another model beside a comparator, under the same required name', () => {
    const beside = { source: 'history' as const, name: 'weak', required_as: ['persistence'] }
    const comparators = [beside, ...registration.comparators]
    const family = enumerateFamily({ ...registration, comparators }).map(({ name }) => name)
    const family_sha256 = familyDigest(family)
    expect(family).toHaveLength(5 * 29 * 5)
    const change = { comparators, family, family_size: family.length, family_sha256 }
    expect(found(forged(change))[0]).toMatch(/^registration-differs value \/comparators/)
  })

  it('lost a comparator, or the horizons of its protocol', () => {
    expect(found(forged({ comparators: registration.comparators.slice(1) }))).toContain(
      'name-undefined comparator /comparators',
    )
    expect(found(forged({ horizons_hours: [2, 4] }))).toContain(
      'registration-differs value /horizons_hours/2',
    )
  })
})

describe('the ledger', () => {
  const protocolOf = { protocol_version: 'v', protocol_sha256: registration.protocol.sha256 }
  const freeze = { ...protocolOf, file: 'v.json', frozen_at: formatUtc(NOW - hours(1)) }
  const frozen = chain(freeze, undefined)
  const fields = {
    ...{ ...protocolOf, registration_sha256: registration.registration_sha256 },
    file: '../registration.json',
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
    expect(registeredEntry(registration, ledger(fields))?.seq).toBe(2)
  })

  it('does not bear out what was never entered, or entered at another time', () => {
    expect(codes(registration, ledger())).toEqual(['registration-unentered absent '])
    const later = { ...fields, registered_at: formatUtc(NOW + 1) }
    expect(codes(registration, ledger(later))).toEqual([
      'registration-unentered differs /registered_at',
    ])
  })

  it('shows a registration that is older than its protocol', () => {
    const early = forged({ registered_at: formatUtc(NOW - hours(2)) })
    const { registration_sha256, registered_at } = early
    const found = codes(early, ledger({ ...fields, registration_sha256, registered_at }))
    expect(found).toEqual(['registration-unentered before-frozen /registered_at'])
  })
})

const inference = ewc()
const cosine = buildRegistration(plan({ inference }), protocol(), NOW)

const resealed = (changed: Registration, under = protocol()) => found(sealed(changed), under)
const RULES: readonly [string, (registration: Registration) => unknown][] = [
  ['/limits/availability_limit', ({ limits }) => delete limits.availability_limit],
  ['/limits/availability_limit_stratum', ({ limits }) => delete limits.availability_limit_stratum],
  ['/limits/direction_pairs_factor', ({ limits }) => delete limits.direction_pairs_factor],
  ['/publication_lag_minutes', (registration) => delete registration.publication_lag_minutes],
  ['/scorer', (registration) => delete registration.scorer],
]
const all = RULES.map(([pointer]) => `registration-differs missing ${pointer}`)

it.each(RULES)('a registration without %s alone is refused', (pointer, remove) => {
  for (const made of [cosine, buildRegistration(plan(), protocol(), NOW)]) {
    const changed = structuredClone(made)
    remove(changed)
    expect(resealed(changed)).toEqual([`registration-differs missing ${pointer}`])
  }
})

it('a registration by the cosine test without any of them is refused', () => {
  expect(resealed(cosine)).toEqual([])
  expect(resealed({ ...earlyForm(cosine), inference })).toEqual(all)
  const bootstrap = earlyForm(buildRegistration(plan(), protocol(), NOW))
  expect(resealed({ ...bootstrap, commitment: 'self_declared' })).toEqual(all)
})

it('an early one has none of them, under a protocol of its time', () => {
  const early = earlyForm(cosine)
  const bootstrap = { ...early, family_sha256: familyDigest(early.family) }
  expect(resealed(bootstrap)).toEqual([])
  const later = cosineProtocol()
  const { protocol_version: version, protocol_sha256: sha256 } = later
  expect(resealed({ ...bootstrap, protocol: { version, sha256 } }, later)).toEqual(all)
})
