import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { formatUtc } from '../../src/contract/instant.js'
import { canonicalize } from '../../src/document/canonical.js'
import { sha256Hex } from '../../src/document/digest.js'
import { closeRegistration } from '../../src/evaluation/close-registration.js'
import { FILES } from '../../src/evaluation/evidence/folder.js'
import { pairHistory } from '../../src/evaluation/pair-history.js'
import { countingDispositions } from '../../src/evaluation/result/readings.js'

import { freezeProtocol } from '../../src/protocol/freeze.js'
import { appendToLedger, ledgerPath } from '../../src/protocol/ledger-file.js'
import { type AccessEntry, accessPath } from '../../src/protocol/readings.js'
import type { FrozenFields } from '../../src/protocol/rules/entry.js'
import { verifyLedger } from '../../src/protocol/verify.js'
import { listDefinitions } from '../../src/report/definitions/definitions.js'
import { documentOf } from '../protocol/sample.js'
import { BY_VERDICT } from '../registration/made.js'
import { readText } from '../support/text-file.js'
import { audited, type Over, scoreInto, scoreWorld } from './score-into.js'
import { sql } from './stamped-world.js'
import { at, copyOf, editText, makeWorld, NOW, type World, type WorldOptions } from './world.js'

let world: World

const score = (change: Over = {}, out = 'evidence') => scoreWorld(world, out, change)

const scored = (change: Over = {}, out = 'evidence') => scoreInto(world, out, change)

/** What is made once, by its options; each test has a copy. */
const origins = new Map<string, World>()

async function make(options: WorldOptions = {}): Promise<void> {
  const key = JSON.stringify(options)
  const origin = origins.get(key) ?? (await makeWorld(options))
  origins.set(key, origin)
  world = copyOf(origin)
}
const read = (name: string, out = 'evidence') => readText(join(world.folder, out, name))
const readings = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AccessEntry)

/** Nothing but what was there before: no folder, not even a hidden one. */
function leftovers(): string[] {
  const known = ['history.sqlite', 'protocols', 'raw', 'registration.json', 'vintage']
  return readdirSync(world.folder).filter((name) => !known.includes(name))
}

describe('what is computed', () => {
  it('is on the page, by the rules of the registration', async () => {
    await make()
    const { result } = await scored()
    const registration = JSON.parse(readFileSync(world.paths.registration, 'utf8'))
    const { series: _, ...rules } = registration.rules
    expect(result.settings.rules).toEqual(rules)
    const page = read(FILES.html).replaceAll('<wbr>', '')
    expect(page).toContain('What was computed')
    for (const { of } of listDefinitions(registration)) expect(page).toContain(of)
  })
})

