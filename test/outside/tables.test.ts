import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exportLines } from '../../src/history/export.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { openTable } from '../../src/table/read.js'
import { type TableRow, toTable } from '../../src/table/table.js'
import { allOf, inBatches } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { COLUMNS, written } from '../table/made.js'
import { askDuck } from './duck.js'

const folder = temporaryFolder()

/** Rows in two row groups, with doubles of every kind. */
function* made(count: number): Generator<TableRow> {
  const random = (n: number) => Math.sin(n) * 10 ** ((n % 600) - 300)
  for (let n = 0; n < count; n++) {
    const at = new Date(Date.UTC(1969, 11, 31) + n * 3_600_000).toISOString().slice(0, 19)
    const exactly = `${at}.${String(n).padStart(6, '0')}Z`
    const row = [exactly, n * 7919 - 1000, `é,"${n % 50}"`, random(n), n % 2 > 0]
    yield n % 11 === 0 ? row.map(() => null) : row
  }
}

test('DuckDB reads a Parquet file with the same values', async () => {
  const rows = [...made(70_000)]
  const file = join(folder, 'made.parquet')
  writeFileSync(file, await written(toTable(COLUMNS, rows)))
  const types = await askDuck(`DESCRIBE SELECT * FROM '${file}'`)
  expect(types.map(([name, type]) => `${name} ${type}`)).toEqual([
    'at TIMESTAMP WITH TIME ZONE',
    'hours BIGINT',
    'model, or "name" VARCHAR',
    'price DOUBLE',
    'ok BOOLEAN',
  ])
  const read = await askDuck(
    `SELECT strftime("at" AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ'), * EXCLUDE ("at") FROM '${file}'`,
  )
  const expected = rows.map(([at, hours, ...rest]) => [at, hours?.toString() ?? null, ...rest])
  expect(read).toEqual(expected)
})

/** Imports a file without an option, and gives back what the history then holds. */
async function through(name: string, table = {}): Promise<string[]> {
  const history = join(folder, `${name}.sqlite`)
  const result = await importFiles(history, [join(folder, name)], { now: 0, table })
  expect(result.findings.filter(({ severity }) => severity !== 'note')).toEqual([])
  return await allOf(exportLines(history))
}

const PARQUET = ['snappy', 'zstd', 'gzip', 'brotli', 'lz4_raw', 'uncompressed']

test('frames of pandas and R import alike without an option, as CSV, NDJSON and Parquet', async () => {
  execFileSync('/usr/bin/python3', ['test/outside/tables.py', folder])
  execFileSync('Rscript', ['test/outside/tables.R', folder])
  const read = `FROM read_csv('${folder}/frame.csv')`
  for (const codec of PARQUET) {
    const options = `(FORMAT parquet, COMPRESSION ${codec}, ROW_GROUP_SIZE 2048)`
    await askDuck(
      `COPY (SELECT * REPLACE (origin_at::TIMESTAMPTZ AS origin_at, generated_at::TIMESTAMPTZ AS generated_at) ${read}) TO '${folder}/${codec}.parquet' ${options}`,
    )
  }
  const expected = await through('frame.csv')
  expect(expected.length).toBe(400)
  expect(JSON.parse(expected[0] ?? '')).toMatchObject({
    forecast_id: '2026-01-31T12:00:00+00:00:naïve, "drift":2',
    estimate: { price_usd: 50_000.7667 },
    run: { generated_at: '2026-01-31T12:00:30.500001+00:00' },
  })
  for (const name of ['indexed.csv', 'frame.ndjson', 'fwrite.csv']) {
    expect(await through(name), name).toEqual(expected)
  }
  for (const codec of PARQUET) expect(await through(`${codec}.parquet`), codec).toEqual(expected)
})

test('what Parquet has of numbers and times is read to the last digit', async () => {
  const file = join(folder, 'types.parquet')
  await askDuck(`COPY (SELECT
    12.10::DECIMAL(4,2) AS small, -1234567890123.45::DECIMAL(18,2) AS middle, 0.1::DECIMAL(38,37) AS wide,
    9007199254740993::BIGINT AS long, 7::UTINYINT AS tiny, 18446744073709551615::UBIGINT AS most,
    0.1::FLOAT AS single, true AS yes, 'NaN'::DOUBLE AS nan, NULL::DOUBLE AS nothing,
    '2026-01-31 12:00:00.000001'::TIMESTAMP AS local, '2026-01-31 12:00:00+02'::TIMESTAMPTZ AS utc,
    '2026-01-31 12:00:00.5'::TIMESTAMP_MS AS millis, '2026-01-31 12:00:00.000001'::TIMESTAMP_NS AS nanos,
    '2026-01-31'::DATE AS day, 'c0ffee00-0000-4000-8000-000000000001'::UUID AS id,
    'low'::ENUM ('low', 'high') AS level) TO '${file}' (FORMAT parquet)`)
  const { columns, batches } = await openTable(file)
  const [row] = await inBatches(batches)
  expect(Object.fromEntries(columns.map((name, at) => [name, row?.cells[at]]))).toEqual({
    small: 12.1,
    middle: -1234567890123.45,
    wide: 0.1,
    long: '9007199254740993',
    tiny: 7,
    most: '18446744073709551615',
    single: Math.fround(0.1),
    yes: true,
    nan: null,
    nothing: null,
    local: '2026-01-31T12:00:00.000001',
    utc: '2026-01-31T10:00:00Z',
    millis: '2026-01-31T12:00:00.500000',
    nanos: '2026-01-31T12:00:00.000001',
    day: '2026-01-31',
    id: 'c0ffee00-0000-4000-8000-000000000001',
    level: 'low',
  })
})

const NESTED = ['[1, 2]', "{'a': 1}", "'12:00:00'::TIME", 'INTERVAL 1 HOUR']
test.each(NESTED)('a column of %s in Parquet is refused', async (value) => {
  const file = join(folder, 'nested.parquet')
  await askDuck(`COPY (SELECT ${value} AS x) TO '${file}' (FORMAT parquet)`)
  const finding = { code: 'table-column', args: { column: 'x' } }
  await expect(openTable(file)).rejects.toMatchObject({ finding })
})
