import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Result } from '../../src/evaluation/result/result.js'
import { scoredCopies } from '../evaluation/score-into.js'
import { editText, makeWorld } from '../evaluation/world.js'
import { inProcess } from '../support/in-process.js'

const folder = scoredCopies(() => makeWorld({ replicates: 2000 }), 'whole')
const out = (name: string) => join(folder(), name)
const evidence = () => out('whole')
const resultOf = () => JSON.parse(readFileSync(join(evidence(), 'result.json'), 'utf8')) as Result

describe('export', () => {
  it.each([
    [
      'scores',
      ({ reading }: Result) =>
        reading.measures.flatMap(({ means, below }) => Object.keys({ ...means, ...below })).length,
    ],
    ['tests', ({ reading }: Result) => reading.tests.length],
    ['pairs', ({ inputs }: Result) => inputs.pairs.rows],
    [
      'losses',
      ({ reading }: Result) =>
        reading.accounting
          .filter(({ step, scope }) => step === 'overall' && scope === 'all')
          .reduce((sum, { point }) => sum + point.scored, 0),
    ],
    [
      'cells',
      ({ settings, cells }: Result) =>
        settings.candidates.length *
        settings.comparators.length *
        settings.rules.scores.length *
        cells.lines,
    ],
  ] as const)('writes %s, and says what they rest on', async (table, count) => {
    const file = out(`${table}.csv`)
    const { code, stdout, stderr } = await inProcess(['export', evidence(), table, '--out', file])
    expect(code, stderr).toBe(0)
    const { result_sha256 } = resultOf()
    expect(stdout).toContain(result_sha256)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(1 + count(resultOf()))
    const again = await inProcess(['export', evidence(), table])
    expect(again.stdout).toBe(readFileSync(file, 'utf8'))
    expect(again.stderr).toContain(result_sha256)
  })

  it('takes the format from the ending, unless one is given', async () => {
    const first = async (name: string, ...more: string[]) => {
      await inProcess(['export', evidence(), 'tests', '--out', out(name), ...more])
      return readFileSync(out(name)).subarray(0, 4).toString('latin1')
    }
    expect(await first('a.parquet')).toBe('PAR1')
    expect(await first('b.ndjson')).toBe('{"te')
    expect(await first('c.txt')).toBe('test')
    expect(await first('d.csv', '--format', 'parquet')).toBe('PAR1')
  })

  it('does not put Parquet on a terminal', async () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true })
    const run = await inProcess(
      ['export', evidence(), 'scores', '--format', 'parquet'],
      {},
      terminal,
    )
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain('--out')
  })

  it.each(['pairs.ndjson.gz', 'new.csv'])('does not write %s into the evidence', async (name) => {
    const before = readdirSync(evidence()).map((each) => statSync(join(evidence(), each)).mtimeMs)
    const run = await inProcess(['export', evidence(), 'pairs', '--out', join(evidence(), name)])
    expect(run.code).toBe(2)
    const after = readdirSync(evidence()).map((each) => statSync(join(evidence(), each)).mtimeMs)
    expect(after).toEqual(before)
  })
})

describe('a damaged folder', () => {
  it.each([
    ['result.json', 'scores', 'digest-mismatch'],
    ['result.json', 'losses', 'digest-mismatch'],
    ['pairs.ndjson.gz', 'losses', 'evidence-edited'],
    ['cells.ndjson', 'cells', 'evidence-edited'],
    ['pairs.ndjson.gz', 'pairs', 'evidence-edited'],
  ])('with %s edited gives no %s', async (name, table, finding) => {
    editText(join(evidence(), name), (text) => text.replace('"persistence"', '"persistance"'))
    const before = readdirSync(folder())
    const run = await inProcess(['export', evidence(), table, '--out', out('table.csv')])
    expect(run.code).toBe(1)
    expect(run.stdout).toContain(finding)
    expect(readdirSync(folder())).toEqual(before)
    const piped = await inProcess(['export', evidence(), table])
    expect(piped).toMatchObject({ code: 1, stdout: '' })
    expect(piped.stderr).toContain(finding)
  })

  it('without pairs says so', async () => {
    rmSync(join(evidence(), 'pairs.ndjson.gz'))
    expect(await inProcess(['export', evidence(), 'losses'])).toMatchObject({ code: 1, stdout: '' })
    expect((await inProcess(['export', evidence(), 'tests'])).code).toBe(0)
  })

  it('that is none is refused', async () => {
    const run = await inProcess(['export', folder(), 'scores'])
    expect(run.code).toBe(2)
    expect(run.stderr).toContain('holds no result.json')
  })
})
