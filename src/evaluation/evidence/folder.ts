import { resolve } from 'node:path'
import { fileError } from '../../contract/error.js'
import { refuseExistingFolder, StagedFolder } from '../../files/new-folder.js'
import type { EvaluationResult } from '../result/types.js'

/** What a run leaves behind, by name. */
export const FILES = {
  pairs: 'pairs.ndjson',
  result: 'result.json',
  html: 'report.html',
  markdown: 'report.md',
  access: 'access.jsonl',
  inputs: 'inputs.json',
  crate: 'ro-crate-metadata.json',
  statement: 'statement.intoto.json',
} as const

/** What bears the times out, in folders of its own; there where a registration names authorities. */
export const TIME = 'time'
export type TimePath = `${typeof TIME}/${string}`

const MIB = 1_048_576

/** Largest size of each file, in bytes; docs/evidence.md states them. Beyond it, it is another kind of file. */
export const MAX_BYTES_OF: Readonly<Record<FileName, number>> = {
  [FILES.pairs]: 16_384 * MIB,
  [FILES.result]: 256 * MIB,
  [FILES.html]: 256 * MIB,
  [FILES.markdown]: 256 * MIB,
  [FILES.access]: 64 * MIB,
  [FILES.inputs]: MIB,
  [FILES.crate]: 256 * MIB,
  [FILES.statement]: 256 * MIB,
}

/** How a result is shown to people; the same result always gives the same bytes. */
export interface Renderers {
  readonly html: (result: EvaluationResult) => string
  readonly markdown: (result: EvaluationResult) => string
}

export type FileName = (typeof FILES)[keyof typeof FILES]

/**
 * The folder of a run: nothing bears its name until everything is in it and on the disk.
 * @throws {ForeproofError} `refused` when the folder exists; `io` or `not-found` when it cannot be
 * made or written.
 */
export class EvidenceFolder {
  readonly #path: string
  readonly #staged: StagedFolder

  constructor(path: string) {
    this.#path = resolve(path)
    refuseExistingFolder(path)
    this.#staged = new StagedFolder(path)
    try {
      this.addPairs('')
    } catch (cause) {
      this.discard()
      throw cause
    }
  }

  /** Appends to the pairs. */
  readonly addPairs = (text: string): void => this.#staged.append(FILES.pairs, text)

  /** Appends to a file of the folder `time`. */
  readonly appendTime = (name: TimePath, text: string): void => this.#staged.append(name, text)

  /** Writes a whole file of the folder `time`. */
  readonly putTime = (name: TimePath, content: string | Uint8Array): void =>
    this.#staged.put(name, content)

  write(name: FileName, text: string): void {
    this.#staged.append(name, text)
  }

  /** Where its files lie until it has its name. */
  get staging(): string {
    return this.#staged.staging
  }

  /** Gives the folder its name. */
  finish(): void {
    refuseExistingFolder(this.#path)
    try {
      this.#staged.commit()
    } catch (cause) {
      throw fileError(cause, this.#path)
    }
  }

  /** Removes what was begun; harmless after `finish`. */
  discard(): void {
    this.#staged.discard()
  }
}
