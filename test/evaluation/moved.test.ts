import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/contract/findings/finding.js'
import {
  formatUtc,
  type Instant,
  instantOrNaN,
  MICROS_PER_SECOND,
} from '../../src/contract/instant.js'
import { digestWithout } from '../../src/document/digest.js'
import { enterRegistration } from '../../src/evaluation/enter-registration.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { runGate } from '../../src/gate/gate.js'
import { rebaseLedger } from '../../src/gate/ledger-rebase.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import {
  entryText,
  ledgerPath,
  ledgerText,
  readLedgerFile,
} from '../../src/protocol/ledger-file.js'
import { compileRules } from '../../src/protocol/rules/compile.js'
import {
  chain,
  entryDigests,
  type LedgerEntry,
  withoutPosition,
} from '../../src/protocol/rules/entry.js'
import { verifyLedger } from '../../src/protocol/verify.js'
import { createRegistration } from '../../src/registration/build.js'
import { ledgerLevels } from '../../src/time/level.js'
import { countsFrom } from '../../src/time/registration-time.js'
import { readStamps } from '../../src/time/token-file.js'
import { codeOf } from '../contract/args-of.js'
import { GIT_ENVIRONMENT } from '../gate/history-script.js'
import { documentOf, draftText } from '../protocol/sample.js'
import { BY_VERDICT } from '../registration/made.js'
import { audited, scoreCodes, scoreInto } from './score-into.js'
import { makeStampedWorld, witnesses } from './stamped-world.js'
import { at, copyOf, makeWorld, plan, type World } from './world.js'

/** Puts the registration of a world into its ledger as `ledger rebase` does, from this time on. */
function moved(world: World, moved_at: string): World {
  const other = copyOf(world)
  const file = ledgerPath(join(other.folder, 'protocols'))
  const entries = readLedgerFile(file)!.lines.map(({ entry }) => entry)
  const own = entries.pop()!
  const entry = chain(withoutPosition(own), entries.at(-1), { moved_at })
  writeFileSync(file, ledgerText([...entries, entry].map((each) => entryText(each as never))))
  return other
}

/** Another branch freezes a protocol. */
const freezes = (frozenAt: string) => (copy: World) => {
  const draft = documentOf(draftText('theirs'))
  freezeProtocol(draft, { folder: copy.paths.protocol, now: at(frozenAt) })
}

/** Another branch did something; this one merges it, and its ledger puts what it has behind. */
function merged(world: World, does: (copy: World) => void): World {
  const copy = copyOf(world)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: copy.folder, env: GIT_ENVIRONMENT, stdio: 'pipe' })
  const file = ledgerPath(copy.paths.protocol)
  const own = readFileSync(file, 'utf8')
  const [first = ''] = own.split('\n')
  git('init', '-q', '-b', 'main')
  writeFileSync(join(copy.folder, '.gitignore'), 'history.sqlite\nraw\nvintage\n')
  writeFileSync(file, `${first}\n`)
  git('add', '-A')
  git('commit', '-qm', 'base')
  git('checkout', '-qb', 'own')
  writeFileSync(file, own)
  git('commit', '-qam', 'own')
  git('checkout', '-q', 'main')
  does(copy)
  git('add', '-A')
  git('commit', '-qm', 'theirs')
  git('checkout', '-q', 'own')
  expect(() => git('merge', '-q', 'main')).toThrow()
  rebaseLedger({ cwd: copy.folder, dir: 'protocols', base: 'main', env: {} })
  git('add', '-A')
  git('commit', '-qm', 'merged')
  return copy
}

const codesOf = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === 'error').map(codeOf)

