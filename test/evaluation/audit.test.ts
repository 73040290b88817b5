import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeVersion } from '../../src/evaluation/code-version.js'
import type { AuditOptions } from '../../src/evaluation/evidence/audit.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { openSqlite } from '../../src/store/sqlite/driver.js'
import { temporaryFolder } from '../support/folder.js'
import { Forger, type OpenResult } from './forger.js'
import { audited, scoreInto } from './score-into.js'
import { editText, makeWorld, type World } from './world.js'

/** One evaluation, scored twice; every case works on a copy of all of it. */
let origin: World
let folder: string

beforeAll(async () => {
  origin = await makeWorld({ replicates: 500 })
  for (const out of ['first', 'second']) await scoreInto(origin, out)
}, 60_000)

function copyOfAll(): void {
  folder = temporaryFolder()
  cpSync(origin.folder, folder, { recursive: true })
}

const audit = (out = 'first', options: Partial<AuditOptions> = {}) =>
  audited(join(folder, out), options)

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
    const lone = 'raw/handed-over'
    cpSync(join(folder, 'first'), join(folder, lone), { recursive: true })
    await expect(audit(lone)).rejects.toMatchObject({ code: 'not-found' })
    const paths = {
      registration: join(folder, 'registration.json'),
      protocol: join(folder, 'protocols', 'made-1.json'),
      history: join(folder, 'history.sqlite'),
      outcomes: join(folder, 'vintage'),
    }
    expect((await audit(lone, { paths })).ok).toBe(true)
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

type Case = readonly [spoil: () => void, link: string, code: string]

const edited = (name: string, find: string | RegExp, put: string) => () =>
  editText(join(folder, name), (text) => text.replace(find, put))
const aPair = edited(
  'first/pairs.ndjson',
  /"predicted_price_usd":(\d)/,
  '"predicted_price_usd":1$1',
)
const aRow = () =>
  sql(`UPDATE forecast_predictions SET predicted_price_usd = predicted_price_usd + 1
       WHERE rowid = (SELECT rowid FROM forecast_predictions LIMIT 1 OFFSET 50)`)

/** One a link: `forgeries/` has them all, and what a forger makes agree with them. */
const CASES: Readonly<Record<string, Case>> = {
  'one price changed in the pairs': [aPair, 'pairs', 'pairs-differ changed'],
  'one price changed in the history': [aRow, 'history', 'history-differs changed'],
  'one row removed from the history': [
    () => sql('DELETE FROM forecast_predictions WHERE rowid = 50'),
    'history',
    'history-differs changed',
  ],
  'one price changed in the history, and another one in the pairs': [
    () => [aPair(), aRow()],
    'history',
    'history-changed',
  ],
  'one close changed': [
    edited('vintage/closes.csv', /,(\d+)\.(\d+)\n$/, ',$1.99\n'),
    'outcomes',
    'evidence-unreadable',
  ],
  'the registration edited': [
    edited('registration.json', '"seer"', '"seen"'),
    'registration',
    'digest-mismatch',
  ],
  'the ledger edited': [
    edited('protocols/ledger.jsonl', '2024-12-15', '2024-12-16'),
    'ledger',
    'ledger-chain',
  ],
  'the protocol edited': [
    edited('protocols/made-1.json', '"alpha": 0.05', '"alpha": 0.04'),
    'protocol',
    'digest-mismatch',
  ],
  'a figure of the result edited': [
    edited('first/result.json', /"point_loss":0\.00/, '"point_loss":0.01'),
    'result',
    'digest-mismatch',
  ],
  'the result forged throughout': [
    () => forge((result) => (result.tests[0]!.p = 1e-9)),
    'computation',
    'result-not-recomputed',
  ],
  'a result that only calls itself retrospective': [
    () => forge((result) => (result.mode = 'retrospective')),
    'computation',
    'result-not-recomputed',
  ],
  'an exploratory result that no longer says so': [
    () => forge((result) => Object.assign(result, { earlier_readings: 1, exploratory: true })),
    'access',
    'exploratory-differs',
  ],
  'the Markdown report edited': [
    edited('first/report.md', '## Evaluation', '## Our evaluation'),
    'report',
    'evidence-edited',
  ],
  'a folder without its pairs': [
    () => rmSync(inFolder(FILES.pairs)),
    'pairs',
    'evidence-unreadable',
  ],
}

describe('audit names the first link that does not hold', () => {
  it.each(Object.entries(CASES))('%s', async (_, [spoil, link, code]) => {
    copyOfAll()
    spoil()
    const found = await audit()
    const broken = found.links.filter((one) => one.state === 'broken').map((one) => one.link)
    expect([found.ok, broken]).toEqual([false, [link]])
    const [{ code: first, args = {} } = {}] = found.findings
    const fault = 'fault' in args ? args.fault : undefined
    expect([first, `${first} ${fault}`]).toContain(code)
  })

  it('takes a result of other code only when that code is accepted by its digest', async () => {
    copyOfAll()
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
    edited('first/report.html', 'Disposition</h2>', 'Verdict</h2>')()
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
    const ended = audit('first', { signal: stop.signal })
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
})
