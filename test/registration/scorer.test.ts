import { describe, expect, it } from 'vitest'
import { checkRegistration } from '../../src/contract/generated/check-registration.js'
import type { Registration } from '../../src/contract/types.js'
import { sha256Hex } from '../../src/document/digest.js'
import { lintPlanned } from '../../src/lint/lint.js'
import { buildRegistration, prepareRegistration } from '../../src/registration/build.js'
import { documentOf } from '../protocol/sample.js'
import {
  authority,
  BY_VERDICT,
  COSINE,
  cosineProtocol,
  earlyForm,
  ewc,
  foundIn,
  NOW,
  plan,
  protocol,
  sealed,
} from './made.js'

const registration = buildRegistration(plan(), protocol(), NOW)
const says = (of: string, { scorer }: Registration = registration) =>
  scorer?.computes.find((statement) => statement.of === of)?.says ?? ''

const found = (changed: Registration) => foundIn(sealed(changed))

describe('what the scorer computes', () => {
  it('follows a change of any number', () => {
    const under = protocol()
    under.uncertainty.replicates = 99_999
    under.uncertainty.seed = -3
    const limits = { harm: 0.07, epsilon: 0.0001 }
    const made = buildRegistration(plan({ limits }), under, NOW)
    expect(says('p', made)).toContain('/ 100000')
    expect(says('bootstrap', made)).toContain('seedrandom("-3")')
    expect(says('not_decided', made)).toContain('0.07 of that loss at each horizon')
    expect(says('direction_error', made)).toContain('|f| > 0.0001')
    expect(JSON.stringify(made.scorer)).not.toMatch(/undefined|NaN|\[object/)
  })

  it('says of stamps and commitments what the registration asks for, and is silent where it does not', () => {
    expect(says('registration_time') + says('commitment')).toBe('')
    const authorities = ['one', 'two', 'three'].map((name) => authority(name, 'a'))
    const time = { at_least: 2, authorities }
    const stamped = buildRegistration(plan({ time }), protocol(), NOW)
    expect(says('registration_time', stamped)).toMatch(/one, two and three.*at least 2 of them/)
    expect(says('commitment', stamped)).toBe('')
    const committed = buildRegistration(plan({ time, commitment: 'stamped' }), protocol(), NOW)
    expect(says('commitment', committed)).toMatch(/by which 2 of these .* than 2 minutes/)
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
    const under = protocol()
    under.estimands.comparisons.required = ['incumbent']
    const mode = 'backtest'
    const window = { from: '2025-01-01T00:00:00Z', to: '2025-03-31T23:00:00Z' }
    const made = buildRegistration(plan({ mode, window }), under, NOW)
    expect(says('ar1', made) + says('built_in_quantiles', made) + says('publication', made)).toBe(
      '',
    )
    expect(says('eligible_for_human_review', made)).toBe('')
    const decided = buildRegistration(plan({ mode, window }), cosineProtocol(BY_VERDICT), NOW)
    expect(says('eligible_for_human_review', decided)).toMatch(/^Never/)
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
    changed.limits.harm = 0.5
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

describe('the method of a registration', () => {
  const methodUnder = (text: string) =>
    buildRegistration(plan(), cosineProtocol(text), NOW).inference?.method

  it('is the one that the text of its protocol names, the bootstrap where it names none', () => {
    expect(methodUnder('Joint moving-block Bootstrap.')).toBeUndefined()
    expect(methodUnder('As usual.')).toBeUndefined()
    expect(methodUnder('Cosine t-test, with a bootstrap shown beside it.')).toBe('ewc-t')
  })
})

describe('a registration by ewc-t', () => {
  const cosine = buildRegistration(plan(), cosineProtocol(), NOW)
  const found = (changed: Registration) => foundIn(sealed(changed), cosineProtocol())

  it('verifies, and its family digest covers the weights', () => {
    expect(found(cosine)).toEqual([])
    const lines = [...cosine.family, 'verdict 0.6', 'deciding 0.3', 'other 0.1'].map(
      (line) => `${line}\n`,
    )
    expect(cosine.family_sha256).toBe(sha256Hex(lines.join('')))
    expect(found({ ...cosine, inference: ewc(0.9, 0.1) })).toEqual([
      'registration-differs value /inference/weights/verdict',
    ])
    const { inference: _inference, ...without } = cosine
    expect(found(without)).toEqual(['registration-differs value /inference'])
  })

  it.each([
    ['Joint moving-block bootstrap.', undefined],
    [BY_VERDICT, undefined],
    [COSINE, 'no-hypothesis'],
    [`${COSINE} A bootstrap is shown beside it.`, 'no-hypothesis'],
    ['Paired t-test.', 'unnamed'],
  ])('is registered, or refused where no verdict can be made by it: %s', (method, fault) => {
    const under = cosineProtocol(method)
    const documents = { protocol: documentOf(under), plan: documentOf(plan(), 'plan.json') }
    const { findings, registration } = prepareRegistration({ ...documents, now: NOW })
    const refused = findings.filter(({ severity }) => severity === 'error')
    expect(registration === undefined).toBe(fault !== undefined)
    expect(refused.map(({ code, args, pointer }) => [code, args, pointer])).toEqual(
      fault === undefined
        ? []
        : [
            [
              'protocol-undecided',
              { fault, version: under.protocol_version },
              '/uncertainty/method',
            ],
          ],
    )
  })

  it('gets no warning that its replicates are too few for its family', () => {
    const codes = (method: string) => {
      const under = cosineProtocol(method)
      under.uncertainty.replicates = 5000
      const documents = { protocol: documentOf(under), plan: documentOf(plan(), 'plan.json') }
      const made = buildRegistration(plan(), under, NOW)
      return lintPlanned(made, documents).map(({ code }) => code)
    }
    expect(codes('Joint bootstrap.')).toContain('significance-unreachable')
    expect(codes(COSINE)).not.toContain('significance-unreachable')
  })
})
