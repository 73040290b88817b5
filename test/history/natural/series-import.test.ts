import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { columnNames } from '../../../src/cli/options.js'
import { formatMessage } from '../../../src/contract/findings/finding.js'
import type { SeriesProtocol } from '../../../src/contract/types.js'
import { importFiles } from '../../../src/history/import/import-files.js'
import { isSeriesColumn, SERIES_NAMES } from '../../../src/history/natural/series-header.js'
import type { SeriesContext, SeriesTableOptions } from '../../../src/history/natural/series-rows.js'
import { toTable } from '../../../src/table/table.js'
import { freshPaths } from '../../support/folder.js'
import { written } from '../../table/made.js'
import { HOURS, protocolOf, taskOf, WEEKS } from '../../truth/sample.js'
import { EPOCH, inBatches, opened } from '../support.js'

const fresh = freshPaths()

interface More extends SeriesTableOptions {
  readonly task?: SeriesContext
  readonly asIs?: boolean
  readonly salt?: boolean
  readonly batchRows?: number
}

async function imported(
  text: string | Uint8Array,
  { task = taskOf(), salt = false, asIs, batchRows, ...table }: More = {},
  history = fresh(),
) {
  const file = fresh('table')
  writeFileSync(file, text)
  const options = { now: EPOCH, series: task, table, salt, asIs, batchRows }
  const result = await importFiles(history, [file], options)
  const said = result.findings.map((each) => {
    const line = each.position === undefined ? '' : `${each.position.line}: `
    return `${each.severity} ${line}${formatMessage(each).text.replaceAll(file, 'FILE')}`
  })
  const entries = existsSync(history) ? await inBatches(opened(history).seriesEntries()) : []
  return { ...result, said, rows: entries.map(({ entry }) => JSON.parse(entry)), history }
}

const HEAD = 'series,origin,horizon,model,value,q0.1,q0.9'
const LONG = 'series,origin,horizon,model,level,value'
const POINT = 'series,origin,horizon,model,value'
const WIDE = `${HEAD}\nUS,2025-W46,1,seer,10,8.5,12\n`
const FORECAST = {
  series: 'US',
  origin: '2025-W46',
  horizon: 1,
  model: 'seer',
  value: 10,
  quantiles: { '0.1': 8.5, '0.5': 10, '0.9': 12 },
}

describe('a forecast of any series is the same', () => {
  const LEVELS = 'q0.50,q.9,q0.1,model,horizon,origin,series'
  const BY_TARGET = 'series,origin,target,model,value,q0.1,q0.9'
  const ROWS = ['0.9,12', '.10,8.5', '0.5,10'].map((each) => `US,2025-W46,1,seer,${each}`)
  const FLAT =
    '{"series":"US","origin":"2025-W46","horizon":1,"model":"seer","value":10,"q0.1":8.5,"q0.9":12}'
  const columns = {
    series: 'id',
    origin: 'cutoff',
    horizon: 'h',
    model: 'name',
    value: 'y',
    'q0.1': 'lo',
  }
  const ONE = taskOf(undefined, { series: ['US'] })
  test.each<[string, string, More?]>([
    ['in a row of a table', WIDE],
    ['with a column of each level', `${LEVELS}\n10,12,8.5,seer,1,2025-W46,US\n`],
    ['in a row for each level, in any order', `${LONG}\n${ROWS.join('\n')}\n`],
    [
      'by a date and the day of its target',
      `${BY_TARGET}\nUS,2025-11-15,2025-11-22,seer,10,8.5,12\n`,
    ],
    [
      'by an instant',
      WIDE.replace('2025-W46', '2025-11-16T05:00:00Z'),
      { label: { origin: 'end' } },
    ],
    ['under other names of columns', WIDE.replace(HEAD, 'id,cutoff,h,name,y,lo,q0.9'), { columns }],
    ['as NDJSON of a flat row', `${FLAT}\n`],
    ['as its entry in the log', `${JSON.stringify(FORECAST)}\n`],
    [
      'without its series where there is but one',
      WIDE.replaceAll(/^(series|US),/gm, ''),
      { task: ONE },
    ],
  ])('%s', async (_, text, more) => {
    const { said, rows, forecasts } = await imported(text, more)
    expect(said).toEqual([])
    expect(rows).toEqual([FORECAST])
    expect(forecasts).toEqual({ added: 1, unchanged: 0, conflicts: 0 })
  })

  test('with the local times of a list of hours', async () => {
    const text = ['2025-11-02 01:00', '2025-11-02 01:00']
      .map((origin, at) => `US,${origin},1,seer,${at}`)
      .join('\n')
    const table = `series,origin,horizon,model,value\n${text}\n`
    const task = taskOf(HOURS, { levels: [] })
    const naming = { task, label: { origin: 'start' }, repeated: 'later-first' } as const
    const { rows, said } = await imported(table, naming)
    expect(said).toEqual([expect.stringContaining('the clock shows 1 time twice')])
    const lone = await imported(table.split('\n').slice(0, 2).join('\n'), naming)
    expect(lone.said).toContainEqual(expect.stringContaining('and the table has one row'))
    expect(lone.rows).toEqual([])
    const three = await imported(`${table}US,2025-11-02 01:00,1,seer,1\n`, naming)
    expect(three.said[0]).toBe(
      'error 4: the clock shows the origin "2025-11-02 01:00" twice, and the table has more than two rows of it',
    )
    const taken = rows.map(({ origin, value }) => `${origin} ${value}`)
    expect(taken).toEqual(['2025-11-02T01:00 1', '2025-11-02T01:00/2 0'])
  })
})

