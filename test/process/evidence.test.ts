import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { makeWorld } from '../evaluation/world.js'
import { afterUse } from '../support/at-end.js'
import { BIN, foreproof } from '../support/run.js'

let cwd = ''
beforeAll(async () => {
  cwd = (await makeWorld({ replicates: 500 })).folder
})

const SCORE =
  'score --registration registration.json --history history.sqlite --outcomes vintage --out evidence'

describe('score and audit', () => {
  it('write a folder with several workers whose audit holds and whose reports are drawn again', async () => {
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
    const db = openSqlite(join(cwd, 'history.sqlite'))
    // Ten million bytes are compared at each of ten million places: half an hour and more.
    const endless = "instr(zeroblob(20000000), zeroblob(10000000) || x'01')"
    db.exec(`ALTER TABLE forecast_predictions RENAME COLUMN model_agreement TO agreement;
      ALTER TABLE forecast_predictions ADD COLUMN model_agreement REAL
        GENERATED ALWAYS AS (${endless} AND agreement) VIRTUAL`)
    db.close()
    const child = spawn(process.execPath, [BIN, 'audit', 'evidence'], { cwd, stdio: 'ignore' })
    afterUse(() => child.kill('SIGKILL'))
    setTimeout(() => child.kill('SIGTERM'), 2000)
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
  })
})
