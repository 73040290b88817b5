import { cpSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import type { Registration } from '../../src/contract/types.js'
import { digestWithout } from '../../src/document/digest.js'
import { readCodeVersion } from '../../src/evaluation/code-version.js'
import { entryText, ledgerText } from '../../src/protocol/ledger-file.js'
import {
  type EntryFields,
  type LedgerEntry,
  withoutPosition,
} from '../../src/protocol/rules/entry.js'
import { readLedger } from '../../src/protocol/rules/ledger.js'
import { checkRecord } from '../../src/record/check.js'
import { deriveRecord } from '../../src/record/derive.js'
import { gatherRecord } from '../../src/record/gather.js'
import { writeRecord } from '../../src/record/write.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { readText, writeText } from '../support/text-file.js'
import { build, makeOrigin, type Origin, recordIn, saveLedger } from './disk.js'
import { day, digestOf, MadeLedger } from './made-ledger.js'

let origin: Origin
beforeAll(async () => {
  origin = await makeOrigin()
}, 60_000)

let ledger: MadeLedger
beforeEach(() => {
  ledger = new MadeLedger(origin.templates)
})

/** The same entries behind others; those of which it says so keep their places as earlier ones. */
function again(
  entries: readonly LedgerEntry[],
  moved: ReadonlySet<LedgerEntry>,
  on: number,
  made = new MadeLedger(origin.templates),
) {
  const { registrations } = ledger
  made.entries.length = 0
  for (const entry of entries) {
    const { seq, previous } = entry
    const place = { moved_at: day(on), moved_from: [{ seq, previous }] }
    made.append(withoutPosition(entry), moved.has(entry) ? place : {})
  }
  for (const [digest, of] of registrations) made.registrations.set(digest, of)
  return made
}

/** Saves what a keeper shows, with the stamps of another ledger of his. */
async function saved(stamps?: MadeLedger): Promise<string> {
  const folder = temporaryFolder()
  await saveLedger(folder, ledger, origin)
  if (stamps !== undefined) {
    const other = temporaryFolder()
    await saveLedger(other, stamps, origin)
    renameSync(join(other, 'protocols', 'stamps'), join(folder, 'protocols', 'stamps'))
  }
  return folder
}

/** What the builder and a reader are told. */
async function shown(folder: string, more: Partial<Parameters<typeof checkRecord>[0]> = {}) {
  const built = await build(folder)
  const out = join(folder, 'record')
  const now = checkedInstant(day(60))
  const { findings, record } = await checkRecord({
    ...{ folder: out, now, code: readCodeVersion(), ...more },
  })
  return { built, said: recordIn(out), record, findings, codes: findings.map(({ code }) => code) }
}

/** Nobody gets a record, nor any other command a ledger. */
async function expectRefused(folder: string, says: string) {
  const built = await build(folder)
  expect([built.code, built.stderr]).toEqual([1, expect.stringContaining(says)])
  expect(existsSync(join(folder, 'record'))).toBe(false)
  const verified = await inProcess(['verify', join(folder, 'protocols')])
  expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining(says)])
}