test('further levels, times and provenance are kept', async () => {
  const head = `${HEAD},q0.25,generated_at,input_available_at,vintage_id`
  const row = 'US,2025-W46,-1,seer,10,8.5,12,9,2025-11-16T06:00:00Z,2025-11-16 05:30Z,v1'
  const { rows, said } = await imported(`${head}\n${row}\n`)
  expect(said).toEqual([])
  expect(rows).toEqual([
    {
      ...FORECAST,
      horizon: -1,
      quantiles: { '0.1': 8.5, '0.25': 9, '0.5': 10, '0.9': 12 },
      generated_at: '2025-11-16T06:00:00+00:00',
      provenance: { input_available_at: '2025-11-16T05:30:00+00:00', vintage_id: 'v1' },
    },
  ])
})

test('failures and abstentions are attempts', async () => {
  const head = 'series,origin,horizon,model,value,status,reason,generated_at'
  const lines = [
    'US,2025-W46,1,seer,,failed,no data,2025-11-16T06:00:00Z',
    '06,2025-W46,1,seer,,abstained,,',
  ]
  const { rows, attempts } = await imported(`${[head, ...lines].join('\n')}\n`)
  const { value, quantiles, ...key } = FORECAST
  expect(attempts.added).toBe(2)
  expect(rows).toEqual([
    { ...key, series: '06', status: 'abstained', reason: 'not_recorded' },
    { ...key, status: 'failed', reason: 'no data', recorded_at: '2025-11-16T06:00:00+00:00' },
  ])
})