describe('a registration that a merge put behind entries of another branch', () => {
  const BEFORE = '2024-12-20T00:00:00Z'
  const AFTER = '2025-05-01T00:00:00Z'

  it('keeps its stamps and its result, however late the other entry is', async () => {
    const by = await witnesses('alpha')
    const world = await makeStampedWorld({ by })
    await scoreInto(world, 'first')
    const copy = merged(world, freezes(AFTER))
    const ledger = verifyLedger(copy.paths.protocol)!
    expect(codesOf(ledger.findings)).toEqual([])
    const [, , registered, result] = ledger.lines.map(({ entry }) => entry)
    const [, before, scored] = readLedgerFile(ledgerPath(world.paths.protocol))!.lines
    expect(registered).toMatchObject({
      ...{ moved_at: AFTER, moved_from: [{ seq: 2, previous: before?.entry.previous }] },
    })
    expect(result).toMatchObject({
      moved_from: [{ seq: 3, previous: before?.entry.entry_sha256 }],
    })
    expect(scored?.entry.entry_sha256).toBe(entryDigests(result!)[0])
    const read = await readStamps(copy.paths.protocol, ledger)
    expect(read.findings).toEqual([])
    expect(read.stamps).toMatchObject([{ seq: 2, alone: 3 }])
    expect(ledgerLevels(4, read.stamps, read.authorities)).toMatchObject([
      ...[{ from: 1, to: 2, level: { kind: 'self_declared' } }],
      ...[{ from: 3, to: 3, level: { kind: 'stamped' } }],
      { from: 4, to: 4, level: { kind: 'self_declared' } },
    ])
    expect(await audited(join(copy.folder, 'first'))).toMatchObject({ ok: true, findings: [] })
    const gated = () => runGate({ cwd: copy.folder, dir: 'protocols', base: 'main', env: {} })
    expect(gated().findings.map(codeOf)).toEqual(['ledger-entry-moved'])
    renameSync(copy.paths.registration, `${copy.paths.registration}.private`)
    expect(gated().findings.find(({ code }) => code === 'registration-file-gone')).toMatchObject({
      ...{ severity: 'warning', file: 'protocols/ledger.jsonl', position: { line: 3 } },
      args: { entry: 3, path: '../registration.json' },
    })
    renameSync(`${copy.paths.registration}.private`, copy.paths.registration)
    // Scored behind the others, it is the same evaluation, a little later.
    const again = await scoreInto(copy, 'again')
    expect(await audited(join(copy.folder, 'again'))).toMatchObject({ ok: true })
    expect(again.result.inputs.registration.ledger_entry_sha256).toBe(registered?.entry_sha256)
  })

  it('counts from there without a stamp: its result stands only where that is early enough', async () => {
    const world = await makeWorld({ hours: 60, replicates: 100 })
    await scoreInto(world, 'first')
    const early = merged(world, freezes(BEFORE))
    expect(await audited(join(early.folder, 'first'))).toMatchObject({ ok: true, findings: [] })
    const late = merged(world, freezes(AFTER))
    const { ok, findings } = await audited(join(late.folder, 'first'))
    expect([ok, codesOf(findings)]).toEqual([false, ['registration-unentered moved']])
  })

  it.each([
    ['of another candidate: its result stands', 'other', true],
    ['of the same candidate: that one was first', 'seer', false],
  ])('is audited beside one that the other branch registered, %s', async (_, name, ok) => {
    const world = await makeWorld({ hours: 288, method: BY_VERDICT })
    const { result } = await scoreInto(world, 'first')
    expect(result.registrations).toMatchObject({ divisor: 1, others: [] })
    const registers = (copy: World) => {
      const planned = plan({ hours: 288, over: { name: 'theirs', candidates: [name] } })
      const theirs = createRegistration(planned, compileRules(copy.protocol), at(BEFORE))
      enterRegistration(theirs, join(copy.folder, 'theirs.json'), ledgerPath(copy.paths.protocol))
    }
    const copy = merged(world, registers)
    const audit = await audited(join(copy.folder, 'first'))
    expect(audit.ok).toBe(ok)
    const unlisted = { code: 'other-registration-unlisted', severity: 'warning' }
    expect(audit.findings.at(-1)).toMatchObject({ ...unlisted, args: { entry: 2 } })
    expect(audit.findings.slice(0, -1).map(({ pointer }) => pointer)).toEqual(
      ok ? [] : ['/registrations/repetition'],
    )
  })

  it('has no earlier digest but those that follow from its own fields', async () => {
    const world = await makeWorld({ hours: 60, replicates: 100 })
    await scoreInto(world, 'first')
    const copy = merged(world, freezes(BEFORE))
    const file = ledgerPath(copy.paths.protocol)
    const entries = readLedgerFile(file)!.lines.map(({ entry }) => entry)
    // One who puts another registration in the place of the scored one.
    const [protocol, theirs, { entry_sha256: _, ...registered }] = entries as [
      LedgerEntry,
      LedgerEntry,
      LedgerEntry,
    ]
    const forged = { ...registered, file: '../other.json' }
    const digest = digestWithout(forged, 'entry_sha256')
    const lines = [protocol, theirs, { ...forged, entry_sha256: digest }]
    writeFileSync(file, ledgerText(lines.map((each) => entryText(each as LedgerEntry))))
    writeFileSync(join(copy.folder, 'other.json'), readFileSync(copy.paths.registration))
    const { findings } = await audited(join(copy.folder, 'first'))
    expect(codesOf(findings)).toEqual(['ledger-rewritten'])
  })
})

