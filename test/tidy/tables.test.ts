import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PairLine } from '../../src/contract/types.js'
import type {
  EvaluationResult,
  ResultTest,
  SeriesEvaluationResult,
} from '../../src/evaluation/result/types.js'
import { readPairLine } from '../../src/pairing/lines.js'
import { type Cell, oneBatch } from '../../src/table/types.js'
import { lossesColumns, lossesTable } from '../../src/tidy/losses.js'
import { longPairsTable, pairsTable } from '../../src/tidy/pairs.js'
import { scoresTable } from '../../src/tidy/scores.js'
import {
  cellsTable,
  seriesLongPairsTable,
  seriesLossesTable,
  seriesPairsTable,
  seriesScoresTable,
  seriesTestsTable,
} from '../../src/tidy/series.js'
import { testsTable } from '../../src/tidy/tests.js'
import { verdictRun } from '../evaluation/made.js'
import { evaluatedSeries } from '../evaluation/series-world.js'
import { sampleResult } from '../report/sample.js'
import { ROOT } from '../support/run.js'
import { rowsOf, TABLES } from './rows.js'

const PAIR: PairLine = {
  ...{ series: 'BTC/USD', origin: '2026-01-01T00:00:00Z', step: 2, target: '2026-01-01T02:00:00Z' },
  ...{ model: 'seer', expected: true, status: 'scored', reason: 'scored' },
  ...{ interval_status: 'scored', value: 50, quantiles: [100, 100, 400] },
  ...{ seen: '2026-01-01T00:00:00Z', base: 100, outcome: 200 },
  ...{ vintage_id: null, vintage_sha256: null },
}

const SETTINGS = {
  models: [{ name: 'seer', role: 'candidate', source: 'history', required_as: [] }],
  settings: { direction_epsilon: 1e-6 },
} as unknown as EvaluationResult

const lossesOf = async (pair: Partial<PairLine>) =>
  (await rowsOf(lossesTable(SETTINGS, oneBatch([{ ...PAIR, ...pair }]))))[0]

describe('scores', () => {
  const result = sampleResult({ method: 'ewc-t' })

  it('has a row for each model, horizon, stratum and measure', async () => {
    const rows = await rowsOf(scoresTable(result))
    const keys = rows.map((row) =>
      JSON.stringify([row.model, row.horizon, row.stratum, row.level, row.measure]),
    )
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toHaveLength(result.measures.length * 16)
  })

  it('has every figure of the result, with the pairs it is of', async () => {
    for (const cell of result.measures) {
      const { direction, interval, pairs } = cell
      const expected = {
        ae_point: [cell.point_loss, pairs],
        absolute_percent_error: [cell.absolute_percent_error, pairs],
        log_return_bias: [cell.log_return_bias, pairs],
        percent_bias: [cell.percent_bias, pairs],
        direction_error: [direction.error_rate, direction.eligible],
        direction_accuracy: [direction.accuracy, direction.eligible],
        interval_score: [interval.score, interval.pairs],
        'pinball_0.1': [interval.pinball['0.1'], interval.pairs],
        'pinball_0.5': [interval.pinball['0.5'], interval.pairs],
        'pinball_0.9': [interval.pinball['0.9'], interval.pairs],
        interval_coverage_80: [interval.coverage, interval.pairs],
        coverage_difference: [interval.coverage_difference, interval.pairs],
        width: [interval.width, interval.pairs],
        width_percent: [interval.width_percent, interval.pairs],
      }
      const rows = await rowsOf(scoresTable({ ...result, measures: [cell] }))
      const shown = Object.fromEntries(rows.map((row) => [row.measure, [row.estimate, row.n]]))
      expect(shown).toMatchObject(expected)
      const { name: stratum, level } =
        cell.stratum === 'all' ? { name: 'all', level: 'all' } : cell.stratum
      const horizon = cell.horizon === 'overall' ? null : cell.horizon
      for (const row of rows)
        expect(row).toMatchObject({ model: cell.model, horizon, stratum, level })
      const { lower = null, upper = null } = cell.point_loss_bounds ?? {}
      expect(rows[0]).toMatchObject({ measure: 'ae_point', lower, upper })
    }
  })

  it('shows the test of a cell that speaks least', async () => {
    const isOne = ({ horizon, stratum }: Pick<ResultTest, 'horizon' | 'stratum'>) =>
      horizon === 2 && stratum === 'all'
    const measures = result.measures.filter((of) => of.model === 'kronos-small' && isOne(of))
    const found = result.tests.find(
      (of) => of.candidate === 'kronos-small' && of.measure === 'point_loss' && isOne(of),
    ) as ResultTest
    const test = (comparator: string, p: number | null, p_adjusted: number | null) => ({
      ...{ ...found, comparator, p, p_adjusted },
    })
    const row = async (tests: ResultTest[]) =>
      (await rowsOf(scoresTable({ ...result, measures, tests })))[0]
    const [a, b, c] = [test('a', 0.4, 0.5), test('b', 0.1, 0.6), test('c', null, null)]
    expect(await row([a, b])).toMatchObject({ compare_against: 'b', pval: 0.1, adj_pval: 0.6 })
    expect(await row([b, a])).toMatchObject({ compare_against: 'b', pval: 0.1, adj_pval: 0.6 })
    expect(await row([b, c])).toMatchObject({ compare_against: 'c', pval: null, adj_pval: null })
    expect(await row([])).toMatchObject({ compare_against: null, difference: null, pval: null })
  })
})