describe('what is wrong is said once, with its line', () => {
  const NOT_AN_END = 'lies within the period 2025-W46, and is not its end'
  const NO_LEVEL = 'is no level: a decimal between 0 and 1'
  const NOT_LED_TO = 'is not the period that the horizon leads to'
  const MEDIAN = 'quantile of level 0.5'
  const NO_STATUS = 'no status that says why'
  const TWICE = 'US,2025-W46,1,seer,'
  test.each<[string, string, More?]>([
    ['2: the row has no series', `${HEAD}\n,2025-W46,1,seer,10,8,12`],
    ['2: the row has no origin', `${HEAD}\nUS,,1,seer,10,8,12`],
    ['2: the row has neither horizon nor target', `${HEAD}\nUS,2025-W46,,seer,10,8,12`],
    ['2: horizon "1.5" is not a whole number of steps', `${HEAD}\nUS,2025-W46,1.5,seer,10,8,12`],
    [`2: the origin "2025-11-14" ${NOT_AN_END}`, `${HEAD}\nUS,2025-11-14,1,seer,10,8,12`],
    [
      '2: the origin "2025-11-16 00:00" may be the start or the end of its period: the start of 2025-W47 or the end of 2025-W46',
      `${HEAD}\nUS,2025-11-16 00:00,1,seer,10,8,12`,
    ],
    [
      '2: the target "2025-11-22T05:00:00Z" may be the start or the end of its period',
      `${POINT},target\nUS,2025-11-16T05:00:00Z,1,seer,10,2025-11-22T05:00:00Z`,
      { label: { origin: 'end' } },
    ],
    [
      '2: 1 row is left out: the origin lies outside the list, first "2019-11-16"',
      `${HEAD}\nUS,2019-11-16,1,seer,10,8,12`,
    ],
    [
      '2: q0.9 "9007199254740993" has more digits than a double keeps: it would be rounded',
      `${HEAD}\nUS,2025-W46,1,seer,10,8,9007199254740993`,
    ],
    ['2: q0.9 "a" is not a number', `${HEAD}\nUS,2025-W46,1,seer,10,8,a`],
    [
      `2: the row has neither value nor the ${MEDIAN}, and ${NO_STATUS}`,
      `${HEAD}\nUS,2025-W46,1,seer,,8,12`,
    ],
    [
      '2: status "failed" is there beside a forecast',
      `${POINT},q0.1,status\nUS,2025-W46,1,seer,,1,failed`,
    ],
    [
      '2: status "lost" is neither failed nor abstained',
      `${POINT},status\nUS,2025-W46,1,seer,,lost`,
    ],
    [
      `2: value "10" is not the ${MEDIAN}, which is the median too`,
      `${POINT},q0.5\nUS,2025-W46,1,seer,10,11`,
    ],
    [`2: target "2025-11-22" ${NOT_LED_TO}`, `${POINT},target\nUS,2025-11-15,2,seer,10,2025-11-22`],
    ['2: the row has a level and no value', `${LONG}\nUS,2025-W46,1,seer,0.1,`],
    [`2: level "1.2" ${NO_LEVEL}`, `${LONG}\nUS,2025-W46,1,seer,1.2,10`],
    [
      '3: US, 2025-W46, seer, step 1: line 2 has this key and other values (/quantiles/0.1)',
      `${LONG}\n${TWICE}0.1,9\n${TWICE}0.10,8`,
    ],
    [
      'there are no columns "series" and "model"; the file has "origin", "horizon", "name", "value" and "location"',
      'origin,horizon,name,value,location\n2025-W46,1,seer,1,US',
    ],
    [
      'the column "q10" would not be imported; is it q0.1?',
      `${POINT},q10\nUS,2025-W46,1,seer,10,8`,
    ],
    ['--columns value=yhat: the file has no column "yhat"', WIDE, { columns: { value: 'yhat' } }],
    [`1: quantiles "0.10" ${NO_LEVEL}`, JSON.stringify({ ...FORECAST, quantiles: { '0.10': 8 } })],
    [
      '1: origin "2025-W99" is not the label of a period',
      JSON.stringify({ ...FORECAST, origin: '2025-W99' }),
    ],
  ])('%s', async (expected, text, more) => {
    const { said, rows } = await imported(`${text}\n`, more)
    expect(said).toContain(`error ${expected}`)
    expect(rows).toEqual([])
  })

  test.each([
    ...['P1D', '1 days', '24h', '1.5'].map((said) => [said, '0.9', 'counts periods of the list']),
    ...['10', '50', '97.5', '10%'].map((said) => [
      '1',
      said,
      `in percent, divide them by 100: ${said} is 0.`,
    ]),
    ['1', '1.2', 'percent, divide'],
    ['1', '0.5 %', 'Such as 0.1'],
  ])('with what to do about a horizon %s, a level %s', async (horizon, level, help) => {
    const { findings } = await imported(`${LONG}\nUS,2025-W46,${horizon},seer,${level},10\n`)
    expect(findings[0] && formatMessage(findings[0]).help).toContain(help)
  })

  test('and counted where it goes on', async () => {
    const lines = Array.from({ length: 50 }, (_, at) => `US,2025-11-14,${at % 3},m${at},1,1,1`)
    const { said } = await imported(`${HEAD}\n${lines.join('\n')}\n`)
    expect(said).toEqual([
      'error 2: the origin "2025-11-14" lies within the period 2025-W46, and is not its end',
      'error 49 more of period-name, the last in line 51 of FILE',
    ])
  })
})

test('what a row has no place for is said', async () => {
  const head = 'series,origin,horizon,model,value,status,reason,salt'
  const salt = 'abcdefghijklmnopqrstuv'
  const task = taskOf(undefined, { levels: [] })
  const rowsOf = (line: string) => imported(`${head}\n${line}\n`, { task })
  const forecast = await rowsOf('US,2025-W46,1,seer,1,,because,')
  expect(forecast.said).toEqual(['warning a forecast has no reason: not imported'])
  const attempt = await rowsOf(`US,2025-W46,0,seer,,failed,no data,${salt}`)
  expect(attempt.said).toEqual(['warning a recorded attempt has no salt: not imported'])
  expect([forecast.rows.length, attempt.rows.length]).toEqual([1, 1])
})

test('what no evaluation under the protocol judges is kept, and said', async () => {
  const lines = [
    'TX,2025-W46,1,seer,10,8,12',
    'US,2025-W46,9,seer,10,8,12',
    'US,2026-W04,2,seer,10,8,12',
  ]
  const { said, rows } = await imported(`${HEAD}\n${lines.join('\n')}\n`)
  expect(said).toEqual([
    'warning 2: the protocol has no such series: TX, 2025-W46, seer, step 1',
    'warning 3: the protocol does not ask for this horizon of its origin: US, 2025-W46, seer, step 9',
    'warning 4: its target is not in the list of periods: US, 2026-W04, seer, step 2',
  ])
  expect(rows.length).toBe(3)
})

