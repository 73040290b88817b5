import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { openTable } from '../../src/table/read.js'
import {
  type Cell,
  TableFault,
  type TableFormat,
  type TableRow,
  toTable,
} from '../../src/table/table.js'
import { codeOf } from '../contract/args-of.js'
import { inBatches } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { COLUMNS, written } from './made.js'

const folder = temporaryFolder()

interface WholeTable {
  readonly columns: readonly string[]
  readonly cells: readonly TableRow[]
  readonly lines: readonly number[]
  /** Codes and lines of rows that are no rows. */
  readonly faults: readonly (readonly [code: string, line: number])[]
}

let files = 0
async function read(content: string | Uint8Array): Promise<WholeTable> {
  const file = join(folder, `${files++}`)
  writeFileSync(file, content)
  return await whole(file)
}

async function whole(file: string, stdin?: Readable): Promise<WholeTable> {
  const { columns, batches } = await openTable(file, { stdin })
  const rows = await inBatches(batches)
  const good = rows.filter(({ fault }) => fault === undefined)
  return {
    columns,
    cells: good.map(({ cells }) => cells),
    lines: good.map(({ line }) => line),
    faults: rows.flatMap(({ fault, line }) => (fault ? [[codeOf(fault), line] as const] : [])),
  }
}

async function faultOf(content: string | Uint8Array) {
  const fault: unknown = await read(content).catch((error: unknown) => error)
  if (!(fault instanceof TableFault)) throw new Error('no fault')
  const { code, position } = fault.finding
  return { code, line: position?.line, text: formatMessage(fault.finding).text }
}

describe('CSV is read', () => {
  test('with a column for each of many series', async () => {
    const names = Array.from({ length: 5000 }, (_, at) => `FOODS_3_${at}_WI_3_evaluation`)
    const { columns, cells } = await read(`${names.join()}\n${names.map(() => '1').join()}\n`)
    expect([columns.length, cells.length]).toEqual([5000, 1])
  })

  test('with line breaks and quotes in cells, empty lines, and the lines of rows', async () => {
    const table = await read('a,b\r\n1,"x\r\ny"\r\n\r\n , "say ""no"""\r\n3,')
    expect(table.columns).toEqual(['a', 'b'])
    expect(table.cells).toEqual([
      ['1', 'x\r\ny'],
      [null, 'say "no"'],
      ['3', null],
    ])
    expect(table.lines).toEqual([2, 5, 6])
    expect(await read('a,b\r1,2\r')).toMatchObject({ cells: [['1', '2']], lines: [2] })
  })

  test('with a byte order mark, and the nameless first column of a data frame', async () => {
    expect((await read('\ufeff,a\n0,x\n')).columns).toEqual(['', 'a'])
  })

  test('with rows of other lengths reported', async () => {
    const { faults, lines } = await read('a,b\n1,2\n3\n4,5,6\n7,8\n')
    expect(faults).toEqual([
      ['table-row cells', 3],
      ['table-row cells', 4],
    ])
    expect(lines).toEqual([2, 5])
  })

  test.each([
    ['semicolons', 'a;b\n1;2\n', 'table-delimiter', 1],
    ['tabs', 'a\tb\n1\t2\n', 'table-delimiter', 1],
    ['a name twice', 'a,b,a\n1,2,3\n', 'table-header', 1],
    ['a column without a name', 'a,,b\n1,2,3\n', 'table-header', 1],
    ['nothing', '', 'table-empty', undefined],
    ['a quote that stays open', 'a,b\n1,"2\n3,4\n', 'table-csv', 3],
    ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le'), 'table-encoding', undefined],
    ['Latin-1', Buffer.from('a,b\n1,é\n', 'latin1'), 'table-encoding', undefined],
    ['a workbook', Buffer.from('PK\u0003\u0004…'), 'table-encoding', undefined],
  ])('not where it has %s', async (_, content, code, line) => {
    expect(await faultOf(content)).toMatchObject({ code, line })
  })
})

describe('JSON is read', () => {
  const rows = '{"a":1,"b":null}\n{"b":"x","a":0.5}\n{"a":true}\n'
  const cells = [
    [1, null],
    [0.5, 'x'],
    [true, null],
  ]
  test.each([
    ['lines', rows],
    ['an array', `[${rows.trim().split('\n').join(',\n')}]`],
    ['lines after a byte order mark', `\ufeff${rows}`],
  ])('as %s', async (_, content) => {
    expect(await read(content)).toMatchObject({ columns: ['a', 'b'], cells, faults: [] })
  })

  test('from standard input, in pieces of any size', async () => {
    const pieces = Readable.from([...rows].map((letter) => Buffer.from(letter)))
    expect((await whole('-', pieces)).cells).toEqual(cells)
  })

  test('with what is no row reported', async () => {
    const { faults } = await read('{"a":1}\n[1]\n{"a":[1]}\n{"a":NaN}\n{"a":2}\n')
    expect(faults).toEqual([
      ['table-row object', 2],
      ['table-row cell', 3],
      ['json-form literal', 4],
    ])
  })

  test('with a member reported that comes late', async () => {
    const stdin = Readable.from(['{"a":1}\n'.repeat(1024), '{"a":1,"late":2}\n'])
    const { faults, cells } = await whole('-', stdin)
    expect(faults).toEqual([['table-row members', 1025]])
    expect(cells.length).toBe(1024)
  })
})

