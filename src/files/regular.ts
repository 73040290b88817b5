import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'

const PIECE = 1_048_576
/** Names that the system gives to what a process has open, such as its standard output. */
const OPEN_FILE = /^\/(?:dev\/(?:std(?:in|out|err)|fd\/\d+)|proc\/[^/]+\/fd\/\d+)$/

export interface RegularOptions {
  /** Whether a symbolic link is followed (the default) or refused. */
  readonly links?: 'follow' | 'refuse'
}

/** Describes anything but a regular file; undefined for a regular file. */
export function describeKind(status: Kinds): string | undefined {
  if (status.isFile()) return undefined
  if (status.isSymbolicLink()) return 'a symbolic link'
  if (status.isDirectory()) return 'a folder'
  if (status.isFIFO()) return 'a named pipe'
  return status.isSocket() ? 'a socket' : 'a device'
}

/** Whether a path is a name such as /dev/stdout, which may lead to a regular file. */
export function namesOpenFile(path: string): boolean {
  return OPEN_FILE.test(resolve(path))
}

type Kinds = Pick<Stats, 'isFile' | 'isSymbolicLink' | 'isDirectory' | 'isFIFO' | 'isSocket'>

/**
 * The stat of a regular file, without opening it.
 * @throws {ForeproofError} `invalid-input` if it is not a regular file; `not-found` (also for a folder) or `io`.
 */
export function statRegular(path: string): Stats {
  try {
    const status = statSync(path)
    assertRegular(status, path)
    return status
  } catch (cause) {
    throw fileError(cause, path)
  }
}

/**
 * Opens an untrusted file safely: it never blocks on a pipe or device and can refuse links, even if one replaces the
 * file at the last moment.
 * @returns the descriptor, which the caller closes.
 * @throws {ForeproofError} `invalid-input` if it is not a regular file; `not-found` (also for a folder) or `io`.
 */
export function openRegular(path: string, { links = 'follow' }: RegularOptions = {}): number {
  let descriptor: number | undefined
  try {
    assertRegular(links === 'follow' ? statSync(path) : lstatSync(path), path)
    // Windows has neither flag, and no named pipes in folders.
    const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
    const flags = O_RDONLY | O_NONBLOCK | (links === 'follow' ? 0 : O_NOFOLLOW)
    descriptor = openSync(path, flags)
    assertRegular(fstatSync(descriptor), path)
    return descriptor
  } catch (cause) {
    if (descriptor !== undefined) closeSync(descriptor)
    throw fileError(cause, path)
  }
}

/**
 * Reads a regular file whole.
 * @param limit - largest size, in bytes.
 * @throws {ForeproofError} as `openRegular`; `invalid-input` for a larger file; `unavailable` if it is written to
 * meanwhile.
 */
export function readRegular(path: string, limit: number, options?: RegularOptions): Buffer {
  const descriptor = openRegular(path, options)
  try {
    const status = fstatSync(descriptor)
    assertSize(status.size, limit, path)
    const bytes = Buffer.alloc(status.size)
    const filled = readInto(descriptor, bytes)
    assertUnchanged(status, fstatSync(descriptor), filled, path)
    return bytes
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    closeSync(descriptor)
  }
}

/** The bytes of a file; undefined if `readRegular` cannot read it. */
export function readIfRegular(path: string, limit: number): Buffer | undefined {
  try {
    return readRegular(path, limit)
  } catch {
    return undefined
  }
}

/**
 * The SHA-256 of a regular file that need not fit into memory, in hex.
 * @param between - awaited after every piece.
 * @throws {ForeproofError} as `readRegular`; what `between` throws.
 */
export async function digestFile(
  path: string,
  limit: number,
  between: () => Promise<void>,
  options: RegularOptions = { links: 'refuse' },
): Promise<string> {
  const hash = createHash('sha256')
  for (const piece of piecesOfRegular(path, limit, options)) {
    hash.update(piece)
    await between()
  }
  return hash.digest('hex')
}

/**
 * The bytes of a regular file that need not fit into memory, in pieces; each is gone when the next is asked for.
 * @throws {ForeproofError} as `readRegular`.
 */
export function* piecesOfRegular(
  path: string,
  limit: number,
  options?: RegularOptions,
): Generator<Uint8Array, void, undefined> {
  const descriptor = openRegular(path, options)
  try {
    const status = fstatSync(descriptor)
    assertSize(status.size, limit, path)
    const piece = Buffer.alloc(PIECE)
    let left = status.size
    while (left > 0) {
      const read = readSync(descriptor, piece, 0, Math.min(PIECE, left), null)
      if (read === 0) break
      left -= read
      yield piece.subarray(0, read)
    }
    assertUnchanged(status, fstatSync(descriptor), status.size - left, path)
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The entries of a folder, ordered by name; empty if it does not exist.
 * @throws {ForeproofError} `invalid-input` if a file has its name; `io` if it cannot be read.
 */
export function folderEntries(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    if (code !== 'ENOTDIR') throw fileError(cause, folder)
    const help = 'Name a folder, or move away the file that has its name.'
    const message = `${folder}: is not a folder`
    throw new ForeproofError('invalid-input', message, { file: folder, help, cause })
  }
}

/** Their names. */
export const listFileNames = (folder: string): string[] =>
  folderEntries(folder).map(({ name }) => name)

/** Fills the bytes from the current position. @returns how many were read. */
export function readInto(descriptor: number, bytes: Uint8Array): number {
  let filled = 0
  while (filled < bytes.length) {
    const read = readSync(descriptor, bytes, filled, bytes.length - filled, null)
    if (read === 0) break
    filled += read
  }
  return filled
}

/** @throws {ForeproofError} `invalid-input`, stating the limit. */
function assertSize(size: number, limit: number, path: string): void {
  if (size <= limit) return
  const help = 'Check that this is the right file: files of this kind are never so large.'
  const message = `${path}: the file is larger than ${limit} bytes`
  throw new ForeproofError('invalid-input', message, { file: path, help })
}

/** @throws {ForeproofError} `unavailable` if a file changed while it was read. */
function assertUnchanged(before: Stats, after: Stats, read: number, path: string): void {
  const same = after.size === before.size && after.mtimeMs === before.mtimeMs
  if (same && read === before.size) return
  const help = 'Run again when nothing writes to it, or on a copy.'
  throw new ForeproofError('unavailable', `${path}: changed while it was read`, {
    file: path,
    help,
  })
}

/**
 * @throws {ForeproofError} `invalid-input` if it is not a regular file; an error of the system for a folder.
 */
export function assertRegular(status: Stats, path: string): void {
  const kind = describeKind(status)
  if (kind === undefined) return
  if (status.isDirectory()) throw Object.assign(new Error(kind), { code: 'EISDIR' })
  const help = 'Only a regular file is read here.'
  throw new ForeproofError('invalid-input', `${path}: is ${kind}`, { file: path, help })
}
