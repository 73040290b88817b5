import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type Finding, formatMessage } from '../../src/contract/findings/finding.js'
import { MICROS_PER_HOUR } from '../../src/contract/instant.js'
import type { Plan, Protocol, Registration, StratumDefinition } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import { draftPlan } from '../../src/registration/template.js'
import { verifyRegistration } from '../../src/registration/verify.js'
import { codeOf } from '../contract/args-of.js'
import { sampleProtocol } from '../protocol/sample.js'

/** 2026-01-01T00:00:00Z. */
export const NOW = Date.UTC(2026, 0, 1) * 1000
export const hours = (count: number) => count * MICROS_PER_HOUR

/** A protocol that requires four built-ins and one model, and has two strata. */
export function protocol(): Protocol {
  const made = structuredClone(sampleProtocol()) as Protocol
  made.estimands.comparisons.required = ['persistence', 'ar1', 'strongest_simple', 'incumbent']
  made.estimands.comparisons.simple_baseline_pool = ['persistence', 'drift_24h', 'ar1']
  made.sampling.strata = ['session', 'volatility']
  made.uncertainty.method = 'Moving-block bootstrap.'
  made.protocol_sha256 = digestWithout(made, 'protocol_sha256')
  return made
}

export const session: StratumDefinition = {
  name: 'session',
  by: 'hour_of_day',
  levels: [
    { level: 'night', hours: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] },
    { level: 'day', hours: [12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23] },
  ],
}

export const volatility: StratumDefinition = {
  name: 'volatility',
  by: 'volatility',
  lookback_hours: 24,
  levels: [{ level: 'low', below: 0.004 }, { level: 'high' }],
}

export function plan(over: Partial<Plan> = {}): Plan {
  const window = { from: '2026-01-01T00:00:00Z', to: '2026-03-31T23:00:00Z' }
  return {
    ...draftPlan({ mode: 'prospective', window, source: 'coinbase' }),
    name: 'first quarter',
    due_minutes: 2,
    candidates: ['ridge_lags'],
    bound: { incumbent: 'kernel_memory' },
    strata: [session, volatility],
    provenance_required: true,
    ...over,
  }
}

/** How a protocol says that it is judged by the cosine test, and by a verdict hypothesis besides. */
export const COSINE = 'Equal-weighted cosine t-test.'
export const BY_VERDICT = `${COSINE} The verdict rests on a verdict hypothesis for each candidate.`

/** A protocol that is judged by the cosine test. */
export function cosineProtocol(method = BY_VERDICT): Protocol {
  const made = protocol()
  made.uncertainty.method = method
  made.protocol_sha256 = digestWithout(made, 'protocol_sha256')
  return made
}

/** A protocol that comes with foreproof. */
export function frozen(name: string): Protocol {
  const file = new URL(`../../protocols/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** An authority for stamps, with a fingerprint of one digit. */
export const authority = (name: string, digit: string) => ({
  name,
  anchor_sha256: digit.repeat(64),
})

/** A registration that was changed by one who has made its digest again. */
export function sealed(changed: Registration): Registration {
  return { ...changed, registration_sha256: digestWithout(changed, 'registration_sha256') }
}

/** Code and pointer of everything found in a registration as it is. */
export const foundIn = (registration: Registration, under = protocol()): string[] =>
  saidOf(verifyRegistration(registration, under))

/** Code and pointer of findings, each of which has words. */
export function saidOf(findings: readonly Finding[]): string[] {
  for (const finding of findings)
    expect(formatMessage(finding).text).not.toMatch(/undefined|\[object/)
  return findings.map((each) => `${codeOf(each)} ${each.pointer}`)
}
