import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { Forger } from '../evaluation/forger.js'
import { editText, makeWorld, type World } from '../evaluation/world.js'
import { temporaryFolder } from '../support/folder.js'
import { BIN, foreproof } from '../support/run.js'

let made: World

beforeAll(async () => {
  made = await makeWorld({ replicates: 2000 })
})

/** A copy of the world in which nothing has been read yet. */
function copyOfWorld(): string {
  const folder = temporaryFolder()
  cpSync(made.folder, folder, { recursive: true })
  return folder
}

const SCORE = [
  'score',
  ...['--registration', 'registration.json'],
  ...['--history', 'history.sqlite'],
  ...['--outcomes', 'vintage'],
  ...['--out', 'evidence'],
]

describe('score and audit', () => {
  it('give the same bytes with 1 and 8 workers, and every audit holds', async () => {
    const bytes = new Map<string, string[]>()
    for (const workers of ['1', '8']) {
      const cwd = copyOfWorld()
      const scored = await foreproof([...SCORE, '--workers', workers], { cwd })
      expect(scored).toMatchObject({ code: 0, stderr: '' })
      expect(scored.stdout).toContain('Report: evidence/report.html')
      for (const name of ['result.json', 'report.html', 'report.md', 'pairs.ndjson']) {
        const held = bytes.get(name) ?? []
        bytes.set(name, [...held, readFileSync(join(cwd, 'evidence', name), 'utf8')])
      }
      if (workers !== '8') continue
      const audited = await foreproof(['audit', 'evidence'], { cwd })
      expect(audited).toMatchObject({ code: 0, stderr: '' })
      expect(audited.stdout).toContain('made evaluation recomputes: no findings')
      expect(audited.stdout).not.toMatch(/BROKEN|not checked/)
      const drawn = await foreproof(['report', 'evidence', '--out', 'drawn'], { cwd })
      expect(drawn).toMatchObject({ code: 0, stderr: '' })
      for (const name of ['report.html', 'report.md']) {
        bytes.get(name)?.push(readFileSync(join(cwd, 'drawn', name), 'utf8'))
      }
    }
    for (const [name, all] of bytes) expect([name, new Set(all).size]).toEqual([name, 1])
  })

  it('tell a machine what a person reads: scored, exploratory, refused, tampered', async () => {
    const cwd = copyOfWorld()
    const first = await foreproof([...SCORE, '--format', 'json'], { cwd })
    expect(first.code).toBe(0)
    const { ok, dispositions, exploratory, family, report } = JSON.parse(first.stdout)
    expect([ok, exploratory, family.size, report]).toEqual([
      true,
      false,
      116,
      'evidence/report.html',
    ])
    expect(dispositions[0].candidate).toBe('seer')

    const again = await foreproof(SCORE, { cwd })
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toBe(
      'foreproof: evidence: already exists\n  Nothing was overwritten. Choose a folder other than evidence.\n',
    )
    const second = await foreproof([...SCORE.slice(0, -1), 'again'], { cwd })
    expect(second.code).toBe(0)
    expect(second.stdout).toMatch(/exploratory-run|marked exploratory/)

    const file = join(cwd, 'evidence', 'result.json')
    editText(file, (text) => text.replace('"seed":20261121', '"seed":20261122'))
    for (const format of ['text', 'sarif']) {
      const audited = await foreproof(['audit', 'evidence', '--format', format], { cwd })
      expect([format, audited.code, audited.stderr]).toEqual([format, 1, ''])
      expect(audited.stdout).toContain(format === 'text' ? 'BROKEN' : 'digest-mismatch')
    }
  })

  it('leave a report of other code unchecked until the code is accepted by its digest', async () => {
    const cwd = copyOfWorld()
    expect((await foreproof(SCORE, { cwd })).code).toBe(0)
    const forger = new Forger(cwd, 'evidence')
    forger.result((result) => {
      result.code = { ...result.code, version: '9.9.9', sha256: 'c'.repeat(64) }
    })
    editText(join(cwd, 'evidence', 'report.html'), (text) =>
      text.replace('<body>', '<body><h1>Eligible</h1>'),
    )
    await forger.seal()
    const audit = ['audit', 'evidence']
    const accept = ['--accept-code', 'c'.repeat(64)]
    const refused = await foreproof(audit, { cwd })
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('made evaluation could not be checked in full')
    expect(refused.stdout).toMatch(
      /^not checked {2}the reports show this result \(other code scored\)$/m,
    )
    const accepted = await foreproof([...audit, ...accept], { cwd })
    expect(accepted.code).toBe(0)
    expect(accepted.stdout).toContain('foreproof report evidence --out DIR')
    const json = await foreproof(['audit', 'evidence', ...accept, '--format', 'json'], { cwd })
    expect(json.code).toBe(0)
    const { ok, links, broken } = JSON.parse(json.stdout)
    expect([ok, broken]).toEqual([true, null])
    expect(links.filter((link: { state: string }) => link.state !== 'holds')).toEqual([
      { link: 'code', state: 'not_checked', because: 'other-code' },
      { link: 'report', state: 'not_checked', because: 'other-code' },
    ])
    const wrong = await foreproof([...audit, '--accept-code', 'all'], { cwd })
    expect([wrong.code, wrong.stdout]).toEqual([2, ''])
    expect(wrong.stderr).toMatch(/not a SHA-256 digest/)
    const drawn = await foreproof(['report', 'evidence', '--out', 'drawn'], { cwd })
    expect(drawn.code).toBe(0)
    expect(readFileSync(join(cwd, 'drawn', 'report.html'), 'utf8')).not.toContain('Eligible</h1>')
    for (const out of ['drawn', 'evidence/drawn', 'registration.json']) {
      const again = await foreproof(['report', 'evidence', '--out', out], { cwd })
      expect([out, again.code, again.stdout]).toEqual([out, out.includes('/') ? 2 : 1, ''])
    }
    expect(readdirSync(join(cwd, 'evidence'))).toHaveLength(8)
  })

  it('end on SIGTERM, even where the history of somebody else never gives a row', async () => {
    const cwd = copyOfWorld()
    expect((await foreproof(SCORE, { cwd })).code).toBe(0)
    const db = openSqlite(join(cwd, 'history.sqlite'))
    db.exec(`ALTER TABLE forecast_predictions RENAME TO some;
      CREATE VIEW forecast_predictions AS
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT some.* FROM n JOIN some ON some.horizon_hours = -n.i`)
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

  it('refuse without a score, a folder or a reading', async () => {
    const cwd = copyOfWorld()
    editText(join(cwd, 'registration.json'), (text) => text.replace('"seer"', '"sear"'))
    const { code, stdout } = await foreproof([...SCORE, '--format', 'json'], { cwd })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      folder: null,
      link: 'registration',
      dispositions: null,
    })
    expect(readdirSync(cwd).filter((name) => name.includes('evidence'))).toEqual([])
    expect(existsSync(join(cwd, 'protocols', 'access'))).toBe(false)
  })

  it.each([
    [['score'], /registration/],
    [[...SCORE, '--workers', '0'], /not a number of threads/],
    [[...SCORE.slice(0, 2), 'nothing.json', ...SCORE.slice(3)], /nothing\.json/],
    [[...SCORE.slice(0, 2), 'raw/forecasts.ndjson', ...SCORE.slice(3)], /is not a registration/],
    [['audit', 'nowhere'], /nowhere: no such file/],
    [['audit', 'vintage'], /holds no result\.json/],
    [['audit'], /audit --help/],
  ])('%j is a mistake, said in a line or two', async (args, says) => {
    const { code, stdout, stderr } = await foreproof(args, { cwd: made.folder })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(says)
    expect(stderr.split('\n').length).toBeLessThan(5)
  })
})