describe('tests', () => {
  it.each(['ewc-t', undefined] as const)('have a row each (%s)', async (method) => {
    const result = sampleResult(method === undefined ? {} : { method })
    const rows = await rowsOf(testsTable(result))
    expect(rows.map(({ test }) => test)).toEqual(result.tests.map(({ name }) => name))
    for (const [at, test] of result.tests.entries()) {
      const row = rows[at]
      expect(row).toMatchObject({
        model: test.candidate,
        compare_against: test.comparator,
        n: test.pairs,
        estimate: test.observed,
        pval: test.p,
        adj_pval: test.p_adjusted,
        lower: test.bounds?.lower ?? null,
        adj_upper: test.bounds_adjusted?.upper ?? null,
        blocked_reasons: test.blocked_reasons.join('; ') || null,
      })
      expect(row?.rejected).toBe(
        { rejected: true, not_rejected: false, blocked: null }[test.decision],
      )
      if (method === undefined || test.p === null) expect(row?.statistic).toBeNull()
      else expect(row?.statistic).toBe((test.observed ?? 0) / (test.standard_error ?? 0))
    }
  })
})

it('an evaluation with verdict hypotheses has shares below quantiles among its scores, and what is beside its tests among these', async () => {
  const result = await verdictRun(0.2)
  const scores = (await rowsOf(scoresTable(result))).filter(({ measure }) =>
    `${measure}`.startsWith('below_'),
  )
  // Three quantiles of four models at four horizons.
  expect(scores).toHaveLength(48)
  const at = { model: 'seer', horizon: 8 }
  const { share = null, bounds } =
    result.measures.find(({ model, horizon }) => model === at.model && horizon === at.horizon)
      ?.below?.['0.9'] ?? {}
  const figures = { estimate: share, n: 1440, lower: bounds?.lower, upper: bounds?.upper }
  expect(scores).toContainEqual(
    expect.objectContaining({ ...at, measure: 'below_0.9', ...figures }),
  )
  const tests = await rowsOf(testsTable(result))
  for (const [at, { hln, week_memory: memory }] of result.tests.entries()) {
    expect(tests[at]).toMatchObject({
      hln_pval: hln?.p ?? null,
      week_memory: memory?.ratio ?? null,
      pval_nu_4: memory?.p ?? null,
    })
  }
})