describe('columns that are not read are asked about where rows of one key differ in them', () => {
  const AGES = `${HEAD},age
US,2025-W46,1,seer,10,8,12,0-64
US,2025-W46,1,seer,10,8,12,65+
06,2025-W46,1,seer,1,0,2,65+
`
  const ASKED =
    'error 3: the column "age" is not read, and a row differs in it from another one of the same key: US, 2025-W46, seer, step 1, with "65+" here and "0-64" in line 2'

  test('in wide tables, though their values do not differ', async () => {
    const { said, rows } = await imported(AGES)
    expect(said).toContain(ASKED)
    expect(rows).toEqual([])
    const batches = await imported(AGES, { batchRows: 1 })
    expect(batches.said).toContain(ASKED)
  })

  test('in a row for each quantile, of one level', async () => {
    const row = (level: string, run: string) => `US,2025-W46,1,seer,${level},10,${run}\n`
    const task = taskOf(undefined, { levels: ['0.5', '0.9'] })
    const table = `${LONG},run\n${row('0.5', 'a')}${row('0.9', 'b')}`
    const fine = await imported(table, { task })
    expect(fine.rows).toHaveLength(1)
    const { said } = await imported(`${table}${row('0.90', 'c')}`, { task })
    expect(said).toContainEqual(
      expect.stringMatching(/^error 4: the column "run" .* level 0.9, with "c" here and "b" in/),
    )
  })

  test('and are as the answer says', async () => {
    const only = await imported(AGES, { only: { age: '65+' } })
    expect(only.said).toContain('note 1 row with other texts in "age" left out: "0-64"')
    expect(only.rows.map(({ series }) => series)).toEqual(['06', 'US'])
    const ignored = await imported(AGES, { ignore: ['age'] })
    expect(ignored.said).toContain('note 3: the row says the same as line 2: equal rows count once')
    expect(ignored.rows).toHaveLength(2)
  })

  test('are none where they describe rows of one each', async () => {
    const { said, rows } = await imported(AGES.replace(/^US.*65.*\n/m, ''))
    expect(said).toEqual(['note a column is not imported: "age"'])
    expect(rows).toHaveLength(2)
  })

  test('several targets are, wherever they are', async () => {
    const head = HEAD.replace('horizon', 'step')
    const rows = ['US,2025-W46,1,seer,10,8,12,hosp', '06,2025-W47,1,seer,1,0,2,visits']
    const table = `${head},target\n${rows.join('\n')}\n`
    // Without an answer its column is the period of the target.
    const columns = { horizon: 'step' }
    expect((await imported(table, { columns })).said).toEqual([
      expect.stringContaining('the target "hosp" is neither the label of a period nor a time'),
      expect.stringContaining('more of period-name'),
    ])
    const named = { columns: { ...columns, target: '' } }
    const { said } = await imported(table, named)
    expect(said).toContain('error 3: there are rows of several targets: "hosp" and "visits"')
    const one = await imported(table, { ...named, target: 'visits' })
    expect(one.said).toContain('note 1 row of other targets left out: "hosp"')
    expect(one.rows.map(({ series }) => series)).toEqual(['06'])
    const none = await imported(table, { ...named, target: 'deaths' })
    expect(none.said).toContain('error no row that could be imported is of the target "deaths"')
  })
})

