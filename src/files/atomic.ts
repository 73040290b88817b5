import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'

const CHUNK_CHARACTERS = 1 << 16

/** A name beside `path` that no other writer uses. */
export function temporaryBeside(path: string): string {
  return join(
    dirname(path),
    `.${basename(path)}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`,
  )
}

/** Makes a rename or link in `folder` survive a power cut; some file systems cannot, and that is fine. */
export function syncFolder(folder: string): void {
  let descriptor: number | undefined
  try {
    descriptor = openSync(folder, 'r')
    fsyncSync(descriptor)
  } catch {
    // Folders cannot be opened for syncing everywhere (Windows, some network file systems).
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function writeTemporary(path: string, data: string | Uint8Array): string {
  const temporary = temporaryBeside(path)
  const descriptor = openSync(temporary, 'wx')
  try {
    writeFileSync(descriptor, data)
    fsyncSync(descriptor)
  } catch (cause) {
    unlinkSync(temporary)
    throw cause
  } finally {
    closeSync(descriptor)
  }
  return temporary
}

/**
 * Writes the whole file or nothing: a reader sees the old content or the new.
 * @throws {ForeproofError} `io` or `not-found`, naming the file.
 */
export function writeFileAtomic(path: string, data: string | Uint8Array): void {
  let temporary: string | undefined
  try {
    temporary = writeTemporary(path, data)
    renameSync(temporary, path)
    temporary = undefined
    syncFolder(dirname(path))
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    if (temporary !== undefined) discard(temporary)
  }
}

/**
 * Like writeFileAtomic for a text that is made piece by piece, so that it need not fit into memory.
 * When making it fails, so does this, and nothing is written.
 */
export function writeLinesAtomic(path: string, lines: Iterable<string>): void {
  const temporary = temporaryBeside(path)
  let descriptor: number | undefined
  let done = false
  try {
    descriptor = openSync(temporary, 'wx')
    let chunk = ''
    for (const line of lines) {
      chunk += line
      if (chunk.length < CHUNK_CHARACTERS) continue
      writeFileSync(descriptor, chunk)
      chunk = ''
    }
    writeFileSync(descriptor, chunk)
    fsyncSync(descriptor)
    closeSync(descriptor)
    descriptor = undefined
    renameSync(temporary, path)
    done = true
    syncFolder(dirname(path))
  } catch (cause) {
    throw cause instanceof ForeproofError ? cause : fileError(cause, path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
    if (!done) discard(temporary)
  }
}

/**
 * Like writeFileAtomic, but never replaces: the link fails when the name is taken, so two writers
 * cannot both win.
 * @throws {ForeproofError} `refused` when the file exists.
 */
export function createFileAtomic(path: string, data: string | Uint8Array): void {
  let temporary: string | undefined
  try {
    temporary = writeTemporary(path, data)
    linkSync(temporary, path)
    syncFolder(dirname(path))
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    if (temporary !== undefined) discard(temporary)
  }
}

function discard(temporary: string): void {
  try {
    unlinkSync(temporary)
  } catch {
    // Already gone.
  }
}
