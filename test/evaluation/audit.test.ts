import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeVersion } from '../../src/evaluation/code-version.js'
import { auditFolder } from '../../src/evaluation/evidence/audit.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { RENDERERS } from '../../src/report/renderers.js'
import { Forger, type OpenResult } from './forger.js'
import { scoreInto } from './score-into.js'
import { editText, makeWorld, type World } from './world.js'

/** One evaluation, scored twice; every case works on a copy of all of it. */
let origin: World
let folder: string
const copies: string[] = []

beforeAll(async () => {
  origin = await makeWorld({ replicates: 500 })
  for (const out of ['first', 'second']) await scoreInto(origin, out)
}, 60_000)
afterAll(() => {
  origin.remove()
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
})

function copyOfAll(): void {
  folder = mkdtempSync(join(tmpdir(), 'foreproof-audit-'))
  copies.push(folder)
  cpSync(origin.folder, folder, { recursive: true })
}

const audit = (out = 'first') =>
  auditFolder({
    folder: join(folder, out),
    paths: {},
    code: codeVersion(),
    render: RENDERERS,
  })

const inFolder = (name: string) => join(folder, 'first', name)

function sql(statement: string): void {
  const db = openSqlite(join(folder, 'history.sqlite'))
  const { changes } = db.prepare(statement).run()
  db.close()
  expect(changes).toBeGreaterThan(0)
}

const forge = (change: (result: OpenResult) => void) => new Forger(folder).result(change)

describe('audit of what nobody touched', () => {
  it('holds for the first and for the exploratory run', async () => {
    copyOfAll()
    for (const out of ['first', 'second']) {
      const found = await audit(out)
      expect(found.findings).toEqual([])
      expect(found.ok).toBe(true)
      expect(found.links.filter((link) => link.state !== 'holds')).toEqual([])
    }
  })

  it('finds inputs that were moved where it is told', async () => {
    copyOfAll()
    const lone = join(folder, 'raw', 'handed-over')
    cpSync(join(folder, 'first'), lone, { recursive: true })
    await expect(
      auditFolder({ folder: lone, paths: {}, code: codeVersion(), render: RENDERERS }),
    ).rejects.toMatchObject({ code: 'not-found' })
    const paths = {
      registration: join(folder, 'registration.json'),
      protocol: join(folder, 'protocols', 'made-1.json'),
      history: join(folder, 'history.sqlite'),
      outcomes: join(folder, 'vintage'),
    }
    const found = await auditFolder({
      folder: lone,
      paths,
      code: codeVersion(),
      render: RENDERERS,
    })
    expect(found.ok).toBe(true)
  })

  it('allows a history and a ledger that have grown since', async () => {
    copyOfAll()
    sql(`INSERT INTO forecast_origins (origin_at, source_price_usd, market_features_json,
         first_seen_at, last_seen_at, generated_at) SELECT '2025-12-01T00:00:00+00:00',
         source_price_usd, market_features_json, first_seen_at, last_seen_at, generated_at
         FROM forecast_origins LIMIT 1`)
    sql(`INSERT INTO forecast_predictions (origin_at, model_name, horizon_hours, target_at,
         predicted_price_usd, predicted_change_pct) VALUES ('2025-12-01T00:00:00+00:00', 'seer', 2,
         '2025-12-01T02:00:00+00:00', 1, 1)`)
    expect((await audit()).ok).toBe(true)
  })
})

type Case = [name: string, spoil: () => void, link: string, code: string, says?: RegExp]

const edited = (name: string, find: string | RegExp, put: string) => () =>
  editText(inFolder(name), (text) => text.replace(find, put))