describe('columns that look like quantiles are asked about', () => {
  const asked = async (head: string, cells: string, more: More = {}) => {
    const { findings, rows } = await imported(
      `series,origin,horizon,model,${head}\nUS,2025-W46,1,seer,${cells}\n`,
      more,
    )
    const errors = findings.filter(({ severity }) => severity === 'error').map(formatMessage)
    const notes = findings.filter(({ severity }) => severity === 'note').map(formatMessage)
    return { errors, notes, rows }
  }

  test('in one question, whose answer can be given as it is', async () => {
    const { errors, rows } = await asked('value,0.1,0.5,0.9,lower', '10,8,10,12,7')
    expect(errors).toEqual([
      {
        text: 'columns that look like quantiles would not be imported: "0.1" (is it q0.1?), "0.5" (is it q0.5?), "0.9" (is it q0.9?), "lower" (of which level?)',
        help: 'If so: --columns q0.1=0.1,q0.5=0.5,q0.9=0.9,q…=lower. If one is no quantile, leave it out: --columns lower=',
      },
    ])
    expect(rows).toEqual([])
    const columns = { 'q0.1': '0.1', 'q0.5': '', 'q0.9': '0.9', lower: '' }
    const answered = await asked('value,0.1,0.5,0.9,lower', '10,8,10,12,7', { columns })
    expect(answered.errors).toEqual([])
    expect(answered.rows).toEqual(
      [FORECAST].map((each) => ({ ...each, quantiles: { ...each.quantiles, '0.1': 8 } })),
    )
    expect(answered.notes[0]?.text).toBe('2 columns are not imported: "0.5" and "lower"')
  })

  test('together with other columns that are missing', async () => {
    const text =
      'item_id,origin,timestamp,model,mean,0.1,0.5,0.9\nUS,2025-11-15,2025-11-22,m,11,8,10,12\n'
    const { said, findings } = await imported(text)
    expect(said[0]).toContain('there are no columns "series" and "horizon"')
    const answer = 'series=item_id,target=timestamp,q0.1=0.1,q0.5=0.5,q0.9=0.9'
    expect(findings[0] && formatMessage(findings[0]).help).toBe(`Did you mean --columns ${answer}?`)
    const columns = Object.fromEntries(answer.split(',').map((each) => each.split('=')))
    expect((await imported(text, { columns })).rows).toMatchObject([
      { value: 10, quantiles: { '0.5': 10 } },
    ])
  })

  test('and a mean is never proposed for the median', async () => {
    const { errors } = await asked('mean', '10')
    expect(errors.map(({ help }) => help)).toEqual([
      'Say which column is which: --columns value=…. A forecast is a median and quantiles: "mean" is no median (docs/not-for.md).',
    ])
  })

  test.each([
    ['100,80,60', 'q0.9=P10,q0.5=P50,q0.1=P90', true],
    ['60,80,100', 'q0.1=P10,q0.5=P50,q0.9=P90', false],
  ])('P10, P50 and P90 of %s: --columns %s', async (cells, answer, isExceeded) => {
    const { errors } = await asked('P10,P50,P90', cells)
    expect(errors[0]?.help).toContain(`If so: --columns ${answer}.`)
    const question = 'values fall from "P10" to "P90": is P90 what is exceeded in 90 %?'
    expect(errors[0]?.text === question).toBe(isExceeded)
  })

  /** What a help says to give as `--columns`: the answer, and that which leaves columns out. */
  const answersOf = (help = '') =>
    [...help.matchAll(/--columns ('(?:[^']|'\\'')*'|\S+?)(?=\. |$)/g)].map(([, word = '']) => {
      const list = word.replace(/^'(.*)'$/, '$1').replaceAll("'\\''", "'")
      return columnNames([list], SERIES_NAMES, (name, inFile) => isSeriesColumn(name) || !inFile)
    })
  const OWN = { '0.1': 8, '0.5': 10, '0.9': 12 }

  test.each([
    // Of two columns of one level the one in our words is taken.
    ['q0.1,q0.9,Q0.1', '8,12,7', OWN, OWN],
    ['q0.1,q0.9,q10', '8,12,7', OWN, OWN],
    ['q10,q0.1,q0.9', '7,8,12', OWN, OWN],
    ['q0.1,q0.9,q0.10', '8,12,7', OWN, OWN],
    ['q0.1,q0.5,q0.9,Lo.80,Hi.80', '8,10,12,7,13', OWN, OWN],
    ['q0.1,q0.9,q10,Lo.80,Hi.80,l80,u80', '8,12,7,7,13,7,13', OWN, OWN],
    ['Lo 80,q10,Hi 80', '8,7,12', OWN, { ...OWN, '0.1': 8 }],
    ['"l=80","u=80","0,1"', '8,12,7', OWN, OWN],
    ["l'80,u'80,0.1", '8,12,7', OWN, OWN],
  ])('%s say one level twice: both answers work', async (head, cells, first, without) => {
    const { errors, rows } = await asked(`value,${head}`, `10,${cells}`)
    expect([errors.length, rows.length]).toEqual([1, 0])
    const [columns, left] = answersOf(errors[0]?.help)
    const answered = await asked(`value,${head}`, `10,${cells}`, { columns })
    expect(answered.errors).toEqual([])
    expect(answered.rows).toMatchObject([{ quantiles: first }])
    const others = await asked(`value,${head}`, `10,${cells}`, { columns: left })
    const next = others.errors.length === 0 ? left : answersOf(others.errors[0]?.help)[0]
    const rest = await asked(`value,${head}`, `10,${cells}`, { columns: { ...left, ...next } })
    expect(rest.errors).toEqual([])
    expect(rest.rows).toMatchObject([{ quantiles: without }])
  })

  test('two models in one row are told how they come in', async () => {
    const { errors } = await asked('value,A-lo-80,B-lo-80', '10,8,8')
    expect(errors).toEqual([
      {
        text: 'columns that look like quantiles would not be imported: "A-lo-80" (is it q0.1?), "B-lo-80" (is it q0.1, as "A-lo-80" is?)',
        help: 'If so, and the first of each level counts: --columns q0.1=A-lo-80. For another one put its name there. Of several models write a row for each, with the column model. If one is no quantile, leave it out: --columns B-lo-80=',
      },
    ])
  })

  test.each([
    'l80,u80',
    'ymin,ymax',
    'min,max',
    'D1',
    'decile_9',
    'decile1',
    'lo80',
    'hi_95',
    'upper80',
    'conf_low',
    'Lo.80',
    'mean_ci_lower',
    'NHITS-lo-90',
    'prediction_5,prediction_95',
    'lower y',
    'prediction_5',
    'L95,U95',
    'temp_min,temp_max',
    'sales_5,sales_95',
  ])('%s too, beside columns of our own names', async (head) => {
    const names = head.split(',')
    const text = `q0.1,q0.5,q0.9,${head}`
    const cells = `8,10,12,${names.map(() => 9)}`
    const { errors, rows } = await asked(text, cells)
    expect([errors.length, rows.length]).toEqual([1, 0])
    for (const name of names) expect(errors[0]?.text).toContain(JSON.stringify(name))
    const left = await asked(text, cells, {
      columns: Object.fromEntries(names.map((name) => [name, ''])),
    })
    expect(left.errors).toEqual([])
    expect(left.rows).toMatchObject([{ quantiles: OWN }])
  })

  test('q0.5 beside q99.5 too: it may be in percent', async () => {
    const { errors } = await asked('value,q0.5,q99.5', '10,5,15')
    expect(errors[0]?.help).toContain('--columns q…=q0.5,q0.995=q99.5')
  })

  test.each([
    ['member', '"member" looks like samples'],
    ['.draw', '".draw" looks like samples'],
    ['sample_id', '"sample_id" looks like samples'],
    ['ensemble_id', '"ensemble_id" looks like samples'],
    ['ens', '"ens" looks like samples'],
    ['ensemble member', '"ensemble member" looks like samples'],
    ['load_s0,load_s1', '"load_s0" and "load_s1" look like samples'],
    ['member_1,member_2', '"member_1" and "member_2" look like samples'],
    ['probability', '"probability" looks like probabilities'],
  ])('samples, members and probabilities are called what they are: %s', async (head, text) => {
    const cells = head.replaceAll(/[^,]+/g, '1')
    const { errors, rows } = await asked(`value,${head}`, `10,${cells}`)
    expect(errors.map((each) => each.text)).toEqual([expect.stringContaining(text)])
    expect(errors[0]?.help).toContain('docs/not-for.md')
    expect(rows).toEqual([])
    const columns = Object.fromEntries(head.split(',').map((name) => [name, '']))
    const task = taskOf(undefined, { levels: [] })
    expect((await asked(`value,${head}`, `10,${cells}`, { columns, task })).rows.length).toBe(1)
  })

  test('a name that is left out has to be there', async () => {
    const { errors } = await asked('value,yhat_lower', '10,8', { columns: { yhat_lowr: '' } })
    expect(errors).toEqual([
      {
        text: '--columns yhat_lowr=: the file has no column "yhat_lowr"',
        help: 'Did you mean "yhat_lower"?',
      },
    ])
  })
})