describe('a stamped ledger that is said to be rebased', () => {
  it('is named where the entry that another one followed was taken out', async () => {
    for (const name of ['one', 'two', 'three']) ledger.register({ candidates: [name] })
    for (const seq of [1, 2, 3, 4]) ledger.stamp(2, seq)
    const old = ledger
    const [frozen, one, , three] = ledger.entries as [LedgerEntry, ...LedgerEntry[]]
    ledger = again([frozen, one!, three!], new Set([three!]), 31)
    await expectRefused(await saved(old), 'entry 3 (made-1) was moved, but this ledger lacks what')
  })

  it('is not named where it was rebased twice, each entry behind what it followed', () => {
    for (const name of ['one', 'two']) ledger.register({ candidates: [name] })
    let own = ledger.entries.slice(1)
    const upstream = new MadeLedger(origin.templates)
    for (const name of ['theirs', 'later']) {
      upstream.register({ candidates: [name], on: 2 })
      const made = new MadeLedger(origin.templates)
      made.entries.splice(0, 1, ...upstream.entries)
      for (const { seq, previous, moved_at, moved_from = [], ...rest } of own) {
        const place = { seq, previous, ...(moved_at && { moved_at }) }
        made.append(withoutPosition({ seq, previous, ...rest } as LedgerEntry), {
          ...{ moved_at: day(2), moved_from: [...moved_from, place] },
        })
      }
      own = made.entries.slice(upstream.entries.length)
      const bytes = Buffer.from(ledgerText(made.entries.map(entryText)))
      expect(readLedger(bytes, '').findings).toEqual([])
    }
    expect(own.map(({ seq, moved_from }) => [seq, moved_from?.map((each) => each.seq)])).toEqual([
      [4, [2, 3]],
      [5, [3, 4]],
    ])
  })

  it('is named where an entry was moved before others', async () => {
    for (const name of ['one', 'two']) ledger.register({ candidates: [name] })
    const [frozen, one, two] = ledger.entries as [LedgerEntry, ...LedgerEntry[]]
    ledger = again([frozen, two!, one!], new Set([one!, two!]), 31)
    const says = 'entry 2 (made-1) was moved, but it cannot have been entry 3 before'
    await expectRefused(await saved(), says)
  })
})

describe('an entry that was moved', () => {
  const moved = (seq: number) => {
    const [frozen, ...others] = ledger.entries as [LedgerEntry, ...LedgerEntry[]]
    const [last] = others.splice(seq - 2, 1) as [LedgerEntry]
    ledger = again([frozen, ...others, last], new Set([last]), 55, new MadeLedger())
  }
  const rows = () => deriveRecord(ledger.inputs(60)).registrations

  beforeEach(() => {
    ledger = new MadeLedger()
  })

  it('is overdue as if it had stayed, where others saw it there', () => {
    ledger.register({ candidates: ['one'] })
    ledger.stamp(2)
    const [seen] = ledger.stamps
    ledger.register({ candidates: ['two'] })
    moved(2)
    expect(rows().map(({ end }) => end)).toEqual(['overdue', 'awaiting_outcomes'])
    ledger.stamps.push({ ...seen!, alone: 3 })
    expect(rows().map(({ end }) => end)).toEqual(['overdue', 'overdue'])
  })

  it('comes behind the others where alpha is divided, as in score, but not if it was scored before', () => {
    const [digest = ''] = [20, 21].map((to) =>
      ledger.register({ candidates: ['one'], days: [10, to] }),
    )
    moved(2)
    const divisors = () => rows().map(({ seq, divisor }) => [seq, divisor])
    expect(divisors()).toEqual([
      [2, 1],
      [3, 6],
    ])
    const result = ledger.score(digest, 'eligible_for_human_review', 57)
    ledger.results.set(result, { ...ledger.results.get(result)!, divisor: 1 })
    expect(divisors()).toEqual([
      [2, 1],
      [3, 1],
    ])
  })
})

describe('an entry that was held back', () => {
  /** Stamped early on a branch that nobody saw, and appended when it pays. */
  async function heldBack(of: 'closing' | 'registration') {
    const digest = ledger.register({ candidates: ['one'] })
    ledger.stamp(2)
    const hidden = new MadeLedger(origin.templates)
    hidden.entries.splice(0, 1, ...ledger.entries)
    const other = of === 'closing' ? digest : hidden.register({ candidates: ['two'], on: 3 })
    if (of === 'closing') hidden.close(digest, 'abandoned', 3)
    hidden.stamp(4)
    const { seq, previous, ...rest } = hidden.entries.at(-1) as LedgerEntry
    const fields = withoutPosition({ seq, previous, ...rest } as LedgerEntry)
    const older = join(temporaryFolder(), 'older.jsonl')
    if (of === 'registration') {
      ledger.register({ candidates: ['three'], on: 5 })
      ledger.stamp(25)
    } else ledger.stamp(5, 2)
    writeText(older, ledgerText(ledger.entries.map(entryText)))
    ledger.append(fields, { moved_at: day(31), moved_from: [{ seq, previous }] })
    const made = hidden.registrations.get(other)
    if (made !== undefined) ledger.registrations.set(other, made)
    ledger.stamp(32)
    const folder = await saved()
    const branch = temporaryFolder()
    await saveLedger(branch, hidden, origin)
    cpSync(join(branch, 'protocols', 'stamps'), join(folder, 'protocols', 'stamps'), {
      recursive: true,
    })
    return { other, older, ...(await shown(folder, { against: older })) }
  }

  it('as a closing binds from its place in the chain', async () => {
    const { record } = await heldBack('closing')
    expect(record.registrations).toMatchObject([
      {
        end: 'closed',
        closing: { phase: 'after_outcomes', proved_at: expect.stringMatching(/^2026-02-02/) },
      },
    ])
  })

  it('as a registration is not shown earlier than others saw the ledger without it', async () => {
    const { record, other, codes } = await heldBack('registration')
    const row = record.registrations.find((each) => each.registration_sha256 === other)
    expect(row).toMatchObject({
      table: 'own_word',
      proved_at: expect.stringMatching(/^2026-01-26/),
    })
    expect(codes).toContain('record-held-back')
  })
})

