import { generateKeyPairSync } from 'node:crypto'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeVersion } from '../../src/evaluation/code-version.js'
import type { AuditOptions } from '../../src/evaluation/evidence/audit.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { KEY_TYPE, verifierKey } from '../../src/log/verifier-key.js'
import { Forger } from './forger.js'
import { madeRows, madeVintage } from './made.js'
import { audited, scoredCopies, scoreInto } from './score-into.js'
import { sql } from './stamped-world.js'
import { editText, forecastLine, importLines, makeWorld, NOW, pathsIn } from './world.js'

const folder = scoredCopies(() => makeWorld({ replicates: 500 }), 'first', 'second')

const audit = (out = 'first', options: Partial<AuditOptions> = {}) =>
  audited(join(folder(), out), options)

const inFolder = (name: string) => join(folder(), 'first', name)

describe('audit of what was not touched', () => {
  it('holds for the first and for the exploratory run', async () => {
    for (const out of ['first', 'second']) {
      const found = await audit(out)
      expect(found.findings).toEqual([])
      expect(found.ok).toBe(true)
      expect(found.links.filter((link) => link.state !== 'holds')).toEqual([])
    }
  })

  it('has nothing that witnesses of a reader could have seen', async () => {
    const witnesses = join(folder(), 'witnesses.policy')
    const vkey = verifierKey('w', generateKeyPairSync('ed25519').privateKey, KEY_TYPE.cosignature)
    writeFileSync(witnesses, `witness w ${vkey.text}\nquorum w\n`)
    const { ok, findings } = await audit('first', { witnesses })
    expect([ok, findings.map(({ code }) => code)]).toEqual([true, ['witnesses-unasked']])
  })

  it('finds inputs that were moved where they are named', async () => {
    const lone = 'raw/handed-over'
    cpSync(join(folder(), 'first'), join(folder(), lone), { recursive: true })
    await expect(audit(lone)).rejects.toMatchObject({ code: 'not-found' })
    expect((await audit(lone, { paths: pathsIn(folder()) })).ok).toBe(true)
  })

  it('asks for no history where all models are built in', async () => {
    const candidate = { source: 'built_in', name: 'ar1' } as const
    const comparators = ['persistence', 'seasonal_naive_24h', 'drift_24h', 'ema_return_24h']
    const past = { mode: 'retrospective', candidate, comparators } as const
    const world = await makeWorld({ ...past, replicates: 100 })
    rmSync(world.paths.history)
    const { result } = await scoreInto(world, 'alone')
    expect(result.inputs.history.rows).toBe(0)
    const { ok, findings } = await audited(join(world.folder, 'alone'))
    expect([ok, findings]).toEqual([true, []])
  })

  it('allows a history that has grown since', async () => {
    const [row] = madeRows(1, madeVintage(1), [{ name: 'seer', sight: 0 }], false)
    const origin = '2025-12-01T00:00:00+00:00'
    const later = { ...row!, originAt: origin, targetAt: origin.replace('T00', 'T02') }
    await importLines({ folder: folder() }, `${forecastLine(later)}\n`, NOW)
    expect((await audit()).ok).toBe(true)
  })
})

// Which link does not hold after which change is in forged.test.ts.
describe('an audit', () => {
  it.each([
    ['an origin in another form', "origin_at = replace(origin_at, '+00:00', 'Z')"],
    ['a horizon that no number holds', 'horizon_hours = 9007199254740993'],
  ])('breaks at a history that cannot be read, with and without pairs: %s', async (_, change) => {
    const update = `UPDATE forecast_predictions SET ${change} WHERE rowid = 50`
    sql(join(folder(), 'history.sqlite'), 'PRAGMA foreign_keys = OFF', update)
    for (const files of [[], [FILES.pairs]]) {
      for (const file of files) rmSync(inFolder(file))
      const { links, findings } = await audit()
      expect(links.find(({ state }) => state === 'broken')?.link).toBe('history')
      expect(findings).toMatchObject([{ code: 'evidence-unreadable', severity: 'error' }])
    }
  })

  it('takes a result of other code only when that code is accepted by its digest', async () => {
    const own = codeVersion().sha256
    const by = async (acceptCode?: string) => {
      const code = { ...codeVersion(), sha256: 'f'.repeat(64) }
      const found = await audit('first', { code, acceptCode })
      expect(found.links.filter((one) => one.state === 'broken')).toEqual([])
      return {
        ok: found.ok,
        open: found.links.filter((one) => one.because === 'other-code').map((one) => one.link),
        findings: found.findings.map((one) => [one.code, one.severity]),
      }
    }
    const refused = { ok: false, open: ['code'], findings: [['code-differs', 'error']] }
    expect(await by()).toEqual(refused)
    expect(await by('e'.repeat(64))).toEqual(refused)
    const accepted = { ok: true, open: ['code'], findings: [['code-differs', 'note']] }
    expect(await by(own)).toEqual(accepted)
    editText(inFolder(FILES.html), (text) => text.replace('Disposition</h2>', 'Verdict</h2>'))
    await new Forger(folder()).seal()
    const open = ['code', 'report']
    const drawn = ['report-not-comparable', 'warning']
    expect(await by()).toEqual({ ok: false, open, findings: [['code-differs', 'error'], drawn] })
    expect(await by(own)).toEqual({ ok: true, open, findings: [['code-differs', 'note'], drawn] })
  })

  it('ends on a signal before it has read everything, though rows come without a pause', async () => {
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    const ended = audit('first', { signal: stop.signal })
    await expect(ended).rejects.toMatchObject({ code: 'interrupted' })
  })

  it('says of the links behind a broken one that they were not checked, and why', async () => {
    type Audited = Awaited<ReturnType<typeof audit>>
    const open = (found: Audited) => found.links.filter((one) => one.state !== 'holds')
    rmSync(inFolder(FILES.html))
    expect(open(await audit()).slice(-2)).toEqual([
      { link: 'report', state: 'broken' },
      { link: 'description', state: 'not_checked', because: 'earlier-link' },
    ])
    rmSync(join(folder(), 'protocols', 'ledger.jsonl'))
    const after = open(await audit())
    expect(after[0]).toEqual({ link: 'ledger', state: 'broken' })
    expect(new Set(after.slice(1).map((one) => one.because))).toEqual(new Set(['earlier-link']))
  })
})
