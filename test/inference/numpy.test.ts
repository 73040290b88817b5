import { describe, expect, it } from 'vitest'
import { runFamily } from '../../src/inference/run-family.js'
import { golden } from './golden.js'
import { CASES, expectAgreement, inputOf, type NumpyFigures } from './numpy-cases.js'

const figures = JSON.parse(golden('bootstrap.json')) as NumpyFigures[][]

describe("numpy's figures", () => {
  it.each(CASES.map((one, i) => [one.name, i] as const))('agree to 1e-12: %s', async (_, i) => {
    const { tests } = await runFamily(inputOf(CASES[i]!))
    expectAgreement(tests, figures[i]!)
    expect(figures).toHaveLength(CASES.length)
  })
})