const CASES: Case[] = [
  [
    'one price changed in the pairs',
    edited(FILES.pairs, /"predicted_price_usd":(\d)/, '"predicted_price_usd":1$1'),
    'pairs',
    'pairs-differ price-changed',
    /predicted_price_usd/,
  ],
  [
    'one row removed from the pairs',
    () =>
      editText(inFolder(FILES.pairs), (text) => {
        const lines = text.split('\n')
        lines.splice(400, 1)
        return lines.join('\n')
      }),
    'pairs',
    'pairs-differ row-removed',
  ],
  [
    'the last row removed from the pairs',
    () => editText(inFolder(FILES.pairs), (text) => text.slice(0, text.lastIndexOf('{'))),
    'pairs',
    'pairs-differ row-removed',
  ],
  [
    'a row added to the pairs',
    () => editText(inFolder(FILES.pairs), (text) => text + text.slice(0, text.indexOf('\n') + 1)),
    'pairs',
    'pairs-differ row-added',
  ],
  [
    'one status changed in the pairs',
    edited(FILES.pairs, '"status":"missing","reason"', '"status":"abstained","reason"'),
    'pairs',
    'pairs-differ status-changed',
  ],
  [
    'one price changed in the history',
    () =>
      sql(`UPDATE forecast_predictions SET predicted_price_usd = predicted_price_usd + 1
           WHERE rowid = (SELECT rowid FROM forecast_predictions LIMIT 1 OFFSET 50)`),
    'history',
    'history-differs price-changed',
    /seer at/,
  ],
  [
    'one row removed from the history',
    () =>
      sql(`DELETE FROM forecast_predictions
           WHERE rowid = (SELECT rowid FROM forecast_predictions LIMIT 1 OFFSET 50)`),
    'history',
    'history-differs status-changed',
  ],
  [
    'one price changed in the history, and another one in the pairs',
    () => {
      edited(FILES.pairs, /"predicted_price_usd":(\d)/, '"predicted_price_usd":1$1')()
      sql(`UPDATE forecast_predictions SET predicted_price_usd = predicted_price_usd + 1
           WHERE rowid = (SELECT rowid FROM forecast_predictions LIMIT 1 OFFSET 50)`)
    },
    'history',
    'history-changed',
  ],
  [
    'one close changed',
    () =>
      editText(join(folder, 'vintage', 'closes.csv'), (text) =>
        text.replace(/,(\d+)\.(\d+)\n$/, ',$1.99\n'),
      ),
    'outcomes',
    'evidence-unreadable',
  ],
  [
    'the registration edited',
    () => editText(join(folder, 'registration.json'), (text) => text.replace('"seer"', '"seen"')),
    'registration',
    'registration-digest',
  ],
  [
    'the ledger edited',
    () =>
      editText(join(folder, 'protocols', 'ledger.jsonl'), (text) =>
        text.replace('2024-12-15', '2024-12-16'),
      ),
    'ledger',
    'ledger-entry-digest',
  ],
  [
    'the protocol edited',
    () =>
      editText(join(folder, 'protocols', 'made-1.json'), (text) =>
        text.replace('"alpha": 0.05', '"alpha": 0.04'),
      ),
    'protocol',
    'digest-mismatch',
  ],
  [
    'a figure of the result edited',
    edited(FILES.result, /"point_loss":0\.00/, '"point_loss":0.01'),
    'result',
    'result-edited',
  ],
  [
    'the result forged throughout',
    () =>
      forge((result) => {
        const [first, ...rest] = result.tests
        if (first) result.tests = [{ ...first, p: 1e-9 }, ...rest]
      }),
    'computation',
    'result-not-recomputed',
  ],
  [
    'another seed, with everything else in accord',
    () => forge((result) => (result.settings = { ...result.settings, seed: 1 })),
    'computation',
    'settings-differ',
  ],
  [
    'an exploratory result that no longer says so',
    () =>
      forge((result) => {
        result.earlier_readings = 1
        result.exploratory = true
      }),
    'access',
    'exploratory-differs',
  ],
  [
    'the report of another run',
    () => cpSync(join(folder, 'second', FILES.html), inFolder(FILES.html)),
    'report',
    'report-of-other-run',
  ],
  [
    'the report edited',
    edited(FILES.html, '<h2 id="verdict">Disposition</h2>', '<h2 id="verdict">Verdict</h2>'),
    'report',
    'report-edited',
  ],
  [
    'the Markdown report edited',
    edited(FILES.markdown, '## Evaluation', '## Our evaluation'),
    'report',
    'report-edited',
  ],
  [
    'the record of readings thrown away',
    () => rmSync(join(folder, 'protocols', 'access'), { recursive: true }),
    'access',
    'access-missing',
  ],
  [
    'a reading cut out of the record',
    () => {
      const path = join(folder, 'protocols', 'access')
      const sha256 = JSON.parse(readFileSync(join(folder, 'registration.json'), 'utf8'))
      const file = join(path, `${sha256.registration_sha256}.jsonl`)
      editText(file, (text) => text.split('\n').slice(2).join('\n'))
    },
    'access',
    'access-chain-broken',
  ],
  [
    'the access record of the folder edited',
    edited(FILES.access, '2025-06-01', '2025-06-02'),
    'access',
    'access-chain-broken',
  ],
  [
    'a folder without its pairs',
    () => rmSync(inFolder(FILES.pairs)),
    'pairs',
    'evidence-unreadable',
  ],
]

