import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seriesBaselineRows } from '../../src/scoring/baselines/series-baselines.js'
import { ROOT } from '../support/run.js'
import { inputsOf, type SeriesCase } from './series-sample.js'

interface Golden extends SeriesCase {
  readonly forecasts: readonly (readonly (readonly [number, number, string, number | null])[])[]
}

const GOLDEN: Golden = JSON.parse(
  readFileSync(join(ROOT, 'test/golden/series/learning.json'), 'utf8'),
)
const { protocol, periods, times, truth } = inputsOf(GOLDEN)
const made = (ids: readonly string[], origins: readonly number[]) => [
  ...seriesBaselineRows({ ...protocol, ...times }, periods, truth, ids, origins),
]

it('ema, ar1 and strongest are as pandas and numpy have them', () => {
  const rows = made(['last', 'level', 'back', 'best'], GOLDEN.origins)
  const expected = GOLDEN.forecasts.flatMap((own, series) =>
    own.map(([origin, step, model, value]) => ({
      key: `s${series} p${origin} ${step} ${model}`,
      value,
    })),
  )
  expect(rows.map((row) => `${row.series} ${row.originAt} ${row.horizon} ${row.model}`)).toEqual(
    expected.map(({ key }) => key),
  )
  for (const [at, { key, value }] of expected.entries()) {
    const found = rows[at]?.forecast ?? null
    if (value === null || found === null) expect(found, key).toBe(value)
    else expect(Math.abs(found - value), key).toBeLessThan(1e-9)
  }
})

it('strongest chooses the same where its pool is not asked for, in a window of its own', () => {
  const origins = GOLDEN.origins.slice(100, 160)
  const all = new Map(
    made(['best'], GOLDEN.origins).map((row) => [
      `${row.series} ${row.originAt} ${row.horizon}`,
      row.forecast,
    ]),
  )
  const own = made(['best'], origins)
  expect(own).toHaveLength(3 * 2 * 60)
  for (const row of own) {
    expect(row.forecast).toBe(all.get(`${row.series} ${row.originAt} ${row.horizon}`))
  }
})
