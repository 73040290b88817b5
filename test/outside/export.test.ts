import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { NATURAL_COLUMNS } from '../../src/history/natural/columns.js'
import { SCORER_VERSION } from '../../src/scoring/measures.js'
import type { Column } from '../../src/table/types.js'
import { TABLE_NAMES } from '../../src/tidy/evidence-table.js'
import { lossesColumns } from '../../src/tidy/losses.js'
import { PAIR_COLUMNS } from '../../src/tidy/pairs.js'
import { SCORE_COLUMNS } from '../../src/tidy/scores.js'
import { TEST_COLUMNS } from '../../src/tidy/tests.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { BIN, ROOT } from '../support/run.js'
import { askDuck } from './duck.js'
import { guide, putProgram } from './snippets.js'

const { snippets, snippet } = guide('export.md')
const folder = temporaryFolder()
const at = (name: string) => join(folder, name)
const HISTORY = { BTC_FORECAST_HISTORY_DB: at('demo-out/history.sqlite') }

/** What a program prints, in the folder that the guide works in. */
function run(program: string, args: readonly string[], input?: string): string {
  return execFileSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${at('bin')}:${process.env.PATH}`,
      ...HISTORY,
    },
    ...(input !== undefined && { input }),
  })
}
const foreproof = (...args: readonly string[]) => run(process.execPath, [BIN, ...args])

beforeAll(() => {
  putProgram(at('bin'))
  foreproof('demo')
  symlinkSync(at('demo-out/evaluation'), at('evidence'))
  for (const { language, text } of snippets) {
    if (language === 'sh') run('bash', ['-euo', 'pipefail', '-c', text])
  }
}, 300_000)

const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  scores: SCORE_COLUMNS,
  tests: TEST_COLUMNS,
  losses: lossesColumns(SCORER_VERSION),
  pairs: PAIR_COLUMNS,
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

// Cells are those of any series, and the demo is of one.
const tables = TABLE_NAMES.filter((name) => name !== 'cells')

describe.each([...tables, 'history'])('DuckDB reads %s', (name) => {
  const columns = COLUMNS[name] ?? []
  let expected: unknown[][] = []

  beforeAll(async () => {
    for (const format of ['csv', 'parquet', 'ndjson']) {
      const source = name === 'history' ? ['history', 'export'] : ['export', at('evidence'), name]
      const line = [...source, '--format', format, '--out', at(`own-${name}.${format}`)]
      const { code, stderr } = await inProcess(line, HISTORY)
      expect(code, stderr).toBe(0)
    }
  })

  it('as Parquet, with the types and values of the table', async () => {
    const file = at(`own-${name}.parquet`)
    const types = await askDuck(`DESCRIBE SELECT * FROM '${file}'`)
    expect(types.map(([column]) => column)).toEqual(columns.map((column) => column.name))
    const read = await askDuck(`SELECT ${columns.map(shown).join()} FROM '${file}'`)
    expected = name === 'history' ? read : fromNdjson(columns, at(`own-${name}.ndjson`))
    expect(read.length).toBe(expected.length)
    // One by one: a difference of two long lists takes minutes to print.
    for (const [index, row] of read.entries()) expect(row).toEqual(expected[index])
  })

  it('as CSV, with the same values', async () => {
    const types = columns.map((column) => `'${column.name}': '${SQL_TYPES[column.type]}'`)
    const source = `read_csv('${at(`own-${name}.csv`)}', header = true, auto_detect = false, columns = {${types.join()}})`
    const read = await askDuck(`SELECT ${columns.map(shown).join()} FROM ${source}`)
    expect(read.length).toBe(expected.length)
    for (const [index, row] of read.entries()) expect(row).toEqual(expected[index])
  })
})

it('writes the same bytes every time', () => {
  foreproof('export', 'evidence', 'losses', '--out', at('again.parquet'))
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
  it('has Python that pandas runs', () => {
    const said = run('/usr/bin/python3', ['-c', snippet('python')])
    expect(said).toContain('wis')
    expect(said).toContain('strongest_simple')
  })

  it('has R that data.table runs', () => {
    const said = run('/usr/bin/Rscript', ['-e', snippet('r')])
    expect(said).toContain('adj_pval')
    expect(said).toContain('strongest_simple')
  })

  it('has SQL that DuckDB runs', async () => {
    const statements = snippet('sql').replaceAll(
      /'([a-z]+\.parquet)'/g,
      (_, file) => `'${at(file)}'`,
    )
    const [losses = '', pairs = ''] = statements.split(';')
    expect((await askDuck(losses)).length).toBe(32)
    expect((await askDuck(pairs))[0]?.slice(0, 2)).toEqual(['scored', 'scored'])
  })
})
