import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seriesBaselineRows } from '../../src/scoring/baselines/series.js'
import { type SeriesScale, seriesScales } from '../../src/scoring/scales.js'
import { seriesScores } from '../../src/scoring/series-scores.js'
import { ROOT } from '../support/run.js'
import { inputsOf, type SeriesCase } from './series-sample.js'

type Quantiles = readonly number[] | null
type Forecast = readonly [number, number, string, number | null, Quantiles]
type Loss = readonly [number, number, readonly number[], number, readonly number[]]
interface Golden extends SeriesCase {
  readonly asked: readonly number[]
  readonly name: string
  readonly counted: readonly (readonly (number | null)[])[]
  readonly forecasts: readonly (readonly Forecast[])[]
  readonly scales: readonly Readonly<Record<string, number>>[]
  readonly losses: readonly Loss[]
}

const GOLDEN: readonly Golden[] = JSON.parse(
  readFileSync(join(ROOT, 'test/golden/series/series.json'), 'utf8'),
)

/** To the last digits, in which the logarithms of two libraries may differ. */
function near(found: number | null, expected: number | null, what: string): void {
  if (found === null || expected === null) {
    expect(found, what).toBe(expected)
    return
  }
  const most = 1e-12 * Math.max(1, Math.abs(expected))
  expect(Math.abs(found - expected), `${what}: ${found} for ${expected}`).toBeLessThanOrEqual(most)
}

/** Of each series, in the order of the scores. */
const scalesIn = ({ scales, scores }: Golden): SeriesScale[] =>
  scales.flatMap((own, series) =>
    Object.entries(own).map(([kind, value]) => {
      const { transform } = scores.find((score) => (score.transform?.kind ?? 'identity') === kind)!
      const offset = transform?.offset === undefined ? '' : ` ${transform.offset}`
      return { series: `s${series}`, transform: `${kind}${offset}`, value }
    }),
  )

describe.each(GOLDEN)('as numpy has it: $name', (golden) => {
  const { protocol, periods, times, truth } = inputsOf(golden)

  it('the values that count', () => {
    for (const [series, values] of golden.counted.entries()) {
      const found = values.map((_, period) => truth.value(series, period))
      expect(found).toEqual(values.map((value) => value ?? Number.NaN))
    }
  })

  it('the baselines with their quantiles', () => {
    const ids = ['usual_season', 'season', 'trend', 'last', 'usual']
    const rows = [...seriesBaselineRows(protocol, periods, times, truth, ids, golden.asked)]
    const expected = golden.forecasts.flatMap((own, series) =>
      own.map((each) => ({ series: `s${series}`, each })),
    )
    expect(rows).toHaveLength(expected.length)
    for (const [at, { series, each }] of expected.entries()) {
      const [origin, step, model, value, quantiles] = each
      const row = rows[at] as (typeof rows)[number]
      const what = `${series} p${origin} ${step} ${model}`
      expect(`${row.series} ${row.originAt} ${row.horizon} ${row.model}`).toBe(what)
      expect(row.attempt).toBe(value === null ? 'abstained' : null)
      near(row.forecast, value, what)
      for (const [place, level] of golden.levels.entries()) {
        near(row.quantiles[place] ?? null, quantiles?.[place] ?? null, `${what} ${level}`)
      }
    }
  })

  it('the scales', () => {
    const found = seriesScales(
      protocol,
      periods,
      truth,
      (golden.scaling as { at?: number }).at ?? 0,
    )
    if (!found.ok) throw new Error(JSON.stringify(found.findings))
    const wanted = scalesIn(golden)
    expect(found.scales.map(({ value: _, ...of }) => of)).toEqual(
      wanted.map(({ value: _, ...of }) => of),
    )
    for (const [at, { series, transform, value }] of wanted.entries()) {
      near(found.scales[at]?.value ?? null, value, `scale of ${series} on ${transform}`)
    }
  })

  it('the scores', () => {
    const scores = seriesScores(protocol, scalesIn(golden))
    expect(golden.losses.length).toBeGreaterThan(30)
    for (const [series, value, quantiles, outcome, losses] of golden.losses) {
      for (const [at, { id, of }] of scores.entries()) {
        const expected = losses[at] as number
        near(of(value, Float64Array.from(quantiles), outcome, series), expected, id)
      }
    }
  })
})