describe('what a ledger and its files say of each other', () => {
  const edited = (digest: string, over: Partial<Registration>) => {
    const { registration_sha256: _, ...of } = ledger.registrations.get(digest)!
    return { ...of, ...over } as Registration
  }

  it.each([
    ['mode', { mode: 'backtest' }],
    ['first_inputs', { first_inputs: day(9) }],
    ['last_settled', { last_settled: day(90) }],
  ] as const)(
    'the %s of an entry that is not that of the file: no record is written, nor does one hold',
    async (member, other) => {
      ledger.register()
      const entry = ledger.entries[1]!
      ledger.entries.length = 1
      ledger.append({ ...withoutPosition(entry), ...other } as EntryFields)
      const folder = await saved()
      const pointer = member === 'mode' ? '/mode' : `/window/${member}`
      const expected = [{ code: 'registration-unentered', pointer }]
      const built = await build(folder)
      expect([built.code, built.stdout]).toEqual([
        1,
        expect.stringContaining('no record was written'),
      ])
      const out = join(folder, 'record')
      expect(existsSync(out)).toBe(false)
      // One who writes it with a program of his own.
      const [now, code] = [checkedInstant(day(60)), readCodeVersion()]
      const gathered = await gatherRecord({
        ...{ protocols: join(folder, 'protocols'), registrations: undefined, evidence: [] },
        ...{ isComplete: false, evidenceUrl: null, now, code },
      })
      writeRecord(gathered, out)
      expect((await checkRecord({ folder: out, now, code })).findings).toMatchObject(expected)
    },
  )

  it('a window without a last due time is named', async () => {
    const digest = ledger.register()
    const { window } = ledger.registrations.get(digest)!
    const fields = edited(digest, { window: { ...window, last_due: null } })
    const own = digestWithout(fields, 'registration_sha256')
    const entry = ledger.entries[1]!
    ledger.entries.length = 1
    ledger.append({ ...withoutPosition(entry), registration_sha256: own } as EntryFields)
    ledger.registrations.set(own, { ...fields, registration_sha256: own })
    const { codes } = await shown(await saved())
    expect(codes).toEqual(['record-window-open'])
  })

  it('a file of bad form at the path of the ledger is named, with the reason', async () => {
    ledger.register()
    const folder = await saved()
    writeText(join(folder, 'registrations', '2.json'), '{"registration_version":1}')
    const line = ['--protocols', join(folder, 'protocols'), '--out', join(folder, 'record')]
    const { code, stdout } = await inProcess(['record', ...line])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/2\.json was left out: it is not a registration, or was edited: /),
    ])
  })

  it('a registration that is not among those given is missing, though its path is known', async () => {
    const [one] = [ledger.register(), ledger.register()]
    const folder = await saved()
    const line = ['--protocols', join(folder, 'protocols'), '--out', join(folder, 'record')]
    const given = ['--registrations', join(folder, 'registrations', '2.json'), '--now', day(9)]
    expect((await inProcess(['record', ...line, ...given])).code).toBe(0)
    expect(recordIn(join(folder, 'record')).registrations).toMatchObject([
      { registration_sha256: one, end: 'announced' },
      { end: 'file_missing', name: null },
    ])
  })

  it.each([
    [
      'another window',
      (of: Registration) => ({ window: { ...of.window, to: day(15) } }),
      '/window/to',
    ],
    [
      'other candidates',
      () => ({ candidates: [{ name: 'x', source: 'history' }] }),
      '/candidates/0/name',
    ],
    [
      'another family',
      () => ({ family: { size: 1, sha256: digestOf(4), tests: [] } }),
      '/family/size',
    ],
  ] as const)('a result with %s is refused by the name of its folder', async (_, over, pointer) => {
    const digest = ledger.register()
    const { registrations } = ledger
    const own = registrations.get(digest)!
    registrations.set(digest, { ...own, ...over(own) } as Registration)
    ledger.score(digest, 'eligible_for_human_review')
    registrations.set(digest, own)
    const { code, stderr } = await build(await saved())
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`its result is not one of the registration: ${pointer}`),
    ])
    expect(stderr).toMatch(/evidence.[0-9a-f]{8}: /)
  })

  it('a result whose registration is not here does not count', async () => {
    const digest = ledger.register()
    ledger.score(digest, 'eligible_for_human_review')
    ledger.registrations.delete(digest)
    const { record, built } = await shown(await saved())
    expect(record.registrations).toMatchObject([{ end: 'result_withheld' }])
    expect(built.stdout).toContain('was left out: its registration is not here')
  })

  it('a result that was entered before its last outcome counted is refused', async () => {
    ledger.score(ledger.register(), 'eligible_for_human_review', 15)
    const { code, stderr } = await build(await saved())
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        `its result was entered at ${day(15)}, before its last outcome counted`,
      ),
    ])
  })
})

