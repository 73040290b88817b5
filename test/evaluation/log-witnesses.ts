import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { WitnessRule } from '../../src/contract/types.js'
import { type Policy, readPolicy } from '../../src/log/policy.js'
import { KEY_TYPE, type VerifierKey, verifierKey } from '../../src/log/verifier-key.js'
import { serveWitness } from '../../src/witness/server.js'
import { WitnessState } from '../../src/witness/state.js'
import { readKnownLogs, Witness } from '../../src/witness/witness.js'
import { atEnd } from '../support/at-end.js'

/** Witnesses of a log, of which `k` are enough. */
export class LogWitnesses {
  /** Their verifier keys by their names. */
  readonly keys = new Map<string, string>()
  readonly #urls = new Map<string, string>()

  constructor(
    readonly log: VerifierKey,
    readonly names: readonly string[],
    readonly k: number,
  ) {}

  /** @param now - in seconds since 1970. */
  async start(folder: string, now: () => number): Promise<void> {
    for (const name of this.names) await this.#startOne(name, folder, now)
  }

  async #startOne(name: string, folder: string, now: () => number): Promise<void> {
    const key = generateKeyPairSync('ed25519').privateKey
    const { text } = verifierKey(`${name}.example`, key, KEY_TYPE.cosignature)
    const file = join(folder, name)
    WitnessState.init(file, text, [this.log.name])
    const state = WitnessState.open(file, text)
    // As many requests a day as are asked.
    const logs = readKnownLogs(`logs/v0\nvkey ${this.log.text}\nqpd 100000\n`, 'logs')
    const alarm = (message: string) => expect(message).toBe('')
    const witness = new Witness({ name: `${name}.example`, key, logs, state, now, alarm })
    const at = { host: '127.0.0.1', port: 0 }
    const { url, close } = await serveWitness(witness, at, alarm as never)
    atEnd(() => void close())
    this.#urls.set(name, url)
    this.keys.set(name, text)
  }

  /** @param reached - who is asked; all by default. */
  policy(reached: readonly string[] = this.names): Policy {
    const lines = this.names.map((name) => {
      const url = reached.includes(name) ? this.#urls.get(name) : ''
      return `witness ${name} ${this.keys.get(name)} ${url}\n`
    })
    const group = `group q ${this.k} ${this.names.join(' ')}\nquorum q\n`
    return readPolicy(lines.join('') + group, 'policy')
  }

  get rule(): WitnessRule {
    return {
      log: this.log.text,
      witnesses: this.names.map((name) => ({ name, vkey: this.keys.get(name)! })),
      groups: [{ name: 'q', k: this.k, members: [...this.names] }],
      quorum: 'q',
    }
  }
}
