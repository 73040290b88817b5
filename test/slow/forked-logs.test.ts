import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mergedNote, noteOf } from '../../src/log/cosignature.js'
import { readNote } from '../../src/log/note.js'
import { liarsNeeded, readPolicy, witnessedAt } from '../../src/log/policy.js'
import { KEY_TYPE, verifierKey } from '../../src/log/verifier-key.js'
import { WitnessState } from '../../src/witness/state.js'
import { readKnownLogs, Witness } from '../../src/witness/witness.js'
import { MEMORY, temporaryFolder } from '../support/folder.js'
import { TestLog } from '../witness/test-log.js'

const ROUNDS = 1000
const NOW = 1_800_000_000
const folder = temporaryFolder('foreproof-', MEMORY)

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

/** A policy by which so many of the first witnesses suffice. */
const policyOf = (vkeys: readonly string[], k: number) =>
  readPolicy(
    [
      ...vkeys.map((vkey, at) => `witness w${at} ${vkey}\n`),
      `group q ${k} ${vkeys.map((_, at) => `w${at}`).join(' ')}\nquorum q\n`,
    ].join(''),
    'policy',
  )

it('have no second quorum of 3 of 4 with one dishonest witness, and can have one of 2 of 3', async () => {
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
          const text = readNote(notes[which]!)!.body
          notes[which] = mergedNote(notes[which]!, noteOf(text, [body]))
        }
      }
    }
    for (const [at, policy] of policies.entries()) {
      const met = notes.filter((note) => Number.isFinite(witnessedAt(policy, readNote(note)!, NOW)))
      any[at]! += Number(met.length > 0)
      both[at]! += Number(met.length === 2)
    }
  }
  expect(both).toEqual([0, ROUNDS / 2])
  // A writer who splits the honest ones may get no quorum of four for either: that is his own loss.
  expect(any[0]).toBeGreaterThan(0)
  expect(any[1]).toBe(ROUNDS)
}, 300_000)
