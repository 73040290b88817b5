import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { sha256Hex } from '../../../src/document/digest.js'
import { FILES } from '../../../src/evaluation/evidence/folder.js'
import type { Forger } from '../forger.js'
import { editText } from '../world.js'
import { type Case, cases, edit, pairs, result, without } from './case.js'

/** What a checkout does that leaves lines in the form of Windows. */
const crLf = (name: string) => edit(name, /\n/g, '\r\n')

export const REPORTS: Case[] = [
  ...cases('report evidence-edited', {
    'a heading': edit(FILES.html, 'Verdict</h2>', 'Result</h2>'),
    'an invisible character': edit(FILES.html, 'Verdict', 'Ver\u200bdict'),
    'a comment at its end': (of) => appendFileSync(of.file(FILES.html), '<!---->'),
    'the Markdown': edit(FILES.markdown, 'seer', 'Seer'),
    // The same result, which says that outcomes had been read before.
    'the report of a run that repeated it': (of) =>
      cpSync(join(of.world, 'second', FILES.html), of.file(FILES.html)),
  }),
  ...cases('report evidence-edited line-ends', {
    'line ends of the page': crLf(FILES.html),
    'line ends of the Markdown': crLf(FILES.markdown),
  }),
  ...cases('report report-of-other-run', {
    'nothing at all': (of) => of.put(FILES.html, ''),
    'the report of another run': edit(
      FILES.html,
      /(?<="foreproof-result" content=")[^"]*/,
      'c'.repeat(64),
    ),
    'the Markdown of no run': (of) => of.put(FILES.markdown, '# Fine\n'),
  }),
]

export const PAIRS: Case[] = [
  ...cases('pairs evidence-edited line-ends', { 'line ends, and no digest': crLf(FILES.pairs) }),
  ...cases('pairs pairs-differ removed', {
    'a line less, and no digest': (of) =>
      editText(of.file(FILES.pairs), (text) => text.split('\n').toSpliced(400, 1).join('\n')),
    'no last line, and no digest': (of) =>
      editText(of.file(FILES.pairs), (text) => text.slice(0, text.lastIndexOf('{'))),
    'a line less': pairs((text) => text.replace(/^.*\n/, '')),
    'a member of a megabyte': pairs((text) => text.replace('{', `{"x":"${'x'.repeat(1e6)}",`)),
  }),
  ...cases('pairs pairs-differ changed', {
    'a price': pairs((text) => text.replace(/"value":(\d)/, '"value":1$1')),
    'a status': pairs((text) => text.replace('"status":"missing"', '"status":"abstained"')),
    'a member twice in a line': pairs((text) => text.replace('{', '{"status":"failed",')),
    'other line ends': pairs((text) => text.replaceAll('\n', '\r\n')),
    'no last line end': pairs((text) => text.trimEnd()),
  }),
  ...cases('pairs pairs-differ added', {
    'a line more': pairs((text) => text + text.split('\n')[0]!),
  }),
]

const at = (time: string, index: number) => (of: Forger) =>
  of.access((fields, row) => (row === index ? { ...fields, at: time } : fields))

const cutLast = (of: Forger) =>
  editText(of.live, (text) => text.split('\n').slice(0, 1).concat('').join('\n'))

