import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Options } from 'yargs'
import { COMMANDS } from '../../src/cli/commands.js'
import { flag, HISTORY_OPTION, needed, text, texts } from '../../src/cli/options.js'
import { digestWithout, sha256Hex } from '../../src/document/digest.js'
import { runGate } from '../../src/gate/gate.js'
import { describePeriods, type PeriodList, periodsText } from '../../src/periods/list.js'
import {
  chain,
  isFrozen,
  type LedgerEntry,
  withoutPosition,
} from '../../src/protocol/rules/entry.js'
import { scoreInto } from '../evaluation/score-into.js'
import { DAYS, makeSeriesFolder, PLAN } from '../evaluation/series-folder.js'
import { changedIn } from '../protocol/sample.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'

// Documents that only a writer of ours would have refused, each entered by a hand that knows the formats: whatever
// reads one refuses it, and says why.

const KINDS = ['protocol', 'list', 'ledger', 'registration', 'vintage'] as const
type Kind = (typeof KINDS)[number]

/** What is said of each. */
const SAYS: Readonly<Record<Kind, string>> = {
  protocol: 'later than its target',
  list: 'has a column known',
  ledger: 'names the file that entry 1 already names',
  registration: 'vintage_sha256',
  vintage: 'below the minimum 0',
}

const DOCUMENT = 'protocols/daily-1.json'
const LIST = 'protocols/daily-1.periods.csv'
const LEDGER = 'protocols/ledger.jsonl'

/** Files of a folder, read and written by hand. */
class Hand {
  constructor(readonly folder: string) {}
  at = (name: string) => join(this.folder, name)
  read = (name: string) => readFileSync(this.at(name), 'utf8')
  write = (name: string, text: string) => writeFileSync(this.at(name), text)
  json = (name: string) => JSON.parse(this.read(name))

  /** Writes a document with the digest of its content. */
  sign(name: string, digest: string, value: object): string {
    const signed = { ...value, [digest]: digestWithout(value, digest) }
    this.write(name, JSON.stringify(signed))
    return signed[digest] as string
  }

  /** The ledger with other entries, chained anew. */
  enter(change: (entries: readonly LedgerEntry[]) => readonly object[]): void {
    const entries = this.read(LEDGER)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as LedgerEntry)
    const chained: LedgerEntry[] = []
    for (const fields of change(entries)) chained.push(chain(fields as never, chained.at(-1)))
    this.write(LEDGER, chained.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  }

  /** Another protocol in the place of the frozen one. */
  protocol(changes: object): void {
    const value = changedIn(this.json(DOCUMENT), { ...changes })
    const protocol_sha256 = this.sign(DOCUMENT, 'protocol_sha256', value)
    this.enter((entries) =>
      entries.map((entry) => ({ ...withoutPosition(entry), protocol_sha256 })),
    )
  }

  list(periods: PeriodList): void {
    this.write(LIST, periodsText(periods))
    this.protocol({ '/periods': { ...describePeriods(periods), made_by: 'a hand' } })
  }
}

const FORGE: Readonly<Record<Kind, (by: Hand) => void>> = {
  protocol: (by) => by.protocol({ '/origins/due/offset': 'PT40H' }),
  list: (by) => by.list(DAYS.map((period) => ({ ...period, known: period.end + 3_600_000_000 }))),
  ledger: (by) =>
    by.enter((entries) => {
      const own = entries.map(withoutPosition)
      return [...own, { ...(own[0] as object), protocol_version: 'other-1' }]
    }),
  registration: (by) => {
    const value = changedIn(by.json('registration.json'), {
      '/outcomes/vintage_sha256': by.json('vintage/manifest.json').sha256,
    })
    const registration_sha256 = by.sign('registration.json', 'registration_sha256', value)
    by.enter((entries) =>
      entries.map((entry) => ({
        ...withoutPosition(entry),
        ...(!isFrozen(entry) && { registration_sha256 }),
      })),
    )
  },
  vintage: (by) => {
    const releases = by.read('vintage/releases.csv').replace(/(?<=\na,2024-02-20,)[^,]*/, '-999')
    by.write('vintage/releases.csv', releases)
    const sha256 = sha256Hex(releases)
    by.write(
      'vintage/manifest.json',
      JSON.stringify({ ...by.json('vintage/manifest.json'), sha256 }),
    )
  },
}

/** Which documents an option reads, and a line that hands it over; `@` is the folder. */
type Entry = readonly [
  option: string,
  reads: readonly Kind[],
  run: string | ((folder: string) => string),
]
const PROTOCOL = ['protocol', 'list', 'ledger'] as const
const P = `@/${DOCUMENT}`
const H = '--history @/history.sqlite'
const O = '--outcomes @/vintage'