/** What pyarrow 25 keeps of a table with the columns series, origin, h (seconds as durations), model and value. */
const ARROW_SCHEMA =
  '/////ygBAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAUAAADMAAAAkAAAAGAA' +
  'AAA0AAAABAAAAFj///8AAAEDEAAAABgAAAAEAAAAAAAAAAUAAAB2YWx1ZQAAALL///8AAAIAhP///wAAAQUQAAAA' +
  'GAAAAAQAAAAAAAAABQAAAG1vZGVsAAAAdP///6z///8AAAESEAAAABgAAAAEAAAAAAAAAAEAAABoAAYACAAGAAYA' +
  'AAAAAAAA2P///wAAAQUQAAAAGAAAAAQAAAAAAAAABgAAAG9yaWdpbgAAyP///xAAFAAIAAYABwAMAAAAEAAQAAAA' +
  'AAABBRAAAAAcAAAABAAAAAAAAAAGAAAAc2VyaWVzAAAEAAQABAAAAA=='

describe('Parquet is read', () => {
  const DAY = 86_400_000_000n
  const local = {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' },
  } as const

  const cents = { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2 } as const

  /** Columns of whole numbers, of cents or times without a zone if their names say so; two row groups. */
  const numbers = (columns: Readonly<Record<string, readonly (bigint | null)[]>>, kept = {}) => {
    const element = (name: string) =>
      name.startsWith('local') ? local : name === 'cents' ? cents : ({ type: 'INT64' } as const)
    const schema = Object.keys(columns).map((name) => ({
      name,
      repetition_type: 'OPTIONAL' as const,
      ...element(name),
    }))
    const columnData = Object.entries(columns).map(([name, data]) => ({ name, data: [...data] }))
    const kvMetadata = Object.entries(kept).map(([key, value]) => ({ key, value: String(value) }))
    const root = { name: 'root', num_children: schema.length }
    const options = { columnData, schema: [root, ...schema], kvMetadata, rowGroupSize: 2 }
    return new Uint8Array(parquetWriteBuffer(options))
  }

  test('with times of no zone as dates where all of a column are midnight', async () => {
    const days = [20_000n * DAY, null, 20_001n * DAY, 20_002n * DAY]
    const { cells } = await read(
      numbers({ 'local days': days, 'local hours': days.with(3, 20_002n * DAY + DAY / 2n) }),
    )
    expect(cells).toEqual([
      ['2024-10-04', '2024-10-04T00:00:00'],
      [null, null],
      ['2024-10-05', '2024-10-05T00:00:00'],
      ['2024-10-06', '2024-10-06T12:00:00'],
    ])
  })

  test('with the digits of what a number does not hold', async () => {
    const whole = [
      9_007_199_254_740_991n,
      9_007_199_254_740_993n,
      null,
      -9_223_372_036_854_775_807n,
    ]
    const { cells } = await read(
      numbers({ whole, cents: [1250n, -5n, 0n, 901_000_000_000_000_001n] }),
    )
    expect(cells).toEqual([
      [9_007_199_254_740_991, 12.5],
      ['9007199254740993', -0.05],
      [null, 0],
      ['-9223372036854775807', '9010000000000000.01'],
    ])
  })

  test.each([
    ['Arrow', { 'ARROW:schema': ARROW_SCHEMA }],
    ['pandas', { pandas: '{"columns":[{"field_name":"h","numpy_type":"timedelta64[ns]"}]}' }],
  ])('without durations, which %s calls so', async (_, kept) => {
    const args = { fault: 'type', column: 'h', found: 'of durations' }
    await expect(read(numbers({ value: [1n], h: [2n] }, kept))).rejects.toMatchObject({
      finding: { code: 'table-column', args },
    })
    expect((await read(numbers({ value: [1n], model: [2n] }, kept))).cells).toEqual([[1, 2]])
  })

  test.each(['', 'AA==', '/////w==', ARROW_SCHEMA.slice(0, 100), '{"columns":7}'])(
    'whatever stands there of its types: %s',
    async (text) => {
      const kept = { 'ARROW:schema': text, pandas: text }
      expect((await read(numbers({ h: [2n] }, kept))).cells).toEqual([[2]])
    },
  )

  const made = (count: number): Cell[][] =>
    Array.from({ length: count }, (_, n) => [
      '2026-01-31T12:00:00.000001Z',
      n,
      n % 7 === 0 ? null : `m${n % 7}`,
      n / 3,
      n % 2 === 0,
    ])
  const parquet = (rows: readonly TableRow[]) => written(toTable(COLUMNS, rows))

  test('as it was written, over row groups', async () => {
    const rows = made(66_000)
    const table = await read(await parquet(rows))
    expect(table.columns).toEqual(COLUMNS.map(({ name }) => name))
    expect(table.lines.at(-1)).toBe(66_000)
    expect(table.cells).toEqual(rows)
  })

  test('not with a text as long as no cell is', async () => {
    // One value of a dictionary, which would be a text of its own in every row.
    const rows = made(100).map(([at, n, , x, b]) => [at, n, 'm'.repeat(65_537), x, b] as TableRow)
    const fault = { code: 'table-parquet', args: { fault: 'long', says: COLUMNS[2]?.name } }
    await expect(read(await parquet(rows))).rejects.toMatchObject({ finding: fault })
  })

  test('not from a stream', async () => {
    const stdin = Readable.from([await parquet(made(1))])
    await expect(whole('-', stdin)).rejects.toMatchObject({
      finding: { code: 'table-parquet', args: { fault: 'stream' } },
    })
  })
})

