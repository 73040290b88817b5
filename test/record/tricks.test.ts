import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { readCodeVersion } from '../../src/evaluation/code-version.js'
import { entryText, ledgerText } from '../../src/protocol/ledger-file.js'
import { checkRecord } from '../../src/record/check.js'
import { forestRows } from '../../src/record/pictures.js'
import type { ForeproofRecord } from '../../src/record/track-record.js'
import { chanceSentences, recordLines, unprovedSaid } from '../../src/record/words.js'
import { temporaryFolder } from '../support/folder.js'
import { inProcess } from '../support/in-process.js'
import { readText, writeText } from '../support/text-file.js'
import { build, makeOrigin, type Origin, recordIn, saveLedger } from './disk.js'
import { day, MadeLedger } from './made-ledger.js'

let origin: Origin
beforeAll(async () => {
  origin = await makeOrigin()
}, 60_000)

const HALF_OF_ALPHA = 0.025
const MODELS = 10

/** Ten evaluations without skill, registered and stamped before their window: one came out eligible. */
let ledger: MadeLedger
let digests: string[]
beforeEach(() => {
  ledger = new MadeLedger(origin.templates)
  digests = Array.from({ length: MODELS }, () => ledger.register())
  ledger.stamp(2)
})
const scoreAll = () =>
  digests.map((digest, at) =>
    ledger.score(digest, at === 0 ? 'eligible_for_human_review' : 'inconclusive'),
  )

/** What a reader sees of the ledger as its keeper shows it, and what the check says. */
async function shown(
  options: { readonly reader?: number; readonly edit?: (folder: string) => void } & Partial<
    Parameters<typeof checkRecord>[0]
  > = {},
) {
  const { reader = 60, edit, ...more } = options
  const folder = temporaryFolder()
  await saveLedger(folder, ledger, origin)
  const built = await build(folder)
  expect(built.stderr).toBe('')
  const record = join(folder, 'record')
  edit?.(record)
  const now = checkedInstant(day(reader))
  const checked = await checkRecord({ folder: record, now, code: readCodeVersion(), ...more })
  return {
    folder,
    said: recordIn(record),
    record: checked.record,
    codes: checked.findings.map(({ code }) => code),
  }
}

/** What is stated of chance does not change, however the keeper hides nine of ten. */
function expectAll({ chance }: ForeproofRecord) {
  expect(chance).toMatchObject({ evaluations: MODELS, eligible: 1 })
  expect(chance.expected_at_most).toBeCloseTo(MODELS * HALF_OF_ALPHA, 12)
}