describe('losses', () => {
  it('are those of docs/reference/scores.md', async () => {
    // P0 100, P1 200, P̂ 50, quantiles 100, 100, 400: r = ln 2, r̂ = -ln 2, L = M = 0, U = 2 ln 2.
    const losses = await lossesOf({})
    const { LN2 } = Math
    const expected = {
      ae_point: 2 * LN2,
      absolute_percent_error: 75,
      log_return_bias: -2 * LN2,
      percent_bias: -75,
      direction_error: 1,
      interval_score: 2 * LN2,
      'pinball_0.1': 0.1 * LN2,
      'pinball_0.5': 0.5 * LN2,
      'pinball_0.9': 0.1 * LN2,
      interval_coverage_80: 1,
      width: 2 * LN2,
      width_percent: 300,
      ae_median: LN2,
      // (|y - m| / 2 + 0.1 · interval score) / 1.5
      wis: (LN2 / 2 + 0.1 * 2 * LN2) / 1.5,
    }
    for (const [name, value] of Object.entries(expected)) {
      expect(losses?.[name], name).toBeCloseTo(value, 12)
    }
    expect(losses).toMatchObject({ model: 'seer', role: 'candidate', horizon: 2 })
    expect(Object.keys(losses ?? {})).toEqual(lossesColumns(1).map(({ name }) => name))
  })

  it('are null where there is none', async () => {
    expect(await lossesOf({ interval_status: 'failed' })).toMatchObject({
      interval_score: null,
      wis: null,
      ae_median: null,
      interval_coverage_80: null,
      direction_error: 1,
    })
    expect(await lossesOf({ value: 100 })).toMatchObject({ direction_error: null })
  })

  it('are of scored attempts of the grid alone', async () => {
    expect(await lossesOf({ expected: false })).toBeUndefined()
    expect(await lossesOf({ status: 'missing', base: null })).toBeUndefined()
  })
})

describe('pairs', () => {
  it('have all that pairs.ndjson has', async () => {
    const [row] = await rowsOf(pairsTable(oneBatch([PAIR])))
    expect(row).toEqual({
      ...{ origin_at: PAIR.origin, target_at: PAIR.target, horizon: 2, model: 'seer' },
      ...{ expected: true, status: 'scored', reason: 'scored', interval_status: 'scored' },
      ...{ origin_close_usd: 100, target_close_usd: 200, predicted_price_usd: 50 },
      ...{ q10_usd: 100, q50_usd: 100, q90_usd: 400, vintage_id: null, vintage_sha256: null },
      ...{ seen_at: PAIR.seen, origin_text: null },
    })
  })

  it('have a row for each quantile of the scored in long form, as scoringutils reads it', async () => {
    const others = [
      { ...PAIR, expected: false },
      { ...PAIR, status: 'missing', outcome: null } as const,
      { ...PAIR, interval_status: 'missing' } as const,
    ]
    const rows = await rowsOf(longPairsTable(oneBatch([PAIR, ...others])))
    const place = { origin_at: PAIR.origin, target_at: PAIR.target, horizon: 2, model: 'seer' }
    const level = (quantile_level: number, predicted: number) => ({
      ...{ ...place, quantile_level, predicted, observed: 200 },
    })
    expect(rows).toEqual([level(0.1, 100), level(0.5, 100), level(0.9, 400)])
    const settings = { settings: { levels: ['0.25'] } } as unknown as SeriesEvaluationResult
    const line = { ...PAIR, series: 'US', origin: '2026-W01', target: '2026-W03', quantiles: [7] }
    expect(await rowsOf(seriesLongPairsTable(settings, oneBatch([line])))).toEqual([
      {
        ...{ series: 'US', origin: '2026-W01', target: '2026-W03', horizon: 2, model: 'seer' },
        ...{ quantile_level: 0.25, predicted: 7, observed: 200 },
      },
    ])
  })

  it('keep an origin that is no timestamp as text', async () => {
    const faulty = { ...PAIR, origin: 'noon', target: null, step: 1.5 }
    const [row] = await rowsOf(pairsTable(oneBatch([{ ...faulty, expected: false }])))
    const none = { origin_at: null, target_at: null, horizon: null }
    expect(row).toMatchObject({ ...none, origin_text: 'noon' })
  })
})

describe('docs/reference/tables.md', () => {
  const page = readFileSync(join(ROOT, 'docs', 'reference', 'tables.md'), 'utf8')

  it.each(Object.entries(TABLES))('says what every column of %s is', (name, columns) => {
    const chapter = page.split(`\n## ${name}\n`)[1]?.split('\n## ')[0] ?? ''
    const cells = chapter.match(/^\| [^|]+/gm)?.join('') ?? ''
    const missing = columns.filter((column) => !cells.includes(`\`${column.name}\``))
    expect(missing.map((column) => column.name)).toEqual([])
  })
})

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

