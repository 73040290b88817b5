import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { ForeproofError } from '../../src/contract/error.js'
import { digestWithout, sha256Hex } from '../../src/document/digest.js'
import { codeVersion } from '../../src/evaluation/code-version.js'
import { auditFolder } from '../../src/evaluation/evidence/audit.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { scoreEvaluation } from '../../src/evaluation/score.js'
import { openSqlite } from '../../src/history/store/sqlite/driver.js'
import { chain } from '../../src/protocol/rules/entry.js'
import { RENDERERS } from '../../src/report/renderers.js'
import { Forger } from './forger.js'
import { editText, makeWorld, NOW, type World } from './world.js'

/** One evaluation, scored twice; every case spoils a copy of all of it. */
let origin: World

beforeAll(async () => {
  origin = await makeWorld({ replicates: 100 })
  for (const out of ['first', 'second']) {
    const scored = await scoreEvaluation({
      ...origin.paths,
      out: join(origin.folder, out),
      now: () => NOW,
      code: codeVersion(),
      render: RENDERERS,
    })
    expect(scored.ok).toBe(true)
  }
}, 60_000)
afterAll(() => origin.remove())
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreproof-forged-'))
  cpSync(origin.folder, folder, { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Spoils a copy; may return what is to happen while the audit pairs. */
type Spoil = (of: Forger) => unknown
/** What is told of it: the code of a finding, or of the error that ends the audit. */
type Told = string
type Case = readonly [name: string, spoil: Spoil, told: Told]

const edit = (name: string, find: string | RegExp, put: string) => (of: Forger) =>
  editText(of.file(name), (text) => text.replace(find, put))

function sql(of: Forger, statement: string): void {
  const db = openSqlite(join(of.world, 'history.sqlite'))
  expect(db.prepare(statement).run().changes).toBeGreaterThan(0)
  db.close()
}

/** Puts something else in the place of a file. */
const instead = (name: string, make: (path: string) => void) => (of: Forger) => {
  rmSync(of.file(name), { force: true })
  make(of.file(name))
}
const pipe = (path: string) => expect(spawnSync('mkfifo', [path]).status).toBe(0)
const sparse = (bytes: number) => (path: string) => {
  writeFileSync(path, '')
  truncateSync(path, bytes)
}

/** Changes a JSON document, gives it its own digest again, and changes entries of the ledger to fit. */
function forgeEntered(
  of: Forger,
  file: string,
  member: string,
  // biome-ignore lint/suspicious/noExplicitAny: a document that is bent out of shape
  change: (value: any) => void,
  // biome-ignore lint/suspicious/noExplicitAny: the same
  enter: (entry: any, value: any) => void,
): void {
  const path = join(of.world, file)
  const value = JSON.parse(readFileSync(path, 'utf8'))
  change(value)
  value[member] = digestWithout(value, member)
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
  const ledger = join(of.world, 'protocols', 'ledger.jsonl')
  const lines: string[] = []
  let last: ReturnType<typeof chain> | undefined
  for (const line of readFileSync(ledger, 'utf8').trimEnd().split('\n')) {
    const { seq: _seq, previous: _previous, entry_sha256: _digest, ...fields } = JSON.parse(line)
    enter(fields, value)
    last = chain(fields, last)
    lines.push(`${JSON.stringify(last)}\n`)
  }
  writeFileSync(ledger, lines.join(''))
}

/** Changes the closes of the vintage and has its manifest name them. */
function forgeCloses(of: Forger, change: (text: string) => string): void {
  const closes = join(of.world, 'vintage', 'closes.csv')
  const text = change(readFileSync(closes, 'utf8'))
  writeFileSync(closes, text)
  editText(join(of.world, 'vintage', 'manifest.json'), (manifest) => {
    const value = JSON.parse(manifest)
    return JSON.stringify({
      ...value,
      sha256: sha256Hex(text),
      count: text.trimEnd().split('\n').length - 1,
    })
  })
}

const FIGURES: Case[] = [
  ['a p-value', (of) => of.result((r) => (r.tests[0]!.p = 1e-9)), 'result-not-recomputed'],
  ['an effect', (of) => of.result((r) => (r.tests[3]!.observed = -0.5)), 'result-not-recomputed'],
  [
    'a decision',
    (of) => of.result((r) => (r.tests[0]!.decision = 'rejected')),
    'result-not-recomputed',
  ],
  [
    'a verdict',
    (of) => of.result((r) => (r.dispositions[0]!.disposition = 'eligible_for_human_review')),
    'result-not-recomputed',
  ],
  [
    'the reasons of a verdict',
    (of) => of.result((r) => (r.dispositions[0]!.reasons = [])),
    'result-not-recomputed',
  ],
  ['a loss', (of) => of.result((r) => (r.measures[0]!.point_loss = 1e-5)), 'result-not-recomputed'],
  [
    'a count of attempts',
    (of) =>
      of.result((r) => {
        r.accounting[0]!.point.scored += 1
        r.accounting[0]!.point.missing -= 1
      }),
    'result-not-recomputed',
  ],
  ['a control', (of) => of.result((r) => (r.controls[0]!.greatest = 1)), 'result-not-recomputed'],
  [
    'the number of rejected tests',
    (of) => of.result((r) => (r.family.rejected += 1)),
    'result-not-recomputed',
  ],
  ['a missing control', (of) => of.result((r) => r.controls.pop()), 'result-not-recomputed'],
  ['a test less', (of) => of.result((r) => r.tests.pop()), 'settings-differ'],
  ['tests in another order', (of) => of.result((r) => r.tests.reverse()), 'settings-differ'],
  [
    'a model of a name that looks the same',
    (of) => of.result((r) => (r.models[0]!.name = 'sеer')),
    'result-not-recomputed',
  ],
  ['the level', (of) => of.result((r) => (r.settings.alpha = 0.01)), 'settings-differ'],
  [
    'the floor',
    (of) => of.result((r) => (r.settings.practical_effect_floor = 0)),
    'settings-differ',
  ],
  ['the replicates', (of) => of.result((r) => (r.settings.replicates = 1e5)), 'settings-differ'],
  ['the seed', (of) => of.result((r) => (r.settings.seed = 7)), 'seed-differs'],
  ['the mode', (of) => of.result((r) => (r.mode = 'retrospective')), 'settings-differ'],
  [
    'the version of the protocol',
    (of) => of.result((r) => (r.inputs.protocol.version = 'made-9')),
    'settings-differ',
  ],
  [
    'the name of the evaluation',
    (of) => of.result((r) => (r.inputs.registration.name = 'better')),
    'settings-differ',
  ],
  [
    'when it was registered',
    (of) => of.result((r) => (r.inputs.registration.registered_at = '2024-01-01T00:00:00Z')),
    'settings-differ',
  ],
  [
    'the source of the closes',
    (of) => of.result((r) => (r.inputs.vintage.source = 'coinbase')),
    'settings-differ',
  ],
  [
    'how many rows the history had',
    (of) => of.result((r) => (r.inputs.history.rows += 1)),
    'result-not-recomputed',
  ],
  [
    'the digest of the history',
    (of) => of.result((r) => (r.inputs.history.sha256 = 'a'.repeat(64))),
    'history-changed',
  ],
  [
    'the digest of the closes',
    (of) => of.result((r) => (r.inputs.vintage.sha256 = 'a'.repeat(64))),
    'outcomes-changed',
  ],
  [
    'the digest of the pairs',
    (of) => of.result((r) => (r.inputs.pairs.sha256 = 'a'.repeat(64))),
    'pairs-edited',
  ],
  [
    'the digest of the protocol',
    (of) => of.result((r) => (r.inputs.protocol.sha256 = 'a'.repeat(64))),
    'result-of-other-protocol',
  ],
  [
    'the digest of the registration',
    (of) => of.result((r) => (r.inputs.registration.sha256 = 'a'.repeat(64))),
    'result-of-other-registration',
  ],
  [
    'the digest of a ledger entry',
    (of) => of.result((r) => (r.inputs.registration.ledger_entry_sha256 = 'a'.repeat(64))),
    'ledger-rewritten',
  ],
  [
    'a first look that calls itself exploratory',
    (of) =>
      of.result((r) => {
        r.exploratory = true
        r.earlier_readings = 1
      }),
    'exploratory-differs',
  ],
]

const CODE: Case[] = [
  [
    'the version of the code',
    (of) => of.result((r) => (r.code.version = '9.9.9')),
    'code-misnamed',
  ],
  ['the name of the code', (of) => of.result((r) => (r.code.name = 'other')), 'code-misnamed'],
  [
    'the digest of the code',
    (of) => of.result((r) => (r.code.sha256 = 'c'.repeat(64))),
    'code-differs',
  ],
  [
    'version and digest of the code, beside a report of the forger',
    (of) => {
      of.result((r) => (r.code = { ...r.code, version: '9.9.9', sha256: 'c'.repeat(64) }))
      edit(FILES.html, /Disposition<\/h2>/, 'Eligible for human review</h2>')(of)
      edit(FILES.markdown, /## /, '## Eligible: ')(of)
    },
    'code-differs',
  ],
]

const SPELLING: Case[] = [
  ['a figure, and no digest', edit(FILES.result, '"alpha":0.05', '"alpha":0.01'), 'result-edited'],
  [
    'an unknown member',
    (of) => of.result((r) => Object.assign(r, { note: 'fine' })),
    'unknown-key',
  ],
  ['a member twice', edit(FILES.result, '{', '{"mode":"prospective",'), 'json-duplicate-name'],
  ['a number spelled otherwise', edit(FILES.result, ':0.05,', ':5e-2,'), 'result-spelling'],
  ['a blank', edit(FILES.result, '{', '{ '), 'result-spelling'],
  ['a carriage return', edit(FILES.result, '\n', '\r\n'), 'result-spelling'],
  ['a letter as an escape', edit(FILES.result, 'seer', '\\u0073eer'), 'result-spelling'],
  [
    'a byte order mark',
    (of) => of.put(FILES.result, `\uFEFF${of.text(FILES.result)}`),
    'encoding-bom',
  ],
]

const REPORTS: Case[] = [
  ['a heading', edit(FILES.html, 'Disposition</h2>', 'Verdict</h2>'), 'report-edited'],
  ['an invisible character', edit(FILES.html, 'Disposition', 'Dis\u200bposition'), 'report-edited'],
  ['a comment at its end', (of) => appendFileSync(of.file(FILES.html), '<!---->'), 'report-edited'],
  ['nothing at all', (of) => of.put(FILES.html, ''), 'report-of-other-run'],
  [
    'the report of another run',
    (of) => cpSync(join(of.world, 'second', FILES.html), of.file(FILES.html)),
    'report-of-other-run',
  ],
  ['the Markdown', edit(FILES.markdown, 'seer', 'Seer'), 'report-edited'],
  ['the Markdown of no run', (of) => of.put(FILES.markdown, '# Fine\n'), 'report-of-other-run'],
]

const PAIRS: Case[] = [
  [
    'a price',
    (of) =>
      of.pairs((text) => text.replace(/"predicted_price_usd":(\d)/, '"predicted_price_usd":1$1')),
    'pairs-price-changed',
  ],
  [
    'a status',
    (of) => of.pairs((text) => text.replace('"status":"missing"', '"status":"abstained"')),
    'pairs-status-changed',
  ],
  ['a line less', (of) => of.pairs((text) => text.replace(/^.*\n/, '')), 'pairs-row-removed'],
  ['a line more', (of) => of.pairs((text) => text + text.split('\n')[0]!), 'pairs-row-added'],
  [
    'a member twice in a line',
    (of) => of.pairs((text) => text.replace('{', '{"status":"failed",')),
    'pairs-row-changed',
  ],
  [
    'other line ends',
    (of) => of.pairs((text) => text.replaceAll('\n', '\r\n')),
    'pairs-row-changed',
  ],
  ['no last line end', (of) => of.pairs((text) => text.trimEnd()), 'pairs-row-changed'],
  [
    'a member of a megabyte',
    (of) => of.pairs((text) => text.replace('{', `{"x":"${'x'.repeat(1e6)}",`)),
    'pairs-row-removed',
  ],
  [
    'a line more while they are compared',
    (of) => () => appendFileSync(of.file(FILES.pairs), '{"model":"late"}\n'),
    'pairs-row-added',
  ],
]

const at = (time: string, index: number) => (of: Forger) =>
  of.access((fields, row) => (row === index ? { ...fields, at: time } : fields))

const ACCESS: Case[] = [
  ['a reading before the registration', at('2024-12-14T00:00:00Z', 0), 'access-time'],
  ['a reading before the as-of', at('2024-12-16T00:00:00Z', 0), 'access-time'],
  ['a result in the future', at('2090-01-01T00:00:00Z', 1), 'access-time'],
  ['a result before its reading', at('2025-05-31T23:59:59Z', 1), 'access-time'],
  [
    'a reading by other code',
    (of) => of.access((fields) => ({ ...fields, code_sha256: 'c'.repeat(64) })),
    'access-of-other-result',
  ],
  [
    'a reading of another history',
    (of) =>
      of.access((fields, row) =>
        row === 0 ? { ...fields, history_sha256: 'c'.repeat(64) } : fields,
      ),
    'access-chain-broken',
  ],
  [
    'a first reading that calls itself exploratory',
    (of) => of.access((fields) => ({ ...fields, exploratory: true })),
    'access-chain-broken',
  ],
  [
    'a result without a reading',
    (of) => of.access((fields, row) => (row === 0 ? undefined : fields)),
    'access-chain-broken',
  ],
  [
    'a reading with a result',
    (of) => of.access((fields) => ({ ...fields, result_sha256: 'c'.repeat(64) })),
    'access-chain-broken',
  ],
  ['blanks in a line', edit(FILES.access, '{', '{ '), 'access-chain-broken'],
  [
    'members in another order',
    edit(FILES.access, /^\{("seq":1),("event":"\w+")/, '{$2,$1'),
    'access-chain-broken',
  ],
  [
    'a reading that the live record does not have',
    (of) => editText(of.live, (text) => text.split('\n').slice(0, 1).concat('').join('\n')),
    'access-parted',
  ],
  ['nothing but line ends', (of) => of.put(FILES.access, '\n'.repeat(1e6)), 'access-chain-broken'],
]

const INPUTS: Case[] = [
  [
    'a close, with its digest',
    (of) => forgeCloses(of, (text) => text.replace(/,(\d+)\.(\d+)\n$/, ',$1.99\n')),
    'outcomes-changed',
  ],
  [
    'a forecast',
    (of) => sql(of, 'UPDATE forecast_predictions SET predicted_price_usd = 1 WHERE rowid = 9'),
    'history-price-changed',
  ],
  [
    'all forecasts but one',
    (of) => sql(of, 'DELETE FROM forecast_predictions WHERE rowid > 1'),
    'history-status-changed',
  ],
  [
    'a limit of the registration, with digest and ledger',
    (of) =>
      forgeEntered(
        of,
        'registration.json',
        'registration_sha256',
        (value) => (value.limits.directional_loss = 0.5),
        (entry, value) => {
          if ('registration_sha256' in entry) entry.registration_sha256 = value.registration_sha256
        },
      ),
    'registration-differs',
  ],
  [
    'the name of the registration, with digest and ledger',
    (of) =>
      forgeEntered(
        of,
        'registration.json',
        'registration_sha256',
        (value) => (value.name = 'better'),
        (entry, value) => {
          if ('registration_sha256' in entry) entry.registration_sha256 = value.registration_sha256
        },
      ),
    'result-of-other-registration',
  ],
  [
    'when it was registered, with digest and ledger',
    (of) =>
      forgeEntered(
        of,
        'registration.json',
        'registration_sha256',
        (value) => (value.registered_at = '2024-12-02T00:00:00Z'),
        (entry, value) => {
          if (!('registration_sha256' in entry)) return
          entry.registration_sha256 = value.registration_sha256
          entry.registered_at = value.registered_at
        },
      ),
    'result-of-other-registration',
  ],
  [
    'when the protocol was frozen, with the ledger',
    (of) =>
      forgeEntered(
        of,
        'registration.json',
        'registration_sha256',
        () => undefined,
        (entry) => {
          if ('frozen_at' in entry) entry.frozen_at = '2024-11-01T00:00:00Z'
        },
      ),
    'ledger-rewritten',
  ],
  [
    'the floor of the protocol, with digest and ledger',
    (of) =>
      forgeEntered(
        of,
        'protocols/made-1.json',
        'protocol_sha256',
        (value) => (value.design.practical_effect_floor = 0),
        (entry, value) => (entry.protocol_sha256 = value.protocol_sha256),
      ),
    'registration-of-other-protocol',
  ],
]

const paths = (recorded: object) => (of: Forger) =>
  editText(of.file(FILES.inputs), (text) => JSON.stringify({ ...JSON.parse(text), ...recorded }))

const FOLDERS: Case[] = [
  ['a page beside the report', (of) => of.put('index.html', 'fine'), 'evidence-foreign-files'],
  ['a report that looks the same', (of) => of.put('rеport.html', 'x'), 'evidence-foreign-files'],
  ['a folder', (of) => mkdirSync(of.file('more')), 'evidence-not-a-file'],
  ['a folder for a report', instead(FILES.html, mkdirSync), 'evidence-not-a-file'],
  ['a folder for the pairs', instead(FILES.pairs, mkdirSync), 'evidence-not-a-file'],
  ['a pipe for the result', instead(FILES.result, pipe), 'evidence-not-a-file'],
  ['a pipe for a report', instead(FILES.html, pipe), 'evidence-not-a-file'],
  ['a pipe for the paths', instead(FILES.inputs, pipe), 'evidence-not-a-file'],
  [
    'a device for the record of readings',
    instead(FILES.access, (path) => symlinkSync('/dev/zero', path)),
    'evidence-not-a-file',
  ],
  [
    'a link to the true result',
    (of) => {
      renameSync(of.file(FILES.result), join(of.world, 'aside.json'))
      symlinkSync('../aside.json', of.file(FILES.result))
    },
    'evidence-not-a-file',
  ],
  [
    'a second name of a foreign report',
    instead(FILES.html, (path) => linkSync(join(path, '..', '..', 'second', FILES.html), path)),
    'report-of-other-run',
  ],
  [
    'a pipe for the pairs while they are compared',
    (of) => () => instead(FILES.html, pipe)(of),
    'evidence-unreadable',
  ],
  ['pairs of 17 GiB', instead(FILES.pairs, sparse(17 * 2 ** 30)), 'evidence-unreadable'],
  ['a result of 1 TiB', instead(FILES.result, sparse(2 ** 40)), 'evidence-unreadable'],
  ['a report of 1 TiB', instead(FILES.markdown, sparse(2 ** 40)), 'evidence-unreadable'],
  ['a record of 1 TiB', instead(FILES.access, sparse(2 ** 40)), 'evidence-unreadable'],
  ['no report', (of) => rmSync(of.file(FILES.html)), 'evidence-unreadable'],
  ['no record of readings', (of) => rmSync(of.file(FILES.access)), 'evidence-unreadable'],
  ['no result', (of) => rmSync(of.file(FILES.result)), 'not-found'],
  ['no paths', (of) => rmSync(of.file(FILES.inputs)), 'usage'],
  ['paths and something else', paths({ note: 'fine' }), 'inputs-file-differs'],
  [
    'a path to a device',
    paths({ registration: `${'../'.repeat(20)}dev/zero` }),
    'evidence-unreadable',
  ],
  ['a path to itself', paths({ protocol: '.' }), 'ledger-absent'],
  [
    'a path to a pipe',
    (of) => {
      pipe(join(of.world, 'pipe'))
      paths({ registration: '../pipe' })(of)
    },
    'evidence-unreadable',
  ],
  [
    'a pipe for the ledger',
    (of) => {
      rmSync(join(of.world, 'protocols', 'ledger.jsonl'))
      pipe(join(of.world, 'protocols', 'ledger.jsonl'))
    },
    'evidence-unreadable',
  ],
  [
    'a pipe for the closes',
    (of) => {
      rmSync(join(of.world, 'vintage', 'closes.csv'))
      pipe(join(of.world, 'vintage', 'closes.csv'))
    },
    'evidence-unreadable',
  ],
]

const ALL = Object.entries({ FIGURES, CODE, SPELLING, REPORTS, PAIRS, ACCESS, INPUTS, FOLDERS })
/** What changes nothing that is vouched for: it is told, and the audit goes on. */
const WARNINGS = ['evidence-foreign-files', 'inputs-file-differs']

it('more than sixty of them are below', () => {
  expect(ALL.flatMap(([, cases]) => cases).length).toBeGreaterThanOrEqual(60)
})

for (const [group, cases] of ALL) {
  it.each(cases)(`forged ${group.toLowerCase()}: %s`, async (_, spoil, told) => {
    let meanwhile = spoil(new Forger(folder))
    const onProgress = () => {
      if (typeof meanwhile === 'function') meanwhile()
      meanwhile = undefined
    }
    const options = { folder: join(folder, 'first'), paths: {}, quick: false, onProgress }
    const found = await auditFolder({
      ...options,
      code: codeVersion(),
      render: RENDERERS,
    }).catch((error) => {
      if (!(error instanceof ForeproofError)) throw error
      return { ok: false, findings: [{ code: error.code, severity: 'error' }] }
    })
    expect(found.findings[0]?.code).toBe(told)
    expect(found.ok).toBe(WARNINGS.includes(told))
  })
}
