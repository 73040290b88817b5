import { describe, expect, it } from 'vitest'
import type { InferenceMethod, Registration } from '../../src/contract/types.js'
import { sha256Hex } from '../../src/document/digest.js'
import { lintPlanned } from '../../src/lint/lint.js'
import { buildRegistration } from '../../src/registration/build.js'
import { planFindings } from '../../src/registration/plan-rules.js'
import { documentOf } from '../protocol/sample.js'
import { cosineProtocol, ewc, foundIn, NOW, plan, sealed } from './made.js'

const findingsOf = (inference: unknown, under = cosineProtocol()) =>
  planFindings({ ...plan(), inference }, under, NOW).map(
    ({ code, severity, pointer }) => `${severity} ${code} ${pointer}`,
  )

describe('the method of a plan', () => {
  it('may be left open, or be one of the two', () => {
    const bootstrap = cosineProtocol()
    bootstrap.uncertainty.method = 'Joint moving-block Bootstrap.'
    expect(findingsOf(undefined, bootstrap)).toEqual([])
    expect(findingsOf(undefined)).toEqual(['warning method-not-in-protocol '])
    expect(findingsOf(ewc())).toEqual([])
    expect(findingsOf(ewc(0.5, 0.5))).toEqual([])
  })

  it.each([
    ['weights that do not make 1', ewc(0.8, 0.3), ['weights-not-one /inference/weights']],
    ['no weights', { method: 'ewc-t' }, ['missing-key /inference']],
    [
      'all weight on one kind',
      ewc(1, 0),
      ['out-of-bounds /inference/weights/deciding', 'out-of-bounds /inference/weights/other'],
    ],
    [
      'weights of another method',
      { method: 'percentile-bootstrap', weights: {} },
      ['unknown-key /inference/weights'],
    ],
  ])('has the faults of the method that it names, and of no other: %s', (_, inference, codes) => {
    expect(findingsOf(inference)).toEqual(codes.map((code) => `error ${code}`))
  })

  it.each([{ method: 'magic' }, ewc(-0.2, 1.2)])('is no other: %j', (inference) => {
    expect(findingsOf(inference)).toContainEqual(expect.stringMatching(/^error \S+ \/inference/))
  })

  it('is warned of where the protocol speaks of another', () => {
    const warning = ['warning method-not-in-protocol /inference/method']
    expect(findingsOf({ method: 'percentile-bootstrap' })).toEqual(warning)
    const under = cosineProtocol()
    under.uncertainty.method = 'Joint moving-block Bootstrap.'
    expect(findingsOf(ewc(), under)).toEqual(warning)
    expect(findingsOf({ method: 'percentile-bootstrap' }, under)).toEqual([])
    under.uncertainty.method = 'Cosine t-test, with a bootstrap shown beside it.'
    expect(findingsOf({ method: 'percentile-bootstrap' }, under)).toEqual(warning)
    expect(findingsOf(ewc(), under)).toEqual([])
    under.uncertainty.method = 'As usual.'
    expect(findingsOf(ewc(), under)).toEqual(warning)
    expect(findingsOf(undefined, under)).toEqual([])
  })
})

describe('a registration by ewc-t', () => {
  const registration = buildRegistration(plan({ inference: ewc() }), cosineProtocol(), NOW)
  const found = (changed: Registration) => foundIn(sealed(changed), cosineProtocol())

  it('verifies, and its family digest covers the weights', () => {
    expect(found(registration)).toEqual([])
    const lines = [...registration.family, 'deciding 0.8', 'other 0.2'].map((line) => `${line}\n`)
    expect(registration.family_sha256).toBe(sha256Hex(lines.join('')))
    expect(found({ ...registration, inference: ewc(0.9, 0.1) })).toEqual([
      'registration-differs value /family_sha256',
    ])
    const { inference: _inference, ...without } = registration
    expect(found(without)).toEqual(['registration-differs value /family_sha256'])
    expect(found({ ...registration, inference: ewc(0.9, 0.2) })).toContain(
      'weights-not-one /inference/weights',
    )
  })

  it('states its method with every number', () => {
    const says = (of: string) =>
      registration.scorer?.computes.find((one) => one.of === of)?.says ?? ''
    // 4 comparators, 9 deciding tests each, of 580.
    expect(says('multiplicity')).toContain('0.8 in equal parts (36 tests, 0.0222222222222 each)')
    expect(says('multiplicity')).toContain('0.2 in equal parts (544 tests')
    expect(says('degrees_of_freedom')).toContain('at least 4 and at most 16')
    expect(says('minimum_sample')).toContain('fewer than 20 effective blocks')
    expect(says('standard_error')).toContain('1/4 of the sum over its 4 horizons')
    expect(says('bootstrap')).toContain('decides nothing')
  })

  it('gets no warning that its replicates are too few for its family', () => {
    const under = cosineProtocol()
    under.uncertainty.replicates = 5000
    const documents = { protocol: documentOf(under), plan: documentOf(plan(), 'plan.json') }
    const codes = (inference: InferenceMethod | undefined) =>
      lintPlanned(
        buildRegistration(plan(inference ? { inference } : {}), under, NOW),
        documents,
      ).map(({ code }) => code)
    expect(codes(undefined)).toContain('significance-unreachable')
    expect(codes(ewc())).not.toContain('significance-unreachable')
  })
})