describe('audit names the first link that does not hold', () => {
  it.each(CASES)('%s', async (_, spoil, link, code, says) => {
    copyOfAll()
    spoil()
    const found = await audit()
    expect(found.ok).toBe(false)
    expect(found.links.filter((one) => one.state === 'broken').map((one) => one.link)).toEqual([
      link,
    ])
    const [{ code: first, args = {} } = {}] = found.findings
    const fault = 'fault' in args ? args.fault : undefined
    expect([first, `${first} ${fault}`]).toContain(code)
    if (says) expect(JSON.stringify(found.findings[0])).toMatch(says)
  })

  it('takes a result of other code only when that code is accepted by its digest', async () => {
    copyOfAll()
    const own = codeVersion().sha256
    const by = async (acceptCode?: string) => {
      const code = { ...codeVersion(), sha256: 'f'.repeat(64) }
      const path = join(folder, 'first')
      const options = { folder: path, paths: {}, code, render: RENDERERS }
      const found = await auditFolder({ ...options, acceptCode })
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
    edited(FILES.html, 'Disposition</h2>', 'Verdict</h2>')()
    await new Forger(folder).seal()
    const open = ['code', 'report']
    const drawn = ['report-not-comparable', 'warning']
    expect(await by()).toEqual({ ok: false, open, findings: [['code-differs', 'error'], drawn] })
    expect(await by(own)).toEqual({ ok: true, open, findings: [['code-differs', 'note'], drawn] })
  })

  it('ends on a signal before it has read everything, though rows come without a pause', async () => {
    copyOfAll()
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    const options = { folder: join(folder, 'first'), paths: {}, code: codeVersion() }
    const ended = auditFolder({ ...options, render: RENDERERS, signal: stop.signal })
    await expect(ended).rejects.toMatchObject({ code: 'interrupted' })
  })

  it('says of the links behind a broken one that they were not checked, and why', async () => {
    copyOfAll()
    type Audited = Awaited<ReturnType<typeof audit>>
    const open = (found: Audited) => found.links.filter((one) => one.state !== 'holds')
    rmSync(inFolder(FILES.html))
    expect(open(await audit()).slice(-2)).toEqual([
      { link: 'report', state: 'broken' },
      { link: 'description', state: 'not_checked', because: 'earlier-link' },
    ])
    rmSync(join(folder, 'protocols', 'ledger.jsonl'))
    const after = open(await audit())
    expect(after[0]).toEqual({ link: 'ledger', state: 'broken' })
    expect(new Set(after.slice(1).map((one) => one.because))).toEqual(new Set(['earlier-link']))
  })

  it('is not content with a result that only calls itself prospective', async () => {
    copyOfAll()
    forge((result) => (result.mode = 'retrospective'))
    const found = await audit()
    expect(found.findings[0]).toMatchObject({ code: 'settings-differ', pointer: '/mode' })
  })
})
