import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { weekPeriods } from '../../src/periods/make.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess, withInput } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { day, frozenAt, NEW_YORK } from '../truth/sample.js'

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
    expect(first.stdout).toContain(`\n${OWN}: no problems found\n`)
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

  // Which faults there are is tried in test/outcomes/import.test.ts.
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

const WEEKS = weekPeriods({ from: day('2024-01-07'), to: day('2025-12-28') }, 'sunday', NEW_YORK)

const HUB = `as_of,target_end_date,location,observation
2024-01-17,2024-01-13,US,100
2024-01-24,2024-01-13,US,104
2024-01-24,2024-01-20,PR,1
`

describe('outcomes import --protocol', () => {
  const protocol = frozenAt(folder, ['0.1', '0.5', '0.9'], ['US', '06'], WEEKS)
  const released = (...args: string[]) => run(...args, '--protocol', protocol)

  it('writes a vintage of releases once, and says what it holds', async () => {
    const out = inside('vintage')
    const table = file('hub.csv', HUB)
    const { code, stdout } = await released(table, '--out', out, '--source', 'hub')
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/releases\s+2, from 2024-01-18T05:00:00Z to 2024-01-25T05:00:00Z/)
    expect(stdout).toMatch(/complete to\s+2024-01-25T05:00:00Z/)
    expect(stdout).toContain('the protocol has no series "PR"')
    expect(readFileSync(join(out, 'releases.csv'), 'utf8')).toBe(
      'series,period,value,as_of\nUS,2024-W02,100,2024-01-18T05:00:00Z\nUS,2024-W02,104,2024-01-25T05:00:00Z\n',
    )
    const again = await released(table, '--out', out, '--source', 'hub', '--format', 'json')
    const said = JSON.parse(again.stdout)
    expect(said).toMatchObject({ ok: true, written: false, folder: out })
    expect(said.vintage).toEqual(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')))
    const other = await released(file('hub.csv', HUB.replace('104', '105')), '--out', out)
    expect(other).toMatchObject({ code: 1 })
    expect(other.stderr).toContain('vintages are never replaced')
  })

  it('writes nothing where the table is wrong, or nothing shall be written', async () => {
    const bad = file('bad.csv', HUB.replace(',104', ',"1,04"'))
    const { code, stdout } = await released(bad, '--out', inside('none'))
    expect(code).toBe(1)
    expect(stdout).toContain(`${bad}:3:1`)
    expect((await released(file('good.csv', HUB), '--out', inside('none'), '--dry-run')).code).toBe(
      0,
    )
    expect(existsSync(inside('none'))).toBe(false)
  })

  it.each([
    [['--stamp', 'open'], '--stamp cannot be used with --protocol'],
    [['--columns', 'price=x'], '--columns: no column is called price'],
    [['--only', 'age_group'], '--only age_group is not COLUMN=TEXT'],
    [['--only', 'target=a', '--target', 'b'], '--only: two texts of the column target'],
    [['--ignore', 'target'], '--ignore target: two targets are never one series'],
  ])('refuses %j', async (more, says) => {
    const { code, stderr } = await released(file('good.csv', HUB), ...more)
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  })

  it('takes a folder of tables, one of their targets, and rows that are meant', async () => {
    const rows = 'target,target_end_date,location,age,observation\n'
    const part = inside('time-series/as_of=2024-01-17')
    mkdirSync(part, { recursive: true })
    const age = (text: string) => `flu,2024-01-13,US,${text}\nvisits,2024-01-13,US,65+,0.5\n`
    writeFileSync(join(part, 'a.csv'), `${rows}${age('65+,100')}${age('all,300')}`)
    const asked = await released(inside('time-series'))
    expect([asked.code, asked.stdout]).toEqual([1, expect.stringContaining('--target "flu"')])
    const chosen = ['--target', 'flu', '--only', 'age=all', '--out', inside('flu')]
    const { code, stdout } = await released(inside('time-series'), ...chosen)
    expect(code, stdout).toBe(0)
    expect(readFileSync(inside('flu/releases.csv'), 'utf8')).toContain('US,2024-W02,300,2024-01-18')
  })

  it('takes a column for each series, with semicolons and decimal commas', async () => {
    const wide = file('wide.csv', 'period;as_of;US;06\n2024-W02;2024-01-17;1,5;2\n')
    const how = ['--melt', '--sep', ';', '--decimal', ',', '--out', inside('wide')]
    expect((await released(wide, ...how)).code).toBe(0)
    expect(readFileSync(inside('wide/releases.csv'), 'utf8')).toContain('US,2024-W02,1.5,')
  })

  it('refuses standard input, a protocol of version 1, and its options without a protocol', async () => {
    expect((await released('-')).stderr).toContain('standard input cannot be used')
    const table = file('good.csv', HUB)
    const one = await run(table, '--protocol', 'protocols/btcusd-hourly-4.json')
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining('version 1')])
    const without = await run(table, '--label', 'end')
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--label needs')])
  })
})
