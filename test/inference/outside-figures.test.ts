import { describe, expect, it } from 'vitest'
import { holm } from '../../src/inference/holm.js'
import { runFamily } from '../../src/inference/run-family.js'
import { neededRanks, percentileBounds, summarise } from '../../src/inference/summary.js'
import { CASES, expectAgreement, golden, goldenRows, inputOf, type NumpyFigures } from './golden.js'

const number = (text: string | undefined) =>
  text === undefined || text === 'NA' ? null : Number(text)

const rows = goldenRows('figures.csv').map(([what, which, , input, argument, figure]) => ({
  ...{ what, case: Number(which), input: number(input) },
  ...{ argument: number(argument), figure: number(figure) },
}))

const cases = (what: string) => [...new Set(rows.filter((r) => r.what === what).map((r) => r.case))]
const rowsOf = (what: string, which: number) =>
  rows.filter((row) => row.what === what && row.case === which)

describe("R's figures", () => {
  it.each(cases('holm'))('p.adjust, family %i', (which) => {
    const family = rowsOf('holm', which)
    const steps = holm(
      family.map((row) => row.input),
      0.05,
    )
    expect(family.length).toBeGreaterThan(0)
    family.forEach((row, i) => {
      if (row.figure === null) expect(steps[i]).toBeNull()
      else expect(Math.abs(steps[i]!.adjustedP - row.figure)).toBeLessThan(1e-12)
    })
  })

  it.each(cases('quantile'))('quantile type 7, sample %i', (which) => {
    const sample = Float64Array.from(rowsOf('sample', which).map((row) => row.input!))
    const quantiles = rowsOf('quantile', which)
    for (const [i, { argument: level }] of quantiles.slice(0, quantiles.length / 2).entries()) {
      const { tails } = summarise(0, sample, neededRanks(sample.length, level!))
      const bounds = percentileBounds(tails!, sample.length, level!)
      const upper = quantiles[i + quantiles.length / 2]
      expect(Math.abs(bounds.lower - quantiles[i]!.figure!)).toBeLessThan(1e-12)
      expect(Math.abs(bounds.upper - upper!.figure!)).toBeLessThan(1e-12)
    }
  })
})

const figures = JSON.parse(golden('bootstrap.json')) as NumpyFigures[][]

it.each(CASES.map((one, i) => [one.name, i] as const))(
  "numpy's figures agree to 1e-12: %s",
  async (_, i) => {
    const { tests } = await runFamily(inputOf(CASES[i]!))
    expectAgreement(tests, figures[i]!)
    expect(figures).toHaveLength(CASES.length)
  },
)
