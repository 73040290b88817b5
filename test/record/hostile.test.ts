import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { codeVersion } from '../../src/evaluation/code-version.js'
import { entryText, ledgerText } from '../../src/protocol/ledger-file.js'
import { fieldsOf, type LedgerEntry } from '../../src/protocol/rules/entry.js'
import { checkRecord } from '../../src/record/check.js'
import { temporaryFolder } from '../support/folder.js'
import { writeText } from '../support/text-file.js'
import { build, makeOrigin, type Origin, recordIn, saveLedger } from './disk.js'
import { day, MadeLedger } from './made-ledger.js'

let origin: Origin
beforeAll(async () => {
  origin = await makeOrigin()
}, 60_000)

let ledger: MadeLedger
beforeEach(() => {
  ledger = new MadeLedger(origin.templates)
})

/** The same entries behind others; those of which it says so keep their places as earlier ones. */
function again(entries: readonly LedgerEntry[], moved: ReadonlySet<LedgerEntry>, on: number) {
  const { registrations } = ledger
  const made = new MadeLedger(origin.templates)
  made.entries.length = 0
  for (const entry of entries) {
    const { seq, previous } = entry
    const place = { moved_at: day(on), moved_from: [{ seq, previous }] }
    made.append(fieldsOf(entry), moved.has(entry) ? place : {})
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
    ...{ folder: out, now, code: codeVersion(), ...more },
  })
  return { built, said: recordIn(out), record, findings, codes: findings.map(({ code }) => code) }
}

describe('a stamped ledger that is said to be rebased', () => {
  it('is named where the entry that another one followed was taken out', async () => {
    for (const name of ['one', 'two', 'three']) ledger.register({ candidates: [name] })
    for (const seq of [1, 2, 3, 4]) ledger.stamp(2, seq)
    const old = ledger
    const [frozen, one, , three] = ledger.entries as [LedgerEntry, ...LedgerEntry[]]
    ledger = again([frozen, one!, three!], new Set([three!]), 31)
    const { codes, built } = await shown(await saved(old))
    expect(codes).toContain('record-place')
    expect([built.code, built.stdout]).toEqual([
      1,
      expect.stringContaining('entry 3 was moved, but this ledger lacks what it followed before'),
    ])
  })

  it('is named where an entry was moved before others', async () => {
    for (const name of ['one', 'two']) ledger.register({ candidates: [name] })
    const [frozen, one, two] = ledger.entries as [LedgerEntry, ...LedgerEntry[]]
    ledger = again([frozen, two!, one!], new Set([one!, two!]), 31)
    const { findings } = await shown(await saved())
    expect(findings.filter(({ code }) => code === 'record-place')).toMatchObject([
      { args: { fault: 'number', entry: 2, found: '3' } },
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
    const fields = fieldsOf({ seq, previous, ...rest } as LedgerEntry)
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