describe('columns that say of which level each row is', () => {
  const named = (name: string, texts: readonly string[], head = 'series,origin,horizon,model') =>
    `${head},${name},value\n${texts.map((text, at) => `US,2025-W46,1,seer,${text},${8 + at}\n`).join('')}`
  const helpOf = async (text: string, more: More = {}) => {
    const { findings, rows } = await imported(text, more)
    expect(rows).toEqual([])
    const first = findings.find(({ severity }) => severity === 'error')
    return first && formatMessage(first).help
  }

  test.each([
    ...['tau', 'probs', 'prob', 'alpha', 'q', 'p', 'quantile', 'probability'],
    // Whatever it is called, where levels tell rows of one key apart.
    ...['cut', 'x'],
  ])('are asked about: %s', async (name) => {
    for (const levels of ['', '0.1']) {
      const task = taskOf(WEEKS, { levels: levels === '' ? [] : ['0.1', '0.9'] })
      expect(await helpOf(named(name, ['0.1', '0.5', '0.9']), { task })).toBe(
        `If it is: --columns level=${name}. If it is not: --columns level=`,
      )
    }
    const columns = { level: name }
    const { rows } = await imported(named(name, ['0.1', '0.5', '0.9']), { columns })
    expect(rows).toMatchObject([{ value: 9, quantiles: { '0.1': 8, '0.5': 9, '0.9': 10 } }])
  })

  test('are asked about where one level is all there is, and in percent', async () => {
    expect(await helpOf(named('tau', ['0.9']))).toContain('--columns level=tau')
    expect(await helpOf(named('p', ['10', '50', '90']))).toContain('--columns level=p')
    const { findings } = await imported(named('p', ['10', '50']), { columns: { level: 'p' } })
    expect(findings.map((each) => formatMessage(each).help)[0]).toContain('divide them by 100')
  })

  test('are in the answer where other columns are called otherwise, too', async () => {
    const text = named('tau', ['0.1', '0.5'], 'series,origin,horizon,forecaster')
    expect(await helpOf(text)).toContain('--columns model=forecaster,level=tau?')
  })

  test('are others where their texts are no levels, or the answer says so', async () => {
    const task = taskOf(WEEKS, { levels: [] })
    const columns = { level: '' }
    expect(await helpOf(named('tau', ['0.1', '0.5']), { task, columns })).toContain('--ignore tau')
    expect(await helpOf(named('site', ['0.1', '2.5']), { task })).toContain('--ignore site')
    const { said } = await imported(named('weight', ['0.25']), { task })
    expect(said).toEqual(['note a column is not imported: "weight"'])
  })
})

