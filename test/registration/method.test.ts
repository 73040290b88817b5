import { describe, expect, it } from 'vitest'
import type { Registration } from '../../src/contract/types.js'
import { sha256Hex } from '../../src/document/digest.js'
import { lintPlanned } from '../../src/lint/lint.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import { createRegistration } from '../../src/registration/build.js'
import { prepareRegistration } from '../../src/registration/prepare.js'
import { documentOf } from '../protocol/sample.js'
import { BY_VERDICT, COSINE, cosineProtocol, foundIn, NOW, plan, sealed } from './made.js'

describe('the method of a registration', () => {
  const methodUnder = (text: string) =>
    createRegistration(plan(), compileRules(cosineProtocol(text)), NOW).rules.test.method

  it('is the one that the text of its protocol names, the bootstrap where it names none', () => {
    expect(methodUnder('Joint moving-block Bootstrap.')).toBe('percentile-bootstrap')
    expect(methodUnder('As usual.')).toBe('percentile-bootstrap')
    expect(methodUnder('Cosine t-test, with a bootstrap shown beside it.')).toBe('ewc-t')
  })
})

describe('a registration by ewc-t', () => {
  const cosine = createRegistration(plan(), compileRules(cosineProtocol()), NOW)
  const found = (changed: Registration) => foundIn(sealed(changed), cosineProtocol())

  it('verifies, and its family digest covers the weights', () => {
    expect(found(cosine)).toEqual([])
    const lines = [...cosine.family.tests, 'verdict 0.6', 'deciding 0.3', 'other 0.1'].map(
      (line) => `${line}\n`,
    )
    expect(cosine.family.sha256).toBe(sha256Hex(lines.join('')))
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
      const made = createRegistration(plan(), compileRules(under), NOW)
      return lintPlanned(made, documents).map(({ code }) => code)
    }
    expect(codes('Joint bootstrap.')).toContain('significance-unreachable')
    expect(codes(COSINE)).not.toContain('significance-unreachable')
  })
})
