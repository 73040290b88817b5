import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import type { Row, TableFormat } from '../../src/table/types.js'
import { COLUMNS, written } from './made.js'

const ROWS: readonly Row[] = [
  ['2026-01-31T12:00:00.000001+02:00', 4, 'a,b', 1e-7, true],
  [null, null, null, null, null],
  ['2026-01-31T12:00:00Z', 9_007_199_254_740_991, ' "quoted"\nover lines', Number.NaN, false],
  ['1969-12-31T23:59:59.999999Z', -1, 'größe', -0.1, null],
]

function inBatchesOf(batch: number, rows: readonly Row[], format: TableFormat): Promise<Buffer> {
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
    const file = bytes.buffer.slice(
      bytes.byteOffset,
      bytes.byteOffset + bytes.length,
    ) as ArrayBuffer
    const micros = (micros: bigint) => micros
    const parsers = { timestampFromMicroseconds: micros }
    const read = await parquetReadObjects({ file, parsers })
    expect(read.map((row) => Object.values(row))).toEqual([
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
