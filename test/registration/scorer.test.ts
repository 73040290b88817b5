import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkRegistration } from '../../src/contract/generated/check-registration.js'
import type { Plan, Registration } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import { buildRegistration } from '../../src/registration/build.js'
import { scorerOf } from '../../src/registration/scorer/scorer.js'
import { isReadTwice } from '../../src/registration/time-rules.js'
import { verifyRegistration } from '../../src/registration/verify.js'
import {
  earlyForm,
  foundIn,
  frozen,
  NOW,
  plan,
  protocol,
  sealed,
  session,
  volatility,
} from './made.js'

const registration = buildRegistration(plan(), protocol(), NOW)
const says = (of: string, { scorer }: Registration = registration) =>
  scorer?.computes.find((statement) => statement.of === of)?.says ?? ''

const found = (changed: Registration) => foundIn(sealed(changed))

describe('what the scorer computes', () => {
  it('is stated for each thing once, with every number of protocol and registration', () => {
    const things = registration.scorer?.computes.map(({ of }) => of) ?? []
    expect(new Set(things).size).toBe(things.length)
    const { uncertainty, sampling, design } = protocol()
    const { limits, family_size: size } = registration
    for (const [of, numbers] of Object.entries({
      point_loss: ['|f - r|', 2, 4, 8, 16],
      direction_error: [limits.direction_epsilon],
      interval_score: [10],
      coverage: [0.8],
      drift_24h: [24],
      ar1: [720],
      strongest_simple: ['ar1, drift_24h and persistence', 16],
      built_in_quantiles: [720, 168],
      minimum_sample: [500, 20, sampling.minimum_effective_sample.paired_origins_per_horizon],
      bootstrap: [uncertainty.replicates, uncertainty.block_length_origins, uncertainty.seed, 90],
      p: [200_001],
      bounds: [0.025, 0.975],
      multiplicity: [size, uncertainty.multiplicity.alpha],
      'stratum session': ['night: 0, 1, 2'],
      'stratum volatility': ['low: below 0.004; high: all others', 24, 23],
      deciding_tests: [550],
      blocked: [0.02, 0.05],
      negative: [limits.per_horizon_regression, limits.directional_loss],
      eligible_for_human_review: [design.practical_effect_floor, 0.05, 0.02],
      publication: [60],
    })) {
      for (const number of numbers) expect(says(of), of).toContain(String(number))
    }
  })

  it('follows a change of any number', () => {
    const under = protocol()
    under.uncertainty.replicates = 99_999
    under.uncertainty.seed = -3
    const limits = { per_horizon_regression: 0.07, direction_epsilon: 0.0001 }
    const made = buildRegistration(plan({ limits }), under, NOW)
    expect(says('p', made)).toContain('/ 100000')
    expect(says('bootstrap', made)).toContain('seedrandom("-3")')
    expect(says('negative', made)).toContain('0.07')
    expect(says('direction_error', made)).toContain('|f| > 0.0001')
    expect(JSON.stringify(made.scorer)).not.toMatch(/undefined|NaN|\[object/)
  })

  it('says of stamps and commitments what the registration asks for, and is silent where it does not', () => {
    expect(says('registration_time') + says('commitment')).toBe('')
    const anchor_sha256 = 'a'.repeat(64)
    const authorities = ['one', 'two', 'three'].map((name) => ({ name, anchor_sha256 }))
    const time = { at_least: 2, authorities }
    const stamped = buildRegistration(plan({ time }), protocol(), NOW)
    expect(says('registration_time', stamped)).toMatch(/one, two and three.*at least 2 of them/)
    expect(says('commitment', stamped)).toBe('')
    const committed = buildRegistration(plan({ time, commitment: 'stamped' }), protocol(), NOW)
    expect(says('commitment', committed)).toMatch(/by which 2 of these .* than 60 minutes/)
    expect(committed.scorer?.version).toBe(registration.scorer?.version)
    expect(says('commitment', committed)).toContain("a checkpoint of the history's log that")
    const commitment_log = 'example.org/made'
    const over = { time, commitment: 'stamped', commitment_log } as const
    const named = buildRegistration(plan(over), protocol(), NOW)
    expect(named.commitment_log).toBe(commitment_log)
    expect(committed).not.toHaveProperty('commitment_log')
    expect(says('commitment', named)).toContain('a checkpoint of the log example.org/made that')
  })

  it('names no built-in model and no rule that takes no part', () => {
    const history = (name: string) => ({ source: 'history' as const, name })
    const comparators = Object.fromEntries(
      protocol().estimands.comparisons.required.map((name) => [name, history(`my ${name}`)]),
    )
    const mode = 'retrospective'
    const window = { from: '2025-01-01T00:00:00Z', to: '2025-03-31T23:00:00Z' }
    const made = buildRegistration(plan({ comparators, mode, window }), protocol(), NOW)
    expect(says('ar1', made) + says('built_in_quantiles', made) + says('publication', made)).toBe(
      '',
    )
    expect(says('eligible_for_human_review', made)).toMatch(/^Never/)
  })
})

const statements = registration.scorer?.computes.length ?? 0

describe('a registration that states something else than is computed', () => {
  it.each<[string, (computes: { of: string; says: string }[]) => unknown, string]>([
    [
      'a square for the loss',
      (all) => (all[1] = { of: 'point_loss', says: '(f - r)^2' }),
      '/1/says',
    ],
    ['one thing less', (all) => all.pop(), `/${statements - 1}`],
    ['one thing more', (all) => all.push({ of: 'grace', says: 'Ties are won.' }), `/${statements}`],
  ])('%s', (_, change, at) => {
    const changed = structuredClone(registration)
    const computes = changed.scorer?.computes ?? []
    change(computes)
    expect(found(changed)).toEqual([`registration-differs value /scorer/computes${at}`])
  })

  it('or other limits than it states', () => {
    const changed = structuredClone(registration)
    changed.limits.per_horizon_regression = 0.5
    expect(found(changed)).toEqual([
      expect.stringMatching('^registration-differs value /scorer/computes/'),
    ])
  })

  it('is no matter of one made before this was stated', () => {
    const early = earlyForm(registration)
    expect(checkRegistration(sealed(early))).toEqual([])
    expect(found(early)).toEqual([])
  })
})

const anchor = (digit: string) => digit.repeat(64)

/** Registrations that have every statement between them, by both methods and in both modes. */
const PLANS: Readonly<Record<string, Partial<Plan>>> = {
  'percentile-bootstrap, prospective': {},
  'ewc-t, retrospective': {
    mode: 'retrospective',
    window: { from: '2025-01-01T00:00:00Z', to: '2025-06-30T23:00:00Z' },
    inference: { method: 'ewc-t', weights: { deciding: 0.8, other: 0.2 } },
    provenance_required: false,
    strata: [
      { ...session, by: 'weekday', levels: [{ level: 'weekend', days: ['sat', 'sun'] }] },
      { ...volatility, by: 'trailing_return' },
    ],
  },
  'ewc-t, prospective, committed': {
    inference: { method: 'ewc-t', weights: { deciding: 0.7, other: 0.3 } },
    publication_lag_minutes: 15,
    limits: { availability_limit: 0.01, availability_limit_stratum: 0.04 },
    strata: [
      { name: 'session', by: 'omitted', reason: 'not asked' },
      { name: 'volatility', by: 'regime', levels: [{ level: 'calm', regimes: ['low', 'middle'] }] },
    ],
    commitment: 'stamped',
    time: {
      at_least: 1,
      authorities: [
        { name: 'one', anchor_sha256: anchor('1') },
        { name: 'two', anchor_sha256: anchor('2') },
      ],
    },
  },
}

// Registrations are checked against these words for ever. Where this fails after a release, a registration
// that is there would be refused: leave the words as they are, or make a new version of the statements.
it('version 1 of the statements keeps its words', () => {
  const golden = readFileSync('test/golden/scorer/version-1.txt', 'utf8')
  const texts = Object.entries(PLANS).map(([name, over]) => {
    const registration = buildRegistration(plan(over), protocol(), NOW)
    const { version, computes } = scorerOf(registration, protocol(), 1)
    expect(version).toBe(1)
    const lines = computes.map(({ of, says }) => `${of}: ${says}`)
    return [`# ${name}`, ...lines, ''].join('\n')
  })
  expect(texts.join('\n')).toBe(golden)
})

// Made by foreproof as of 23 November 2026, before late forecasts were scored in a second reading.
it('a registration of witnessed forecasts that states no second reading is what it says, and has none', () => {
  const text = readFileSync('test/golden/scorer/registration-witnessed.json', 'utf8')
  const earlier: Registration = JSON.parse(text)
  const under = frozen('btcusd-hourly-3')
  expect(verifyRegistration(earlier, under)).toEqual([])
  expect(isReadTwice(earlier)).toBe(false)

  const { scorer, registration_sha256: _, ...unstated } = earlier
  const now = scorerOf(unstated as Registration, under, 1)
  const [added, ...rest] = now.computes.filter(({ of }) => of === 'second_reading')
  expect(rest).toEqual([])
  expect(now.computes.filter((one) => one !== added)).toEqual(scorer?.computes)
  const stating = { ...earlier, scorer: now }
  const sealed = { ...stating, registration_sha256: digestWithout(stating, 'registration_sha256') }
  expect(verifyRegistration(sealed, under)).toEqual([])
  expect(isReadTwice(sealed)).toBe(true)

  // Other words for it are not what is computed.
  const words = now.computes.map((one) => (one === added ? { ...one, says: 'No.' } : one))
  const other = { ...earlier, scorer: { ...now, computes: words } }
  const changed = { ...other, registration_sha256: digestWithout(other, 'registration_sha256') }
  expect(verifyRegistration(changed, under)).toMatchObject([{ code: 'registration-differs' }])
})
