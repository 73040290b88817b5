import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileError } from '../contract/error.js'
import { syncFolder, temporaryBeside } from './atomic.js'

const BUFFER_BYTES = 262_144
/** UTF-8 needs at most three bytes for each UTF-16 unit. */
const BYTES_PER_UNIT = 3

/**
 * Writes a file that grows piece by piece, whole or not at all: the name is taken only by `commit`.
 * Memory holds one buffer, whatever the size of the file.
 */
export class AtomicWriter {
  readonly #path: string
  readonly #temporary: string
  // Pieces are encoded at once into one buffer: strings that wait, and buffers made anew, would
  // outlive garbage collections and swell the heap.
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  #filled = 0
  #descriptor: number | undefined
  #settled = false

  /** @throws {ForeproofError} `io` or `not-found` when the folder cannot be written to. */
  constructor(path: string) {
    this.#path = path
    this.#temporary = temporaryBeside(path)
    this.#descriptor = this.#guard(() => openSync(this.#temporary, 'wx'))
  }

  /** @throws {ForeproofError} `io` when the device is full or fails. */
  write(text: string): void {
    const most = text.length * BYTES_PER_UNIT
    if (most > this.#buffer.length - this.#filled) this.#flush()
    if (most > this.#buffer.length) this.#put(Buffer.from(text))
    else this.#filled += this.#buffer.write(text, this.#filled)
  }

  /** Puts the file in its place. */
  commit(): void {
    this.#flush()
    this.#guard(() => {
      fsyncSync(this.#open())
      closeSync(this.#open())
      this.#descriptor = undefined
      renameSync(this.#temporary, this.#path)
      this.#settled = true
      syncFolder(dirname(this.#path))
    })
  }

  /** Leaves nothing behind; after a `commit` that succeeded it does nothing. */
  discard(): void {
    if (this.#settled) return
    this.#settled = true
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
    unlinkSync(this.#temporary)
  }

  #flush(): void {
    this.#put(this.#buffer.subarray(0, this.#filled))
    this.#filled = 0
  }

  #put(bytes: Uint8Array): void {
    this.#guard(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#open(), bytes, at)
    })
  }

  #open(): number {
    if (this.#descriptor !== undefined) return this.#descriptor
    throw new Error('the file was already put in its place')
  }

  #guard<T>(act: () => T): T {
    try {
      return act()
    } catch (cause) {
      throw fileError(cause, this.#path)
    }
  }
}