describe('score', () => {
  it('writes a whole folder whose parts name each other', async () => {
    await make()
    const { result } = await scored()
    expect(readdirSync(join(world.folder, 'evidence')).sort()).toEqual(Object.values(FILES).sort())
    expect(read(FILES.result)).toBe(`${canonicalize(result)}\n`)
    const { result_sha256, exploratory: _, earlier_readings: __, ...rest } = result
    expect(sha256Hex(canonicalize(rest))).toBe(result_sha256)
    expect(sha256Hex(read(FILES.pairs))).toBe(result.inputs.pairs.sha256)
    expect(sha256Hex(read(FILES.cells))).toBe(result.cells.sha256)
    expect(read(FILES.html)).toContain(result.result_sha256)
    expect(read(FILES.markdown)).toContain(result.result_sha256)
    const entries = readings(read(FILES.access))
    expect(entries.map((entry) => [entry.event, entry.result_sha256])).toEqual([
      ['outcomes_read', null],
      ['result_written', result.result_sha256],
    ])
    const live = accessPath(world.paths.protocol, result.inputs.registration.sha256)
    expect(readFileSync(live, 'utf8')).toBe(read(FILES.access))
    expect(leftovers()).toEqual(['evidence'])
  })

  it('finds a model eligible that beats every comparator by the floor, and never in retrospect', async () => {
    const decided = { sight: 0.6, hours: 24 * 20, method: BY_VERDICT }
    await make(decided)
    const { result } = await scored()
    const [of] = countingDispositions(result)
    expect(new Set(of?.reasons.map((reason) => reason.leads_to))).toEqual(
      new Set([of?.disposition]),
    )
    expect([of?.disposition, result.exploratory]).toEqual(['eligible_for_human_review', false])
    await make({ ...decided, mode: 'backtest' })
    expect(countingDispositions((await scored()).result)[0]?.disposition).toBe('lower')
    for (const name of [FILES.html, FILES.markdown]) {
      expect(read(name)).toContain('Lower (backtest)')
      expect(read(name)).not.toContain('Eligible for human review')
    }
  })

  const entered = () =>
    readText(ledgerPath(world.paths.protocol))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  it('enters its result in the ledger, with the reading behind it, and the same result once', async () => {
    await make({ replicates: 2000 })
    const before = entered()
    const { result, entry } = await scored()
    const { registration, protocol } = result.inputs
    const [own, ...others] = entered().slice(before.length)
    expect(others).toEqual([])
    expect(own).toEqual(JSON.parse(JSON.stringify(entry)))
    expect(own).toMatchObject({
      ...{ seq: 3, registration_sha256: registration.sha256, protocol_version: protocol.version },
      ...{ protocol_sha256: protocol.sha256, result_sha256: result.result_sha256 },
      ...{ result_at: '2025-06-01T00:00:00Z' },
      readings: [readings(read(FILES.access)).at(-1)?.entry_sha256],
    })
    expect((await audited(join(world.folder, 'evidence'))).findings).toEqual([])
    // Exploratory this time, and the same result.
    const again = await scored({}, 'again')
    expect([again.result.exploratory, again.result.result_sha256]).toEqual([
      true,
      result.result_sha256,
    ])
    expect(entered()).toHaveLength(before.length + 1)
  })

  it('enters a result behind an entry of a later clock at the time of that', async () => {
    await make({ replicates: 200 })
    const late = at('2025-06-02T00:00:00Z')
    const onProgress = () => {
      const { entry_sha256: _, seq: __, previous: ___, ...frozen } = entered()[0] ?? {}
      if (entered().length > 2) return
      appendToLedger(ledgerPath(world.paths.protocol), () => ({
        append: {
          ...(frozen as unknown as FrozenFields),
          ...{ protocol_version: 'late', file: 'late.json', frozen_at: formatUtc(late) },
        },
      }))
    }
    await scored({ onProgress })
    expect(entered().map((each) => each.result_at ?? each.frozen_at)).toEqual([
      ...['2024-12-01T00:00:00Z', undefined],
      ...['2025-06-02T00:00:00Z', '2025-06-02T00:00:00Z'],
    ])
  })

  it('enters none under a registration that was closed meanwhile', async () => {
    await make({ replicates: 200 })
    let asked = 0
    const onProgress = () => {
      if (asked++ > 0) return
      const { registration, protocol } = world.paths
      const why = { as: 'void', reason: 'The exchange was closed.' } as const
      closeRegistration({ registration, protocol, ...why, now: NOW })
    }
    await expect(score({ onProgress })).rejects.toMatchObject({
      ...{ code: 'refused', message: expect.stringContaining('entry 3 closed the registration') },
    })
    expect([leftovers(), entered().length]).toEqual([[], 3])
  })

  it('is told by audit and verify where the ledger lost its entry', async () => {
    await make({ replicates: 200 })
    const { result } = await scored()
    const ledger = ledgerPath(world.paths.protocol)
    editText(ledger, (text) => `${text.split('\n').slice(0, 2).join('\n')}\n`)
    const { ok, findings } = await audited(join(world.folder, 'evidence'))
    const told = { code: 'result-not-in-ledger', args: { digest: result.result_sha256 } }
    expect([ok, findings]).toMatchObject([true, [told]])
    expect(verifyLedger(world.paths.protocol)?.findings).toMatchObject([told])
    // A line in the place of the lost one does not hide it.
    const { registration, protocol } = world.paths
    await expect(
      (async () =>
        closeRegistration({
          ...{ registration, protocol, as: 'void', reason: 'None.', now: NOW },
        }))(),
    ).rejects.toMatchObject({ message: expect.stringContaining('has a result') })
  })

  it('is not borne out under a registration that an earlier entry closed', async () => {
    await make({ replicates: 200 })
    const { result } = await scored()
    const ledger = ledgerPath(world.paths.protocol)
    editText(ledger, (text) => `${text.split('\n').slice(0, 2).join('\n')}\n`)
    const { version: protocol_version, sha256: protocol_sha256 } = result.settings.protocol
    const of = { registration_sha256: result.inputs.registration.sha256, protocol_version }
    const closed_at = '2025-06-01T00:00:00Z'
    appendToLedger(ledger, () => ({
      append: { ...of, protocol_sha256, as: 'void', reason: 'None.', closed_at },
    }))
    const { ok, findings, links } = await audited(join(world.folder, 'evidence'))
    expect([ok, findings]).toMatchObject([false, [{ code: 'registration-closed' }]])
    expect(links).toContainEqual({ link: 'ledger', state: 'broken' })
  })

  it('marks a second scoring exploratory, wherever it writes and wherever its registration lies', async () => {
    await make({ replicates: 2000 })
    await scored()
    const copy = join(world.folder, 'raw', 'copy.json')
    writeFileSync(copy, readFileSync(world.paths.registration))
    const { result } = await scored({ registration: copy }, 'raw/elsewhere')
    expect([result.exploratory, result.earlier_readings]).toEqual([true, 1])
    expect(read(FILES.html, 'raw/elsewhere')).toContain('<b>Exploratory.</b>')
    expect(readings(read(FILES.access, 'raw/elsewhere'))).toHaveLength(4)
    const third = await scored({}, 'third')
    expect(third.result.earlier_readings).toBe(2)
  })

  it('does not hold a run against a scoring that was broken off and read the same', async () => {
    await make({ replicates: 2000 })
    const stop = new AbortController()
    const { signal } = stop
    const onProgress = () => stop.abort()
    await expect(score({ signal, onProgress })).rejects.toMatchObject({ code: 'interrupted' })
    expect(leftovers()).toEqual([])
    // Stopped before it has read anything, a run leaves no reading either.
    await expect(score({ signal })).rejects.toMatchObject({ code: 'interrupted' })
    expect(leftovers()).toEqual([])
    const { result } = await scored()
    expect(result.exploratory).toBe(false)
    const events = readings(read(FILES.access)).map(({ event }) => event)
    expect(events).toEqual(['outcomes_read', 'outcomes_read', 'result_written'])
  })

  it('never lets the record of readings run backwards, with any clock', async () => {
    await make({ replicates: 200 })
    let clock = NOW
    const onProgress = () => {
      // Five minutes behind, the ledger itself would be of the future.
      clock = NOW - 240_000_000
    }
    await scored({ now: () => clock, onProgress })
    const [read1, written] = readings(read(FILES.access))
    expect(written?.at).toBe(read1?.at)
    // The next reading would lie before the last entry: nothing is read, and nothing entered.
    const behind = score({ now: () => clock }, 'never')
    await expect(behind).rejects.toMatchObject({ code: 'refused' })
    expect(leftovers()).toEqual(['evidence'])
    const { result } = await scored({}, 'again')
    expect(result.earlier_readings).toBe(1)
  })

  it('gives the same bytes for the same inputs', async () => {
    await make({ replicates: 2000 })
    const bytes = (out: string) =>
      [FILES.result, FILES.html, FILES.pairs].map((name) => read(name, out))
    await scored({ workers: 1 })
    const first = bytes('evidence')
    await make({ replicates: 2000 })
    await scored({ workers: 4, now: () => NOW + 5_000_000 }, 'other')
    expect(bytes('other')).toEqual(first)
  })
})

