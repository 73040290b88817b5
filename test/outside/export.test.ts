import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { NATURAL_COLUMNS } from '../../src/history/natural/columns.js'
import type { Column } from '../../src/table/types.js'
import { TABLE_NAMES } from '../../src/tidy/evidence-table.js'
import { scoreInto } from '../evaluation/score-into.js'
import { makeWorld } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { TABLES } from '../tidy/rows.js'
import { askDuck } from './duck.js'
import { guide, putProgram } from './snippets.js'

const { snippets, snippet } = guide('export.md')
const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const HISTORY = { BTC_FORECAST_HISTORY_DB: at('world/history.sqlite') }
const SIMPLE = ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ar1', 'strongest_simple']

/** What a program prints, in the folder that the guide works in. */
function run(program: string, args: readonly string[]): string {
  const env = { ...process.env, PATH: `${at('bin')}:${process.env.PATH}`, ...HISTORY }
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe', env } as const
  return execFileSync(program, args, options)
}

beforeAll(async () => {
  putProgram(at('bin'))
  const world = await makeWorld({
    ...{ mode: 'retrospective', comparators: SIMPLE },
    over: {
      inference: { method: 'ewc-t', weights: { verdict: 0.6, deciding: 0.3, other: 0.1 } },
      limits: { availability_limit: 0.02, availability_limit_stratum: 0.05 },
    },
  })
  await scoreInto(world, 'evidence')
  symlinkSync(world.folder, at('world'))
  symlinkSync(at('world/evidence'), at('evidence'))
  for (const { language, text } of snippets) {
    if (language === 'sh') run('bash', ['-euo', 'pipefail', '-c', text])
  }
}, 300_000)

const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  ...TABLES,
  history: NATURAL_COLUMNS,
}

/** Columns as DuckDB has to show them, to be compared with those of NDJSON. */
function shown({ name, type }: Column): string {
  if (type === 'instant') return `epoch_us("${name}")::DOUBLE`
  return type === 'integer' ? `"${name}"::DOUBLE` : `"${name}"`
}

const SQL_TYPES = {
  text: 'VARCHAR',
  number: 'DOUBLE',
  integer: 'BIGINT',
  instant: 'TIMESTAMPTZ',
  date: 'DATE',
  boolean: 'BOOLEAN',
} as const

// Cells are those of any series.
const tables = TABLE_NAMES.filter((name) => name !== 'cells')

it.each([...tables, 'history'])(
  'DuckDB reads %s as Parquet, with the types and values of the table, and the same as CSV',
  async (name) => {
    const columns = COLUMNS[name] ?? []
    const file = (format: string) => at(`own-${name}.${format}`)
    for (const format of ['csv', 'parquet', 'ndjson']) {
      const source = name === 'history' ? ['history', 'export'] : ['export', at('evidence'), name]
      const line = [...source, '--format', format, '--out', file(format)]
      const { code, stderr } = await inProcess(line, HISTORY)
      expect(code, stderr).toBe(0)
    }
    const types = await askDuck(`DESCRIBE SELECT * FROM '${file('parquet')}'`)
    expect(types.map(([column]) => column)).toEqual(columns.map((column) => column.name))
    const sqlTypes = columns.map((column) => `'${column.name}': '${SQL_TYPES[column.type]}'`)
    const csv = `read_csv('${file('csv')}', header = true, auto_detect = false, columns = {${sqlTypes.join()}})`
    const rowsOf = (source: string) => askDuck(`SELECT ${columns.map(shown).join()} FROM ${source}`)
    const parquet = await rowsOf(`'${file('parquet')}'`)
    const expected = name === 'history' ? parquet : fromNdjson(columns, file('ndjson'))
    for (const read of [parquet, await rowsOf(csv)]) {
      expect(read.length).toBe(expected.length)
      // One by one: a difference of two long lists takes minutes to print.
      for (const [index, row] of read.entries()) expect(row).toEqual(expected[index])
    }
  },
)

it('writes the same bytes every time', async () => {
  await inProcess(['export', at('evidence'), 'losses', '--out', at('again.parquet')])
  expect(readFileSync(at('again.parquet')).equals(readFileSync(at('losses.parquet')))).toBe(true)
})

function fromNdjson(columns: readonly Column[], file: string): unknown[][] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const row = JSON.parse(line)
    return columns.map(({ name, type }) => {
      const value = row[name]
      return type === 'instant' && value !== null ? Date.parse(value) * 1000 : value
    })
  })
}

it('numpy computes the scores and tests of the result from the exported tables', () => {
  mkdirSync(at('numpy'))
  for (const name of ['pairs', 'losses']) cpSync(at(`own-${name}.csv`), at(`numpy/${name}.csv`))
  cpSync(at('evidence/result.json'), at('numpy/result.json'))
  const script = join(ROOT, 'test', 'outside', 'export_scores.py')
  const compared = JSON.parse(run('/usr/bin/python3', [script, at('numpy')]))
  const { measures, tests } = JSON.parse(readFileSync(at('evidence/result.json'), 'utf8'))
  const overAll = (rows: { stratum: unknown }[]) => rows.filter(({ stratum }) => stratum === 'all')
  expect(compared['scores from prices'].figures).toBe(12 * overAll(measures).length)
  expect(compared['scores from losses'].figures).toBe(12 * overAll(measures).length)
  expect(compared.tests.figures).toBeGreaterThan(overAll(tests).length)
  for (const [name, { greatest }] of Object.entries<{ greatest: number }>(compared)) {
    expect(greatest, name).toBeLessThan(1e-12)
  }
})

describe('docs/export.md', () => {
  it.each([
    ['python', 'pandas', '/usr/bin/python3', '-c', 'wis'],
    ['r', 'data.table', '/usr/bin/Rscript', '-e', 'adj_pval'],
  ])('has code in %s that %s runs', (language, _, program, option, says) => {
    const said = run(program, [option, snippet(language)])
    expect(said).toContain(says)
    expect(said).toContain('strongest_simple')
  })

  it('has SQL that DuckDB runs', async () => {
    const own = snippet('sql').replaceAll(/'([a-z]+\.parquet)'/g, (_, file) => `'${at(file)}'`)
    const [losses = '', pairs = ''] = own.split(';')
    expect((await askDuck(losses)).length).toBe(4 * (1 + SIMPLE.length))
    expect((await askDuck(pairs))[0]?.slice(0, 2)).toEqual(['scored', 'scored'])
  })
})
