import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess, withInput } from '../support/in-process.js'
import { ROOT } from '../support/run.js'

const folder = temporaryFolder()
const inside = (name: string) => join(folder, name)

const GOOD =
  '1704067200,42288.58,42543.64,42261.58,42452.66,379.19,1200\n' +
  '1704070800,42453.83,42749.99,42415.0,42594,396.2,1300\n'
const CLOSES = 'close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,42594.0\n'

function file(name: string, text: string | Uint8Array): string {
  writeFileSync(inside(name), text)
  return inside(name)
}
const OWN = file('XBTUSD_60.csv', GOOD)

const run = (...args: string[]) => inProcess(['outcomes', 'import', ...args])

describe('outcomes import', () => {
  it('writes a vintage, says how the file was read, and does it once', async () => {
    const out = inside('made')
    const first = await run(OWN, '--out', out)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/format\s+kraken, times in Unix seconds/)
    expect(first.stdout).toMatch(/stamp\s+open/)
    expect(first.stdout).toContain(`\n${OWN}: no findings\n`)
    expect(readFileSync(join(out, 'closes.csv'), 'utf8')).toBe(CLOSES)
    const said = JSON.parse((await run(OWN, '--out', out, '--format', 'json')).stdout)
    expect(said).toMatchObject({ ok: true, written: false, folder: out })
    expect(said.vintage).toEqual(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')))
    expect(said.vintage.vintage_id).toMatch(
      /^kraken-btcusd-1h-20240101T01Z-20240101T02Z-[0-9a-f]{8}$/,
    )
  })

  it('reads standard input', async () => {
    const line = `outcomes import - --source kraken --out ${inside('mine')} --format json`
    const { code, stdout } = await withInput(line, GOOD)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ vintage: { source: 'kraken', count: 2 } })
  })

  it('writes nothing on --dry-run', async () => {
    const { code, stdout } = await run(OWN, '--dry-run', '--out', inside('dry-out'))
    expect(code).toBe(0)
    expect(stdout).toContain('would write')
    expect(existsSync(inside('dry-out'))).toBe(false)
  })

  // Which faults there are is tried in test/outcomes/faults.test.ts.
  it('reports every fault with its line, writes nothing, exits 1', async () => {
    const bad = file('bad.csv', `${GOOD}1704074400,1,1,1,0,1,1\n1704070800,1,1,1,7,1,1\n`)
    const { code, stdout } = await run(bad, '--out', inside('bad-out'))
    expect(code).toBe(1)
    expect(stdout).toContain('bad.csv:3:1 error outcome-price')
    expect(stdout).toMatch(/bad\.csv:4:1 error outcome-conflict[\s\S]*in line 2/)
    expect(existsSync(inside('bad-out'))).toBe(false)
    const json = JSON.parse((await run(bad, '--format', 'json')).stdout)
    expect(json).toMatchObject({ ok: false, vintage: null, written: false })
  })

  it.each([
    ['a missing file', [inside('nothing.csv')], 2, /no such file/],
    ['a folder', [folder], 2, /is a folder/],
    ['an empty source', [OWN, '--source', ' '], 2, /source/],
    ['a folder that cannot be', [OWN, '--out', `${OWN}/x`], 2, /folder/],
    ['a folder that is taken', [OWN, '--out', folder], 1, /something else/],
  ])('%s has its own exit code', async (_name, args, code, says) => {
    const before = readdirSync(folder)
    const ran = await run(...args)
    expect(ran).toEqual({ code, stdout: '', stderr: expect.stringMatching(says) })
    expect(ran.stderr).not.toContain('    at ')
    expect(readdirSync(folder)).toEqual(before)
  })

  it('says what to do with a compressed file', async () => {
    const { code, stdout } = await run(file('bars.csv.gz', gzipSync(GOOD)))
    expect(code).toBe(1)
    expect(stdout).toContain('gunzip')
  })
})

const real = join(ROOT, '../shared/data')

it.runIf(existsSync(real))('real Coinbase bars give the published closes to the byte', async () => {
  const bars = join(real, 'coinbase_btcusd_1h_2024_2025.csv')
  expect((await run(bars, '--out', inside('real'))).code).toBe(0)
  const published = readFileSync(join(real, 'closes_btcusd_1h_2024_2025.csv'))
  expect(readFileSync(inside('real/closes.csv'))).toEqual(published)
})
