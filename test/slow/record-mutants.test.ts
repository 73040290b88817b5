import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ForeproofError } from '../../src/contract/error.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { canonicalize } from '../../src/document/canonical.js'
import { readCodeVersion } from '../../src/evaluation/code-version.js'
import { resultDigest } from '../../src/evaluation/result-digest.js'
import { checkRecord } from '../../src/record/check.js'
import { recordText } from '../../src/record/files.js'
import { recordPage } from '../../src/record/page.js'
import type { ForeproofRecord } from '../../src/record/track-record.js'
import { build, makeOrigin, recordIn, saveLedger } from '../record/disk.js'
import { everyEnd } from '../record/every-end.js'
import { day, MadeLedger } from '../record/made-ledger.js'
import { temporaryFolder } from '../support/folder.js'
import { readText, writeText } from '../support/text-file.js'

let keeper: string
beforeAll(async () => {
  const origin = await makeOrigin()
  const ledger = new MadeLedger(origin.templates)
  everyEnd(ledger)
  keeper = temporaryFolder()
  await saveLedger(keeper, ledger, origin)
  expect((await build(keeper)).code).toBe(0)
}, 120_000)

/**
 * How a change ends: the record cannot be read or built any more, the check names it, the page shows other numbers, or
 * nothing that is said changes.
 */
type Ends = 'refused' | 'named' | 'numbers' | 'nothing'

type Change = (folder: string) => void
type Mutant = readonly [name: string, change: Change]

const linesOf = (file: string) => readText(file).trimEnd().split('\n')
const writeLines = (file: string, lines: readonly string[]) =>
  writeText(file, lines.map((line) => `${line}\n`).join(''))
/** Changes the lines of a file. */
const inLines =
  (path: string, change: (lines: string[]) => readonly string[]): Change =>
  (folder) => {
    const file = join(folder, path)
    writeLines(file, change(linesOf(file)))
  }
/** The n-th entry of a folder, from 0, which must be there. */
const nth = (folder: string, part: string, number: number): string => {
  const name = readdirSync(join(folder, part)).sort()[number]
  if (name === undefined) throw new Error(`${part} has no ${number}`)
  return join(part, name)
}
const remove =
  (part: string, number: number): Change =>
  (folder) =>
    rmSync(join(folder, nth(folder, part, number)), { recursive: true })
const edit =
  (path: string, from: string | RegExp, to: string): Change =>
  (folder) => {
    const file = join(folder, path)
    const text = readText(file)
    const edited = text.replace(from, to)
    expect(edited).not.toBe(text)
    writeText(file, edited)
  }
const count = (length: number) => Array.from({ length }, (_, at) => at)

const LEDGER = 'protocols/ledger.jsonl'
/** A line of every kind: frozen, registered, closed, result, corrected. */
const KINDS = [0, 1, 13, 17, 25]

const ofLedger: readonly Mutant[] = [
  ...count(26).map(
    (at): Mutant => [
      `ledger line ${at + 1} deleted`,
      inLines(LEDGER, (lines) => lines.toSpliced(at, 1)),
    ],
  ),
  ...KINDS.flatMap((at): readonly Mutant[] => [
    [
      `ledger line ${at + 1} edited`,
      inLines(LEDGER, (lines) => lines.with(at, lines[at]!.replace('2026-0', '2025-0'))),
    ],
    [
      `ledger line ${at + 1} moved up`,
      inLines(LEDGER, (lines) => {
        const other = Math.max(1, at)
        return lines.with(other - 1, lines[other]!).with(other, lines[other - 1]!)
      }),
    ],
    [
      `ledger line ${at + 1} duplicated`,
      inLines(LEDGER, (lines) => lines.toSpliced(at, 0, lines[at]!)),
    ],
  ]),
]

/** Edits one member of record.json, and draws the page again as the forger would. */
const ofRecord = (name: string, change: (record: Forged) => void): Mutant => [
  `record.json: ${name}`,
  (folder) => {
    const record = recordIn(folder) as Forged
    change(record)
    writeText(join(folder, 'record.json'), recordText(record as ForeproofRecord))
    writeText(join(folder, 'index.html'), recordPage(record as ForeproofRecord))
  },
]
// biome-ignore lint/suspicious/noExplicitAny: a forger writes anything
type Anything = any
type Forged = { -readonly [K in keyof ForeproofRecord]: Anything }