describe('levels within a millionth of one of the protocol are that one', () => {
  const NEAR = ['0.10000000149011612', '0.5000000000000001', '0.8999999999999999']
  const KEY = { series: 'US', origin: '2025-W46', horizon: 1, model: 'seer' }
  const quantiles = Object.fromEntries(NEAR.map((level, at) => [level, [8.5, 10, 12][at]]))
  const flat = Object.fromEntries(NEAR.map((level, at) => [`q${level}`, [8.5, 10, 12][at]]))
  const long = NEAR.map((level, at) => ({
    ...KEY,
    level: Number(level),
    value: [8.5, 10, 12][at] ?? 0,
  }))
  const parquet = () => {
    const columns = [
      ...(['series', 'origin'] as const).map((name) => ({ name, type: 'text' as const })),
      { name: 'horizon', type: 'integer' as const },
      { name: 'model', type: 'text' as const },
      ...(['level', 'value'] as const).map((name) => ({ name, type: 'number' as const })),
    ]
    return written(
      toTable(
        columns,
        long.map((row) => Object.values(row)),
      ),
    )
  }
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
  test.each<[string, () => string | Promise<Buffer>]>([
    ['in rows', () => [LONG, ...long.map((row) => Object.values(row).join())].join('\n')],
    [
      'in names of columns',
      () => `${Object.keys({ ...KEY, ...flat })}\n${Object.values({ ...KEY, ...flat })}\n`,
    ],
    ['in flat rows of JSON', () => lines([{ ...KEY, ...flat }])],
    ['in rows of JSON', () => lines(long)],
    ['in entries', () => lines([{ ...KEY, value: 10, quantiles }])],
    ['in Parquet', parquet],
  ])('%s', async (_, content) => {
    const { said, rows } = await imported(await content())
    expect(said).toEqual([
      expect.stringMatching(
        /^note (1: )?3 levels within 0.000001 of a level of the protocol: .* the first 0.10000000149011612 as 0.1$/,
      ),
    ])
    expect(rows).toEqual([FORECAST])
  })

  const DIGITS = 'has more than six decimals, and is no level of the protocol'
  test.each([
    [`2: level "0.1000011" ${DIGITS}`, `${LONG}\nUS,2025-W46,1,seer,0.1000011,10`],
    [`q0.1000011 "0.1000011" ${DIGITS}`, `${POINT},q0.1000011\nUS,2025-W46,1,seer,10,9`],
    [
      `1: quantiles "0.1000011" ${DIGITS}`,
      lines([{ ...KEY, value: 10, quantiles: { '0.1000011': 9 } }]),
    ],
    [
      '1: quantiles "0.10000000149011612" is there twice in one forecast',
      lines([{ ...KEY, value: 10, quantiles: { ...quantiles, '0.1': 8.5 } }]),
    ],
  ])('and others are not: %s', async (expected, text) => {
    const { said, rows } = await imported(`${text}\n`)
    expect(said).toContain(`error ${expected}`)
    expect(rows).toEqual([])
  })
})

test.each(['NA', 'null', 'nan'])(
  'a series that the protocol calls %s is that series',
  async (id) => {
    const task = taskOf(undefined, { series: ['US', id], levels: [] })
    const row = { series: id, origin: '2025-W46', horizon: 1, model: 'seer', value: 10 }
    for (const text of [`${POINT}\n${Object.values(row)}\n`, JSON.stringify(row)]) {
      expect((await imported(text, { task })).rows).toMatchObject([{ series: id }])
    }
    const other = await imported(`${POINT}\n${Object.values({ ...row, series: 'None' })}\n`, {
      task,
    })
    expect(other.said).toEqual(['error 2: the row has no series'])
  },
)

