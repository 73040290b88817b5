import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkedInstant } from '../../src/contract/instant.js'
import { rebaseLedger } from '../../src/gate/ledger-rebase.js'
import { checkDraft, freezeProtocol } from '../../src/protocol/freeze.js'
import { loadFile } from '../../src/protocol/load.js'
import { accessPath, accessText, appendAccess } from '../../src/protocol/readings.js'
import {
  chain,
  type FrozenEntry,
  formerEntries,
  type LedgerEntry,
} from '../../src/protocol/rules/entry.js'
import { Verifier, verifyLedger } from '../../src/protocol/verify.js'
import { codeOf } from '../contract/args-of.js'
import { HistoryScript } from '../gate/history-script.js'
import { temporaryFolder } from '../support/folder.js'
import { documentOf, draftText, ownValue } from './sample.js'

let root: string
let folder: string
beforeEach(() => {
  root = temporaryFolder()
  folder = join(root, 'protocols')
})

const draft = (version: string, change: object = {}) => documentOf(draftText(version, change))

const freeze = (document: ReturnType<typeof draft>, more: object = {}) =>
  freezeProtocol(document, { folder, now: 0, ...more })

const files = () => readdirSync(folder).sort()

function verify(): string[] {
  const verifier = new Verifier()
  for (const name of files().filter((each) => each.endsWith('.json'))) {
    verifier.add(loadFile(join(folder, name)))
  }
  return verifier.findings.map((finding) => finding.code)
}

describe('freezeProtocol', () => {
  it('writes the protocol and its ledger line, which verify', () => {
    const first = freeze(draft('v1'))
    const second = freeze(draft('v2', { purpose: 'another' }), { supersedes: 'v1' })
    expect(files()).toEqual(['ledger.jsonl', 'v1.json', 'v2.json'])
    expect(first).toMatchObject({ created: true, entry: { seq: 1, file: 'v1.json' } })
    expect(second.entry).toMatchObject({ seq: 2, supersedes: 'v1' })
    expect(second.entry?.previous).toBe(first.entry?.entry_sha256)
    expect(verify()).toEqual([])
  })

  it('does nothing the second time, and refuses another content under a frozen version', () => {
    freeze(draft('v1'))
    const before = files().map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(freeze(draft('v1'))).toMatchObject({ created: false, entry: { seq: 1 } })
    expect(() => freeze(draft('v1', { purpose: 'x' }))).toThrow(/frozen with different content/)
    expect(files().map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before)
  })

  it('refuses a file in the way, also when its name differs in case alone', () => {
    freeze(draft('v1'))
    writeFileSync(join(folder, 'V2.json'), '{}')
    writeFileSync(join(folder, 'v3.json'), 'no JSON')
    expect(() => freeze(draft('v2'))).toThrow(/case/)
    expect(() => freeze(draft('v3'))).toThrow(/different content/)
    expect(files()).toEqual(['V2.json', 'ledger.jsonl', 'v1.json', 'v3.json'])
  })

  it('refuses to supersede what was not frozen, or itself', () => {
    freeze(draft('v1'))
    expect(() => freeze(draft('v2'), { supersedes: 'v0' })).toThrow(/no version v0/)
    expect(() => freeze(draft('v2'), { supersedes: 'v2' })).toThrow(/itself/)
    expect(files()).toEqual(['ledger.jsonl', 'v1.json'])
  })

  it('writes nothing beside a ledger that does not verify', () => {
    freeze(draft('v1'))
    const ledger = join(folder, 'ledger.jsonl')
    writeFileSync(ledger, readFileSync(ledger, 'utf8').replace('"seq":1', '"seq":2'))
    expect(() => freeze(draft('v2'))).toThrow(/does not verify/)
    expect(files()).toEqual(['ledger.jsonl', 'v1.json'])
  })

  it('completes what a crash between file and ledger left undone', () => {
    freeze(draft('v1'))
    rmSync(join(folder, 'ledger.jsonl'))
    expect(freeze(draft('v1'))).toMatchObject({ created: false, entry: { seq: 1 } })
    expect(verify()).toEqual([])
  })

  it('writes nothing in a dry run', () => {
    expect(freeze(draft('v1'), { dryRun: true })).toMatchObject({ created: true })
    expect(readdirSync(root)).toEqual([])
  })
})

