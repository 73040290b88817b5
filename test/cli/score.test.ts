import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Forger } from '../evaluation/forger.js'
import { copyOf, editText, makeWorld, type World } from '../evaluation/world.js'
import { BY_VERDICT } from '../registration/made.js'
import { inProcess } from '../support/in-process.js'

let made: World
beforeAll(async () => {
  made = await makeWorld({ replicates: 2000 })
})

/** A copy of the world in which nothing has been read yet. */
let folder: string
beforeEach(() => {
  folder = copyOf(made).folder
})

const inside = (name: string) => join(folder, name)
const INPUTS = { registration: 'registration.json', history: 'history.sqlite', outcomes: 'vintage' }
function score(more = '', change: Partial<typeof INPUTS> = {}, out = 'evidence') {
  const inputs = Object.entries({ ...INPUTS, ...change, out })
  const words = inputs.map(([name, value]) => `--${name} ${inside(value)}`)
  return inProcess(`score ${words.join(' ')}${more}`)
}
const audit = (more = '') => inProcess(`audit ${inside('evidence')}${more}`)

describe('score and audit', () => {
  it('give a machine what a person reads: scored, exploratory, refused, tampered', async () => {
    const first = await score(' --format json')
    expect(first.code).toBe(0)
    const { ok, dispositions, exploratory, family, report } = JSON.parse(first.stdout)
    const page = inside('evidence/report.html')
    expect([ok, exploratory, family.size, report]).toEqual([true, false, 116, page])
    expect(dispositions[0].candidate).toBe('seer')

    expect(await score()).toEqual({
      code: 1,
      stdout: '',
      stderr: `foreproof: ${inside('evidence')}: already exists\n  Nothing was overwritten. Choose a folder other than evidence.\n`,
    })
    const second = await score('', {}, 'again')
    expect(second.code).toBe(0)
    expect(second.stdout).toMatch(/exploratory-run|marked exploratory/)
    expect(second.stdout).toMatch(/^Times are the candidate’s own word/m)

    editText(inside('evidence/result.json'), (text) => text.replace('"seed":2026', '"seed":2027'))
    for (const [format, says] of [
      ['text', 'BROKEN'],
      ['sarif', 'digest-mismatch'],
    ] as const) {
      const stdout = expect.stringContaining(says)
      expect(await audit(` --format ${format}`)).toEqual({ code: 1, stdout, stderr: '' })
    }
  })

  it('print the alpha in use, where a verdict has a weight', async () => {
    folder = (await makeWorld({ replicates: 2000, method: BY_VERDICT })).folder
    expect((await score()).stdout).toMatch(/^ *alpha +5.0\u202f%, as the protocol says$/m)
    expect((await audit()).code).toBe(0)
  })

  it('leave a report of other code unchecked until the code is accepted by its digest', async () => {
    expect((await score()).code).toBe(0)
    const forger = new Forger(folder, 'evidence')
    forger.result((result) => {
      result.code = { ...result.code, version: '9.9.9', sha256: 'c'.repeat(64) }
    })
    editText(inside('evidence/report.html'), (text) =>
      text.replace('<body>', '<body><h1>Eligible</h1>'),
    )
    await forger.seal()
    const refused = await audit()
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('made evaluation could not be checked in full')
    const open = /^not checked {2}the reports show this result \(other code scored\)$/m
    expect(refused.stdout).toMatch(open)
    const accept = ` --accept-code ${'c'.repeat(64)}`
    const accepted = await audit(accept)
    expect(accepted.code).toBe(0)
    expect(accepted.stdout).toContain(`foreproof report ${inside('evidence')} --out DIR`)
    const { ok, links } = JSON.parse((await audit(`${accept} --format json`)).stdout)
    const because = 'other-code'
    expect(ok).toBe(true)
    expect(links.filter((link: { state: string }) => link.state !== 'holds')).toEqual([
      { link: 'code', state: 'not_checked', because },
      { link: 'report', state: 'not_checked', because },
    ])
    const drawn = await inProcess(`report ${inside('evidence')} --out ${inside('drawn')}`)
    expect(drawn.code).toBe(0)
    expect(readFileSync(inside('drawn/report.html'), 'utf8')).not.toContain('Eligible</h1>')
  })

  it('audit a folder that came by mail as far as it goes, and end with 3', async () => {
    expect((await score()).code).toBe(0)
    for (const name of ['history.sqlite', 'vintage']) {
      rmSync(inside(name), { recursive: true })
    }
    const { code, stdout } = await audit()
    expect(code).toBe(3)
    expect(stdout).toMatch(/^outcomes +[0-9a-f]{64} {2}\(not there\)$/m)
    expect(stdout).toMatch(
      /^not checked .*\(not there: the vintage of outcomes, the history of forecasts\)$/m,
    )
    expect(stdout).toMatch(/\d+ of \d+ links checked, none broken/)
    const { ok, links } = JSON.parse((await audit(' --format json')).stdout)
    expect(ok).toBe(false)
    expect(links.find(({ link }: { link: string }) => link === 'outcomes')).toEqual({
      ...{ link: 'outcomes', state: 'not_checked', because: 'without-input' },
      missing: ['outcomes'],
    })
    expect((await audit(' --allow-unchecked')).code).toBe(0)
    for (const [option, path] of [
      ['--outcomes', inside('vintage')],
      ['--history', inside('history.sqlite')],
    ] as const) {
      const given = await audit(` ${option} ${path} --allow-unchecked`)
      expect(given.code).toBe(2)
      expect(given.stderr).toContain(`leave ${option} out`)
    }
    editText(inside('evidence/report.md'), (text) => text.replace('made', 'Made'))
    expect((await audit(' --allow-unchecked')).code).toBe(1)
  })

  it('refuse without a score, a folder or a reading', async () => {
    editText(inside('registration.json'), (text) => text.replace('"seer"', '"sear"'))
    const { code, stdout } = await score(' --format json')
    expect(code).toBe(1)
    const nothing = { ok: false, folder: null, link: 'registration', dispositions: null }
    expect(JSON.parse(stdout)).toMatchObject(nothing)
    expect(readdirSync(folder).filter((name) => name.includes('evidence'))).toEqual([])
    expect(existsSync(inside('protocols/access'))).toBe(false)
  })

  it.each([
    [() => score(' --workers 0'), /--workers: the value must be/],
    [() => score('', { registration: 'nothing.json' }), /nothing\.json/],
    [() => score('', { registration: 'raw/forecasts.ndjson' }), /is not a registration/],
    [() => audit(' --accept-code all'), /not a SHA-256 digest/],
    [() => inProcess(`audit ${inside('nowhere')}`), /nowhere: no such file/],
    [() => inProcess(`audit ${inside('vintage')}`), /holds no result\.json/],
  ])('%s is a mistake, said in a line or two', async (run, says) => {
    const { code, stdout, stderr } = await run()
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(says)
    expect(stderr.split('\n').length).toBeLessThan(5)
  })
})
