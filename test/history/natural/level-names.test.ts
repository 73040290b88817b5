import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnNames } from '../../../src/cli/options.js'
import { formatMessage } from '../../../src/contract/findings/finding.js'
import { levelReader, quantileLevel } from '../../../src/forecast/levels.js'
import { importFiles } from '../../../src/history/import/import-files.js'
import { findLevelNames } from '../../../src/history/natural/level-names.js'
import { isSeriesColumn, SERIES_NAMES } from '../../../src/history/natural/series-header.js'
import { freshPaths } from '../../support/folder.js'
import { taskOf } from '../../truth/sample.js'
import { EPOCH, inBatches, opened } from '../support.js'

const saidBy = (name: string, beside: readonly string[] = []) =>
  findLevelNames([name, ...beside]).get(name)?.level

describe('the name of a column says its level', () => {
  // As pandas, AutoGluon, Chronos, GluonTS, Darts, Nixtla, sktime, Prophet, NeuralProphet, R and databases write them.
  it.each([
    ...[
      '0.1',
      '.1',
      '0.10',
      '10%',
      '10 %',
      'q_0.1',
      'Q0.1',
      'quantile_0.1',
      '0.1_quantile',
      'X0.1',
    ],
    ...[
      'X10.',
      'p10',
      'P10',
      'P0.1',
      'q10',
      'target_q0.10',
      'm-q-10',
      'yhat1 10.0%',
      '10th percentile',
    ],
    ...['m-lo-80', 'Lo 80', 'Lo.80', '80%_lower', 'X80._lower', 'lower_80', 'Coverage_0.8_lower'],
    ...['q0_1', 'q0p1', 'quantile(0.1)', 'GPT-4-q10', 'pct_10', 'yhat_0.1', '0,1', 'q10_usd'],
  ])('%s is 0.1', (name) => expect(saidBy(name)).toBe('0.1'))

  it.each([
    ['2.5%', '0.025'],
    ['q025', '0.025'],
    ['q975', '0.975'],
    ['p97.5', '0.975'],
    ['Q01', '0.01'],
    ['m-hi-99.9', '0.9995'],
    ['upper 95%', '0.975'],
    ['median', '0.5'],
    ['AutoARIMA-median', '0.5'],
    ['hi_95', '0.975'],
    ['upper80', '0.9'],
    ['NHITS-lo-90', '0.05'],
    ['decile_9', '0.9'],
    ['3rd quartile', '0.75'],
    ['CI_L_95', '0.025'],
    ['min80', '0.1'],
    ['p97_5', '0.975'],
    ['x2_5_percent', '0.025'],
    ['Perzentil 10', '0.1'],
  ])('%s is %s', (name, level) => expect(saidBy(name)).toBe(level))

  it.each([
    ...[
      'lower',
      'yhat_upper',
      'yhatLower',
      'conf.low',
      'mean_ci_upper',
      'lwr',
      'high',
      'upper_bound',
    ],
    // The number is not that of the bound, or could be a quarter of the distribution.
    ...[
      'min',
      'y_max',
      'ymin',
      'ci_l',
      'borne_inf',
      'D1',
      'prediction_5',
      'forecast_p10_90',
      'LPL',
    ],
    ...['q5', 'first_quartile', 'conf_low', 'UCL_Model_1'],
    ...['yhat2_lower', 'lower_1', 'lower_10', 'q2', 'quantile_2500', '10', '97.5'],
  ])('%s looks like one and does not say which', (name) => expect(saidBy(name)).toBe(null))

  it.each([
    ...['price', 'lag_10', 'h10', 'feature_1', 'p850', 'high_season', 'follower', 'median_income'],
    ...['u10', 'l', 'temp_max', '15 min', 'income_decile', 'y_10', 'lag_5', 'prediction_2', 'D14'],
    ...['2026Q1', 'Q1_2026', 'model_v0.1', 'x_0_1', '100', '0', '2026', 'q100', 'q0', 'temp_0.5_x'],
  ])('%s is something else', (name) => expect(saidBy(name)).toBe(undefined))

  it('and the names beside it say whether a number is a level or a coverage', () => {
    expect(saidBy('lower_10', ['upper_90'])).toBe('0.1')
    expect(saidBy('upper_90', ['lower_10'])).toBe('0.9')
    expect(saidBy('upper_90', ['lower_90'])).toBe('0.95')
    const both = (name: string, other: string) => [saidBy(name, [other]), saidBy(other, [name])]
    expect(both('l80', 'u80')).toEqual(['0.1', '0.9'])
    expect(both('L_95', 'U_95')).toEqual(['0.025', '0.975'])
    expect(both('D1', 'D9')).toEqual(['0.1', '0.9'])
    expect(both('D1', 'D14')).toEqual([undefined, undefined])
    expect(both('prediction_5', 'prediction_95')).toEqual(['0.05', '0.95'])
    expect(both('pred_025', 'pred_975')).toEqual(['0.025', '0.975'])
    expect(both('X2.5', 'X97.5')).toEqual(['0.025', '0.975'])
    expect(both('sales_min', 'sales_max')).toEqual([null, null])
    expect(both('pessimistic', 'optimistic')).toEqual([null, null])
    expect(both('u10', 'v10')).toEqual([undefined, undefined])
    expect(both('lag_10', 'lag_90')).toEqual([undefined, undefined])
    expect(both('Q1', 'Q9')).toEqual([null, null])
    expect(both('q5', 'q95')).toEqual(['0.05', '0.95'])
    expect(saidBy('q1', ['q3'])).toBe(null)
    expect(saidBy('q1', ['q99'])).toBe('0.01')
    expect([saidBy('P0.5'), saidBy('P0.5', ['P99.5'])]).toEqual(['0.5', null])
    expect([saidBy('10', ['50', '90']), saidBy('97.5', ['2.5'])]).toEqual(['0.1', '0.975'])
    expect([saidBy('0.5', ['99.5']), saidBy('0.5', ['2.5', '97.5'])]).toEqual(['0.005', null])
    expect([saidBy('50'), saidBy('10', ['20', '30'])]).toEqual(['0.5', null])
  })
})