describe('checkDraft', () => {
  it('takes a draft without a digest, or with any', () => {
    expect(checkDraft(draft('v1'))).toEqual([])
    expect(checkDraft(documentOf({ ...ownValue(), protocol_sha256: 'to come' }))).toEqual([])
  })

  it.each(['../x', 'a/b', '.hidden', 'con', 'NUL.1', 'x.', 'ä', ' v', 'x'.repeat(101)])(
    'refuses the version %s',
    (version) => {
      expect(checkDraft(draft(version)).map((finding) => finding.code)).toEqual(['version-unsafe'])
    },
  )

  it('reports every other fault', () => {
    const faults = checkDraft(draft('v1', { issue: 1, purpose: '', extra: true }))
    expect(faults.map((finding) => finding.pointer).sort()).toEqual([
      '/extra',
      '/issue',
      '/purpose',
    ])
  })
})

describe('Verifier', () => {
  it('compares with the ledger only what is sound in itself', () => {
    freeze(draft('v1'))
    const file = join(folder, 'v1.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('0.03', '0.02'))
    expect(verify()).toEqual(['digest-mismatch'])
    const other = freezeProtocol(draft('v1', { purpose: 'other' }), {
      folder: join(root, 'elsewhere'),
      now: 0,
    })
    writeFileSync(file, readFileSync(other.file))
    expect(verify()).toEqual(['ledger-digest-differs'])
    writeFileSync(join(folder, 'v9.json'), text)
    expect(verify()).toEqual(['ledger-digest-differs', 'ledger-entry-missing'])
    rmSync(file)
    expect(verify()).toEqual(['ledger-file-missing', 'ledger-entry-missing'])
  })
})

const REGISTRATION = 'a'.repeat(64)
const DIGEST = 'd'.repeat(64)

/** Freezes at an hour of the first day of 2026. */
const freezeAt = (version: string, hour = 0, micros = 0) =>
  freeze(draft(version), { now: checkedInstant(`2026-01-01T0${hour}:00:00Z`) + micros }).entry!

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
    expect(freezeAt('v1')).not.toHaveProperty('readings')
    const [first] = read()
    expect(freezeAt('v2').readings).toEqual([first?.entry_sha256])
    expect(freezeAt('v3')).not.toHaveProperty('readings')
    const [other] = read('b'.repeat(64))
    expect(freezeAt('v4').readings).toEqual([other?.entry_sha256])
    expect(found()).toEqual([])
  })

  it('may go on, and cannot lose what an entry names', () => {
    const path = accessPath(folder, REGISTRATION)
    const [first] = read()
    freezeAt('v1')
    const before = readFileSync(path, 'utf8')
    const second = { ...first!, at: '2026-01-02T00:00:00Z' }
    // Another reading in the place of the first, as sound as it was.
    const { seq: _s, previous: _p, entry_sha256: _e, ...fields } = second
    const forged = chain(fields as never, undefined) as unknown as typeof second
    writeFileSync(path, accessText([{ ...forged, previous: REGISTRATION }]))
    expect(found()).toEqual(['1 access-chain-broken', '1 ledger-readings-gone'])
    writeFileSync(path, '')
    expect(found()).toEqual(['1 ledger-readings-gone'])
    writeFileSync(path, `${before}{"later":"another member"}\n`)
    expect(found()).toEqual(['2 access-chain-broken'])
    expect(() => freezeAt('v2')).toThrow('the record of readings is broken')
    writeFileSync(path, before)
    freezeAt('v2')
    expect(found()).toEqual([])
  })
})

