import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Plan } from '../../src/contract/types.js'
import { buildRegistration } from '../../src/registration/build.js'
import { scorerOf } from '../../src/registration/scorer/scorer.js'
import { NOW, plan, protocol, session, volatility } from './made.js'

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
