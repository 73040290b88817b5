import { generateKeyPairSync } from 'node:crypto'
import { formatAddCheckpoint } from '../../src/log/add-checkpoint.js'
import { formatCheckpoint } from '../../src/log/checkpoint.js'
import { computeRoot, consistencyProof, leafHash } from '../../src/log/merkle.js'
import { signNote } from '../../src/log/note.js'
import { toVerifierKey } from '../../src/log/verifier-key.js'
import { treeOf } from '../log/tree.js'

/** A log that is only made of texts; another `branch` is another history after the first four entries. */
export class TestLog {
  readonly keys = generateKeyPairSync('ed25519')
  readonly vkey: string

  constructor(readonly origin: string) {
    this.vkey = toVerifierKey(origin, this.keys.publicKey).text
  }

  #hashAt(size: number, branch: string) {
    const texts = Array.from({ length: size }, (_, at) => (at < 4 ? `${at}` : `${branch}${at}`))
    return treeOf(texts.map(leafHash))
  }

  /** The signed checkpoint of a size. */
  async note(size: number, branch = ''): Promise<string> {
    const root = await computeRoot(size, this.#hashAt(size, branch))
    const body = formatCheckpoint({ origin: this.origin, size, root })
    return signNote(body, this.origin, this.keys.privateKey)
  }

  /** What is asked of a witness that has cosigned the first `old` entries. */
  async request(old: number, size: number, branch = ''): Promise<string> {
    const proof = old > size ? [] : await consistencyProof(old, size, this.#hashAt(size, branch))
    return formatAddCheckpoint({ old, proof, note: await this.note(size, branch) })
  }
}

/** The file of the logs that a witness knows. */
export const listOf = (logs: readonly TestLog[]): string =>
  `logs/v0\n${logs.map(({ vkey }) => `vkey ${vkey}\n`).join('')}`