const gated = (folder: string): string => {
  execFileSync('git', ['init', '-q', folder])
  const { findings } = runGate({ cwd: folder, dir: 'protocols', env: {} })
  return JSON.stringify(findings)
}

const ENTRIES: Readonly<Record<string, readonly Entry[]>> = {
  lint: [
    ['protocol', ['protocol', 'list'], `lint ${P}`],
    ['periods', ['list'], `lint ${P} --periods @/${LIST}`],
    ['registration', ['registration'], `lint ${P} --registration @/registration.json`],
    ['outcomes', ['vintage'], `lint ${P} ${O}`],
  ],
  freeze: [
    ['draft', ['protocol'], `freeze ${P} --periods @/${LIST} --dir @/new`],
    ['periods', ['list'], `freeze ${P} --periods @/${LIST} --dir @/new`],
    ['dir', ['ledger'], `freeze @/draft.json --periods @/${LIST} --dir @/protocols`],
  ],
  verify: [['files', PROTOCOL, 'verify @/protocols']],
  gate: [['dir', PROTOCOL, gated]],
  'outcomes import': [
    ['protocol', PROTOCOL, `outcomes import @/truth.csv --protocol ${P} --out @/other`],
  ],
  'history import': [
    ['protocol', PROTOCOL, `history import @/forecasts.csv --protocol ${P} --history @/h.sqlite`],
  ],
  'history seal': [
    ['ledger', ['ledger'], `history seal ${H} --ledger @/protocols --log example.org/x`],
  ],
  power: [
    ['protocol', PROTOCOL, `power --plan @/plan.json --protocol ${P}`],
    ['outcomes', ['vintage'], `power --plan @/plan.json --protocol ${P} ${O}`],
  ],
  register: [
    ['protocol', PROTOCOL, `register @/plan.json --protocol ${P} --out @/second.json`],
    ['outcomes', ['vintage'], `register @/plan.json --protocol ${P} --out @/second.json ${O}`],
  ],
  pair: [
    ['protocol', PROTOCOL, `pair --protocol ${P} ${H} ${O}`],
    ['outcomes', ['vintage'], `pair --protocol ${P} ${H} ${O}`],
    ['registration', KINDS, `pair --protocol ${P} ${H} ${O} --registration @/registration.json`],
  ],
  score: [
    ['protocol', PROTOCOL, `score --registration @/registration.json ${H} ${O} --out @/second`],
    ['registration', KINDS, `score --registration @/registration.json ${H} ${O} --out @/second`],
    ['outcomes', ['vintage'], `score --registration @/registration.json ${H} ${O} --out @/second`],
  ],
  audit: [
    ['folder', KINDS, 'audit @/first'],
    ['protocol', PROTOCOL, `audit @/first --protocol @/protocols`],
    ['registration', ['registration'], 'audit @/first --registration @/registration.json'],
    ['outcomes', ['vintage'], `audit @/first ${O}`],
  ],
  close: [
    [
      'protocol',
      ['ledger'],
      'close @/registration.json --protocol @/protocols --as void --reason x',
    ],
  ],
  correct: [
    ['folder', ['ledger'], 'correct @/first --replaces x --reason x'],
    ['protocol', ['ledger'], 'correct @/first --protocol @/protocols --replaces x --reason x'],
  ],
  record: [['protocols', PROTOCOL, 'record --protocols @/protocols --out @/record']],
  'ledger rebase': [['evidence', ['ledger'], 'ledger rebase --dir @/protocols --evidence @/first']],
  export: [
    ['protocol', PROTOCOL, `export @/history.sqlite --to hubverse --protocol ${P} --out @/hub`],
    [
      'outcomes',
      ['vintage'],
      `export @/history.sqlite --to hubverse --protocol ${P} ${O} --out @/hub`,
    ],
  ],
  stamp: [['dir', ['ledger'], 'stamp --dir @/protocols --query @/request.tsq']],
}

