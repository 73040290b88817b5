import { describe, expect, it } from 'vitest'
import { formatUtc, instantOrNaN, MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { Plan } from '../../src/contract/types.js'
import { lintTexts } from '../../src/lint/texts.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { protocolLimits, unreadLimits } from '../../src/protocol/rules/hourly-texts.js'
import { createRegistration } from '../../src/registration/build.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { verifyRegistration } from '../../src/registration/verify.js'
import { type Changes, changedIn } from '../protocol/sample.js'
import { BY_VERDICT, cosineProtocol, foundIn, frozen, NOW, plan, sealed } from './made.js'

/** A plan for the reference protocol, whose strata it omits. */
const STRICT = frozen('btcusd-hourly-4')
const strictPlan = (over: Partial<Plan> = {}) =>
  plan({
    bound: {},
    strata: STRICT.sampling.strata.map((name) => ({ name, by: 'omitted', reason: 'short' })),
    ...over,
  })

describe('the limits of a protocol', () => {
  it.each(['btcusd-hourly-1', 'btcusd-hourly-2', 'btcusd-hourly-3', 'btcusd-hourly-4'])(
    'are read from the texts of %s',
    (name) => {
      expect(protocolLimits(frozen(name))).toEqual({
        ...{ harm: 0.05, direction: 0.02, epsilon: 1e-6 },
        ...{ availability: 0.02, availability_stratum: 0.05 },
      })
    },
  )

  it('are those that a text states, and the usual ones where it states none or several', () => {
    const under = frozen('btcusd-hourly-2')
    under.design.limits.per_horizon_regression =
      'At most 0.1 (a tenth) at any horizon of 2.5 hours.'
    under.design.limits.directional_loss = 'Somewhere between 0.03 and 0.04.'
    under.estimands.point.secondary.direction = 'No direction within 1e-5, or v0.5, or 0.25%.'
    expect(protocolLimits(under)).toMatchObject({
      ...{ harm: 0.1, direction: 0.02, epsilon: 1e-5 },
    })
  })
})

describe('a limit in words that are not read', () => {
  it.each([
    '0.5 percent',
    '0.5 per cent',
    '0.5%',
    '0.5 percentage points',
    '1 percent',
    '1/100',
    '0,01',
    '0.01, at the level 0.95',
  ])('%s: the usual one holds, and that is said', (words) => {
    const under = frozen('btcusd-hourly-4')
    under.design.limits.per_horizon_regression = `At no horizon more than ${words}.`
    expect(protocolLimits(under).harm).toBe(0.05)
    const said = unreadLimits(under).map(({ code, pointer }) => `${code} ${pointer}`)
    expect(said).toEqual(['limit-unread /design/limits/per_horizon_regression'])
    expect(lintTexts(under).map(({ code }) => code)).toContain('limit-unread')
  })

  it('is none in the reference protocol, nor in earlier ones, whose limits bind no plan', () => {
    expect(unreadLimits(frozen('btcusd-hourly-4'))).toEqual([])
    const under = frozen('btcusd-hourly-2')
    under.pairing.failure_denominator = 'All of them.'
    expect(unreadLimits(under)).toHaveLength(2)
    expect(lintTexts(under).map(({ code }) => code)).not.toContain('limit-unread')
  })
})

it('a limit that is read, and laxer than usual, is said when the protocol is frozen', () => {
  const under = frozen('btcusd-hourly-4')
  under.estimands.point.secondary.direction = 'Less than one millionth counts 0.5 errors.'
  expect(protocolLimits(under).epsilon).toBe(0.5)
  const said = lintTexts(under).map(({ code, args }) => [code, args])
  expect(said).toEqual([
    ['limit-lax', { name: 'smallest move with a direction', limit: 0.5, usual: 1e-6 }],
  ])
})

describe('a window in which a comparator can be compared, and never asked about direction', () => {
  // The protocol's minimum is 500 pairs, and direction is asked from 1.1 times as many calls on.
  const windowOf = (origins: number) => {
    const from = instantOrNaN('2026-12-01T00:00:00Z')
    const to = formatUtc(from + (origins - 1) * MICROS_PER_HOUR)
    return { window: { from: formatUtc(from), to } }
  }
  const codes = (over: Partial<Plan>) =>
    planFindings(strictPlan(over), compileRules(STRICT), NOW).map(codeOf)
  const codeOf = ({ code }: { readonly code: string }) => code

  it.each([
    [500, true],
    [549, true],
    [550, false],
    // Here every test is blocked.
    [499, false],
  ])('of %i origins is refused: %s', (origins, refused) => {
    expect(codes(windowOf(origins)).includes('window-without-direction')).toBe(refused)
  })

  it('is refused in a registration too, and was allowed before there were verdict hypotheses', () => {
    const made = createRegistration(strictPlan(windowOf(528)), compileRules(STRICT), NOW)
    expect(verifyRegistration(made, STRICT).map(codeOf)).toContain('window-without-direction')
    const before = structuredClone(STRICT)
    before.uncertainty.method = 'The cosine test.'
    const said = planFindings(strictPlan(windowOf(528)), compileRules(before), NOW).map(codeOf)
    expect(said).not.toContain('window-without-direction')
  })
})

describe('a plan with verdict hypotheses', () => {
  it('may be stricter, and has the numbers of the protocol where it gives none', () => {
    const under = cosineProtocol(BY_VERDICT)
    under.design.limits.per_horizon_regression = 'At most 0.03.'
    const strict = plan({ limits: { direction: 0.01 } })
    expect(planFindings(strict, compileRules(under), NOW)).toEqual([])
    expect(createRegistration(strict, compileRules(under), NOW).rules.limits).toMatchObject({
      ...{ harm: 0.03, direction: 0.01 },
    })
  })

  it('chooses no weights: they are the program’s', () => {
    const chosen = { ...strictPlan(), inference: { method: 'ewc-t', weights: { verdict: 0.8 } } }
    const findings = planFindings(chosen, compileRules(STRICT), NOW)
    expect(findings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'unknown-key /inference',
    ])
    expect(createRegistration(strictPlan(), compileRules(STRICT), NOW).rules.weights).toEqual({
      ...{ verdict: 0.6, deciding: 0.3, other: 0.1 },
    })
  })
})

