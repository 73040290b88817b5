import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileError } from '../contract/error.js'
import { syncFolder } from './atomic.js'
import { clearLeft, temporaryBeside } from './temporary.js'

export interface StagedFolderOptions {
  /** False for what can be made again: to wait for the disk after each of thousands of files takes minutes. */
  readonly durable?: boolean
}

/**
 * A folder that is there whole or not at all: it is filled beside its place, and takes its name once
 * everything is in it and on the disk.
 */
export class StagedFolder {
  /** Where the files lie until `commit`. */
  readonly staging: string
  readonly #path: string
  readonly #durable: boolean
  readonly #files = new Map<string, number>()
  readonly #folders = new Set<string>()

  /**
   * @param path its place; the folder around it must be there.
   * @throws whatever the system says when no folder can be made there.
   */
  constructor(path: string, { durable = true }: StagedFolderOptions = {}) {
    this.#path = resolve(path)
    this.#durable = durable
    clearLeft(this.#path)
    this.staging = temporaryBeside(this.#path)
    mkdirSync(this.staging)
  }

  /**
   * Makes a file, or lets it grow; a name may lead through folders, which are made.
   * @throws {ForeproofError} `io`, by the name that the file will have.
   */
  readonly append = (name: string, text: string): void => {
    try {
      writeFileSync(this.#open(name), text)
    } catch (cause) {
      throw fileError(cause, join(this.#path, name))
    }
  }

  /**
   * Makes a whole file at once. For many of them: what `append` makes stays open until the end.
   * @throws {ForeproofError} as `append`.
   */
  readonly put = (name: string, content: string | Uint8Array): void => {
    try {
      const descriptor = this.#make(name)
      try {
        writeFileSync(descriptor, content)
        if (this.#durable) fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
    } catch (cause) {
      throw fileError(cause, join(this.#path, name))
    }
  }

  /**
   * Gives the folder its name, which may be taken by no more than an empty folder.
   * @throws whatever the system says when it cannot be had.
   */
  commit(): void {
    for (const descriptor of this.#files.values()) fsyncSync(descriptor)
    this.#close()
    if (this.#durable) for (const folder of this.#folders) syncFolder(folder)
    syncFolder(this.staging)
    renameSync(this.staging, this.#path)
    syncFolder(dirname(this.#path))
  }

  /** Removes what was begun; harmless after `commit`. */
  discard(): void {
    this.#close()
    try {
      rmSync(this.staging, { recursive: true, force: true })
    } catch {
      // What went wrong before is what has to be told.
    }
  }

  #open(name: string): number {
    const known = this.#files.get(name)
    if (known !== undefined) return known
    const descriptor = this.#make(name)
    this.#files.set(name, descriptor)
    return descriptor
  }

  /** Opens a new file, with the folders that it lies in. */
  #make(name: string): number {
    const path = join(this.staging, name)
    for (let folder = dirname(path); folder !== this.staging; folder = dirname(folder)) {
      if (this.#folders.has(folder)) break
      mkdirSync(folder, { recursive: true })
      this.#folders.add(folder)
    }
    return openSync(path, 'wx')
  }

  #close(): void {
    for (const descriptor of this.#files.values()) closeSync(descriptor)
    this.#files.clear()
  }
}
