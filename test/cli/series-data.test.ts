import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { weekPeriods } from '../../src/periods/make.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { day, frozenAt, NEW_YORK } from '../truth/sample.js'

const folder = temporaryFolder()
const inside = (name: string) => join(folder, name)
const WEEKS = weekPeriods({ from: day('2024-01-07'), to: day('2025-12-28') }, 'sunday', NEW_YORK)

function file(name: string, text: string): string {
  writeFileSync(inside(name), text)
  return inside(name)
}

const HUB = `as_of,target_end_date,location,observation
2024-01-17,2024-01-13,US,100
2024-01-24,2024-01-13,US,104
2024-01-24,2024-01-20,PR,1
`

describe('outcomes import --protocol', () => {
  const protocol = frozenAt(folder, ['0.1', '0.5', '0.9'], ['US', '06'], WEEKS)
  const run = (...args: string[]) =>
    inProcess(['outcomes', 'import', ...args, '--protocol', protocol])

  it('writes a vintage of releases once, and says what it holds', async () => {
    const out = inside('vintage')
    const table = file('hub.csv', HUB)
    const { code, stdout } = await run(table, '--out', out, '--source', 'hub')
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/releases\s+2, from 2024-01-18T05:00:00Z to 2024-01-25T05:00:00Z/)
    expect(stdout).toMatch(/complete to\s+2024-01-25T05:00:00Z/)
    expect(stdout).toContain('the protocol has no series "PR"')
    expect(readFileSync(join(out, 'releases.csv'), 'utf8')).toBe(
      'series,period,value,as_of\nUS,2024-W02,100,2024-01-18T05:00:00Z\nUS,2024-W02,104,2024-01-25T05:00:00Z\n',
    )
    const again = await run(table, '--out', out, '--source', 'hub', '--format', 'json')
    const said = JSON.parse(again.stdout)
    expect(said).toMatchObject({ ok: true, written: false, folder: out })
    expect(said.vintage).toEqual(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')))
    const other = await run(file('hub.csv', HUB.replace('104', '105')), '--out', out)
    expect(other).toMatchObject({ code: 1 })
    expect(other.stderr).toContain('vintages are never replaced')
  })

  it('writes nothing where the table is wrong, or nothing shall be written', async () => {
    const bad = file('bad.csv', HUB.replace(',104', ',"1,04"'))
    const { code, stdout } = await run(bad, '--out', inside('none'))
    expect(code).toBe(1)
    expect(stdout).toContain(`${bad}:3:1`)
    expect((await run(file('good.csv', HUB), '--out', inside('none'), '--dry-run')).code).toBe(0)
    expect(existsSync(inside('none'))).toBe(false)
  })

  it.each([
    [['--stamp', 'open'], '--stamp beside --protocol'],
    [['--columns', 'price=x'], '--columns: no column is called price'],
  ])('refuses %j', async (more, says) => {
    const { code, stderr } = await run(file('good.csv', HUB), ...more)
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  })

  it('refuses standard input, a protocol of version 1, and its options without a protocol', async () => {
    expect((await run('-')).stderr).toContain('no standard input')
    const first = ['outcomes', 'import', file('good.csv', HUB)]
    const one = await inProcess([...first, '--protocol', 'protocols/btcusd-hourly-3.json'])
    expect([one.code, one.stderr]).toEqual([2, expect.stringContaining('version 1')])
    const without = await inProcess([...first, '--label', 'end'])
    expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('--label without')])
  })
})

describe('periods', () => {
  it('writes a list, which it finds good, with the figures that a protocol has of it', async () => {
    const file = join(folder, 'weeks.csv')
    const span = `--from 2026-01-01 --to 2026-12-31 --out ${file}`
    const made = await inProcess(`periods --weeks sunday --zone America/New_York ${span}`)
    expect(made).toMatchObject({ code: 0, stdout: '' })
    expect(readFileSync(file, 'utf8')).toMatch(/^period,start,end\n2026-W01,2026-01-04T05:00:00Z,/)
    const checked = await inProcess(['periods', file, '--format', 'json'])
    expect(checked.code).toBe(0)
    const { periods } = JSON.parse(checked.stdout)
    expect(periods).toMatchObject({ count: 52, first: '2026-W01', last: '2026-W52' })
    expect(made.stderr).toContain(periods.sha256)
  })

  it('names what is wrong, and writes nothing', async () => {
    const sessions = join(folder, 'sessions.csv')
    const out = join(folder, 'none.csv')
    writeFileSync(sessions, 'session,open,close\n2026-01-02,2026-01-02T14:30:00Z,later\n')
    const { code, stdout } = await inProcess(['periods', '--sessions', sessions, '--out', out])
    expect(code).toBe(1)
    expect(stdout).toContain('sessions.csv:2:1 error period-cell')
    expect(existsSync(out)).toBe(false)
  })

  const DAY = '--from 2026-01-01 --to 2026-01-01'
  it.each([
    ['periods', 'one list of periods at a time'],
    ['periods --days --hours', 'one list of periods at a time'],
    ['periods --every 1h --from 2026-01-02 --to 2026-01-01', '--from is later than --to'],
    ['periods --every 1h --from 2026-02-30', '--from 2026-02-30 is not a date'],
    [`periods --every 0h ${DAY}`, '--every 0h is no length'],
    ['periods --every 1m --from 1970-01-01 --to 2026-01-01', 'more than 4,000,000 periods'],
    ['periods --days --zone Mars/Base', '--zone Mars/Base: no such time zone'],
    [`periods --every 1h --zone Europe/Berlin ${DAY}`, '--every counts in UTC'],
    [`periods --every 1h ${DAY} --steps 1`, 'steps and phase'],
    [`periods --every 1h ${DAY} --origins 1 --steps 30`, 'no period of this list'],
    ['periods --weeks sunday --from 2026-01-05 --to 2026-01-06', 'no week begins'],
  ])('%s is refused', async (line, says) => {
    const { code, stderr } = await inProcess(line)
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  })
})