describe('under a protocol that describes the verdict hypothesis', () => {
  const errorsIn = (value: object) =>
    planFindings({ ...strictPlan(), ...value }, compileRules(STRICT), NOW)
      .filter(({ severity }) => severity === 'error')
      .map(({ code, pointer }) => `${code} ${pointer}`)
  const registered = createRegistration(strictPlan(), compileRules(STRICT), NOW)
  const edited = (changes: Changes) => foundIn(sealed(changedIn(registered, changes)), STRICT)

  it('a plan that keeps its numbers is registered', () => {
    expect(errorsIn({})).toEqual([])
    expect(edited({})).toEqual([])
  })

  const others = { verdict: 0.8, deciding: 0.15, other: 0.05 }
  const BOOTSTRAP = { method: 'percentile-bootstrap', replicates: 1000, seed: 1 }
  it.each([
    ['without its weight', { '/rules/weights/verdict': null }, '/rules/weights/verdict'],
    ['with other weights', { '/rules/weights': others }, '/rules/weights/verdict'],
    ['without weights', { '/rules/weights': null }, '/rules/weights'],
    ['by the bootstrap', { '/rules/test': BOOTSTRAP }, '/rules/test/method'],
  ])('no registration has its verdict %s', (_, changes, at) => {
    expect(edited(changes)).toEqual([`registration-differs ${at}`])
  })

  // Every number that a plan or a registration could loosen, and what refuses it.
  const limit = (name: string, limit: number, inPlan = 'limit-beyond-protocol') =>
    [
      name,
      [{ limits: { [name]: limit } }, `${inPlan} /limits/${name}`],
      name === 'epsilon'
        ? [{ '/rules/scores/1/epsilon': limit }, 'limit-beyond-protocol /rules/scores/1/epsilon']
        : [{ [`/rules/limits/${name}`]: limit }, `limit-beyond-protocol /rules/limits/${name}`],
    ] as const
  const nowhere = [
    ['alpha', 'alpha', 0.5],
    ['uncertainty', 'dependence/block_origins', 1],
    ['sampling', 'dependence/minimum_pairs', 1],
    ['design', 'limits/practical_effect', 0],
  ].map(([member, at, value]) => [
    at,
    [{ [`${member}`]: value }, `unknown-key /${member}`],
    [{ [`/rules/${at}`]: value }, `registration-differs /rules/${at}`],
  ])
  const strongest = registered.rules.baselines.findIndex(({ id }) => id === 'strongest_simple')
  const POOL = `/rules/baselines/${strongest}/pool`
  const without = registered.comparators.filter(({ name }) => name !== 'ar1')
  it.each([
    limit('harm', 0.06),
    limit('direction', 0.03),
    limit('epsilon', 1e-5),
    limit('availability', 0.03),
    limit('availability_stratum', 0.06),
    ...nowhere,
    [
      'horizons',
      [{ horizons_hours: [2] }, 'unknown-key /horizons_hours'],
      [{ '/rules/steps': [2] }, 'registration-differs /rules/steps/1'],
    ],
    [
      'required comparators',
      [{ comparators: [] }, 'unknown-key /comparators'],
      [{ '/comparators': without }, 'registration-differs /comparators/3/name'],
    ],
    [
      'the pool of the strongest simple one',
      [{ bound: { ar1: 'persistence' } }, 'name-unknown /bound/ar1'],
      [{ [POOL]: ['persistence'] }, `registration-differs ${POOL}/0`],
    ],
  ] as [string, planned: [object, string], changed: [Changes, string]][])(
    '%s binds a plan and a registration',
    (_, [planned, refused], [changed, found]) => {
      expect(errorsIn(planned)).toContain(refused)
      expect(edited(changed)).toContain(found)
    },
  )
})
