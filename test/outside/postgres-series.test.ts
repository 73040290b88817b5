import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { initHistory } from '../../src/store/open.js'
import { frozenAt, WEEKS } from '../history/series-support.js'
import { inBatches, opened } from '../history/support.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { startPostgres } from './servers.js'

const server = await startPostgres()
const database = server.database()

/** More keys than go to the server at once. */
const ROWS = Array.from({ length: 4500 }, (_, at) => {
  const week = WEEKS[at % 10]?.label
  const model = `m${String(Math.floor(at / 50)).padStart(2, '0')}`
  const key = `${at % 2 ? 'US' : '06'},${week},${Math.floor((at % 50) / 10) - 1},${model}`
  return at % 7 === 0
    ? `${key},,,,failed,"no ""data"", \u00fc"`
    : `${key},${at},${at - 1},${at + 0.5},,`
})
const TABLE = `series,origin,horizon,model,value,q0.1,q0.9,status,reason\n${ROWS.join('\n')}\n`

it('a history of any series is the same in SQLite and in PostgreSQL', async () => {
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  const [sqlite, postgres] = [at('h.sqlite'), `${database}?schema=series`]
  await initHistory(postgres)
  const protocol = frozenAt(folder, ['0.1', '0.9'], ['US', '06'], WEEKS)
  writeFileSync(at('rows.csv'), TABLE)
  const done = async (...words: string[]) => {
    const { code, stdout, stderr } = await inProcess(words)
    expect(code, stdout + stderr).toBe(0)
    return stdout
  }
  const lines: string[] = []
  for (const history of [sqlite, postgres]) {
    const importing = ['history', 'import', at('rows.csv'), '--protocol', protocol]
    const of = ['--history', history]
    const first = await done(...importing, ...of)
    expect(first).toMatch(/forecasts +3857 new.*\nattempts +643 new/)
    expect(await done(...importing, ...of)).toMatch(/3857 already there.*\n.*643 already there/)
    await done('history', 'seal', '--log', 'example.org/weekly', ...of)
    expect(await done('history', 'verify', ...of)).toContain('no findings')
    lines.push(await done('history', 'export', ...of))
  }
  expect(lines[1]).toBe(lines[0])
  const [a, b] = [opened(sqlite), opened(postgres)]
  const origins = WEEKS.slice(0, 10).map(({ label }) => label)
  expect(await inBatches(b.seriesRows(origins))).toEqual(await inBatches(a.seriesRows(origins)))
  expect(await b.newestCheckpoint()).toEqual(await a.newestCheckpoint())
  const { bytes, journal_mode, ...stats } = await a.stats()
  expect(await b.stats()).toMatchObject(stats)
  const [there, back] = [`${database}?schema=copied`, at('back.sqlite')]
  await initHistory(there)
  await done('history', 'copy', sqlite, there)
  await done('history', 'copy', there, back)
  expect(await done('history', 'export', '--history', back)).toBe(lines[0])
  const proof = ['history', 'prove', 'US,2025-W45,0,m00', '--history']
  const key = ROWS.find((row) => row.startsWith('US,') && !row.includes('failed'))?.split(',')
  const id = key?.slice(0, 4).join() ?? ''
  const proofs = await Promise.all(
    [postgres, back].map((history) => done(...proof.with(2, id), history)),
  )
  expect(proofs[1]).toBe(proofs[0])
})
