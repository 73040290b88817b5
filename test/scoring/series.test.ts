import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SeriesProtocol } from '../../src/contract/types.js'
import { seriesBaselineRows } from '../../src/scoring/baselines/series-baselines.js'
import { computeScales, type SeriesScale } from '../../src/scoring/scales.js'
import { listScores } from '../../src/scoring/scores.js'
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
    const rows = [
      ...seriesBaselineRows({ ...protocol, ...times }, periods, truth, ids, golden.asked),
    ]
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
    const found = computeScales(
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
    const scores = listScores(protocol, scalesIn(golden))
    expect(golden.losses.length).toBeGreaterThan(30)
    for (const [series, value, quantiles, outcome, losses] of golden.losses) {
      for (const [at, { id, of }] of scores.entries()) {
        const expected = losses[at] as number
        near(of(value, Float64Array.from(quantiles), outcome, series, Number.NaN), expected, id)
      }
    }
  })
})

describe('direction', () => {
  const score = { id: 'turns', kind: 'direction' as const, epsilon: '0.5' }
  const forecast = { levels: [] }
  const made = (transform?: SeriesProtocol['scores'][number]['transform']) => {
    const scores = [{ ...score, ...(transform && { transform }) }]
    const [found] = listScores({ series: [{ id: 's' }], scores, forecast }, [])
    return found!
  }
  const errorOf = (value: number, outcome: number, base: number) =>
    made().of(value, new Float64Array(), outcome, 0, base)

  it.each([
    ['the same side', 12, 11, 10, 0],
    ['the other side', 9, 11, 10, 1],
    ['a forecast on the edge of the band calls none', 10.5, 11, 10, Number.NaN],
    ['an outcome on the edge has not moved', 12, 9.5, 10, Number.NaN],
    ['persistence sees nothing', 12, 11, Number.NaN, Number.NaN],
  ])('%s', (_, value, outcome, base, error) => {
    expect(errorOf(value, outcome, base)).toBe(error)
  })

  it('is seen on the transform of its score', () => {
    const log = made({ kind: 'log' })
    // ln 2 is beyond 0.5, ln 1.5 is not.
    expect(log.of(200, new Float64Array(), 50, 0, 100)).toBe(1)
    expect(log.of(150, new Float64Array(), 50, 0, 100)).toBe(Number.NaN)
  })

  it('that a candidate does not call, where the outcome moved, is half an error', () => {
    const pairs = {
      p0: Float64Array.of(10, 10, 10, Number.NaN),
      p1: Float64Array.of(12, 12, 10, 12),
      forecast: Float64Array.of(11, 10, 10, 10),
      quantiles: [],
      vintage: new Uint32Array(4),
    }
    const errors = Float64Array.of(0, Number.NaN, Number.NaN, Number.NaN)
    const charged = made().charged?.(errors, pairs)
    expect([...(charged ?? [])]).toEqual([0, 0.5, Number.NaN, Number.NaN])
  })
})
