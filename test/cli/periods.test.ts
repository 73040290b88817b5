import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

const folder = temporaryFolder()

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
