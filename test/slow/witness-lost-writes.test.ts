import { createPrivateKey } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WitnessState } from '../../src/witness/state.js'
import { readKnownLogs, Witness } from '../../src/witness/witness.js'
import { MEMORY, temporaryFolder } from '../support/folder.js'
import { numbers } from '../support/random.js'
import { RunningWitness } from '../witness/running.js'
import { TestLog } from '../witness/test-log.js'
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
let known = ''

beforeAll(async () => {
  known = `logs/v0\n${logs.map(({ vkey }) => `vkey ${vkey}\n`).join('')}`
  writeFileSync(join(folder, 'logs.txt'), known)
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
  try {
    for (const [name, content] of files) writeFileSync(join(place, name), content)
    const state = WitnessState.open(join(place, STATE), witness.vkey)
    const key = createPrivateKey(readFileSync(join(folder, 'w.key')))
    const parts = { key, logs: readKnownLogs(known, 'logs'), state, alarm: () => undefined }
    const now = () => Math.floor(Date.now() / 1000)
    const again = new Witness({ name: 'w.example', now, ...parts })
    // The answers come in pairs; the version of a log is chosen by the second one.
    const asked = requests.slice(0, Math.floor(answered / 2))
    const statuses = asked.map(({ other }) => again.addCheckpoint(other).status)
    state.close()
    return statuses.includes(200)
  } finally {
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
