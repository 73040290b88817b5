import { describe, expect, it } from 'vitest'
import { readSeriesPairLine, type SeriesPairLine } from '../../src/pairing/lines.js'
import { type Cell, oneBatch } from '../../src/table/types.js'
import {
  cellsTable,
  seriesLossesTable,
  seriesPairsTable,
  seriesScoresTable,
  seriesTestsTable,
} from '../../src/tidy/series.js'
import { evaluatedSeries } from '../evaluation/series-world.js'
import { rowsOf } from './rows.js'

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

describe('tables of an evaluation of any series', async () => {
  const { result, text } = await evaluatedSeries()
  const lines = text.split('\n').slice(0, -1).map(readSeriesPairLine) as SeriesPairLine[]

  it('have every attempt, and every scored one in losses', async () => {
    const pairs = await rowsOf(seriesPairsTable(result, oneBatch(lines)))
    expect(pairs).toHaveLength(result.inputs.pairs.rows)
    const failed = pairs.find(({ status }) => status === 'failed')
    expect(failed).toMatchObject({
      ...{ series: '48', origin: 'W081', target: 'W083', horizon: 2, model: 'mine' },
      ...{ expected: true, reason: 'recorded_failure', value: null, 'q0.1': null },
    })
    const losses = await rowsOf(seriesLossesTable(result, oneBatch(lines)))
    expect(losses).toHaveLength(pairs.filter(({ status }) => status === 'scored').length)
  })

  it('give by hand the losses of an attempt', async () => {
    const line: SeriesPairLine = {
      ...{ series: 'US', origin: 'W060', target: 'W061', horizon: 1, model: 'mine' },
      ...{ expected: true, status: 'scored', reason: 'scored', outcome: 19, value: 9 },
      ...{ quantiles: [4, 9, 14], vintage_id: null, vintage_sha256: null },
    }
    const [row] = await rowsOf(seriesLossesTable(result, oneBatch([line])))
    // Twice the mean pinball loss: 0.1·15, 0.5·10, 0.9·5; on log(x + 1) of 5, 10, 15 and 20.
    expect(row?.wis).toBeCloseTo((2 / 3) * (1.5 + 5 + 4.5), 12)
    const log = 0.1 * Math.log(4) + 0.5 * Math.log(2) + 0.9 * Math.log(20 / 15)
    expect(row?.wis_log).toBeCloseTo((2 / 3) * log, 12)
    expect(row?.coverage_80).toBe(0)
  })

  it('have losses whose means by cell are the scores', async () => {
    const losses = await rowsOf(seriesLossesTable(result, oneBatch(lines)))
    const scores = await rowsOf(seriesScoresTable(result))
    const cells = scores.filter(({ series, measure }) => series !== 'all' && measure === 'wis')
    expect(cells).toHaveLength(3 * 6 * 4)
    for (const { model, series, horizon, estimate, n } of cells) {
      const own = losses.filter(
        (one) => one.model === model && one.series === series && one.horizon === horizon,
      )
      expect(own).toHaveLength(n as number)
      expect(estimate).toBeCloseTo(mean(own.map(({ wis }) => wis as number)), 9)
    }
  })

  it('have the means over the tested cells, and the test that speaks least beside them', async () => {
    const scores = await rowsOf(seriesScoresTable(result))
    const at = (place: Readonly<Record<string, Cell>>) =>
      scores.find((row) => Object.entries(place).every(([name, is]) => row[name] === is))
    const of = (model: string, group = 'all') =>
      at({ model, series: 'all', group, horizon: null, measure: 'wis_log' })
    const means = result.cells
      .filter((cell) => cell.in_test)
      .map(({ series, horizon }) => at({ model: 'mine', series, horizon, measure: 'wis_log' }))
      .map((row) => row?.estimate as number)
    expect(of('mine')?.estimate).toBeCloseTo(mean(means), 12)
    expect(of('mine')).toMatchObject({ role: 'candidate', compare_against: 'last_value' })
    const ps = result.tests
      .filter(({ horizon, group }) => horizon === 'overall' && group === 'south')
      .map(({ p_adjusted }) => p_adjusted as number)
    expect(of('mine', 'south')?.adj_pval).toBe(Math.max(...ps))
    expect(of('last_value')).toMatchObject({ role: 'comparator', compare_against: null })
  })

  it('have every test and every cell, with its share of the mean of the comparator', async () => {
    const tests = await rowsOf(seriesTestsTable(result))
    expect(tests.map(({ test }) => test)).toEqual(result.tests.map(({ name }) => name))
    expect(tests[0]).toMatchObject({ group: 'all', horizon: null, cells: 20, decides: true })
    const cells = await rowsOf(cellsTable(result))
    expect(cells).toHaveLength(2 * 6 * 4)
    const late = cells.filter(({ series }) => series === '13')
    expect(late.map(({ in_test, with_outcome }) => [in_test, with_outcome])).toEqual(
      [39, 40, 41, 42, 39, 40, 41, 42].map((count) => [false, count]),
    )
    for (const row of cells) {
      const share = (row.estimate as number) / (row.compare_against_mean as number)
      expect(row.relative).toBeCloseTo(share, 12)
    }
  })
})

it('a line that no evaluation writes is none', () => {
  const line = {
    ...{ series: 'US', origin: 'W060', target: null, horizon: 1, model: 'm', expected: true },
    ...{ status: 'scored', reason: 'scored', outcome: 1, value: 1, quantiles: [1, null] },
    ...{ vintage_id: null, vintage_sha256: null },
  }
  expect(readSeriesPairLine(JSON.stringify(line))).toEqual(line)
  for (const edit of [{ series: 1 }, { horizon: '1' }, { quantiles: ['1'] }, { outcome: true }]) {
    expect(readSeriesPairLine(JSON.stringify({ ...line, ...edit }))).toBeUndefined()
  }
})
