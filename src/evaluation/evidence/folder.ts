import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeproofError, fileError } from '../../contract/error.js'
import { syncFolder, temporaryBeside } from '../../files/atomic.js'

/** What a run leaves behind, by name. */
export const FILES = {
  pairs: 'pairs.ndjson',
  result: 'result.json',
  html: 'report.html',
  markdown: 'report.md',
  access: 'access.jsonl',
  inputs: 'inputs.json',
} as const

export type FileName = (typeof FILES)[keyof typeof FILES]

/**
 * A folder in the making: nothing bears its name until everything is in it and on the disk.
 * @throws {ForeproofError} `refused` when the folder exists; `io` or `not-found` when it cannot be
 * made or written.
 */
export class FolderInTheMaking {
  readonly #path: string
  readonly #temporary: string
  #pairs: number | undefined

  constructor(path: string) {
    const whole = resolve(path)
    refuseExisting(whole, path)
    this.#path = whole
    this.#temporary = temporaryBeside(whole)
    makeParent(dirname(whole))
    try {
      mkdirSync(this.#temporary)
      this.#pairs = openSync(join(this.#temporary, FILES.pairs), 'wx')
    } catch (cause) {
      this.discard()
      throw fileError(cause, path)
    }
  }

  /** Appends to the pairs. */
  readonly addPairs = (text: string): void => {
    try {
      writeSync(this.#pairs as number, text)
    } catch (cause) {
      throw fileError(cause, join(this.#path, FILES.pairs))
    }
  }

  write(name: FileName, text: string): void {
    const path = join(this.#temporary, name)
    try {
      const descriptor = openSync(path, 'wx')
      try {
        writeFileSync(descriptor, text)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    } catch (cause) {
      throw fileError(cause, join(this.#path, name))
    }
  }

  /** Gives the folder its name. */
  finish(): void {
    try {
      fsyncSync(this.#pairs as number)
      closeSync(this.#pairs as number)
      this.#pairs = undefined
      syncFolder(this.#temporary)
      refuseExisting(this.#path, this.#path)
      renameSync(this.#temporary, this.#path)
      syncFolder(dirname(this.#path))
    } catch (cause) {
      throw fileError(cause, this.#path)
    }
  }

  /** Removes what was begun; harmless after `finish`. */
  discard(): void {
    if (this.#pairs !== undefined) closeSync(this.#pairs)
    this.#pairs = undefined
    try {
      rmSync(this.#temporary, { recursive: true, force: true })
    } catch {
      // Nothing was begun where no folder can be; what went wrong is told by whoever called.
    }
  }
}

function makeParent(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    // Node says "exists" where a file stands in the place of a folder.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(cause, folder)
    throw new ForeproofError('not-found', `${folder}: is a file, not a folder`, {
      file: folder,
      help: 'Name a folder to write that lies in a folder.',
      cause,
    })
  }
}

/** @throws {ForeproofError} `refused` when something has this name. */
export function refuseExisting(path: string, asNamed: string): void {
  if (!existsSync(path)) return
  throw new ForeproofError('refused', `${asNamed}: already exists`, {
    file: asNamed,
    help: `Nothing was overwritten. Name another folder than ${basename(path)}.`,
  })
}
