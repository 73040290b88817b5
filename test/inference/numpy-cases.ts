import { expect } from 'vitest'
import type { FamilyInput, FamilyTest, TestResult } from '../../src/inference/types.js'
import { family, madeSeries } from './made.js'

/** What test/golden/inference/bootstrap.py says of a test. */
export interface NumpyFigures {
  readonly p: number | null
  readonly observed: number
  readonly mean: number
  readonly standardDeviation: number
  readonly adjustedP: number
  /** At alpha, and at the Holm level. */
  readonly bounds: readonly [number, number][]
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
    ;[test.bounds, test.adjustedBounds].forEach(({ lower, upper }, level) => {
      near(lower, other.bounds[level]![0])
      near(upper, other.bounds[level]![1])
    })
  })
  const rejected = found.map((test) => test.status === 'tested' && test.holm.rejected)
  expect(found.filter((test) => test.status === 'blocked')).toHaveLength(1)
  expect(new Set(rejected).size).toBe(2)
}
