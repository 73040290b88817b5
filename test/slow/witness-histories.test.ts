import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { appendSignatures, mergeNotes, verifyCosignatures } from '../../src/log/cosignature.js'
import { parseNote } from '../../src/log/note.js'
import { liarsNeeded, parsePolicy, witnessedAt } from '../../src/log/policy.js'
import { KEY_TYPE, parseVerifierKey, toVerifierKey } from '../../src/log/verifier-key.js'
import { WitnessState } from '../../src/witness/state.js'
import { parseKnownLogs, Witness } from '../../src/witness/witness.js'
import { MEMORY, temporaryFolder } from '../support/folder.js'
import { numbers } from '../support/random.js'
import { RunningWitness } from '../witness/running.js'
import { listOf, TestLog } from '../witness/test-log.js'
import { type Change, changesIn, Disk, tracedInto } from '../witness/traced-disk.js'

const LOGS = 6
const STATE = 'w.state'
const folder = realpathSync(temporaryFolder())
const trace = join(folder, 'trace')
const logs = Array.from({ length: LOGS }, (_, at) => new TestLog(`example.org/log${at}`))
const witness = new RunningWitness('w', folder, tracedInto(trace))
/** Of each log its requests: the first four entries, then two versions of what comes after them. */
const requests: { readonly first: string; readonly one: string; readonly other: string }[] = []
let before: Map<string, Buffer>
let changes: Change[] = []

beforeAll(async () => {
  writeFileSync(join(folder, 'logs.txt'), listOf(logs))
  await witness.init()
  before = new Map([[STATE, readFileSync(join(folder, STATE))]])
  for (const log of logs) {
    requests.push({
      first: await log.request(0, 4),
      one: await log.request(4, 9, 'one'),
      other: await log.request(4, 9, 'other'),
    })
  }
  await witness.start()
  for (const { first, one } of requests) {
    for (const request of [first, one]) expect((await witness.ask(request))?.status).toBe(200)
  }
  await witness.stop('SIGKILL')
  changes = changesIn(trace, folder, STATE)
})

afterAll(() => witness.stop('SIGKILL'))

/** What of the changes that were not synced is there after the power went. */
const LOSSES = ['nothing', 'names alone', 'contents alone', 'all', 'some', 'others'] as const
const random = numbers(24)
const IS_THERE: Record<(typeof LOSSES)[number], (what: 'name' | 'content') => boolean> = {
  nothing: () => false,
  'names alone': (what) => what === 'name',
  'contents alone': (what) => what === 'content',
  all: () => true,
  some: () => random() < 0.5,
  others: () => random() < 0.5,
}

/**
 * Whether a witness that begins with these files would sign another version than the one it has answered for.
 * @throws where the files are no state any more.
 */
function signsAnother(files: ReadonlyMap<string, Buffer>, answered: number): boolean {
  const place = mkdtempSync(join(MEMORY, 'foreproof-'))
  let state: WitnessState | undefined
  try {
    for (const [name, content] of files) writeFileSync(join(place, name), content)
    state = WitnessState.open(join(place, STATE), witness.vkey)
    const key = createPrivateKey(readFileSync(join(folder, 'w.key')))
    const parts = { key, logs: parseKnownLogs(listOf(logs), 'logs'), state, alarm: () => undefined }
    const now = () => Math.floor(Date.now() / 1000)
    const again = new Witness({ name: 'w.example', now, ...parts })
    // The answers come in pairs; the version of a log is chosen by the second one.
    const asked = requests.slice(0, Math.floor(answered / 2))
    const statuses = asked.map(({ other }) => again.addCheckpoint(other).status)
    return statuses.includes(200)
  } finally {
    state?.close()
    rmSync(place, { recursive: true })
  }
}

/** At which losses of power, each at another change, the witness would sign a second version or have no state. */
function* broken(isLost: (change: Change) => boolean = () => false) {
  const disk = new Disk(before)
  let answered = 0
  for (const [at, change] of changes.entries()) {
    if (!isLost(change)) disk.apply(change)
    if (change.is === 'sent' && !change.text.startsWith('HTTP/1.1 200')) continue
    if (change.is === 'sent') answered++
    for (const loss of LOSSES) {
      try {
        if (signsAnother(disk.after(IS_THERE[loss]), answered)) yield `${at}: ${loss}`
      } catch (cause) {
        yield `${at}: ${loss}: ${cause}`
      }
    }
  }
}

it('never signs two histories, with any part lost of what was not synced', () => {
  const answers = changes.filter(({ is }) => is === 'sent').length
  // Journal, state and their folder are written and synced for each answer.
  expect(changes.length).toBeGreaterThan(9 * 2 * LOGS)
  expect(answers).toBeGreaterThanOrEqual(2 * LOGS)
  expect([...broken()]).toEqual([])
})

it.each(['sync', 'sync-folder'] as const)('would do so without every %s', (is) => {
  const [first] = broken((change) => change.is === is)
  expect(first).toBeDefined()
})

const ROUNDS = 1000
const NOW = 1_800_000_000
const memory = temporaryFolder('foreproof-', MEMORY)

