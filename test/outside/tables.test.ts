import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Column, Row } from '../../src/table/types.js'
import { tableBytes } from '../../src/table/write.js'
import { askDuck } from './duck.js'

const folder = mkdtempSync(join(tmpdir(), 'foreproof-tables-'))
afterAll(() => rmSync(folder, { recursive: true }))

const COLUMNS: readonly Column[] = [
  { name: 'at', type: 'instant' },
  { name: 'hours', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'price', type: 'number' },
  { name: 'ok', type: 'boolean' },
]

/** Rows in two row groups, with doubles of every kind. */
function* made(count: number): Generator<Row> {
  const random = (n: number) => Math.sin(n) * 10 ** ((n % 600) - 300)
  for (let n = 0; n < count; n++) {
    const at = new Date(Date.UTC(1969, 11, 31) + n * 3_600_000).toISOString().slice(0, 19)
    yield n % 11 === 0
      ? [null, null, null, null, null]
      : [
          `${at}.${String(n).padStart(6, '0')}Z`,
          n * 7919 - 1000,
          `é,"${n % 50}"`,
          random(n),
          n % 2 > 0,
        ]
  }
}

test('DuckDB reads a Parquet file with the same values', async () => {
  const rows = [...made(70_000)]
  const batches = async function* () {
    yield rows
  }
  const file = join(folder, 'made.parquet')
  const chunks: Uint8Array[] = []
  for await (const bytes of tableBytes({ columns: COLUMNS, rows: batches() }, 'parquet')) {
    chunks.push(bytes)
  }
  writeFileSync(file, Buffer.concat(chunks))
  const types = await askDuck(`DESCRIBE SELECT * FROM '${file}'`)
  expect(types.map(([name, type]) => `${name} ${type}`)).toEqual([
    'at TIMESTAMP WITH TIME ZONE',
    'hours BIGINT',
    'model VARCHAR',
    'price DOUBLE',
    'ok BOOLEAN',
  ])
  const read = await askDuck(
    `SELECT strftime("at" AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ'), hours, model, price, ok FROM '${file}'`,
  )
  const expected = rows.map(([at, hours, ...rest]) => [at, hours?.toString() ?? null, ...rest])
  expect(read).toEqual(expected)
})
