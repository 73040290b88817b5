import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { messageOf } from '../../../src/contract/findings/finding.js'
import type { SeriesProtocol } from '../../../src/contract/types.js'
import { importFiles } from '../../../src/history/import/import-files.js'
import type { SeriesTableOptions, SeriesTask } from '../../../src/history/natural/series-rows.js'
import { freshPaths } from '../../support/folder.js'
import { HOURS, protocolOf, taskOf, WEEKS } from '../../truth/sample.js'
import { EPOCH, inBatches, opened } from '../support.js'

const fresh = freshPaths()

interface More extends SeriesTableOptions {
  readonly task?: SeriesTask
  readonly asIs?: boolean
  readonly salt?: boolean
}

async function imported(
  text: string,
  { task = taskOf(), salt = false, asIs, ...table }: More = {},
  history = fresh(),
) {
  const file = fresh('table')
  writeFileSync(file, text)
  const options = { now: EPOCH, series: task, table, salt, asIs }
  const result = await importFiles(history, [file], options)
  const said = result.findings.map((each) => {
    const line = each.position === undefined ? '' : `${each.position.line}: `
    return `${each.severity} ${line}${messageOf(each).text.replaceAll(file, 'FILE')}`
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