/** A witness; a dishonest one has a state for each of two histories. */
function makeWitness(name: string, logs: readonly TestLog[], isHonest: boolean) {
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const { text: vkey } = toVerifierKey(name, key, KEY_TYPE.cosignature)
  const known = parseKnownLogs(listOf(logs), 'logs')
  const on = (which: string) => {
    const file = join(memory, `${name}-${which}`)
    WitnessState.init(
      file,
      vkey,
      known.map(({ origin }) => origin),
    )
    const state = WitnessState.open(file, vkey)
    return new Witness({ name, key, logs: known, state, now: () => NOW, alarm: () => undefined })
  }
  const first = on('a')
  return { vkey, faces: [first, isHonest ? first : on('b')] as const }
}

/** A policy by which so many of the first witnesses suffice. */
const policyOf = (vkeys: readonly string[], k: number) =>
  parsePolicy(
    [
      ...vkeys.map((vkey, at) => `witness w${at} ${vkey}\n`),
      `group q ${k} ${vkeys.map((_, at) => `w${at}`).join(' ')}\nquorum q\n`,
    ].join(''),
    'policy',
  )

it('forked logs have no second quorum of 3 of 4 with one dishonest witness, and can have one of 2 of 3', async () => {
  const logs = Array.from({ length: ROUNDS }, (_, at) => new TestLog(`example.org/${at}`))
  const witnesses = [0, 1, 2, 3].map((at) => makeWitness(`w${at}`, logs, at > 0))
  const vkeys = witnesses.map(({ vkey }) => vkey)
  const policies = [policyOf(vkeys, 3), policyOf(vkeys.slice(0, 3), 2)]
  expect(policies.map(liarsNeeded)).toEqual([2, 1])
  /** In how many logs the writer gets a version through, and in how many two, by each policy. */
  const [any, both] = [
    [0, 0],
    [0, 0],
  ]
  for (const [round, log] of logs.entries()) {
    const requests = await Promise.all(['a', 'b'].map((branch) => log.request(0, 5, branch)))
    const notes = requests.map((text) => text.slice(text.indexOf('\n\n') + 2))
    for (const [at, { faces }] of witnesses.entries()) {
      // Which version an honest witness sees first is different for each, in all ways over the rounds.
      const order = (round >> at) & 1 ? [0, 1] : [1, 0]
      for (const which of order) {
        const { status, body } = faces[which]!.addCheckpoint(requests[which]!)
        if (status === 200) {
          const text = parseNote(notes[which]!)!.body
          notes[which] = mergeNotes(notes[which]!, appendSignatures(text, [body]))
        }
      }
    }
    for (const [at, policy] of policies.entries()) {
      const met = notes.filter((note) =>
        Number.isFinite(witnessedAt(policy, parseNote(note)!, NOW)),
      )
      any[at]! += Number(met.length > 0)
      both[at]! += Number(met.length === 2)
    }
  }
  expect(both).toEqual([0, ROUNDS / 2])
  // A writer who splits the honest ones may get no quorum of four for either: that is his own loss.
  expect(any[0]).toBeGreaterThan(0)
  expect(any[1]).toBe(ROUNDS)
}, 300_000)

const MOMENTS = 50

it('never signs two histories, killed at 50 moments', async () => {
  const folder = temporaryFolder()
  const logs = Array.from({ length: MOMENTS }, (_, at) => new TestLog(`example.org/log${at}`))
  const witness = new RunningWitness('w', folder)
  onTestFinished(async () => void (await witness.stop('SIGKILL')))
  writeFileSync(join(folder, 'logs.txt'), listOf(logs))
  await witness.init()
  await witness.start()
  const key = parseVerifierKey(witness.vkey, KEY_TYPE.cosignature)!
  let answered = 0
  for (const [at, log] of logs.entries()) {
    expect((await witness.ask(await log.request(0, 4)))?.status).toBe(200)
    const requests = await Promise.all(['a', 'b'].map((branch) => log.request(4, 9, branch)))
    // The witness is under load while it is killed; which branch comes first changes.
    const order = at % 2 === 0 ? requests : requests.toReversed()
    const asked = order.map((request) => witness.ask(request))
    await pause((at * 30) / MOMENTS)
    await witness.stop('SIGKILL')
    const early = await Promise.all(asked)
    await witness.start()
    const late = await Promise.all(order.map((request) => witness.ask(request)))
    // What was kept but not answered any more is answered now.
    const same = await Promise.all(['a', 'b'].map((branch) => log.request(9, 9, branch)))
    const again = await Promise.all(same.map((request) => witness.ask(request)))
    expect(again.map((one) => one?.status).sort()).toEqual([200, 422])
    const signed = [...early, ...late, ...again].flatMap((one) =>
      one?.status === 200 ? [one.body] : [],
    )
    answered += early.filter((one) => one?.status === 200).length
    const branches = await Promise.all(
      ['a', 'b'].map(async (branch) => {
        const { body } = parseNote(await log.note(9, branch))!
        return signed.some((line) => {
          const note = parseNote(appendSignatures(body, [line]))!
          return verifyCosignatures(note, key, Date.now() / 1000).sound.length > 0
        })
      }),
    )
    expect(branches.filter(Boolean).length).toBe(1)
    expect(late.map((one) => one?.status)).toContain(409)
  }
  // Some were killed before their answer, others after it.
  expect(answered).toBeGreaterThan(0)
  expect(answered).toBeLessThan(MOMENTS)
}, 300_000)