describe('score refuses, and shows no score', () => {
  const cut = ({ paths }: World) =>
    editText(join(paths.outcomes, 'closes.csv'), (text) => text.replace(/(?:[^\n]*\n){2}$/, ''))
  const inHistory =
    (statement: string) =>
    ({ paths }: World) =>
      void sql(paths.history, `UPDATE forecast_predictions SET ${statement}`)
  const early = () => ({ now: () => at('2025-02-01T00:00:00Z') })
  const unnamed = { code: 'history-without-models', args: { models: ['seer'], found: ['sear'] } }
  it.each<[string, (world: World) => unknown, string, object]>([
    ['before the as-of', early, 'outcomes', { code: 'not-matured-yet' }],
    ['when the vintage is cut short', cut, 'outcomes', { code: 'evidence-unreadable' }],
    ['from a history of other models', inHistory("model_name = 'sear'"), 'history', unnamed],
  ])('%s', async (_, spoil, link, finding) => {
    await make()
    const outcome = await score(spoil(world) as Over | undefined)
    expect(outcome).toMatchObject({ ok: false, link, findings: [finding] })
    expect(leftovers()).toEqual([])
    expect(existsSync(join(world.paths.protocol, 'access'))).toBe(false)
  })

  it('from prices in another unit, before a reading is spent, unless that is asked for', async () => {
    await make()
    // The specification wants USD. First in 1 row of 200, then in more than 1 of 50.
    const set = 'predicted_price_usd = predicted_price_usd / 60000'
    inHistory(`${set} WHERE rowid % 200 = 0`)(world)
    const few = await scored({}, 'few')
    expect(few.findings).toEqual([])
    expect(read(FILES.inputs, 'few')).not.toContain('implausible')
    inHistory(`${set} WHERE rowid % 50 = 1`)(world)
    const before = readFileSync(few.access)
    expect(await score()).toMatchObject({
      ok: false,
      findings: [{ code: 'candidate-implausible', severity: 'error', args: { model: 'seer' } }],
    })
    expect(readFileSync(few.access)).toEqual(before)
    expect(await score({ implausible: true })).toMatchObject({
      ok: true,
      findings: [{ code: 'candidate-implausible', severity: 'warning' }],
    })
    expect(JSON.parse(read(FILES.inputs)).implausible).toBe(true)
  })

  it('where no folder can be, or a plan is given, with one plain line', async () => {
    await make()
    await expect(score({}, 'registration.json/x')).rejects.toMatchObject({ code: 'not-found' })
    editText(world.paths.registration, (text) =>
      text.replace('registration_version', 'plan_version'),
    )
    expect(await score()).toMatchObject({ ok: false, findings: [{ code: 'plan-not-registered' }] })
  })

  it('when the record of readings was edited', async () => {
    await make({ replicates: 2000 })
    const { access } = await scored()
    editText(access, (text) => text.split('\n').slice(1).join('\n'))
    await expect(score({}, 'second')).rejects.toMatchObject({ code: 'refused' })
    expect(leftovers()).toEqual(['evidence'])
  })
})

