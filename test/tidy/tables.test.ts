import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CellLine, PairLine } from '../../src/contract/types.js'
import type { ResultTest } from '../../src/evaluation/result/result.js'
import { readPairLine } from '../../src/pairing/lines.js'
import { type Cell, oneBatch } from '../../src/table/table.js'
import { cellsTable } from '../../src/tidy/cells.js'
import { lossesTable } from '../../src/tidy/losses.js'
import { longPairsTable, pairsTable } from '../../src/tidy/pairs.js'
import { scoresTable } from '../../src/tidy/scores.js'
import { testsTable } from '../../src/tidy/tests.js'
import { verdictRun } from '../evaluation/made.js'
import { evaluatedSeries } from '../evaluation/series-world.js'
import { sampleResult, withReading, withRules } from '../report/sample.js'
import { ROOT } from '../support/run.js'
import { rowsOf, TABLES } from './rows.js'

const PAIR: PairLine = {
  ...{ series: 'BTC/USD', origin: '2026-01-01T00:00:00Z', step: 2, target: '2026-01-01T02:00:00Z' },
  ...{ model: 'kronos-small', expected: true, status: 'scored', reason: 'scored' },
  ...{ interval_status: 'scored', value: 50, quantiles: [100, 100, 400] },
  ...{ seen: '2026-01-01T00:00:00Z', base: 100, outcome: 200 },
  ...{ vintage_id: null, vintage_sha256: null },
}
const PLACE = {
  ...{ series: 'BTC/USD', origin: PAIR.origin, target: PAIR.target, horizon: 2 },
  model: 'kronos-small',
}

const sample = sampleResult()
/** The line of a cell, as far as losses need it. */
const HOURLY_CELL = { series: 'BTC/USD', scales: [] } as unknown as CellLine

const lossesOf = async (pair: Partial<PairLine>) =>
  (await rowsOf(lossesTable(sample, [HOURLY_CELL], oneBatch([{ ...PAIR, ...pair }]))))[0]

describe('scores', () => {
  it('have a row for each model, step, scope and measure', async () => {
    const rows = await rowsOf(scoresTable(sample))
    const keys = rows.map((row) => JSON.stringify([row.model, row.horizon, row.scope, row.measure]))
    expect(new Set(keys).size).toBe(keys.length)
    const { measures } = sample.reading
    // Twelve measures, and three shares below quantiles at each step over all origins.
    const steps = measures.filter(({ step, scope }) => step !== 'overall' && scope === 'all')
    expect(keys).toHaveLength(measures.length * 12 + steps.length * 3)
  })

  it('have every figure of the result, with the pairs it is of', async () => {
    for (const at of sample.reading.measures.slice(0, 20)) {
      const rows = await rowsOf(scoresTable(withReading(sample, { measures: [at] })))
      for (const [measure, estimate] of Object.entries(at.means)) {
        const row = rows.find((of) => of.measure === measure)
        const horizon = at.step === 'overall' ? null : at.step
        const bounds = at.bounds[measure]
        expect(row).toMatchObject({
          ...{ model: at.model, horizon, scope: at.scope, estimate, n: at.pairs[measure] },
          ...{ lower: bounds?.lower ?? null, upper: bounds?.upper ?? null },
        })
      }
    }
  })

  it('show the test of a place that speaks least', async () => {
    const isOne = ({ step, scope }: Pick<ResultTest, 'step' | 'scope'>) =>
      step === 2 && scope === 'all'
    const { reading } = sample
    const measures = reading.measures.filter((of) => of.model === 'kronos-small' && isOne(of))
    const found = reading.tests.find(
      (of) => of.candidate === 'kronos-small' && of.score === 'point_loss' && isOne(of),
    ) as ResultTest
    const test = (comparator: string, p: number | null, p_adjusted: number | null) => ({
      ...{ ...found, comparator, p, p_adjusted },
    })
    const row = async (tests: ResultTest[]) =>
      (await rowsOf(scoresTable(withReading(sample, { measures, tests }))))[0]
    const [a, b, c] = [test('a', 0.4, 0.5), test('b', 0.1, 0.6), test('c', null, null)]
    expect(await row([a, b])).toMatchObject({ compare_against: 'b', pval: 0.1, adj_pval: 0.6 })
    expect(await row([b, a])).toMatchObject({ compare_against: 'b', pval: 0.1, adj_pval: 0.6 })
    expect(await row([b, c])).toMatchObject({ compare_against: 'c', pval: null, adj_pval: null })
    expect(await row([])).toMatchObject({ compare_against: null, difference: null, pval: null })
  })
})