describe('a level', () => {
  it('has one spelling', () => {
    const same = ['0.1', '.1', '0.100', '00.1', '1e-1', '10E-2', '.1e-0']
    expect(same.map(quantileLevel)).toEqual(['0.1', '0.1', '0.1', '0.1', '0.1', '0.1', '0.1'])
    for (const none of ['0', '1', '1.1', '-0.1', '1e-999', '1e9', '10', '0.0', '']) {
      expect(quantileLevel(none)).toBe(undefined)
    }
  })

  it('that is near one of the protocol is that one', () => {
    const read = levelReader(['0.05', '0.3', '0.333333'])
    const near = (level: string) => ({ ok: true, level, isNear: true })
    expect(read('0.30000000000000004')).toEqual(near('0.3'))
    expect(read(String((1 - 0.9) / 2))).toEqual(near('0.05'))
    expect(read(String(Math.fround(0.3)))).toEqual(near('0.3'))
    expect(read(String(1 / 3))).toEqual(near('0.333333'))
    expect(read('0.300')).toEqual({ ok: true, level: '0.3', isNear: false })
    expect(read('0.300001')).toEqual({ ok: true, level: '0.300001', isNear: false })
    expect(read('0.3000011')).toEqual({ ok: false, fault: 'level-digits' })
    expect(read('30')).toEqual({ ok: false, fault: 'level' })
  })
})

const fresh = freshPaths()
const LEVELS = [
  '0.005',
  '0.025',
  '0.1',
  '0.25',
  '0.4',
  '0.5',
  '0.6',
  '0.75',
  '0.9',
  '0.975',
  '0.995',
]
const percent = (level: string) => String(Math.round(Number(level) * 1e6) / 1e4)
const coverage = (level: string) => String(Math.round(Math.abs(1 - 2 * Number(level)) * 1e6) / 1e4)
/** An interval has no bound at the median. */
const bound = (level: string, lower: string, upper: string, write: (side: string) => string) =>
  level === '0.5' ? 'm-median' : write(level < '0.5' ? lower : upper)