describe('tricks of a dishonest keeper', () => {
  it('1: results that he does not like are left out', async () => {
    for (const result of scoreAll().slice(1)) ledger.results.delete(result)
    const { record, codes } = await shown()
    expectAll(record)
    expect(record.counts.shown_by_others).toMatchObject({ scored: 1, result_withheld: 9 })
    expect(chanceSentences(record)[0]).toContain('(1 scored and 9 result withheld)')
    expect(codes).toEqual([])
  })

  it('2: files of registrations that he does not like are left out', async () => {
    ledger.score(digests[0]!, 'eligible_for_human_review')
    for (const digest of digests.slice(1)) ledger.registrations.delete(digest)
    const { record } = await shown()
    expectAll(record)
    expect(record.counts.shown_by_others).toMatchObject({ scored: 1, file_missing: 9 })
  })

  it('3: what looks bad is closed as void, also with a time before its window', async () => {
    ledger.score(digests[0]!, 'eligible_for_human_review')
    for (const digest of digests.slice(1)) ledger.close(digest, 'void', 31)
    // By a clock that was set back nothing is cancelled: the entry above is later.
    const { record } = await shown()
    expectAll(record)
    expect(record.counts.shown_by_others).toMatchObject({ scored: 1, closed: 9, cancelled: 0 })
    expect(record.registrations[1]?.closing?.phase).toBe('after_outcomes')
    const back = new MadeLedger(origin.templates)
    const digest = back.register()
    back.stamp(2)
    back.close(digest, 'void', 5)
    ledger = back
    const { record: early } = await shown()
    expect(early.registrations[0]).toMatchObject({ end: 'closed', closing: { proved_at: null } })
  })

  it('4: outcomes are read, and the run is broken off', async () => {
    ledger.score(digests[0]!, 'eligible_for_human_review')
    for (const digest of digests.slice(1)) ledger.read(digest, 1)
    // The next entry of the ledger names the readings.
    ledger.register({ days: [100, 110], on: 31 })
    const { record } = await shown()
    expectAll(record)
    expect(record.counts.shown_by_others).toMatchObject({ scored: 1, broken_off: 9 })
    for (const digest of digests.slice(1)) ledger.readings.delete(digest)
    const folder = temporaryFolder()
    await saveLedger(folder, ledger, origin)
    const built = await build(folder)
    expect([built.code, built.stdout + built.stderr]).toEqual([
      1,
      expect.stringContaining('names 9 readings of outcomes that no record beside the ledger has'),
    ])
  })

  it('5: the ledger is begun anew with the good one alone', async () => {
    scoreAll()
    const folder = temporaryFolder()
    await saveLedger(folder, ledger, origin)
    const against = join(folder, 'protocols', 'ledger.jsonl')
    const log = join(folder, 'checkpoints.json')
    const registrations = ledger.entries.slice(1, 11).map(({ entry_sha256 }) => entry_sha256)
    const checkpoints = [{ size: 10, authorities: ['tsa'] }]
    writeText(log, JSON.stringify({ origin: 'example.org/made', checkpoints, registrations }))
    const old = ledger.entries.length
    ledger = new MadeLedger(origin.templates)
    ledger.score(ledger.register(), 'eligible_for_human_review')
    ledger.stamp(35)
    const alone = await shown()
    expect(alone.codes).toEqual([])
    // It was first seen by others after the window.
    expect(alone.record).toMatchObject({
      counts: { own_word: { scored: 1 } },
      ledger: { first_seen: { time: expect.stringMatching(/^2026-02-05/) } },
    })
    const held = await shown({ against })
    expect(held.codes).toHaveLength(old - 2)
    expect(new Set(held.codes)).toEqual(new Set(['record-ledger-lacks']))
    const { codes } = await shown({ log })
    expect(codes).toEqual(Array.from({ length: 9 }, () => 'record-log-unlisted'))
  })

  it('6: the evidence of a later reading takes the place of the first', async () => {
    const first = ledger.score(digests[0]!, 'negative')
    ledger.score(digests[0]!, 'eligible_for_human_review', 32, 2)
    ledger.results.delete(first)
    const { record } = await shown()
    expect(record.registrations[0]).toMatchObject({ end: 'result_withheld' })
    expect(record.chance.eligible).toBe(0)
    expect(record.foreign_evidence).toHaveLength(1)
  })

  it('6b: the later reading is entered first, or not at all', async () => {
    const first = ledger.score(digests[0]!, 'negative')
    const later = ledger.score(digests[0]!, 'eligible_for_human_review', 32, 2)
    ledger.entries.splice(-2)
    for (const result of [later, first]) ledger.enterResult(digests[0]!, result, 33)
    const { record, codes } = await shown()
    expect(codes).toContain('result-order')
    expect(record.chance.eligible).toBe(0)
    expect(forestRows(record)).toEqual([])
    ledger.entries.splice(-2)
    ledger.readings.clear()
    expect((await shown()).codes).toEqual(['result-not-in-ledger', 'result-not-in-ledger'])
  })

  it('7: a window whose outcomes were known is called prospective', async () => {
    ledger.score(ledger.register({ on: 40 }), 'eligible_for_human_review', 42)
    ledger.stamp(41, 12)
    const { record } = await shown()
    expect(record.registrations[10]).toMatchObject({ table: 'own_word', end: 'scored' })
    expect(record.chance.eligible).toBe(0)
  })

  it('8: the page says that it was built a year ago, when nothing was overdue', async () => {
    const built = (record: string) => {
      for (const name of ['record.json', 'index.html']) {
        const text = readText(join(record, name))
        writeText(join(record, name), text.replaceAll(day(60), '2025-03-02T00:00:00Z'))
      }
    }
    const { record, codes } = await shown({ edit: built })
    expect(codes).toContain('record-time')
    expect(record.counts.shown_by_others.overdue).toBe(MODELS)
    const later = await shown({ reader: 400 })
    expect([later.codes, later.record.built_at]).toEqual([[], day(400)])
  })

  it('9: stamps of what looks bad are left out', async () => {
    scoreAll()
    // Those of the ten lie in one token; without it the good one is by his own word, too.
    ledger.stamps.length = 0
    const { record } = await shown()
    expect(record.counts).toMatchObject({
      own_word: { scored: MODELS },
      shown_by_others: { scored: 0 },
    })
    expect(unprovedSaid(record)).toContain('10 registrations of the second table asked for proof')
    // A stamp of each by itself hides nothing: that it is not here is said.
    ledger.stamp(2, 2)
    const one = await shown()
    expect(one.record.chance).toMatchObject({ evaluations: 1, eligible: 1 })
    expect(unprovedSaid(one.record)).toContain('9 registrations')
  })

  it('10: an authority is his own', async () => {
    scoreAll()
    const { readReaderAnchors } = await import('../../src/time/target.js')
    const other = await makeOtherAnchors()
    const { record, said } = await shown({ anchors: readReaderAnchors(other) })
    expect(said.counts.shown_by_others.scored).toBe(MODELS)
    expect(record.counts).toMatchObject({
      own_word: { scored: MODELS },
      shown_by_others: { scored: 0 },
    })
    expect(record.ledger).toMatchObject({ first_seen: null, whole_to: null })
  })

  it('11: a correction shows the better result', async () => {
    const first = ledger.score(digests[0]!, 'negative')
    const second = ledger.score(digests[0]!, 'eligible_for_human_review', 32, 2)
    ledger.correct(digests[0]!, first, second)
    const { record, codes } = await shown()
    expect([record.chance.eligible, codes]).toEqual([0, []])
    expect(record.registrations[0]).toMatchObject({
      result: { result_sha256: first },
      corrections: [{ changed: ['outcomes'] }],
    })
    // Nothing was changed.
    const third = ledger.score(digests[1]!, 'negative', 41)
    ledger.correct(digests[1]!, third, third, 42)
    expect((await shown()).codes).toEqual(['record-correction-empty'])
  })

  it('12: one question is registered again and again', async () => {
    ledger = new MadeLedger(origin.templates)
    digests = Array.from({ length: MODELS }, () => ledger.register({ candidates: ['one'] }))
    ledger.stamp(2)
    scoreAll()
    const { record } = await shown()
    const shares = digests.map((_, at) => HALF_OF_ALPHA / (at === 0 ? 1 : (at + 1) * (at + 2)))
    const sum = shares.reduce((total, each) => total + each, 0)
    expect(record.chance.expected_at_most).toBeCloseTo(sum, 12)
    expect(record.counts.shown_by_others.scored).toBe(MODELS)
  })
})