/** Options that speak of such a document and read none, or ask no more than what they are for. */
const OTHERS: Readonly<Record<string, string>> = {
  'init dir': 'is written',
  'validate files': 'the form alone, of drafts too',
  'digest files': 'any JSON',
  'canonicalize file': 'any JSON',
  'compare a': 'drafts too',
  'compare b': 'drafts too',
  'ledger rebase base': 'a revision of git',
  'ledger rebase dir': 'entries are chained anew by appending, which checks them',
  'periods file': 'a list without a protocol',
  'outcomes import file': 'a table',
  'history import files': 'tables',
  'history import outcomes': 'hourly closes, which have no rule beside their form',
  'history pull from': 'a site',
  'history backup out': 'a history',
  'history check-proof file': 'a proof',
  'history resume site': 'a published log',
  'health check file': 'a report of health',
  'report folder': 'a result, which its audit is about',
  'record registrations': 'what was registered is shown, sound or not; nothing can be scored by it',
  'record evidence': 'results, which their audits are about',
  'record evidence-url': 'an address',
  'record out': 'is written',
  'record check folder': 'a record, with tests of its own',
  'record check against': 'an older copy of the ledger, of which only lines are compared',
  'record check log': 'a note of a log',
  'report out': 'is written',
  'report figures': 'is written',
  'export source': 'a result, which its audit is about',
  'power plan': 'a plan, which has no ledger and no digest',
  'register plan': 'a plan, which has no ledger and no digest',
  'register stamp': 'an address',
  'pair as-of': 'a time',
  'close registration': 'what is wrong with it may be why it is closed: its digest is enough',
  'stamp entry': 'a number',
  'stamp query': 'a request of a time stamp',
  'stamp reply': 'an answer with a time stamp',
  'witness state': 'what it has cosigned',
  'witness logs': 'logs',
  'keys new keys': 'digests of keys',
  'keys list keys': 'digests of keys',
  'keys revoke keys': 'digests of keys',
  'keys revoke name': 'a name',
  'serve keys': 'digests of keys',
  'conformance target': 'a site',
  'schema name': 'a name',
}

/** Words of a document or of what it is in, in the name of an option or in what its help says. */
const SPEAKS =
  /\b(protocols?|registrations?|vintage|ledger|list|releases|draft|plan|wrote|(file|folder)s?)\b/i
/** Options of these beginnings are the same in many commands, and for something else. */
const SHARED =
  /^(With --(protocol|business-days): |(File|Folder) to write|Policy file of|Folder with (your own )?certificates|Folder with the certificates|Forecast history)/

/** Whether a text that is given for an option may lead to such a document. */
function mayName(option: string, { type, choices, describe: says = '' }: Options): boolean {
  return type === 'string' && !choices && SPEAKS.test(`${option}: ${says}`) && !SHARED.test(says)
}

it.each([
  ['a', needed('A frozen protocol'), true],
  ['with-list', text('What it is of'), true],
  ['of', texts('Registrations that it goes on from'), true],
  ['history', HISTORY_OPTION, false],
  ['model', text('Only of this model'), false],
  ['ledger', flag('Show the ledger'), false],
])('an option --%s that says %o may name such a document: %s', (name, spec, expected) => {
  expect(mayName(name, spec)).toBe(expected)
})

it('every option that may name such a document is in the table', async () => {
  const options = await Promise.all(
    COMMANDS.map(async ({ name, load }) => {
      const own = Object.entries((await load()).default.options as Record<string, Options>)
      return own.filter(([option, spec]) => mayName(option, spec)).map(([it]) => `${name} ${it}`)
    }),
  )
  const table = Object.entries(ENTRIES).flatMap(([name, entries]) =>
    entries.map(([option]) => `${name} ${option}`),
  )
  expect([...new Set([...table, ...Object.keys(OTHERS)])].sort()).toEqual(options.flat().sort())
})

describe('a document that only its writer would have refused', () => {
  let origin = ''
  beforeAll(async () => {
    const world = await makeSeriesFolder()
    await scoreInto(world, 'first')
    origin = world.folder
    const by = new Hand(origin)
    const window = { from: DAYS[60]!.label, to: DAYS[119]!.label }
    by.write('plan.json', JSON.stringify({ ...PLAN, name: 'second', mode: 'backtest', window }))
    by.write('draft.json', JSON.stringify({ ...by.json(DOCUMENT), protocol_version: 'daily-2' }))
  })

  const cases = Object.entries(ENTRIES).flatMap(([name, entries]) =>
    entries.flatMap(([option, reads, run]) => reads.map((kind) => ({ name, option, kind, run }))),
  )
  it.each(cases)('$name, $option: $kind', async ({ kind, run }) => {
    const folder = join(temporaryFolder(), 'copy')
    cpSync(origin, folder, { recursive: true })
    FORGE[kind](new Hand(folder))
    if (typeof run !== 'string') {
      expect(run(folder)).toContain(kind === 'ledger' ? 'file-twice' : 'series-periods')
      return
    }
    const { code, stdout, stderr } = await inProcess(run.replaceAll('@', folder))
    expect(stdout + stderr).toContain(SAYS[kind])
    expect(code).toBe(1)
  })
})