describe('a registration that its ledger has behind later entries', () => {
  it('counts from then on, whatever time it says of itself', async () => {
    const world = await makeWorld({ hours: 60, replicates: 100 })
    const { window } = JSON.parse(readFileSync(world.paths.registration, 'utf8'))
    const { from, to } = window
    const late = moved(world, to)
    expect(await scoreCodes(late, 'late')).toEqual(['registration-unentered moved'])
    expect(await pairHistory(late.paths)).toMatchObject({ ok: true })
    const before = moved(world, from)
    const { result } = await scoreInto(before, 'before')
    expect(result.inputs.registration.registered_at).toBe(from)
    expect(await audited(join(before.folder, 'before'))).toMatchObject({ ok: true })
  })

  it('is refused by register where the ledger is at a time after the first forecasts were due', async () => {
    const world = await makeWorld({ hours: 60, replicates: 100 })
    const registration = JSON.parse(readFileSync(world.paths.registration, 'utf8'))
    const made = instantOrNaN(registration.registered_at)
    const after = (minutes: number) => made + minutes * 60 * MICROS_PER_SECOND
    const other = moved(world, formatUtc(after(4)))
    // A registration stands in a ledger once.
    let nth = 1
    const enter = (of: object, firstInputs: Instant) => () => {
      const window = { ...registration.window, first_inputs: formatUtc(firstInputs) }
      return enterRegistration(
        { ...registration, ...of, window, registration_sha256: String(nth++).repeat(64) },
        join(other.folder, 'again.json'),
        ledgerPath(join(other.folder, 'protocols')),
      )
    }
    expect(enter({}, after(3))).toThrow(/from \S+ on \(moved_at\)/)
    expect(existsSync(join(other.folder, 'again.json'))).toBe(false)
    // A stamp may show it earlier, and a backtest has nothing to come before.
    const [time, mode] = [{ at_least: 1, authorities: [] }, 'backtest']
    for (const [of, firstInputs] of [
      [{}, after(4)],
      [{ time }, after(3)],
      [{ mode }, after(3)],
    ] as const) {
      expect(enter(of, firstInputs)()).toMatchObject({ moved_at: formatUtc(after(4)) })
      unlinkSync(join(other.folder, 'again.json'))
    }
  })

  it('counts earlier where a stamp shows it, and never before it was made', () => {
    const [made, stamp, place] = [
      '2025-01-01T00:00:00Z',
      '2025-01-01T01:00:00Z',
      '2025-02-01T00:00:00Z',
    ]
    const of = (moved_at?: string, stamped_at: string | null = null) =>
      countsFrom({ registered_at: made as string }, moved_at ? { moved_at } : {}, { stamped_at })
    expect(of()).toBe(made)
    expect(of(place)).toBe(place)
    expect(of(place, stamp as string)).toBe(stamp)
    expect(of(stamp, place as string)).toBe(stamp)
    expect(of(place, '2024-12-31T00:00:00Z')).toBe(made)
  })
})