describe('tests', () => {
  it.each(['ewc-t', 'percentile-bootstrap'] as const)('have a row each (%s)', async (method) => {
    const result = method === 'ewc-t' ? sample : sampleResult({ method })
    const rows = await rowsOf(testsTable(result))
    const { tests } = result.reading
    expect(rows.map(({ test }) => test)).toEqual(tests.map(({ name }) => name))
    for (const [at, test] of tests.entries()) {
      const row = rows[at]
      expect(row).toMatchObject({
        ...{ model: test.candidate, compare_against: test.comparator, measure: test.score },
        ...{ scope: test.scope, n: test.pairs, estimate: test.observed, pval: test.p },
        adj_pval: test.p_adjusted,
        lower: test.bounds?.lower ?? null,
        adj_upper: test.bounds_adjusted?.upper ?? null,
        blocked_reasons: test.blocked_reasons.join('; ') || null,
      })
      expect(row?.rejected).toBe(
        { rejected: true, not_rejected: false, blocked: null }[test.decision],
      )
      if (method !== 'ewc-t' || test.p === null) expect(row?.statistic).toBeNull()
      else expect(row?.statistic).toBe((test.observed ?? 0) / (test.standard_error ?? 0))
    }
  })
})

it('an evaluation with verdict hypotheses has shares below quantiles among its scores, and diagnostics among its tests', async () => {
  const result = await verdictRun(0.2)
  const scores = (await rowsOf(scoresTable(result))).filter(({ measure }) =>
    `${measure}`.startsWith('below_'),
  )
  // Three quantiles of four models at four steps.
  expect(scores).toHaveLength(48)
  const at = { model: 'seer', horizon: 8 }
  const { share = null, bounds } =
    result.reading.measures.find(({ model, step }) => model === at.model && step === at.horizon)
      ?.below['0.9'] ?? {}
  const figures = { estimate: share, n: 1440, lower: bounds?.lower, upper: bounds?.upper }
  expect(scores).toContainEqual(
    expect.objectContaining({ ...at, measure: 'below_0.9', ...figures }),
  )
  const tests = await rowsOf(testsTable(result))
  for (const [at, { hln, memory }] of result.reading.tests.entries()) {
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
      point_loss: 2 * LN2,
      direction_error: 1,
      interval_score: 2 * LN2,
      'pinball_0.1': 0.1 * LN2,
      'pinball_0.5': 0.5 * LN2,
      'pinball_0.9': 0.1 * LN2,
      coverage: 1,
    }
    for (const [name, value] of Object.entries(expected)) {
      expect(losses?.[name], name).toBeCloseTo(value, 12)
    }
    expect(losses).toMatchObject({ model: 'kronos-small', role: 'candidate', horizon: 2 })
  })

  it('are null where there is none', async () => {
    expect(await lossesOf({ interval_status: 'failed' })).toMatchObject({
      ...{ interval_score: null, 'pinball_0.5': null, coverage: null, direction_error: 1 },
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
    const [row] = await rowsOf(pairsTable(sample, oneBatch([PAIR])))
    expect(row).toEqual({
      ...{ ...PLACE, expected: true, status: 'scored', reason: 'scored' },
      ...{ interval_status: 'scored', seen: PAIR.seen, base: 100, outcome: 200, value: 50 },
      ...{ 'q0.1': 100, 'q0.5': 100, 'q0.9': 400, vintage_id: null, vintage_sha256: null },
    })
  })

  it('have a row for each quantile of the scored in long form, as scoringutils reads it', async () => {
    const others = [
      { ...PAIR, expected: false },
      { ...PAIR, status: 'missing', outcome: null } as const,
      { ...PAIR, interval_status: 'missing' } as const,
    ]
    const rows = await rowsOf(longPairsTable(sample, oneBatch([PAIR, ...others])))
    const level = (quantile_level: number, predicted: number) => ({
      ...{ ...PLACE, quantile_level, predicted, observed: 200 },
    })
    expect(rows).toEqual([level(0.1, 100), level(0.5, 100), level(0.9, 400)])
    const forecast = { ...sample.settings.rules.forecast, levels: ['0.25'] }
    const line = { ...PAIR, series: 'US', origin: '2026-W01', target: '2026-W03', quantiles: [7] }
    expect(await rowsOf(longPairsTable(withRules(sample, { forecast }), oneBatch([line])))).toEqual(
      [
        {
          ...{ series: 'US', origin: '2026-W01', target: '2026-W03', horizon: 2 },
          ...{ model: 'kronos-small', quantile_level: 0.25, predicted: 7, observed: 200 },
        },
      ],
    )
  })

  it('keep an origin that is no timestamp as text', async () => {
    const faulty = { ...PAIR, origin: 'noon', target: null, step: 1.5 }
    const [row] = await rowsOf(pairsTable(sample, oneBatch([{ ...faulty, expected: false }])))
    expect(row).toMatchObject({ origin: 'noon', target: null, horizon: null })
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
  const { sealed: result, text, cells } = await evaluatedSeries()
  const lines = text.split('\n').slice(0, -1).map(readPairLine) as PairLine[]

  it('have every attempt, and every scored one in losses', async () => {
    const pairs = await rowsOf(pairsTable(result, oneBatch(lines)))
    expect(pairs).toHaveLength(result.inputs.pairs.rows)
    const failed = pairs.find(({ status }) => status === 'failed')
    expect(failed).toMatchObject({
      ...{ series: '48', origin: 'W081', target: 'W083', horizon: 2, model: 'mine' },
      ...{ expected: true, reason: 'recorded_failure', value: null, 'q0.1': null },
      // Known five days after its week at the earliest; the forecast is due three days before the end of its own.
      ...{ seen: 'W079', base: null, outcome: null },
    })
    const losses = await rowsOf(lossesTable(result, cells, oneBatch(lines)))
    expect(losses).toHaveLength(pairs.filter(({ status }) => status === 'scored').length)
  })

  it('give by hand the losses of an attempt', async () => {
    const line: PairLine = {
      ...{ ...PAIR, series: 'US', origin: 'W060', target: 'W061', step: 1, model: 'mine' },
      ...{ outcome: 19, value: 9, quantiles: [4, 9, 14] },
    }
    const [row] = await rowsOf(lossesTable(result, cells, oneBatch([line])))
    // Twice the mean pinball loss: 0.1·15, 0.5·10, 0.9·5; on log(x + 1) of 5, 10, 15 and 20.
    expect(row?.wis).toBeCloseTo((2 / 3) * (1.5 + 5 + 4.5), 12)
    const log = 0.1 * Math.log(4) + 0.5 * Math.log(2) + 0.9 * Math.log(20 / 15)
    expect(row?.wis_log).toBeCloseTo((2 / 3) * log, 12)
    expect(row?.coverage_80).toBe(0)
  })

  it('divide losses by the scale of their series', async () => {
    const line: PairLine = { ...PAIR, series: 'US', outcome: 19, value: 9, quantiles: [4, 9, 14] }
    const scaled = cells.map((cell) => ({
      ...cell,
      scales: [{ transform: 'identity', value: cell.series === 'US' ? 4 : 9 }],
    }))
    const [plain, quarter] = await Promise.all(
      [cells, scaled].map(
        async (of) => (await rowsOf(lossesTable(result, of, oneBatch([line]))))[0],
      ),
    )
    expect(quarter?.wis).toBeCloseTo((plain?.wis as number) / 4, 12)
    expect(quarter?.coverage_80).toBe(plain?.coverage_80)
  })

  it('have losses whose means are the scores and the means of the cells', async () => {
    const losses = await rowsOf(lossesTable(result, cells, oneBatch(lines)))
    const rows = (await rowsOf(cellsTable(result, cells))).filter(
      ({ measure }) => measure === 'wis',
    )
    expect(rows).toHaveLength(2 * 6 * 4)
    for (const { model, series, horizon, model_mean: given } of rows) {
      const own = losses.filter(
        (one) => one.model === model && one.series === series && one.horizon === horizon,
      )
      expect(given).toBeCloseTo(mean(own.map(({ wis }) => wis as number)), 9)
    }
  })

  it('have the means over the tested cells, and the test that speaks least beside them', async () => {
    const scores = await rowsOf(scoresTable(result))
    const at = (place: Readonly<Record<string, Cell>>) =>
      scores.find((row) => Object.entries(place).every(([name, is]) => row[name] === is))
    const of = (model: string, scope = 'all') =>
      at({ model, scope, horizon: null, measure: 'wis_log' })
    const means = cells
      // Two of the four steps are of weeks that have begun.
      .filter(({ in_means, step }) => in_means && !result.reading.nowcasts.includes(step))
      .map(({ models }) => models.mine?.means.wis_log as number)
    expect(of('mine')?.estimate).toBeCloseTo(mean(means), 12)
    const overall = result.reading.tests.filter(
      ({ step, scope }) => step === 'overall' && scope === 'all',
    )
    const weakest = overall.reduce((a, b) => ((b.p_adjusted ?? 0) > (a.p_adjusted ?? 0) ? b : a))
    expect(of('mine')).toMatchObject({ role: 'candidate', compare_against: weakest.comparator })
    const ps = result.reading.tests
      .filter(({ step, scope }) => step === 'overall' && scope === 'group=south')
      .map(({ p_adjusted }) => p_adjusted as number)
    expect(of('mine', 'group=south')?.adj_pval).toBe(Math.max(...ps))
    expect(of('last_value')).toMatchObject({ role: 'comparator', compare_against: null })
  })

  it('have every test and every cell, with its share of the mean of the comparator', async () => {
    const tests = await rowsOf(testsTable(result))
    expect(tests.map(({ test }) => test)).toEqual(result.reading.tests.map(({ name }) => name))
    expect(tests[0]).toMatchObject({ scope: 'all', horizon: null, cells: 10, decides: true })
    const rows = await rowsOf(cellsTable(result, cells))
    const scores = result.settings.rules.scores.length
    expect(rows).toHaveLength(2 * 6 * 4 * scores)
    const late = rows.filter(({ series, measure }) => series === '13' && measure === 'wis')
    expect(late.map(({ in_test, with_outcome }) => [in_test, with_outcome])).toEqual(
      [39, 40, 41, 42, 39, 40, 41, 42].map((count) => [false, count]),
    )
    for (const row of rows.filter(
      ({ compare_against_mean: base }) => base !== null && base !== 0,
    )) {
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
