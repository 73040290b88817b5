import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { FamilyInput, FamilyTest, Series } from '../../src/inference/family-input.js'
import type { TestResult } from '../../src/inference/test-result.js'
import { numbers } from '../support/random.js'
import { family, madeSeries } from './made.js'

// Figures made by numpy and R; their scripts lie beside them, and test/outside runs these again.

export const goldenPath = (name: string): string =>
  fileURLToPath(new URL(`../golden/inference/${name}`, import.meta.url))

export const golden = (name: string): string => readFileSync(goldenPath(name), 'utf8')

/** The cells of a table, without its header. */
export const goldenRows = (name: string): string[][] =>
  golden(name)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))

/** What test/golden/inference/bootstrap.py says of a test. */
export interface NumpyFigures {
  readonly p: number | null
  readonly observed: number
  readonly mean: number
  readonly standardDeviation: number
  readonly adjustedP: number
  /** At alpha. */
  readonly bounds: readonly [number, number]
}

export const CASES = [
  { name: 'hours in blocks of a day', blockLength: 24, seed: 410 },
  { name: 'an odd length and a negative seed', blockLength: 17, seed: -20_260_101 },
  { name: 'single hours', blockLength: 1, seed: 0 },
] as const

/** A family of single and joint tests, some strongly shifted, with gaps; the last test has one pair. */
export function inputOf({ blockLength, seed }: (typeof CASES)[number]): FamilyInput {
  const origins = 24 * 31 + 11
  const tests = Array.from({ length: 24 }, (_each, i): FamilyTest => {
    const size = i % 6 === 0 ? 4 : 1
    const components = Array.from({ length: size }, (_one, h) =>
      madeSeries(origins, 100 * i + h, (i % 4) / 10, (i - 12) / 100),
    )
    return { name: `t${i}`, components }
  })
  const lonely = new Float64Array(origins).fill(Number.NaN)
  lonely[5] = 1
  tests.push({ name: 'lonely', components: [{ values: lonely }] })
  return family(tests, { blockLength, seed, replicates: 1500 })
}

/** What the script reads: gaps become null. */
export function scriptInput({ tests, ...design }: FamilyInput): string {
  const series = tests.map((test) => test.components.map(({ values }) => Array.from(values)))
  return JSON.stringify({ ...design, tests: series })
}

export function expectAgreement(
  found: readonly TestResult[],
  expected: readonly NumpyFigures[],
): void {
  expect(expected.length).toBe(found.length)
  const near = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(1e-12)
  found.forEach((test, i) => {
    const other = expected[i]!
    if (test.status === 'blocked') {
      expect(test.reasons).toEqual(['empty_replicate'])
      expect(other.p).toBeNull()
      return
    }
    near(test.p, other.p!)
    near(test.observed, other.observed)
    near(test.replicates.mean, other.mean)
    near(test.replicates.standardDeviation, other.standardDeviation)
    near(test.holm.adjustedP, other.adjustedP)
    near(test.bounds.lower, other.bounds[0])
    near(test.bounds.upper, other.bounds[1])
  })
  const rejected = found.map((test) => test.status === 'tested' && test.holm.rejected)
  expect(found.filter((test) => test.status === 'blocked')).toHaveLength(1)
  expect(new Set(rejected).size).toBe(2)
}

export interface EwcCase {
  readonly components: readonly Series[]
  readonly nu: number
}

export interface EwcGolden {
  readonly estimate: number
  readonly standardError: number
  readonly p: number
}

/** Differences that remember: an autoregression of rho, with holes in stretches, and a shift. */
function remembering(origins: number, seed: number, rho: number, shift: number): Series {
  const random = numbers(seed)
  const values = new Float64Array(origins)
  let last = 0
  for (let i = 0; i < origins; i++) {
    last = rho * last + random() + random() + random() - 1.5
    const hole = Math.floor(i / 7) % 5 === seed % 5 && random() < 0.7
    values[i] = hole ? Number.NaN : 0.001 * last + shift
  }
  return { values }
}

/** Every third day of hours 8 to 15: a stratum that lies in clusters. */
function clustered(origins: number): Uint8Array {
  return Uint8Array.from({ length: origins }, (_, i) =>
    Math.floor(i / 24) % 3 === 0 && i % 24 >= 8 && i % 24 < 16 ? 1 : 0,
  )
}

/** From an estimate near 0 to one whose p is far below what any family asks. */
export const EWC_CASES: readonly EwcCase[] = [
  { nu: 4, components: [remembering(400, 1, 0, 0)] },
  { nu: 5, components: [remembering(500, 2, 0.5, 0.0002)] },
  { nu: 8, components: [remembering(800, 3, 0.9, 0.002)] },
  { nu: 16, components: [remembering(2000, 4, 0.95, -0.004)] },
  { nu: 16, components: [remembering(2001, 5, 0.3, 0.01)] },
  { nu: 16, components: [{ ...remembering(3000, 6, 0.8, 0.001), members: clustered(3000) }] },
  { nu: 7, components: [7, 8, 9, 10].map((seed) => remembering(700, seed, 0.6, 0.0004)) },
  {
    nu: 11,
    components: [11, 12, 13, 14].map((seed) => ({
      ...remembering(1100, seed, 0.9, -0.001 * seed),
      members: clustered(1100),
    })),
  },
]

/** What the script reads. */
export function scriptCases(cases: readonly EwcCase[]): string {
  return JSON.stringify(
    cases.map(({ nu, components }) => ({
      nu,
      components: components.map(({ values, members }) =>
        Array.from(values, (value, i) =>
          Number.isNaN(value) || (members && members[i] !== 1) ? null : value,
        ),
      ),
    })),
  )
}