describe('tables of an evaluation of any series', async () => {
  const { result, text } = await evaluatedSeries()
  const lines = text.split('\n').slice(0, -1).map(readPairLine) as PairLine[]

  it('have every attempt, and every scored one in losses', async () => {
    const pairs = await rowsOf(seriesPairsTable(result, oneBatch(lines)))
    expect(pairs).toHaveLength(result.inputs.pairs.rows)
    const failed = pairs.find(({ status }) => status === 'failed')
    expect(failed).toMatchObject({
      ...{ series: '48', origin: 'W081', target: 'W083', horizon: 2, model: 'mine' },
      ...{ expected: true, reason: 'recorded_failure', value: null, 'q0.1': null },
      // Known five days after its week at the earliest; the forecast is due three days before the end of its own.
      ...{ seen: 'W079', base: null, outcome: null },
    })
    const losses = await rowsOf(seriesLossesTable(result, oneBatch(lines)))
    expect(losses).toHaveLength(pairs.filter(({ status }) => status === 'scored').length)
  })

  it('give by hand the losses of an attempt', async () => {
    const line: PairLine = {
      ...{ ...PAIR, series: 'US', origin: 'W060', target: 'W061', step: 1, model: 'mine' },
      ...{ outcome: 19, value: 9, quantiles: [4, 9, 14] },
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
      // Of a series that begins late a drift has no value far enough back.
      if (n === 0) expect([model, series, estimate]).toEqual(['trend', '13', null])
      else expect(estimate).toBeCloseTo(mean(own.map(({ wis }) => wis as number)), 9)
    }
  })

  it('have the means over the tested cells, and the test that speaks least beside them', async () => {
    const scores = await rowsOf(seriesScoresTable(result))
    const at = (place: Readonly<Record<string, Cell>>) =>
      scores.find((row) => Object.entries(place).every(([name, is]) => row[name] === is))
    const of = (model: string, group = 'all') =>
      at({ model, series: 'all', group, horizon: null, measure: 'wis_log' })
    const means = result.cells
      // Two of the four steps are of weeks that have begun.
      .filter(({ in_means, horizon }) => in_means && !result.nowcasts.includes(horizon))
      .map(({ series, horizon }) => at({ model: 'mine', series, horizon, measure: 'wis_log' }))
      .map((row) => row?.estimate as number)
    expect(of('mine')?.estimate).toBeCloseTo(mean(means), 12)
    const overall = result.tests.filter(
      (each) => each.horizon === 'overall' && each.group === 'all',
    )
    const weakest = overall.reduce((a, b) => ((b.p_adjusted ?? 0) > (a.p_adjusted ?? 0) ? b : a))
    expect(of('mine')).toMatchObject({ role: 'candidate', compare_against: weakest.comparator })
    const ps = result.tests
      .filter(({ horizon, group }) => horizon === 'overall' && group === 'south')
      .map(({ p_adjusted }) => p_adjusted as number)
    expect(of('mine', 'south')?.adj_pval).toBe(Math.max(...ps))
    expect(of('last_value')).toMatchObject({ role: 'comparator', compare_against: null })
  })

  it('have every test and every cell, with its share of the mean of the comparator', async () => {
    const tests = await rowsOf(seriesTestsTable(result))
    expect(tests.map(({ test }) => test)).toEqual(result.tests.map(({ name }) => name))
    expect(tests[0]).toMatchObject({ group: 'all', horizon: null, cells: 10, decides: true })
    const cells = await rowsOf(cellsTable(result))
    expect(cells).toHaveLength(2 * 6 * 4)
    const late = cells.filter(({ series }) => series === '13')
    expect(late.map(({ in_test, with_outcome }) => [in_test, with_outcome])).toEqual(
      [39, 40, 41, 42, 39, 40, 41, 42].map((count) => [false, count]),
    )
    for (const row of cells.filter(({ estimate }) => estimate !== null)) {
      const share = (row.estimate as number) / (row.compare_against_mean as number)
      expect(row.relative).toBeCloseTo(share, 12)
    }
  })
})

it('a line that no evaluation writes is none', () => {
  expect(readPairLine(JSON.stringify(PAIR))).toEqual(PAIR)
  const { seen: _, ...less } = PAIR
  const edits = [{ series: 1 }, { step: '1' }, { quantiles: ['1'] }, { outcome: true }, { more: 1 }]
  for (const line of [less, ...edits.map((edit) => ({ ...PAIR, ...edit })), []]) {
    expect(readPairLine(JSON.stringify(line))).toBeUndefined()
  }
  expect(readPairLine('{')).toBeUndefined()
})