describe('a protocol that is named by its file', () => {
  let [own, other, folder] = ['', '', '']

  /** The ledger has a second protocol, frozen after the one of the registration. */
  beforeEach(async () => {
    await make({ replicates: 200 })
    folder = join(world.folder, 'protocols')
    const draft = { ...world.protocol, protocol_version: 'made-2', purpose: 'Another one.' }
    freezeProtocol(documentOf(draft), { folder, now: at('2024-12-20T00:00:00Z') })
    own = join(folder, 'made-1.json')
    other = join(folder, 'made-2.json')
  })

  const by = (protocol: string, out = 'evidence') => score({ protocol }, out)
  const audit = (protocol: string) =>
    audited(join(world.folder, 'evidence'), { paths: { protocol } })
  const pair = (protocol: string) => pairHistory({ ...world.paths, protocol })

  it('is taken by score, audit and pair, and another of the same folder refused', async () => {
    expect((await by(own)).ok).toBe(true)
    const findings = [{ code: 'registration-of-other-protocol' }]
    const refused = { ok: false, link: 'registration', findings }
    expect(await by(other, 'never')).toMatchObject(refused)
    expect(await pair(other)).toMatchObject(refused)
    expect((await audit(other)).findings[0]?.code).toBe('registration-of-other-protocol')
    expect((await audit(own)).paths?.protocol).toBe(own)
    expect((await audit(folder)).paths?.protocol).toBe(own)
  })

  it('is refused where it is none, or lies beside no ledger', async () => {
    const notes = join(folder, 'notes.json')
    writeFileSync(notes, '{}')
    expect(await by(notes)).toMatchObject({ ok: false, link: 'protocol' })
    expect(await pair(notes)).toMatchObject({ ok: false, link: 'protocol' })
    mkdirSync(join(world.folder, 'elsewhere'))
    const copy = join(world.folder, 'elsewhere', 'made-1.json')
    copyFileSync(own, copy)
    for (const run of [by, pair]) {
      expect(await run(copy)).toMatchObject({
        link: 'ledger',
        findings: [{ code: 'ledger-absent' }],
      })
    }
  })

  it('has a ledger, in which pair looks a registration up as score and audit do', async () => {
    const ledger = join(folder, 'ledger.jsonl')
    const lines = readFileSync(ledger, 'utf8').split('\n')
    const registered = lines.findIndex((line) => line.includes('registration_sha256'))
    expect(registered).toBe(1)
    expect((await pair(own)).ok).toBe(true)
    expect((await pair(folder)).ok).toBe(true)
    // The entries after it rest on it: they go as well.
    writeFileSync(ledger, `${lines[0]}\n`)
    const found = { ok: false, findings: [{ code: 'registration-unentered' }] }
    expect(await by(own)).toMatchObject(found)
    expect(await pair(own)).toMatchObject(found)
    editText(ledger, (text) => text.replace('2024-12-01', '2024-12-02'))
    expect(await by(own)).toMatchObject({ ok: false, link: 'ledger' })
    expect(await pair(own)).toMatchObject({ ok: false, link: 'ledger' })
  })

  it('is no standard input, for no ledger lies beside that', async () => {
    await expect(pair('-')).rejects.toMatchObject({ code: 'usage' })
  })
})