const ROWS: readonly TableRow[] = [
  ['2026-01-31T12:00:00.000001+02:00', 4, 'a,b', 1e-7, true],
  [null, null, null, null, null],
  ['2026-01-31T12:00:00Z', 9_007_199_254_740_991, ' "quoted"\nover lines', Number.NaN, false],
  ['1969-12-31T23:59:59.999999Z', -1, 'größe', -0.1, null],
]

function inBatchesOf(
  batch: number,
  rows: readonly TableRow[],
  format: TableFormat,
): Promise<Buffer> {
  async function* batches() {
    for (let at = 0; at < rows.length; at += batch) yield rows.slice(at, at + batch)
  }
  return written({ columns: COLUMNS, rows: batches() }, format)
}

describe('a table is written', () => {
  test('as CSV, with quotes only where they are needed', async () => {
    expect((await inBatchesOf(2, ROWS, 'csv')).toString()).toBe(
      [
        'at,hours,"model, or ""name""",price,ok',
        '2026-01-31T12:00:00.000001+02:00,4,"a,b",1e-7,true',
        ',,,,',
        '2026-01-31T12:00:00Z,9007199254740991," ""quoted""',
        'over lines",,false',
        '1969-12-31T23:59:59.999999Z,-1,größe,-0.1,',
        '',
      ].join('\n'),
    )
  })

  test('as NDJSON, with every column in every line', async () => {
    const lines = (await inBatchesOf(2, ROWS, 'ndjson')).toString().trimEnd().split('\n')
    const values = lines.map((line) => Object.values(JSON.parse(line)))
    expect(values).toEqual(ROWS.map((row) => row.map((cell) => (Number.isNaN(cell) ? null : cell))))
  })

  test('as Parquet, in row groups of a fixed size for any batches', async () => {
    const many = Array.from({ length: 70_000 }, (_, n) => [
      null,
      n,
      `m${n % 3}`,
      n / 3,
      n % 2 === 0,
    ])
    const bytes = await inBatchesOf(999, many, 'parquet')
    expect(bytes.equals(await inBatchesOf(70_000, many, 'parquet'))).toBe(true)
    const { row_groups, created_by } = parquetMetadata(bytes)
    expect(row_groups.map(({ num_rows }) => num_rows)).toEqual([65_536n, 4_464n])
    expect(created_by).toBe('foreproof')
  })

  test('as Parquet, with values to the last digit and microsecond', async () => {
    const bytes = await inBatchesOf(2, ROWS, 'parquet')
    const file = Uint8Array.from(bytes).buffer
    const parsers = { timestampFromMicroseconds: (micros: bigint) => micros }
    const back = await parquetReadObjects({ file, parsers })
    expect(back.map((row) => Object.values(row))).toEqual([
      [1_769_853_600_000_001n, 4n, 'a,b', 1e-7, true],
      [null, null, null, null, null].map(() => expect.toSatisfy((cell) => cell == null)),
      [1_769_860_800_000_000n, 9_007_199_254_740_991n, ' "quoted"\nover lines', null, false].map(
        (cell) => cell ?? expect.toSatisfy((read) => read == null),
      ),
      [-1n, -1n, 'größe', -0.1, expect.toSatisfy((cell) => cell == null)],
    ])
  })

  test.each(['csv', 'ndjson', 'parquet'] as const)('without rows, as %s', async (format) => {
    const bytes = await inBatchesOf(1, [], format)
    if (format === 'parquet') expect(parquetMetadata(bytes).num_rows).toBe(0n)
    else expect(bytes.toString().split('\n').length).toBe(format === 'csv' ? 2 : 1)
  })
})
