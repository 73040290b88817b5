import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

const folder = temporaryFolder()

const GOOD =
  '1704067200,42288.58,42543.64,42261.58,42452.66,379.19,1200\n' +
  '1704070800,42453.83,42749.99,42415.0,42594,396.2,1300\n'
const CLOSES = 'close_at,close_usd\n2024-01-01T01:00:00Z,42452.66\n2024-01-01T02:00:00Z,42594.0\n'

function file(name: string, text: string | Uint8Array): string {
  writeFileSync(join(folder, name), text)
  return name
}

const run = (args: string[], input?: string) =>
  foreproof(['outcomes', 'import', ...args], {
    cwd: folder,
    ...(input === undefined ? {} : { input }),
  })

describe('outcomes import', () => {
  it('writes a vintage, says how the file was read, and does it once', async () => {
    const name = file('XBTUSD_60.csv', GOOD)
    const first = await run([name])
    expect(first.code).toBe(0)
    expect(first.stderr).toBe('')
    expect(first.stdout).toMatch(/format\s+kraken, times in Unix seconds/)
    expect(first.stdout).toMatch(/stamp\s+open/)
    const id = 'kraken-btcusd-1h-20240101T01Z-20240101T02Z-'
    const [made] = readdirSync(join(folder, 'vintages'))
    expect(made).toMatch(new RegExp(`^${id}[0-9a-f]{8}$`))
    expect(readFileSync(join(folder, 'vintages', String(made), 'closes.csv'), 'utf8')).toBe(CLOSES)
    const again = await run([name, '--format', 'json'])
    const said = JSON.parse(again.stdout)
    expect(said).toMatchObject({ ok: true, written: false, folder: `vintages/${made}` })
    expect(said.vintage).toEqual(
      JSON.parse(readFileSync(join(folder, 'vintages', String(made), 'manifest.json'), 'utf8')),
    )
  })

  it('reads standard input, and several files one after the other through it', async () => {
    const { code, stdout } = await run(
      ['-', '--source', 'kraken', '--vintage-id', 'mine', '--format', 'json'],
      GOOD,
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ vintage: { vintage_id: 'mine', count: 2 } })
  })

  it('writes nothing on --dry-run', async () => {
    const name = file('dry.csv', GOOD)
    const { code, stdout } = await run([name, '--dry-run', '--out', 'dry-out'])
    expect(code).toBe(0)
    expect(stdout).toContain('would write')
    expect(existsSync(join(folder, 'dry-out'))).toBe(false)
  })

  it('reports every fault with its line, writes nothing, exits 1', async () => {
    const bad = GOOD + '1704074400,1,1,1,0,1,1\n1704078001,1,1,1,1,1,1\n1704070800,1,1,1,7,1,1\n'
    const name = file('bad.csv', bad)
    const { code, stdout } = await run([name, '--out', 'bad-out'])
    expect(code).toBe(1)
    expect(stdout).toContain('bad.csv:3:1 error outcome-price')
    expect(stdout).toContain('bad.csv:4:1 error outcome-off-hour')
    expect(stdout).toContain('bad.csv:5:1 error outcome-conflict')
    expect(stdout).toContain('in line 2')
    expect(stdout.match(/help:/g)?.length).toBeGreaterThanOrEqual(3)
    expect(existsSync(join(folder, 'bad-out'))).toBe(false)
    const json = JSON.parse((await run([name, '--format', 'json'])).stdout)
    expect(json).toMatchObject({ ok: false, vintage: null, written: false })
    expect(json.findings.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5])
  })

  it.each([
    ['a missing file', ['nothing.csv'], 2, /no such file/],
    ['a folder', ['.'], 2, /is a folder/],
    ['no file', [], 2, /Not enough|required|missing/i],
    ['an unknown stamp', ['XBTUSD_60.csv', '--stamp', 'middle'], 2, /stamp/],
    ['an unsafe name', ['XBTUSD_60.csv', '--vintage-id', '../up'], 2, /folder/],
    ['an empty source', ['XBTUSD_60.csv', '--source', ' '], 2, /source/],
    ['a folder that cannot be', ['XBTUSD_60.csv', '--out', 'XBTUSD_60.csv/x'], 2, /folder/],
    ['a folder that is taken', ['XBTUSD_60.csv', '--out', '.'], 1, /something else/],
  ])('%s is told apart by its exit code', async (_name, args, code, says) => {
    file('XBTUSD_60.csv', GOOD)
    const ran = await run(args)
    expect(ran.code).toBe(code)
    expect(ran.stderr).toMatch(says)
    expect(ran.stderr).not.toContain('    at ')
    expect(ran.stdout).toBe('')
  })

  it('tells what to do with a compressed file', async () => {
    const { code, stdout } = await run([file('bars.csv.gz', gzipSync(GOOD))])
    expect(code).toBe(1)
    expect(stdout).toContain('gunzip')
  })
})

const real = join(ROOT, '../shared/data')

describe.runIf(existsSync(real))('outcomes import of real Coinbase bars', () => {
  it('gives the published closes to the byte', async () => {
    const { code } = await run([join(real, 'coinbase_btcusd_1h_2024_2025.csv'), '--out', 'real'])
    expect(code).toBe(0)
    expect(readFileSync(join(folder, 'real/closes.csv'))).toEqual(
      readFileSync(join(real, 'closes_btcusd_1h_2024_2025.csv')),
    )
  })
})