describe('what is told to those who build and check', () => {
  it('the page is checked, whoever is said to have drawn it', async () => {
    ledger.register()
    const folder = await saved()
    await build(folder)
    const out = join(folder, 'record')
    const file = join(out, 'record.json')
    writeText(file, readText(file).replace(readCodeVersion().sha256, digestOf(7)))
    const checked = async () => {
      const now = checkedInstant(day(60))
      const { findings } = await checkRecord({ folder: out, now, code: readCodeVersion() })
      return findings.map(({ code, severity }) => [code, severity])
    }
    expect(await checked()).toEqual([])
    writeText(join(out, 'index.html'), '<h1>All eligible</h1>')
    expect(await checked()).toEqual([['record-page-unchecked', 'error']])
  })

  it('a pattern that names nothing is a warning', async () => {
    ledger.register()
    const folder = await saved()
    const { code, stdout } = await build(folder)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/evidence.\* names nothing/)])
  })

  it('a record is not written into what it is made from', async () => {
    ledger.register()
    const folder = await saved()
    const protocols = join(folder, 'protocols')
    const line = ['record', '--protocols', protocols, '--out', join(protocols, 'record')]
    expect(await inProcess(line)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('lies in'),
    })
  })

  it('an older copy that is held is said; an empty or broken one is an error with its reason', async () => {
    ledger.register()
    const folder = await saved()
    await build(folder)
    const older = join(folder, 'older.jsonl')
    const line = ['record', 'check', join(folder, 'record'), '--against', older]
    writeText(older, ledgerText(ledger.entries.map(entryText)))
    expect((await inProcess(line)).stdout).toContain(`holds all 2 entries of ${older}`)
    writeText(older, '')
    expect(await inProcess(line)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is empty'),
    })
    writeText(older, '{}\n')
    const broken = await inProcess(line)
    expect([broken.code, broken.stderr]).toEqual([
      2,
      expect.stringMatching(/not a ledger that verifies: \w/),
    ])
    writeText(join(folder, 'record', 'record.json'), '{}')
    const { stderr } = await inProcess(['record', 'check', join(folder, 'record')])
    expect(stderr).toMatch(/is not a record: \w/)
  })
})
