import { execFileSync } from 'node:child_process'
import { verify } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { NATURAL_COLUMNS } from '../../src/history/natural/columns.js'
import type { Column } from '../../src/table/table.js'
import { TABLE_NAMES } from '../../src/tidy/evidence-table.js'
import { scoreInto } from '../evaluation/score-into.js'
import { makeWorld, type World } from '../evaluation/world.js'
import { BY_VERDICT } from '../registration/made.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { TABLES } from '../tidy/rows.js'
import { askDuck } from './duck.js'
import { guide, putProgram } from './snippets.js'

// The distribution's Python, for that is where its packages are.
const PYTHON = '/usr/bin/python3'

let world: World
let work: string

beforeAll(async () => {
  world = await makeWorld({ replicates: 100 })
  await scoreInto(world, 'evidence')
  work = temporaryFolder()
}, 60_000)

async function exported(name: string, ...args: string[]): Promise<string> {
  const out = join(work, name)
  const source = join(world.folder, 'evidence')
  const { code, stderr } = await inProcess(['export', source, ...args, '--out', out])
  expect(code, stderr).toBe(0)
  return out
}

/**
 * What scoringutils' documentation asks of a table of quantiles, and its two scores by their definitions
 * (Bracher et al. 2021) from nothing but that table.
 */
const SCORES = `
import json, sys
import numpy as np
import pandas as pd
table = pd.read_csv(sys.argv[1])
assert {"observed", "predicted", "quantile_level", "model"} <= set(table.columns)
for name in ["observed", "predicted", "quantile_level"]:
    assert pd.api.types.is_float_dtype(table[name]) and table[name].notna().all(), name
assert table["quantile_level"].between(0, 1).all()
unit = [name for name in table.columns if name not in ("observed", "predicted", "quantile_level")]
assert not table.duplicated(unit + ["quantile_level"]).any()
assert (table.groupby(unit)["observed"].nunique() == 1).all()
answer = []
table[["predicted", "observed"]] = np.log(table[["predicted", "observed"]])
wide = table.pivot(index=unit + ["observed"], columns="quantile_level", values="predicted").reset_index()
low, mid, high, y = wide[0.1], wide[0.5], wide[0.9], wide["observed"]
alpha = 0.2
wide["interval_score"] = (high - low) + 2 / alpha * ((low - y).clip(lower=0) + (y - high).clip(lower=0))
wide["pinball_0.5"] = (y - mid).abs() / 2
means = wide.groupby(["model", "horizon"])[["interval_score", "pinball_0.5"]].mean().reset_index()
means.to_json(sys.stdout, orient="records", double_precision=15)
`

it('pairs in long form have the columns of scoringutils, and the scores that foreproof has, to 1e-12', async () => {
  const file = await exported('quantiles.csv', 'pairs', '--long')
  const means: Record<string, number>[] = JSON.parse(
    execFileSync(PYTHON, ['-c', SCORES, file], { encoding: 'utf8' }),
  )
  const evidence = join(world.folder, 'evidence')
  const scores = await inProcess(['export', evidence, 'scores', '--format', 'ndjson'])
  const ours = scores.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ scope, horizon, n }) => scope === 'all' && horizon !== null && n > 0)
  for (const measure of ['interval_score', 'pinball_0.5']) {
    const expected = ours.filter((row) => row.measure === measure)
    expect(expected.length).toBe(means.length)
    for (const { model, horizon, estimate } of expected) {
      const mean = means.find((row) => row.model === model && row.horizon === horizon)
      expect(Math.abs((mean?.[measure] ?? Number.NaN) - estimate)).toBeLessThan(1e-12)
    }
  }
})

const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: world.folder })

const read = (file: string) => readFileSync(join(world.folder, file), 'utf8')

it('a statement is signed as docs/reference/evidence-files.md says, and the envelope is one of DSSE', () => {
  openssl('genpkey', '-algorithm', 'ed25519', '-out', 'key.pem')
  const found = guide('reference/evidence-files.md').snippets.filter(({ text }) =>
    text.includes('DSSEv1'),
  )
  expect(found).toHaveLength(1)
  execFileSync('sh', ['-e', '-c', found[0]?.text ?? ''], { cwd: world.folder })
  const envelope = JSON.parse(read('evidence.intoto.jsonl'))
  expect(Object.keys(envelope).sort()).toEqual(['payload', 'payloadType', 'signatures'])
  const payload = Buffer.from(envelope.payload, 'base64')
  expect(payload.toString()).toBe(read('evidence/statement.intoto.json'))
  // The pre-authentication encoding of DSSE, with lengths in bytes.
  const type = 'application/vnd.in-toto+json'
  expect(envelope.payloadType).toBe(type)
  const begin = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `
  const signed = Buffer.concat([Buffer.from(begin), payload])
  const signature = Buffer.from(envelope.signatures[0].sig, 'base64')
  const key = openssl('pkey', '-in', 'key.pem', '-pubout').toString()
  expect(verify(null, signed, key, signature)).toBe(true)
})

const { snippets, snippet } = guide('analysis.md')
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
    ...{ mode: 'backtest', comparators: SIMPLE },
    method: BY_VERDICT,
    over: {
      limits: { availability: 0.02, availability_stratum: 0.05 },
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

it.each([...TABLE_NAMES, 'history'])(
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
  const compared = JSON.parse(run(PYTHON, [script, at('numpy')]))
  const { measures, tests } = JSON.parse(readFileSync(at('evidence/result.json'), 'utf8')).reading
  const overAll = (rows: { scope: unknown }[]) => rows.filter(({ scope }) => scope === 'all')
  expect(compared['scores from prices'].figures).toBe(12 * overAll(measures).length)
  expect(compared['scores from losses'].figures).toBe(7 * overAll(measures).length)
  expect(compared.tests.figures).toBeGreaterThan(overAll(tests).length)
  for (const [name, { greatest }] of Object.entries<{ greatest: number }>(compared)) {
    expect(greatest, name).toBeLessThan(1e-12)
  }
})

describe('docs/analysis.md', () => {
  it.each([
    ['python', 'pandas', PYTHON, '-c', 'width_percent'],
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