/** `q0.5` in percent looks like a level, and is asked about without one. */
const unlessTail = (level: string) => (level === '0.005' ? '005' : percent(level))
/** What floats of 32 and of 64 bits make of a level. */
const noise = (level: string) => {
  const made = 1 - (1 - Number(level))
  return String(made === Number(level) ? Math.fround(made) : made)
}
const STYLES: readonly ((level: string) => string)[] = [
  (level) => level,
  (level) => `${level}0`,
  (level) => level.slice(1),
  (level) => `Q${level}`,
  (level) => `q_${level}`,
  (level) => `quantile_${level}`,
  (level) => `${level}_quantile`,
  (level) => `X${level}`,
  (level) => `m-q${level}`,
  (level) => `yhat_${level}`,
  (level) => `quantile(${level})`,
  (level) => String(Number(level) + 1e-9),
  (level) => `q_${noise(level)}`,
  (level) => `${percent(level)}%`,
  (level) => `p${unlessTail(level)}`,
  (level) => `P${unlessTail(level)}`,
  (level) => `q${unlessTail(level)}`,
  (level) => `${percent(level)}th percentile`,
  (level) => bound(level, 'lo', 'hi', (side) => `m-${side}-${coverage(level)}`),
  (level) => bound(level, 'lo', 'hi', (side) => `m.${side}.${coverage(level)}`),
  (level) => bound(level, 'Lo', 'Hi', (side) => `${side} ${coverage(level)}`),
  (level) => bound(level, 'lower', 'upper', (side) => `${coverage(level)}%_${side}`),
]
/** They say no level, alone or beside others. */
const UNCLEAR: readonly ((level: string) => string)[] = [
  (level) => (level === '0.005' ? '0.5%' : percent(level)),
  (level) => `${'abcdefghijk'[LEVELS.indexOf(level)]}_${level < '0.5' ? 'lower' : 'upper'}`,
]
const columnsOfLevels = fc
  .record({
    levels: fc.subarray(LEVELS, { minLength: 1 }),
    style: fc.constantFrom(...STYLES),
    others: fc.array(fc.constantFrom(...STYLES, ...UNCLEAR), { maxLength: 11 }),
    hasValue: fc.boolean(),
  })
  .map(({ levels, style, others, hasValue }) => ({
    levels,
    names: levels.map((level, at) => (others[at] ?? style)(level)),
    isOneStyle: others.length === 0,
    hasValue: hasValue || !levels.includes('0.5'),
  }))

it('columns of levels in any spelling are asked about with the right level, and none is dropped', async () => {
  await fc.assert(
    fc.asyncProperty(columnsOfLevels, async ({ levels, names, isOneStyle, hasValue }) => {
      const file = fresh('table')
      const head = [
        'series',
        'origin',
        'horizon',
        'model',
        ...(hasValue ? ['value'] : []),
        ...names,
      ]
      const cells = ['US', '2025-W46', 1, 'm', ...(hasValue ? [0.5] : []), ...levels.map(Number)]
      writeFileSync(file, `${head}\n${cells}\n`)
      const task = taskOf(undefined, { levels: LEVELS })
      const history = fresh()
      const importing = (columns?: Record<string, string>) =>
        importFiles(history, [file], { now: EPOCH, series: task, table: { columns }, asIs: true })
      const { findings, written } = await importing()
      expect(written).toBe(0)
      const errors = findings.filter(({ severity }) => severity === 'error')
      expect(errors.map(({ code }) => code)).toEqual(['natural-levels'])
      const help = errors[0] && formatMessage(errors[0]).help
      const answer = /--columns '?(.*?)'?\. If one/.exec(help ?? '')?.[1] ?? ''
      const right = levels.map((level, at) => `q${level}=${names[at]}`).join()
      if (isOneStyle) expect(answer).toBe(right)
      // Who answers puts the level in the place of what no name says; all else is right.
      const open = answer.split(',')
      const filled = right.split(',').map((each, at) => {
        return open[at]?.startsWith('q…=') ? `q…=${each.split('=')[1]}` : each
      })
      expect(answer).toBe(filled.join())
      const columns = columnNames([right], SERIES_NAMES, isSeriesColumn)
      expect((await importing(columns)).forecasts.added).toBe(1)
      const [row] = await inBatches(opened(history).seriesEntries())
      const { quantiles } = JSON.parse(row?.entry ?? '')
      const imported = { ...(hasValue && { '0.5': 0.5 }) }
      for (const each of levels) Object.assign(imported, { [each]: Number(each) })
      expect(quantiles).toEqual(imported)
    }),
    { numRuns: 60 },
  )
})
