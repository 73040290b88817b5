import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Plan, Registration } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import { buildRegistration } from '../../src/registration/build.js'
import { scorerOf } from '../../src/registration/scorer/scorer.js'
import { isReadTwice } from '../../src/registration/time-rules.js'
import { verifyRegistration } from '../../src/registration/verify.js'
import { frozen, NOW, plan, protocol, session, volatility } from './made.js'

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
