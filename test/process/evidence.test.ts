import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { copyOf, makeWorld, type World } from '../evaluation/world.js'
import { BIN, foreproof } from '../support/run.js'

let made: World

beforeAll(async () => {
  made = await makeWorld({ replicates: 500 })
})

/** A copy of the world in which nothing has been read yet. */
const copyOfWorld = () => copyOf(made).folder

const SCORE =
  'score --registration registration.json --history history.sqlite --outcomes vintage --out evidence'

describe('score and audit', () => {
  /** Where the first test scored. */
  let scoredFolder = ''

  it('write a folder with several workers whose audit holds and whose reports are drawn again', async () => {
    const cwd = copyOfWorld()
    scoredFolder = cwd
    const scored = await foreproof(`${SCORE} --workers 8`, { cwd })
    expect(scored).toMatchObject({ code: 0, stderr: '' })
    expect(scored.stdout).toContain('Report: evidence/report.html')
    const audited = await foreproof('audit evidence', { cwd })
    expect(audited).toMatchObject({ code: 0, stderr: '' })
    expect(audited.stdout).toContain('made evaluation recomputes: no findings')
    expect(audited.stdout).not.toMatch(/BROKEN|not checked/)
    const drawn = await foreproof('report evidence --out drawn', { cwd })
    expect(drawn).toMatchObject({ code: 0, stderr: '' })
    for (const name of ['report.html', 'report.md']) {
      const bytes = (folder: string) => readFileSync(join(cwd, folder, name), 'utf8')
      expect(bytes('drawn')).toBe(bytes('evidence'))
    }
  })

  it('end on SIGTERM, even where a foreign history never gives a row', async () => {
    const cwd = scoredFolder
    const db = openSqlite(join(cwd, 'history.sqlite'))
    // Ten million bytes are compared at each of ten million places: half an hour and more.
    const endless = "instr(zeroblob(20000000), zeroblob(10000000) || x'01')"
    db.exec(`ALTER TABLE forecast_predictions RENAME COLUMN model_agreement TO agreement;
      ALTER TABLE forecast_predictions ADD COLUMN model_agreement REAL
        GENERATED ALWAYS AS (${endless} AND agreement) VIRTUAL`)
    db.close()
    const child = spawn(process.execPath, [BIN, 'audit', 'evidence'], { cwd, stdio: 'ignore' })
    const timer = setTimeout(() => child.kill('SIGTERM'), 2000)
    try {
      const [code, signal] = await once(child, 'exit')
      expect([code, signal]).toEqual([null, 'SIGTERM'])
    } finally {
      clearTimeout(timer)
      child.kill('SIGKILL')
    }
  })
})
