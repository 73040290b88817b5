import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()
const inside = (name: string) => join(folder, name)

function file(name: string, text: string): string {
  writeFileSync(inside(name), text)
  return inside(name)
}

describe('periods', () => {
  it('writes a list, which it finds good, with the figures that a protocol has of it', async () => {
    const file = inside('weeks.csv')
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

  it('leaves out the holidays of a table, or of a text with one date a line, and says how many', async () => {
    // Good Friday, Easter Sunday and Monday of 2026.
    const dates = ['2026-04-03', '2026-04-05', '2026-04-06']
    const table = file('table.csv', `name,date\n${dates.map((date) => `x,${date}`).join('\n')}\n`)
    const plain = file('plain.txt', `${dates.join('\n')}\n`)
    const span = '--zone Europe/Berlin --from 2026-04-01 --to 2026-04-08'
    for (const holidays of [table, plain]) {
      const made = await inProcess(`periods --business-days --holidays ${holidays} ${span}`)
      const labels = made.stdout.split('\n').map((line) => line.split(',')[0])
      const days = ['2026-04-01', '2026-04-02', '2026-04-07', '2026-04-08']
      expect(labels).toEqual(['period', ...days, ''])
      expect(made.stdout).toContain('2026-04-02,2026-04-01T22:00:00Z,2026-04-02T22:00:00Z\n')
      expect(made.stderr).toMatch(/holidays +2 left out, the last is 2026-04-06\n/)
    }
  })

  it('counts by the clock of a zone, and in UTC without one', async () => {
    const day = '--from 2025-10-26 --to 2025-10-26'
    const berlin = await inProcess(`periods --every 15m --zone Europe/Berlin ${day}`)
    expect(berlin.stdout.split('\n')).toHaveLength(102)
    expect(berlin.stdout).toContain(
      '2025-10-26T02:45/2,2025-10-26T01:45:00Z,2025-10-26T02:00:00Z\n',
    )
    const utc = await inProcess(`periods --every 15m ${day}`)
    expect(utc.stdout).toContain('\n2025-10-26T23:45Z,2025-10-26T23:45:00Z,2025-10-27T00:00:00Z\n')
  })

  it.each([
    ['day\n2026-12-25\n', 'holidays.csv:1:1 error period-column'],
    ['date\n2026-12-25\n26.12.2026\n', 'holidays.csv:3:1 error period-cell'],
    ['2026-12-25\n2026-02-30\n', 'holidays.csv:2:1 error period-cell'],
  ])('names what is wrong with holidays: %j', async (text, says) => {
    const holidays = file('holidays.csv', text)
    const line = `periods --business-days --from 2026-12-01 --to 2026-12-31 --holidays ${holidays}`
    const { code, stdout } = await inProcess(line)
    expect([code, stdout]).toEqual([1, expect.stringContaining(says)])
    expect(stdout).toContain('is not a list of holidays: 1 error')
  })

  it('reads sessions as exchange_calendars and pandas write them', async () => {
    const [day, open, close] = [
      '2026-01-02',
      '2026-01-02 14:30:00+00:00',
      '2026-01-02 21:00:00+00:00',
    ]
    const tables = [
      `,open,break_start,break_end,close\n${day},${open},,,${close}\n`,
      `,market_open,market_close\n${day} 00:00:00+00:00,${open},${close}\n`,
    ]
    for (const text of tables) {
      const { stdout } = await inProcess(['periods', '--sessions', file('sessions.csv', text)])
      expect(stdout).toBe(`period,start,end\n${day},2026-01-02T14:30:00Z,2026-01-02T21:00:00Z\n`)
    }
  })

  it('names what is wrong, and writes nothing', async () => {
    const out = inside('none.csv')
    const rows = 'session,open,close\n2026-01-02,2026-01-02T14:30:00Z,later\n'
    const sessions = file('sessions.csv', rows)
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
    [
      `periods --every 7m --zone Europe/Berlin ${DAY}`,
      'a day by the clock of Europe/Berlin cannot',
    ],
    [`periods --days --holidays x.csv ${DAY}`, '--holidays needs --business-days'],
    ['periods --quarters --from 2026-01-02 --to 2026-03-31', 'no such period begins'],
    [`periods --every 1h ${DAY} --steps 1`, 'steps and phase'],
    [`periods --every 1h ${DAY} --origins 1 --steps 30`, 'no period of this list'],
    ['periods --weeks sunday --from 2026-01-05 --to 2026-01-06', 'no such period begins'],
  ])('%s is refused', async (line, says) => {
    const { code, stderr } = await inProcess(line)
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  })
})