const reseal =
  (number: number, change: (result: Anything) => void): Change =>
  (folder) => {
    const file = join(folder, nth(folder, 'evidence', number), 'result.json')
    const result = JSON.parse(readText(file))
    change(result)
    writeText(file, `${canonicalize({ ...result, result_sha256: resultDigest(result) })}\n`)
  }
const eligible = (result: Anything) => {
  result.reading.dispositions[0].disposition = 'eligible_for_human_review'
  result.inputs.history.rows += 1
}

/** Changes of the folder that `record` wrote, which its check must name. */
const IN_THE_FOLDER: readonly Mutant[] = [
  ...ofLedger,
  ['ledger line 27, the last, deleted', inLines(LEDGER, (lines) => lines.slice(0, -1))],
  ['ledger cut to half', inLines(LEDGER, (lines) => lines.slice(0, 13))],
  ['ledger gone', (folder) => rmSync(join(folder, LEDGER))],
  ['protocol edited', edit('protocols/made-1.json', '"alpha"', '"beta"')],
  ...count(14).map((at): Mutant => [`registration ${at} deleted`, remove('registrations', at)]),
  [
    'a registration edited',
    (folder) =>
      edit(nth(folder, 'registrations', 3), /"name": "evaluation/, '"name": "other')(folder),
  ],
  [
    'two registrations exchanged',
    (folder) => {
      const [a, b] = [nth(folder, 'registrations', 0), nth(folder, 'registrations', 1)]
      const [one, other] = [readText(join(folder, a)), readText(join(folder, b))]
      writeText(join(folder, a), other)
      writeText(join(folder, b), one)
    },
  ],
  [
    'a registration duplicated',
    (folder) =>
      cpSync(
        join(folder, nth(folder, 'registrations', 0)),
        join(folder, 'registrations/copy.json'),
      ),
  ],
  ...count(6).flatMap((at): readonly Mutant[] => [
    [`evidence ${at} deleted`, remove('evidence', at)],
    [
      `evidence ${at} edited`,
      (folder) =>
        edit(join(nth(folder, 'evidence', at), 'result.json'), '"rows":', '"rows":1')(folder),
    ],
    [`evidence ${at} edited with its digest`, reseal(at, eligible)],
  ]),
  [
    'evidence duplicated',
    (folder) =>
      cpSync(join(folder, nth(folder, 'evidence', 0)), join(folder, 'evidence/copy'), {
        recursive: true,
      }),
  ],
  ...count(7).flatMap((at): readonly Mutant[] => [
    [`readings ${at} deleted`, remove('protocols/access', at)],
    [
      `readings ${at} cut`,
      (folder) =>
        inLines(nth(folder, 'protocols/access', at), (lines) => lines.slice(0, -1))(folder),
    ],
    [
      `readings ${at} edited`,
      (folder) => edit(nth(folder, 'protocols/access', at), '"at":"2026', '"at":"2025')(folder),
    ],
  ]),
  ...count(5).map((at): Mutant => [`stamp ${at} deleted`, remove('protocols/stamps', at)]),
  ['anchors deleted', remove('protocols/anchors', 0)],
  [
    'a stamp laid at another entry',
    (folder) => {
      const [a, b] = [nth(folder, 'protocols/stamps', 0), nth(folder, 'protocols/stamps', 1)]
      cpSync(join(folder, a), join(folder, b), { recursive: true })
    },
  ],
  ['page edited', edit('index.html', 'result withheld', 'scored')],
  ['page gone', (folder) => rmSync(join(folder, 'index.html'))],
  ['a file added', (folder) => writeText(join(folder, 'verdict.html'), 'eligible')],
  ['record.json in another spelling', edit('record.json', '{', '{ ')],
  ofRecord('an end', (record) => (record.registrations[3].end = 'announced')),
  ofRecord('a table', (record) => (record.registrations[14].table = 'shown_by_others')),
  ofRecord('a registration less', (record) => record.registrations.splice(2, 1)),
  ofRecord('two registrations in another order', (record) => record.registrations.reverse()),
  ofRecord('a registration twice', (record) => record.registrations.push(record.registrations[0])),
  ofRecord(
    'a verdict',
    (record) => (record.registrations[1].result.candidates[0].verdict = 'Fine'),
  ),
  ofRecord('a count', (record) => (record.counts.shown_by_others.closed = 0)),
  ofRecord('the chance', (record) => (record.chance.expected_at_most = 0.01)),
  ofRecord('the eligible', (record) => (record.chance.eligible = 3)),
  ofRecord('a closing', (record) => (record.registrations[6].closing.phase = 'before_window')),
  ofRecord('a reason', (record) => (record.registrations[6].closing.reason = 'a flood')),
  ofRecord('no correction', (record) => (record.registrations[1].corrections = [])),
  ofRecord('a divisor', (record) => (record.registrations[0].divisor = 1000)),
  ofRecord('readings', (record) => (record.registrations[3].readings.count = 0)),
  ofRecord('a proof', (record) => (record.registrations[13].proved_at = day(13))),
  ofRecord('whole to', (record) => (record.ledger.whole_to.entry = 99)),
  ofRecord('the beginning', (record) => (record.ledger.begins = day(-900))),
  ofRecord('built a year ago', (record) => (record.built_at = day(-305))),
  ofRecord('built in the future', (record) => (record.built_at = day(6000))),
  ofRecord('a name', (record) => (record.registrations[0].name = 'the best of all')),
]

/** Changes that a keeper makes before he builds the record: the check passes, so the numbers must show them. */
const BY_THE_KEEPER: readonly (readonly [...Mutant, Ends])[] = [
  ...count(14).map(
    (at) => [`registration ${at} left out`, remove('registrations', at), 'numbers'] as const,
  ),
  ...count(6).map((at) => [`evidence ${at} left out`, remove('evidence', at), 'numbers'] as const),
  ...count(7).map(
    (at) => [`readings ${at} left out`, remove('protocols/access', at), 'refused'] as const,
  ),
  ...count(5).map(
    (at) => [`stamp ${at} left out`, remove('protocols/stamps', at), 'numbers'] as const,
  ),
  ['the correction taken back', inLines(LEDGER, (lines) => lines.slice(0, -1)), 'numbers'],
  ['a result taken back', inLines(LEDGER, (lines) => lines.slice(0, -3)), 'numbers'],
  ['all results taken back', inLines(LEDGER, (lines) => lines.slice(0, 18)), 'numbers'],
  ['a registration entered no more', inLines(LEDGER, (lines) => lines.toSpliced(3, 1)), 'refused'],
]

/** How a change of a record's folder ends for a reader. */
async function endFor(folder: string, before?: ForeproofRecord): Promise<Ends> {
  try {
    const now = checkedInstant(day(60))
    const { findings } = await checkRecord({ folder, now, code: readCodeVersion() })
    if (before === undefined || findings.some(({ severity }) => severity === 'error')) {
      return findings.length > 0 ? 'named' : 'nothing'
    }
    const said = ({ registrations, counts, chance, ledger }: ForeproofRecord) =>
      JSON.stringify({ registrations, counts, chance, to: ledger.whole_to })
    return said(recordIn(folder)) === said(before) ? 'nothing' : 'numbers'
  } catch (error) {
    if (error instanceof ForeproofError && error.code !== 'bug') return 'refused'
    throw error
  }
}

describe('a record that was edited', () => {
  it('is at least a hundred mutants', () => {
    expect(IN_THE_FOLDER.length + BY_THE_KEEPER.length).toBeGreaterThan(100)
  })

  it.each(IN_THE_FOLDER)('%s', async (_, change) => {
    const folder = join(temporaryFolder(), 'record')
    cpSync(join(keeper, 'record'), folder, { recursive: true })
    change(folder)
    expect(['refused', 'named']).toContain(await endFor(folder))
  })

  it('passes as it was written', async () => {
    expect(await endFor(join(keeper, 'record'))).toBe('nothing')
  })
})

describe('a record of a ledger that was pruned', () => {
  it.each(BY_THE_KEEPER)('%s', async (_, change, ends) => {
    const folder = temporaryFolder()
    cpSync(keeper, folder, { recursive: true })
    const record = join(folder, 'record')
    const before = recordIn(record)
    rmSync(record, { recursive: true })
    change(folder)
    const { code } = await build(folder)
    expect(code === 0).toBe(existsSync(record))
    expect(code === 0 ? await endFor(record, before) : 'refused').toBe(ends)
  })
})
