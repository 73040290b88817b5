import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mergedNote, noteOf } from '../../src/log/cosignature.js'
import { readNote } from '../../src/log/note.js'
import { liarsNeeded, readPolicy, witnessedAt } from '../../src/log/policy.js'
import { KEY_TYPE, verifierKey } from '../../src/log/verifier-key.js'
import { readKnownLogs } from '../../src/witness/known-logs.js'
import { WitnessState } from '../../src/witness/state.js'
import { Witness } from '../../src/witness/witness.js'
import { temporaryFolder } from '../support/folder.js'
import { TestLog } from '../witness/test-log.js'

const ROUNDS = 1000
const NOW = 1_800_000_000
const folder = temporaryFolder()

/** A witness; a dishonest one has a state for each of two histories. */
function makeWitness(name: string, logs: readonly TestLog[], isHonest: boolean) {
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const { text: vkey } = verifierKey(name, key, KEY_TYPE.cosignature)
  const known = readKnownLogs(`logs/v0\n${logs.map((one) => `vkey ${one.vkey}\n`).join('')}`, 'l')
  const on = (which: string) => {
    const file = join(folder, `${name}-${logs.length}-${which}`)
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

/** In how many of 1,000 logs a writer with one dishonest witness gets two versions through. */
async function forks(name: string, k: number, count: number) {
  const logs = Array.from({ length: ROUNDS }, (_, at) => new TestLog(`example.org/${name}${at}`))
  const witnesses = Array.from({ length: count }, (_, at) =>
    makeWitness(`${name}${at}`, logs, at > 0),
  )
  const lines = witnesses.map(({ vkey }, at) => `witness w${at} ${vkey}\n`).join('')
  const names = witnesses.map((_, at) => `w${at}`).join(' ')
  const policy = readPolicy(`${lines}group q ${k} ${names}\nquorum q\n`, 'policy')
  let both = 0
  let any = 0
  for (const [round, log] of logs.entries()) {
    const branches = await Promise.all(
      ['a', 'b'].map(async (branch) => ({
        note: await log.note(5, branch),
        request: await log.request(0, 5, branch),
      })),
    )
    const notes = branches.map(({ note }) => note)
    for (const [at, { faces }] of witnesses.entries()) {
      // Which version an honest witness sees first is different for each, in all ways over the rounds.
      const order = (round >> at) & 1 ? [0, 1] : [1, 0]
      for (const which of order) {
        const { status, body } = faces[which]!.addCheckpoint(branches[which]!.request)
        if (status === 200) {
          const text = readNote(notes[which]!)!.body
          notes[which] = mergedNote(notes[which]!, noteOf(text, [body]))
        }
      }
    }
    const met = notes.filter((note) => Number.isFinite(witnessedAt(policy, readNote(note)!, NOW)))
    any += Number(met.length > 0)
    both += Number(met.length === 2)
  }
  return { liars: liarsNeeded(policy), any, both }
}

it('have no second quorum of 3 of 4 with one dishonest witness', async () => {
  const { liars, any, both } = await forks('four', 3, 4)
  expect([liars, both]).toEqual([2, 0])
  // A writer who splits the honest ones may get no quorum for either: that is his own loss.
  expect(any).toBeGreaterThan(0)
}, 300_000)

it('can have one of 2 of 3 with one dishonest witness', async () => {
  const { liars, any, both } = await forks('three', 2, 3)
  expect([liars, any]).toEqual([1, ROUNDS])
  expect(both).toBe(ROUNDS / 2)
}, 300_000)
