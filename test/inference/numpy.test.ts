import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runFamily } from '../../src/inference/run-family.js'
import { CASES, expectAgreement, inputOf, type NumpyFigures } from './numpy-cases.js'

// Written by bootstrap.py beside it, which test/outside runs again where numpy is there.
const golden = JSON.parse(
  readFileSync(new URL('../golden/inference/bootstrap.json', import.meta.url), 'utf8'),
) as NumpyFigures[][]

describe("numpy's figures", () => {
  it.each(CASES.map((one, i) => [one.name, i] as const))('agree to 1e-12: %s', async (_, i) => {
    const { tests } = await runFamily(inputOf(CASES[i]!))
    expectAgreement(tests, golden[i]!)
    expect(golden).toHaveLength(CASES.length)
  })
})