describe('a forecast that can only fail is refused before it is due', () => {
  const HEADS = `${HEAD},q0.5`
  const strict = (more: Partial<SeriesProtocol> = {}) => {
    const levels = ['0.1', '0.5', '0.9']
    const horizons = [-1, 0, 1, 2]
    const forecast = { point: 'median' as const, levels, minimum: '0', integer: false }
    const whole = { horizons, forecast, ...more }
    return { periods: WEEKS, protocol: protocolOf(['US', '06'], 'America/New_York', WEEKS, whole) }
  }
  const integer = { forecast: { ...strict().protocol.forecast, integer: true } }
  const log = { kind: 'log' } as const
  const scores = [{ id: 'wis', kind: 'weighted_interval', primary: true, transform: log } as const]
  const row = (step: number, cells: string) => `US,2025-W46,${step},seer,${cells}`
  test.each<[string, string, Partial<SeriesProtocol>?]>([
    ['without 0.1 and 0.9', row(1, '10,,,')],
    ['lacks a level', row(1, '10,8,,10')],
    [
      'the quantile 0.5 is 79.99999999999999, below 80, the quantile 0.1',
      row(1, '79.99999999999999,80,130,'),
    ],
    [
      'below the minimum 0 of the protocol; the first is US, 2025-W46, seer, step 1: the quantile 0.1 is -0.236',
      row(1, '5,-0.236,10,'),
    ],
    ['not whole', row(1, '5,1,7.5,'), integer],
    ['without the transform of the primary score, log', row(1, '5,0,7,'), { scores }],
  ])('%s', async (expected, line, more) => {
    const task = strict(more)
    const { said, rows, rejected } = await imported(`${HEADS}\n${line}\n`, { task })
    expect(said).toEqual([expect.stringContaining(expected)])
    expect(said[0]).toMatch(/^error 2: 1 forecast /)
    expect([rows, rejected]).toEqual([[], 1])
    const taken = await imported(`${HEADS}\n${line}\n`, { task, asIs: true })
    expect(taken.said).toEqual([said[0]?.replace('error', 'warning')])
    expect(taken.rows.length).toBe(1)
  })

  const LINES = [row(-1, '10,8,12,'), row(0, '10,11,12,'), row(1, '10,,12,'), row(2, '10,11,12,')]
  const CROSS = '2 forecasts have quantiles that cross; the first is US, 2025-W46, seer, step 0'
  const LEVEL = '1 forecast lacks a level of the protocol; the first is US, 2025-W46, seer, step 1'
  const both = [
    `error 3: ${CROSS}: the quantile 0.5 is 10, below 11, the quantile 0.1`,
    `error 4: ${LEVEL}, without 0.1`,
  ]

  test('with a count for each reason, in a table and in entries of the log alike', async () => {
    const table = await imported(`${HEADS}\n${LINES.join('\n')}\n`)
    expect(table.said).toEqual(both)
    const { rows } = await imported(`${HEADS}\n${LINES.join('\n')}\n`, { asIs: true })
    const entries = rows.map((each) => JSON.stringify(each))
    const before = (found: string) => found.replace(/\d+/, (line) => String(Number(line) - 1))
    for (const text of [entries.join('\n'), `[\n${entries.join(',\n')}]`]) {
      const { said, rows: none } = await imported(text)
      const isArray = text.startsWith('[')
      expect([said, none]).toEqual([isArray ? both : both.map(before), []])
    }
  })

  test('but not where the protocol does not ask for it', async () => {
    const { said, rows } = await imported(`${HEAD}\nTX,2025-W46,1,seer,10,,\n`)
    expect(said).toEqual([expect.stringContaining('warning 2: the protocol has no such series')])
    expect(rows.length).toBe(1)
  })
})

describe('the first write of a key wins', () => {
  test('in a history, where another row is a conflict', async () => {
    const { history } = await imported(WIDE)
    const again = await imported(WIDE, {}, history)
    expect(again.forecasts).toEqual({ added: 0, unchanged: 1, conflicts: 0 })
    const other = await imported(WIDE.replace('8.5', '8'), {}, history)
    expect(other.forecasts).toEqual({ added: 0, unchanged: 0, conflicts: 1 })
    expect(other.said).toEqual([
      'error 2: US, 2025-W46, seer, step 1: the history has a different row with this key (/quantiles/0.1)',
    ])
    const failed = 'series,origin,horizon,model,value,status\nUS,2025-W46,1,seer,,failed\n'
    expect((await imported(failed, {}, history)).attempts.conflicts).toBe(1)
    expect(other.rows).toEqual([FORECAST])
  })

  test('in a file, where another row is an error', async () => {
    const { said, rows } = await imported(`${WIDE}US,2025-W46,1,seer,11,8.5,12\n`)
    expect(said).toEqual([
      'error 3: US, 2025-W46, seer, step 1: line 2 has this key and other values (/quantiles/0.5, /value)',
    ])
    expect(rows).toEqual([])
  })

  test('and equal rows count once, in a row for each level, too', async () => {
    const row = WIDE.split('\n')[1]
    const wide = await imported(`${WIDE}06,2025-W46,1,seer,10,8.5,12\n${row}\n${row}\n`)
    expect(wide.said).toEqual([
      'note 4: the row says the same as line 2: equal rows count once',
      'note 1 more of table-repeated in line 5 of FILE',
    ])
    expect([wide.rows.length, wide.forecasts]).toEqual([
      2,
      { added: 2, unchanged: 2, conflicts: 0 },
    ])
    const levels = ['0.1,8.5', '0.5,10', '0.10,8.5', '0.9,12'].map(
      (each) => `US,2025-W46,1,seer,${each}`,
    )
    const long = await imported(`${LONG}\n${levels.join('\n')}\n`)
    expect(long.said).toEqual(['note 4: the row says the same as line 2: equal rows count once'])
    expect(long.rows).toEqual([FORECAST])
    // What was here before is no row of the table.
    const again = await imported(WIDE, {}, long.history)
    expect(again.said).toEqual([])
  })

  test('with its salt', async () => {
    const { rows, history } = await imported(WIDE, { salt: true })
    expect(rows[0].salt).toMatch(/^[\w-]{22}$/)
    const again = await imported(WIDE, { salt: true }, history)
    expect(again.forecasts.unchanged).toBe(1)
    expect(again.rows).toEqual(rows)
  })
})