export const ACCESS: Case[] = [
  ...cases('access access-time', {
    'a reading before the registration': at('2024-12-14T00:00:00Z', 0),
    'a reading before the as-of': at('2024-12-16T00:00:00Z', 0),
    'a result in the future': at('2090-01-01T00:00:00Z', 1),
    'a result before its reading': at('2025-05-31T23:59:59Z', 1),
  }),
  ...cases('access access-of-other-result', {
    'a reading by other code': (of) =>
      of.access((fields) => ({ ...fields, code_sha256: 'c'.repeat(64) })),
  }),
  ...cases('access access-chain-broken', {
    'a reading of another history': (of) =>
      of.access((fields, row) =>
        row === 0 ? { ...fields, history_sha256: 'c'.repeat(64) } : fields,
      ),
    'a first reading that calls itself exploratory': (of) =>
      of.access((fields) => ({ ...fields, exploratory: true })),
    'a result without a reading': (of) =>
      of.access((fields, row) => (row === 0 ? undefined : fields)),
    'a reading with a result': (of) =>
      of.access((fields) => ({ ...fields, result_sha256: 'c'.repeat(64) })),
    'another day in a line': edit(FILES.access, '2025-06-01', '2025-06-02'),
    'a reading cut out of the live record': (of) => {
      of.entry({ readings: undefined })
      editText(of.live, (text) => text.split('\n').slice(2).join('\n'))
    },
    'blanks in a line': edit(FILES.access, '{', '{ '),
    'members in another order': edit(FILES.access, /^\{("seq":1),("event":"\w+")/, '{$2,$1'),
    'nothing but line ends': (of) => of.put(FILES.access, '\n'.repeat(1e6)),
  }),
  ...cases('ledger ledger-readings-gone', {
    'no live record': (of) => rmSync(of.live),
    'the last reading cut off the live record': (of) => cutLast(of),
  }),
  ...cases('access access-missing', {
    'no live record, and no entry that names it': (of) => {
      of.entry({ readings: undefined })
      rmSync(of.live)
    },
  }),
  ...cases('access access-parted', {
    'a reading that neither the live record nor the ledger has': (of) => {
      of.entry({ readings: undefined })
      cutLast(of)
    },
  }),
]

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
const cutBy = (bytes: number) => (of: Forger) => {
  const path = of.file(FILES.pairs)
  truncateSync(path, statSync(path).size - bytes)
}

const paths = (recorded: object) => (of: Forger) =>
  editText(of.file(FILES.inputs), (text) => JSON.stringify({ ...JSON.parse(text), ...recorded }))

export const FOLDERS: Case[] = [
  ...cases('evidence-foreign-files', {
    'a page beside the report': (of) => of.put('index.html', 'fine'),
    'a report that looks the same': (of) => of.put('rеport.html', 'x'),
  }),
  ...cases('folder evidence-not-a-file', {
    'a folder': (of) => mkdirSync(of.file('more')),
    'a folder for a report': instead(FILES.html, mkdirSync),
    'a folder for the pairs': instead(FILES.pairs, mkdirSync),
    'a pipe for the result': instead(FILES.result, pipe),
    'a pipe for a report': instead(FILES.html, pipe),
    'a pipe for the paths': instead(FILES.inputs, pipe),
    'a device for the record of readings': instead(FILES.access, (path) =>
      symlinkSync('/dev/zero', path),
    ),
    'a link to the true result': (of) => {
      renameSync(of.file(FILES.result), join(of.world, 'aside.json'))
      symlinkSync('../aside.json', of.file(FILES.result))
    },
  }),
  ...cases('report evidence-edited', {
    'a second name of a foreign report': instead(FILES.html, (path) =>
      linkSync(join(path, '..', '..', 'second', FILES.html), path),
    ),
  }),
  ['a result of 1 TiB', instead(FILES.result, sparse(2 ** 40)), 'result evidence-unreadable'],
  ...cases('pairs evidence-unreadable', {
    'pairs of 17 GiB': instead(FILES.pairs, sparse(17 * 2 ** 30)),
    'no pairs': without(FILES.pairs),
    'pairs that are no gzip': (of) => writeFileSync(of.file(FILES.pairs), of.text(FILES.pairs)),
    'pairs that were cut': cutBy(1000),
    'pairs whose last byte was cut': cutBy(1),
    'pairs with something behind them': (of) => appendFileSync(of.file(FILES.pairs), 'more'),
  }),
  ...cases('report evidence-unreadable', {
    'no report': without(FILES.html),
    'a report of 1 TiB': instead(FILES.markdown, sparse(2 ** 40)),
    'a pipe for a report while the pairs are compared': (of) => () => instead(FILES.html, pipe)(of),
  }),
  ...cases('access evidence-unreadable', {
    'no record of readings': without(FILES.access),
    'a record of 1 TiB': instead(FILES.access, sparse(2 ** 40)),
  }),
  ...cases('registration evidence-unreadable', {
    'a path to a device': paths({ registration: `${'../'.repeat(20)}dev/zero` }),
    'a path to a pipe': (of) => {
      pipe(join(of.world, 'pipe'))
      paths({ registration: '../pipe' })(of)
    },
  }),
  ...cases('ledger evidence-unreadable', {
    'a pipe for the ledger': instead('../protocols/ledger.jsonl', pipe),
  }),
  ['a pipe for the closes', instead('../vintage/closes.csv', pipe), 'outcomes evidence-unreadable'],
  ['no result', without(FILES.result), 'not-found'],
  ['no paths', without(FILES.inputs), 'inputs-file-differs'],
  ['paths and something else', paths({ note: 'fine' }), 'inputs-file-differs'],
  ['a path to itself', paths({ protocol: '.' }), 'ledger ledger-absent'],
]

export const FIGURES: Case[] = [
  ...cases('computation result-not-recomputed', {
    'a p-value': result((r) => (r.reading.tests[0]!.p = 1e-9)),
    'a decision': result((r) => (r.reading.tests[0]!.decision = 'rejected')),
    'a verdict where none is': result((r) => (r.reading.dispositions = [])),
    'a loss': result((r) => (r.reading.measures[0]!.means.point_loss = 1e-5)),
    'a count of attempts': result((r) => (r.reading.accounting[0]!.point.scored += 1)),
    'the number of rejected tests': result((r) => (r.reading.family.rejected += 1)),
    'a model of a name that looks the same': result(
      (r) => (r.settings.candidates[0]!.name = 'sеer'),
    ),
    'a test less': result((r) => r.reading.tests.pop()),
    'tests in another order': result((r) => r.reading.tests.reverse()),
    'the level': result((r) => (r.settings.rules.alpha = 0.01)),
    'the floor': result((r) => (r.settings.rules.limits.practical_effect = 0)),
    'the kind': result((r) => (r.kind = 'backtest')),
    'the version of the protocol': result((r) => (r.inputs.protocol.version = 'made-9')),
    'the name of the evaluation': result((r) => (r.inputs.registration.name = 'better')),
    'the source of the closes': result((r) => (r.inputs.outcomes.source = 'coinbase')),
  }),
  ...cases('result evidence-edited cells', {
    'a figure of a cell': edit(FILES.cells, '"expected":', '"expected":1'),
  }),
  ...cases('computation result-not-recomputed', {
    'a figure of a cell, with its digest': async (of) => {
      of.put(FILES.cells, of.text(FILES.cells).replace('"expected":', '"expected":1'))
      of.result((r) => (r.cells.sha256 = sha256Hex(of.text(FILES.cells))))
      await of.seal()
    },
  }),
  ...cases('history result-not-recomputed', {
    'how many rows the history had': result((r) => (r.inputs.history.rows += 1)),
  }),
  ...(
    [
      ['history', 'history history-changed'],
      ['outcomes', 'outcomes result-of-other-input'],
      ['protocol', 'protocol result-of-other-input'],
      ['registration', 'registration result-of-other-input'],
      ['pairs', 'pairs evidence-edited'],
    ] as const
  ).map(([name, expected]): Case => {
    const change = result((r) => (r.inputs[name].sha256 = 'a'.repeat(64)))
    return [`the digest of the ${name}`, change, expected]
  }),
  ...cases('ledger ledger-rewritten', {
    'the digest of a ledger entry': result(
      (r) => (r.inputs.registration.ledger_entry_sha256 = 'a'.repeat(64)),
    ),
  }),
  ...cases('access exploratory-differs', {
    'a first look that calls itself exploratory': result((r) => {
      r.exploratory = true
      r.earlier_readings = 1
    }),
  }),
]

export const WAITING: Case[] = cases('computation result-not-recomputed', {
  'what waiting is worth': result((r) => (r.reading.waiting[0]!.w = 0)),
  'no waiting': result((r) => (r.reading.waiting = [])),
  'a verdict': result(
    (r) => (r.reading.dispositions![0]!.disposition = 'eligible_for_human_review'),
  ),
  'the reasons of a verdict': result((r) => (r.reading.dispositions![0]!.reasons = [])),
})

export const CODE: Case[] = [
  ...cases('code code-misnamed', {
    'the version of the code': result((r) => (r.code.version = '9.9.9')),
    'the name of the code': result((r) => (r.code.name = 'other')),
  }),
  ...cases('code-differs', {
    'the digest of the code': async (of) => {
      of.result((r) => (r.code.sha256 = 'c'.repeat(64)))
      await of.seal()
    },
    'version and digest of the code, beside a report of the forger': async (of) => {
      of.result((r) => (r.code = { ...r.code, version: '9.9.9', sha256: 'c'.repeat(64) }))
      edit(FILES.html, 'Not decided', 'Eligible for human review')(of)
      edit(FILES.markdown, /## /, '## Eligible: ')(of)
      await of.seal()
    },
  }),
]

export const SPELLING: Case[] = [
  ...cases('result digest-mismatch', {
    'a figure, and no digest': edit(FILES.result, '"alpha":0.05', '"alpha":0.01'),
  }),
  ['an unknown member', result((r) => Object.assign(r, { note: 'fine' })), 'result unknown-key'],
  ...cases('result json-duplicate-name', {
    'a member twice': edit(FILES.result, '{', '{"kind":"prospective",'),
  }),
  ...cases('result evidence-edited', {
    'a number spelled otherwise': edit(FILES.result, ':0.05,', ':5e-2,'),
    'a blank': edit(FILES.result, '{', '{ '),
    'a letter as an escape': edit(FILES.result, 'seer', '\\u0073eer'),
  }),
  ...cases('result evidence-edited line-ends', { 'its line end': crLf(FILES.result) }),
  ...cases('result document-encoding', {
    'a byte order mark': (of) => of.put(FILES.result, `\uFEFF${of.text(FILES.result)}`),
  }),
]