/** The anchor of an authority that stamped nothing. */
async function makeOtherAnchors(): Promise<string> {
  const { witnesses } = await import('../evaluation/stamped-world.js')
  const { byName } = await witnesses('other')
  const folder = temporaryFolder()
  writeText(join(folder, 'other.pem'), byName.get('other')!.anchorPem)
  return folder
}

describe('honest keepers', () => {
  it('whose repository moved: registrations are found by their digests', async () => {
    scoreAll()
    const folder = temporaryFolder()
    await saveLedger(folder, ledger, origin)
    renameSync(join(folder, 'registrations'), join(folder, 'old'))
    const [some] = [join(folder, 'old', '*')]
    const out = ['--out', join(folder, 'record'), '--now', day(60)]
    const line = ['record', '--protocols', join(folder, 'protocols'), ...out]
    const evidence = ['--evidence', join(folder, 'evidence', '*')]
    expect((await inProcess([...line, ...evidence, '--registrations', some])).code).toBe(0)
    expect(recordIn(join(folder, 'record')).counts.shown_by_others.scored).toBe(MODELS)
  })

  it('of whom two registered at the same time: a moved entry keeps its stamps', async () => {
    const mine = new MadeLedger(origin.templates)
    const digest = mine.register()
    mine.stamp(2)
    // Another branch came first.
    ledger = new MadeLedger(origin.templates)
    ledger.register({ candidates: ['theirs'], on: 2 })
    const [, entry] = mine.entries
    const {
      seq,
      previous,
      entry_sha256: _,
      ...fields
    } = entry as unknown as Record<string, unknown>
    const from = { seq, previous } as { seq: number; previous: string }
    ledger.append(fields as never, { moved_at: day(2), moved_from: [from] })
    ledger.registrations.set(digest, mine.registrations.get(digest)!)
    const folder = temporaryFolder()
    await saveLedger(folder, ledger, origin)
    const stamps = temporaryFolder()
    await saveLedger(stamps, mine, origin)
    renameSync(join(stamps, 'protocols', 'stamps'), join(folder, 'protocols', 'stamps'))
    expect((await build(folder)).code).toBe(0)
    const [theirs, moved] = recordIn(join(folder, 'record')).registrations
    expect(theirs).toMatchObject({ table: 'own_word', moved_from: null })
    expect(moved).toMatchObject({ table: 'shown_by_others', moved_from: 2, seq: 3 })
    expect((await inProcess(['record', 'check', join(folder, 'record')])).code).toBe(0)
  })

  it('who cancel in time: it is no evaluation, and not registered before', async () => {
    ledger = new MadeLedger(origin.templates)
    const digest = ledger.register({ candidates: ['one'] })
    ledger.close(digest, 'abandoned', 3)
    ledger.stamp(4)
    ledger.score(ledger.register({ candidates: ['one'], days: [12, 20], on: 5 }), 'inconclusive')
    ledger.stamp(6, 4)
    const { record, codes } = await shown()
    expect(codes).toEqual([])
    expect(record.registrations).toMatchObject([
      { end: 'cancelled', alpha_share: 0 },
      { end: 'scored', divisor: 1, table: 'shown_by_others' },
    ])
    expect(record.chance.evaluations).toBe(1)
  })

  it('who give the results only: nothing is missing, and the check says that it holds', async () => {
    scoreAll()
    const { codes, record, folder } = await shown()
    expect([codes, record.counts.shown_by_others.scored]).toEqual([[], MODELS])
    expect(recordLines(record)).toContain('Shown by others: 10 (10 scored)')
    // An older copy of an honest ledger is contained in it.
    const older = join(folder, 'older.jsonl')
    writeText(older, ledgerText(ledger.entries.slice(0, 8).map(entryText)))
    const line = ['record', 'check', join(folder, 'record'), '--against', older]
    expect((await inProcess(line)).code).toBe(0)
  })

  it('of a series that was delisted: the forecasts without an outcome are said', async () => {
    const { reading } = origin.templates.result
    const accounting = reading.accounting.map((of) => ({ ...of, without_outcome: 7 }))
    const result = { ...origin.templates.result, reading: { ...reading, accounting } }
    ledger = new MadeLedger({ ...origin.templates, result })
    ledger.score(ledger.register(), 'inconclusive')
    const { record, codes } = await shown()
    expect(codes).toEqual([])
    expect(record.registrations[0]?.result?.candidates).toMatchObject([{ without_outcome: 7 }])
  })
})
