import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
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
    expect(audited.stdout).toContain('made evaluation recomputes: no problems found')
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

describe('worker threads', () => {
  /** Runs the built library in a process of its own; the answer is the whole result as JSON. */
  async function result(...args: (string | number)[]): Promise<string> {
    const line = [join(import.meta.dirname, 'inference-run.mjs'), ...args.map(String)]
    return (await promisify(execFile)(process.execPath, line)).stdout
  }

  it('give the same bytes for 1, 3 and 8, also when draws are made again in each', async () => {
    const one = await result('family', 1)
    expect(one.length).toBeGreaterThan(10_000)
    for (const workers of [3, 8]) expect(await result('family', workers)).toBe(one)
    for (const workers of [1, 2]) expect(await result('family', workers, 0)).toBe(one)
  })

  it('stop on request, and leave nothing running', async () => {
    expect(await result('abort', 2)).toBe('interrupted')
  })
})