describe('times of a ledger', () => {
  it('go on by moved_at where one waited its turn, or a clock is up to 5 minutes behind', () => {
    freezeAt('v1', 3)
    const late = -300_000_000
    expect(() => freezeAt('v2', 3, late - 1)).toThrow(
      'Z, but the ledger is at 2026-01-01T03:00:00Z',
    )
    const placed = { frozen_at: '2026-01-01T02:55:00Z', moved_at: '2026-01-01T03:00:00Z' }
    expect(freezeAt('v2', 3, late)).toMatchObject(placed)
    expect(found()).toEqual(['2 ledger-entry-moved'])
  })

  it.each([
    ['in the future', '2099-01-01T00:00:00Z', '2 ledger-time-future moved /moved_at'],
    // Behind the first entry, and before its own time: the next one could be as early.
    ['before its own time', '2026-01-01T03:30:00Z', '2 ledger-time-backwards moved /moved_at'],
    ['at its own time', '2026-01-01T04:00:00Z', '2 ledger-time-backwards moved /moved_at'],
  ])('with a moved_at %s are found in their line', (_, moved_at, expected) => {
    const [first, later] = [freezeAt('v1', 3), freezeAt('v2', 4)]
    const fields = { ...fieldsOf(later), frozen_at: later.frozen_at }
    const second = chain(fields, first, { moved_at })
    writeFileSync(
      join(folder, 'ledger.jsonl'),
      [first, second].map((each) => `${JSON.stringify(each)}\n`).join(''),
    )
    const { findings } = verifyLedger(folder)!
    expect(
      findings.map((each) => `${each.position?.line} ${codeOf(each)} ${each.pointer}`),
    ).toEqual([expected])
  })

  it('of two branches stay what they were, and each entry says when it came to its place', () => {
    const script = new HistoryScript(root)
    const own = 'git init -q -b main, freeze v1, commit, git checkout -q -b own, freeze v2, commit'
    const other =
      'git checkout -q main, freeze v3, commit, git checkout -q own, conflict merge main'
    for (const step of `${own}, ${other}`.split(', ')) script.run(step)
    const ledger = execFileSync('git', ['show', 'HEAD:protocols/ledger.jsonl'], { cwd: root })
    const was = JSON.parse(ledger.toString().trimEnd().split('\n').at(-1) ?? '')
    rebaseLedger({ cwd: root, dir: 'protocols', base: 'main', env: {} })
    const { lines } = verifyLedger(folder)!
    expect(lines.map(({ entry }) => [entry.protocol_version, entry.moved_at])).toEqual([
      ['v1', undefined],
      ['v3', undefined],
      ['v2', '1970-01-01T00:00:03Z'],
    ])
    const [, , moved] = lines.map(({ entry }) => entry)
    expect(moved?.moved_from).toEqual([{ seq: was.seq, previous: was.previous }])
    expect(formerEntries(moved!)).toEqual([was])
    expect(found()).toEqual(['3 ledger-entry-moved'])
    // In order already: nothing is moved again.
    const again = rebaseLedger({ cwd: root, dir: 'protocols', base: 'main', env: {} })
    expect([again.changed, again.moved]).toEqual([false, [moved]])
  })

  const at = (second: number, version: string, supersedes?: string) =>
    freeze(draft(version), { now: second * 1e6, supersedes })

  /** Main freezes on, and another branch of its ledger too; they conflict. */
  function diverge(main: () => void, own: () => void = () => undefined) {
    const script = new HistoryScript(root)
    const run = (steps: string) => {
      for (const step of steps.split(', ')) script.run(step)
    }
    if (!existsSync(folder)) {
      run('git init -q -b main, freeze v1, commit, git checkout -q -b own')
    }
    own()
    run('commit, git checkout -q main')
    main()
    run('commit, git checkout -q own, conflict merge main')
  }
  const rebase = () => rebaseLedger({ cwd: root, dir: 'protocols', base: 'main', env: {} })

  it('keep the order of their places, however often they are moved', () => {
    // The clock of one machine is behind: v3 was made before v2, which it supersedes.
    const own = () => [at(100, 'v2'), at(40, 'v3', 'v2')]
    diverge(() => at(45, 'v4'), own)
    const places = () =>
      verifyLedger(folder)!.lines.map(({ entry }) => [
        entry.protocol_version,
        (entry.moved_from ?? []).map(({ seq }) => seq),
      ])
    rebase()
    expect(places()).toEqual([
      ['v1', []],
      ['v4', []],
      ['v2', [2]],
      ['v3', [3]],
    ])
    const before = verifyLedger(folder)!.lines.map(({ entry }) => entry.entry_sha256)
    diverge(() => at(200, 'v5'))
    rebase()
    expect(places()).toEqual([
      ['v1', []],
      ['v4', []],
      ['v5', []],
      ['v2', [2, 3]],
      ['v3', [3, 4]],
    ])
    const [, , , ...moved] = verifyLedger(folder)!.lines.map(({ entry }) => entry)
    expect(moved.map((entry) => formerEntries(entry)[1]?.entry_sha256)).toEqual(before.slice(2))
    expect(found()).toEqual(['4 ledger-entry-moved', '5 ledger-entry-moved'])
    expect(rebase().changed).toBe(false)
  })

  it('are not joined where an entry follows one that both made on their own', () => {
    diverge(
      () => at(45, 'v2'),
      () => [at(100, 'v2'), at(101, 'v3')],
    )
    const ledger = () => readFileSync(join(folder, 'ledger.jsonl'), 'utf8')
    const before = ledger()
    expect(rebase).toThrow(
      /an entry of this branch \(v3, to be entry 3\) follows one that main made/,
    )
    expect(ledger()).toBe(before)
  })

  it('have what both made on their own once, in the place of the base', () => {
    diverge(
      () => at(45, 'v2'),
      () => at(100, 'v2'),
    )
    expect(rebase().moved).toEqual([])
    expect(found()).toEqual([])
  })
})

function fieldsOf(entry: LedgerEntry) {
  const { protocol_version, protocol_sha256, file } = entry as FrozenEntry
  return { protocol_version, protocol_sha256, file, frozen_at: '' }
}
