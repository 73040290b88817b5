import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()

it('writes a list, which it finds good, with the figures that a protocol has of it', async () => {
  const file = join(folder, 'weeks.csv')
  const span = ['--from', '2026-01-01', '--to', '2026-12-31', '--out', file]
  const zone = ['--zone', 'America/New_York']
  const made = await inProcess(['periods', '--weeks', 'sunday', ...zone, ...span])
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

it.each([
  [[], 'one list of periods at a time'],
  [['--days', '--hours'], 'one list of periods at a time'],
  [['--every', '1h', '--from', '2026-01-02', '--to', '2026-01-01'], '--from is later than --to'],
  [['--every', '1h', '--from', '2026-02-30'], '--from 2026-02-30 is not a date'],
  [['--every', '0h', '--from', '2026-01-01', '--to', '2026-01-01'], '--every 0h is no length'],
  [['--every', '1m', '--from', '1970-01-01', '--to', '2026-01-01'], 'more than 4,000,000 periods'],
  [['--days', '--zone', 'Mars/Base'], '--zone Mars/Base: no such time zone'],
  [
    ['--every', '1h', '--zone', 'Europe/Berlin', '--from', '2026-01-01', '--to', '2026-01-01'],
    '--every counts in UTC',
  ],
  [
    ['--every', '1h', '--from', '2026-01-01', '--to', '2026-01-01', '--steps', '1'],
    'steps and phase',
  ],
  [
    [
      '--every',
      '1h',
      '--from',
      '2026-01-01',
      '--to',
      '2026-01-01',
      '--origins',
      '1',
      '--steps',
      '30',
    ],
    'no period of this list',
  ],
  [['--weeks', 'sunday', '--from', '2026-01-05', '--to', '2026-01-06'], 'no week begins'],
])('%j is refused', async (args, says) => {
  const { code, stderr } = await inProcess(['periods', ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(says)
})
