import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { describeKind, namesOpenFile } from './regular.js'
import { removeLeftovers, temporaryName } from './temporary.js'

/** Characters of text per write. */
const CHUNK = 1 << 16
/** Linux follows the same number. */
const MOST_LINKS = 40

/** Owner and permissions of a file, as in `stat`. */
export interface Access {
  readonly mode: number
  readonly uid?: number
  readonly gid?: number
}

/**
 * A file that appears completely or not at all. It is written under a temporary name and gets its final name, synced
 * to disk, with `replace` or `create`. Errors name the final file. A symbolic link stays: the file it leads to is
 * replaced or created.
 */
export class AtomicFile {
  readonly #path: string
  /** What the name leads to. */
  readonly #target: string
  readonly #temporary: string
  #descriptor: number | undefined
  #pending = ''

  /**
   * @param access - default: that of new files of the process.
   * @throws {ForeproofError} `io` or `not-found` when the folder cannot be written to, or the access not be given;
   * `refused` if the name is that of a device, a pipe or a socket.
   */
  constructor(path: string, access?: Access) {
    this.#path = path
    this.#guard(() => assertRegularTarget(path))
    this.#target = this.#guard(() => resolveLinks(path))
    removeLeftovers(this.#target)
    this.#temporary = temporaryName(this.#target)
    this.#descriptor = this.#guard(() => openSync(this.#temporary, 'wx', access && 0o600))
    if (access === undefined) return
    try {
      this.#guard(() => setOwnerAndMode(this.#open(), access))
    } catch (cause) {
      this.discard()
      throw cause
    }
  }

  /** @throws {ForeproofError} `io` when the device is full or fails. */
  write(data: string | Uint8Array): void {
    if (typeof data === 'string') this.#pending += data
    if (typeof data !== 'string' || this.#pending.length > CHUNK) this.#flush()
    if (typeof data !== 'string') this.#guard(() => writeFileSync(this.#open(), data))
  }

  /** Replaces the existing file. */
  replace(): void {
    this.#settle(() => renameSync(this.#temporary, this.#target))
  }

  /**
   * Never replaces: the link fails if the name exists, so two writers cannot both succeed.
   * @throws {ForeproofError} `refused` when the file exists.
   */
  create(): void {
    this.#settle(() => {
      linkSync(this.#temporary, this.#path)
      unlinkSync(this.#temporary)
    })
  }

  /** Removes the temporary file; does nothing after `replace` or `create`. */
  discard(): void {
    if (this.#descriptor === undefined) return
    closeSync(this.#descriptor)
    this.#descriptor = undefined
    try {
      unlinkSync(this.#temporary)
    } catch {
      // Already gone.
    }
  }

  #settle(publish: () => void): void {
    this.#flush()
    this.#guard(() => {
      fsyncSync(this.#open())
      publish()
      closeSync(this.#open())
      this.#descriptor = undefined
      syncFolder(dirname(this.#target))
    })
  }

  #flush(): void {
    this.#guard(() => writeFileSync(this.#open(), this.#pending))
    this.#pending = ''
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

/**
 * Writes the whole file or nothing: a reader sees the old content or the new.
 * @throws {ForeproofError} `io` or `not-found`, naming the file.
 */
export function writeFileAtomic(path: string, data: string | Uint8Array, access?: Access): void {
  writeWhole(path, data, 'replace', access)
}

/**
 * Like writeFileAtomic, but never replaces.
 * @throws {ForeproofError} `refused` when the file exists.
 */
export function createFileAtomic(path: string, data: string | Uint8Array, access?: Access): void {
  writeWhole(path, data, 'create', access)
}

function writeWhole(
  path: string,
  data: string | Uint8Array,
  mode: 'replace' | 'create',
  access?: Access,
): void {
  const file = new AtomicFile(path, access)
  try {
    file.write(data)
    file[mode]()
  } finally {
    file.discard()
  }
}

/**
 * Like writeFileAtomic, for content in pieces that need not fit into memory. If making a piece fails, nothing is
 * written.
 */
export async function writePiecesAtomic(
  path: string,
  pieces: Iterable<string> | AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const file = new AtomicFile(path)
  try {
    for await (const piece of pieces) file.write(piece)
    file.replace()
  } finally {
    file.discard()
  }
}

/**
 * Replacing /dev/null or /dev/stdout would break every program on the machine.
 * @throws {ForeproofError} `refused` if the name is that of a device, a pipe or a socket, or of an open file.
 */
export function assertRegularTarget(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  const kind = stats === undefined || stats.isDirectory() ? undefined : describeKind(stats)
  if (kind === undefined && !namesOpenFile(path)) return
  throw new ForeproofError('refused', `${path}: is ${kind ?? 'the name of an open file'}`, {
    file: path,
    help: 'Name a file. Nothing was written.',
  })
}

/** Resolves links, also to a file that does not exist yet. */
function resolveLinks(path: string): string {
  let at = path
  for (let left = MOST_LINKS; left > 0; left--) {
    if (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at
    at = resolve(realpathSync(dirname(at)), readlinkSync(at))
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
}

function setOwnerAndMode(descriptor: number, { mode, uid, gid }: Access): void {
  const stats = fstatSync(descriptor)
  const other = (uid !== undefined && uid !== stats.uid) || (gid !== undefined && gid !== stats.gid)
  if (other) fchownSync(descriptor, uid ?? stats.uid, gid ?? stats.gid)
  fchmodSync(descriptor, mode & 0o7777)
}

/** Makes a rename or link in `folder` survive a power cut, if the file system can. */
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
