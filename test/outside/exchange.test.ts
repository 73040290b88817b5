import { execFileSync, spawnSync } from 'node:child_process'
import { verify } from 'node:crypto'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { scoreInto } from '../evaluation/score-into.js'
import { editText, makeWorld, type World } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { askDuck } from './duck.js'
import { guide, putProgram } from './snippets.js'

// The distribution's Python, for that is where its packages are.
const PYTHON = '/usr/bin/python3'
const CHECKER = join(ROOT, 'test/outside/hub_checker.py')

let world: World
let work: string

beforeAll(async () => {
  world = await makeWorld({ replicates: 100 })
  await scoreInto(world, 'evidence')
  work = temporaryFolder()
  await exported('whole', '--to', 'hubverse')
}, 60_000)

async function exported(name: string, ...args: string[]): Promise<string> {
  const out = join(work, name)
  const source = join(world.folder, 'evidence')
  const { code, stderr } = await inProcess(['export', source, ...args, '--out', out])
  expect(code, stderr).toBe(0)
  return out
}

function copyOfWhole(name: string): string {
  const copy = join(work, name)
  cpSync(join(work, 'whole'), copy, { recursive: true })
  return copy
}

function faultsOf(hub: string): string {
  const { status, stdout, stderr } = spawnSync(PYTHON, [CHECKER, hub], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status === 0).toBe(stdout.trim() === '')
  return stdout.trim()
}

describe('a hub', () => {
  it.each(['csv', 'parquet'])(
    'is one by the documentation of hubverse: %s',
    async (format) => {
      const hub = await exported(`hub-${format}`, '--to', 'hubverse', '--format', format)
      if (format === 'parquet') {
        for (const path of readdirSync(join(hub, 'model-output'), { recursive: true })) {
          const file = join(hub, 'model-output', String(path))
          if (!file.endsWith('.parquet')) continue
          const csv = file.replace(/parquet$/, 'csv')
          await askDuck(`COPY (FROM '${file}') TO '${csv}' (HEADER, NULLSTR 'NA')`)
          const type = await askDuck(`SELECT DISTINCT typeof(reference_date) FROM '${file}'`)
          expect(type).toEqual([['DATE']])
        }
      }
      expect(faultsOf(hub)).toBe('')
      expect(readdirSync(join(hub, 'target-data'))).toEqual(['oracle-output.csv'])
    },
    120_000,
  )

  it.each([
    ['a median too few', /.*,median,.*\n/, '', /has no median/],
    ['a quantile too few', /.*,quantile,0\.9,.*\n/, '', /not all quantiles/],
    ['another round', /^2025-[-\d]+(,.*,median)/m, '2025-02-28$1', /a row of the round/],
    ['another type', ',median,', ',middle,', /middle is no output type/],
    ['quantiles out of order', /(quantile,0\.1,)/, '$19', /out of order/],
  ] as const)('is none with %s: the checker looks', (what, from, to, says) => {
    const hub = copyOfWhole(what)
    const outputs = join(hub, 'model-output')
    const withQuantiles = 'foreproof-seer'
    const [file = ''] = readdirSync(join(outputs, withQuantiles))
    editText(join(outputs, withQuantiles, file), (text) => text.replace(from, to))
    expect(faultsOf(hub)).toMatch(says)
  })

  it('is none with a configuration that the schemas refuse', () => {
    const hub = copyOfWhole('configured')
    editText(join(hub, 'hub-config/tasks.json'), (text) => text.replace('"double"', '"float"'))
    editText(join(hub, 'hub-config/admin.json'), (text) => text.replace('"csv"', '"xlsx"'))
    expect(faultsOf(hub)).toMatch(/xlsx[\s\S]*float/)
  })
})

/**
 * What scoringutils' documentation asks of a table of quantiles, and its two scores by their definitions
 * (Bracher et al. 2021) from nothing but that table.
 */
const SCORES = `
import json, sys
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
table = table[table["scale"] == "log_return"]
wide = table.pivot(index=unit + ["observed"], columns="quantile_level", values="predicted").reset_index()
low, mid, high, y = wide[0.1], wide[0.5], wide[0.9], wide["observed"]
alpha = 0.2
wide["interval_score"] = (high - low) + 2 / alpha * ((low - y).clip(lower=0) + (y - high).clip(lower=0))
wide["wis"] = ((y - mid).abs() / 2 + alpha / 2 * wide["interval_score"]) / 1.5
means = wide.groupby(["model", "horizon"])[["interval_score", "wis"]].mean().reset_index()
means.to_json(sys.stdout, orient="records", double_precision=15)
`

it('is written by the commands of docs/exchange.md', () => {
  const [commands] = guide('exchange.md').snippets
  const bin = join(work, 'bin')
  putProgram(bin)
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  execFileSync('sh', ['-e', '-c', commands?.text ?? ''], { cwd: world.folder, env })
  expect(faultsOf(join(world.folder, 'hub'))).toBe('')
  expect(readdirSync(world.folder)).toEqual(
    expect.arrayContaining(['hub', 'hub-of-evidence', 'quantiles.csv']),
  )
}, 60_000)

it('a table for scoringutils has the documented columns, and the scores that foreproof has, to 1e-12', async () => {
  const file = await exported('quantiles.csv', '--to', 'scoringutils')
  const means: Record<string, number>[] = JSON.parse(
    execFileSync(PYTHON, ['-c', SCORES, file], { encoding: 'utf8' }),
  )
  const evidence = join(world.folder, 'evidence')
  const scores = await inProcess(['export', evidence, 'scores', '--format', 'ndjson'])
  const ours = scores.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ stratum, horizon, n }) => stratum === 'all' && horizon !== null && n > 0)
  for (const measure of ['interval_score', 'wis']) {
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

it('a statement is signed as docs/evidence.md says, and the envelope is one of DSSE', () => {
  openssl('genpkey', '-algorithm', 'ed25519', '-out', 'key.pem')
  const found = guide('evidence.md').snippets.filter(({ text }) => text.includes('DSSEv1'))
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
