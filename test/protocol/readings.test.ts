import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { accessPath, accessText, appendAccess } from '../../src/evaluation/evidence/access.js'
import { rebaseLedger } from '../../src/gate/ledger-rebase.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import { chain, type LedgerEntry } from '../../src/protocol/rules/entry.js'
import { verifyLedger } from '../../src/protocol/verify.js'
import { codeOf } from '../contract/args-of.js'
import { HistoryScript } from '../gate/history-script.js'
import { temporaryFolder } from '../support/folder.js'
import { documentOf, draftText } from './sample.js'

const REGISTRATION = 'a'.repeat(64)
const DIGEST = 'd'.repeat(64)
let folder: string

beforeEach(() => {
  folder = temporaryFolder()
})

function freeze(version: string, hour = 0) {
  const now = checkedInstant(`2026-01-01T0${hour}:00:00Z`)
  return freezeProtocol(documentOf(draftText(version)), { folder, now }).entry as LedgerEntry
}

const read = (registration = REGISTRATION) =>
  appendAccess(accessPath(folder, registration), registration, () => ({
    ...{ event: 'outcomes_read', at: '2026-01-01T00:00:00Z', registration_sha256: registration },
    ...{ vintage_sha256: DIGEST, history_sha256: DIGEST, code_sha256: DIGEST },
    ...{ exploratory: false, result_sha256: null },
  }))
const found = () =>
  verifyLedger(folder)?.findings.map((each) => `${each.position?.line} ${codeOf(each)}`)

describe('the record of readings', () => {
  it('is named by the next entry of the ledger, and once', () => {
    expect(freeze('v1')).not.toHaveProperty('readings')
    const [first] = read()
    expect(freeze('v2').readings).toEqual([first?.entry_sha256])
    expect(freeze('v3')).not.toHaveProperty('readings')
    const [other] = read('b'.repeat(64))
    expect(freeze('v4').readings).toEqual([other?.entry_sha256])
    expect(found()).toEqual([])
  })

  it('may go on, and cannot lose what an entry names', () => {
    const path = accessPath(folder, REGISTRATION)
    const [first] = read()
    freeze('v1')
    const before = readFileSync(path, 'utf8')
    const second = { ...first!, at: '2026-01-02T00:00:00Z' }
    // Another reading in the place of the first, as sound as it was.
    const { seq: _s, previous: _p, entry_sha256: _e, ...fields } = second
    const forged = chain(fields as never, undefined) as unknown as typeof second
    writeFileSync(path, accessText([{ ...forged, previous: REGISTRATION }]))
    expect(found()).toEqual(['1 ledger-readings-gone'])
    writeFileSync(path, '')
    expect(found()).toEqual(['1 ledger-readings-gone'])
    writeFileSync(path, `${before}{"later":"another member"}\n`)
    expect(found()).toEqual([])
    expect(() => freeze('v2')).toThrow('the record of readings is broken')
    writeFileSync(path, before)
    freeze('v2')
    expect(found()).toEqual([])
  })
})

describe('times of a ledger', () => {
  it('cannot be written backwards', () => {
    freeze('v1', 3)
    expect(() => freeze('v2', 2)).toThrow(
      "this machine's clock says 2026-01-01T02:00:00Z, but the ledger is at 2026-01-01T03:00:00Z",
    )
    freeze('v2', 3)
    expect(found()).toEqual([])
  })

  it('go on by moved_at where one waited its turn, or a clock is up to 5 minutes behind', () => {
    freeze('v1', 3)
    // Five minutes before 3:00, and a microsecond more.
    const late = checkedInstant('2026-01-01T02:55:00Z')
    const freezeAt = (version: string, now: number) =>
      freezeProtocol(documentOf(draftText(version)), { folder, now }).entry
    expect(() => freezeAt('v2', late - 1)).toThrow('Z, but the ledger is at 2026-01-01T03:00:00Z')
    const placed = { frozen_at: '2026-01-01T02:55:00Z', moved_at: '2026-01-01T03:00:00Z' }
    expect(freezeAt('v2', late)).toMatchObject(placed)
    expect(found()).toEqual(['2 ledger-entry-moved'])
  })

  it('that run backwards are found in their line', () => {
    const [first, second] = [freeze('v1', 3), freeze('v2', 4)]
    const lines = [first, chain({ ...fieldsOf(second), frozen_at: '2026-01-01T02:59:59Z' }, first)]
    writeFileSync(
      join(folder, 'ledger.jsonl'),
      lines.map((each) => `${JSON.stringify(each)}\n`).join(''),
    )
    expect(found()).toEqual(['2 ledger-time-backwards'])
  })

  it('of two branches stay what they were, and each entry says when it came to its place', () => {
    const script = new HistoryScript(folder)
    const own = 'git init -q -b main, freeze v1, commit, git checkout -q -b own, freeze v2, commit'
    const other =
      'git checkout -q main, freeze v3, commit, git checkout -q own, conflict merge main'
    for (const step of `${own}, ${other}`.split(', ')) script.run(step)
    rebaseLedger({ cwd: folder, dir: 'protocols', base: 'main', env: {} })
    folder = join(folder, 'protocols')
    const { lines } = verifyLedger(folder)!
    expect(lines.map(({ entry }) => [entry.protocol_version, entry.moved_at])).toEqual([
      ['v1', undefined],
      ['v3', undefined],
      ['v2', '1970-01-01T00:00:03Z'],
    ])
    expect(found()).toEqual(['3 ledger-entry-moved'])
  })
})

function fieldsOf({ protocol_version, protocol_sha256, file }: LedgerEntry) {
  return { protocol_version, protocol_sha256, file, frozen_at: '' }
}
