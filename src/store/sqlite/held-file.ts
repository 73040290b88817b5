import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  readSync,
  statSync,
} from 'node:fs'
import { ForeproofError, fileError } from '../../contract/error.js'
import { assertRegular, openRegular } from '../../files/regular.js'
import { notAHistoryError } from './faults.js'

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

/** The header of a database file. */
interface Header {
  readonly stats: BigIntStats
  /** Whether it uses a write-ahead log. */
  readonly wal: boolean
  /** The size that the file should have, in bytes; undefined if the header does not state it. */
  readonly needs: number | undefined
}

interface Held {
  readonly descriptor: number
  users: number
}

/**
 * One descriptor for each database file, by inode. When a process closes any descriptor of a file, POSIX releases all
 * its locks on that file, also SQLite's. Another process may then delete the write-ahead log that SQLite still reads
 * here, and intact rows look damaged. So the descriptor stays open as long as this process may hold a lock. A closed
 * connection keeps its lock until its statements are collected, and the next connection reuses it. No writer can find
 * a deleted file.
 */
const HELD = new Map<string, Held>()
/**
 * Maximum number of unused files that stay open. The statements of older ones were collected long ago.
 */
const MAX_IDLE = 200

/** A database file that stays open while this process uses it. */
export class HeldFile {
  #name: string | undefined

  constructor(private readonly path: string) {}

  /**
   * Reads the current header, and reports a file that is not a database more clearly than SQLite would.
   * @throws {ForeproofError}
   */
  header(): Header {
    try {
      assertRegularFiles(this.path)
      // An open file stays readable after its permissions are removed.
      accessSync(this.path, constants.R_OK)
      const descriptor = this.hold()
      const stats = fstatSync(descriptor, { bigint: true })
      const header = Buffer.alloc(HEADER_BYTES)
      const read = () => readSync(descriptor, header, 0, HEADER_BYTES, 0)
      const isMarked = (bytes: number) =>
        bytes === HEADER_BYTES && header.toString('latin1', 0, MAGIC.length) === MAGIC
      const bytes = read()
      if (bytes === 0) throw notAHistoryError(this.path, 'the file is empty')
      // A new database may get its first page last. If there is a journal, leave the check to SQLite; if the journal
      // is gone by now, the page has been written.
      if (!isMarked(bytes) && !existsSync(`${this.path}-journal`) && !isMarked(read())) {
        throw notAHistoryError(this.path, 'not an SQLite database')
      }
      const pageSize = header.readUInt16BE(16)
      const counted = header.readUInt32BE(24) === header.readUInt32BE(92)
      const needs = (pageSize === 1 ? 65536 : pageSize) * header.readUInt32BE(28)
      return { stats, wal: header[18] === 2, needs: counted ? needs : undefined }
    } catch (cause) {
      const fault = fileError(cause, this.path)
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw fault
      const help = 'Name the history (--history), or make one: foreproof history import.'
      throw new ForeproofError(fault.code, fault.message, { file: this.path, help, cause })
    }
  }

  /** Releases the file; SQLite must have closed it before. */
  release(): void {
    const held = this.#name === undefined ? undefined : HELD.get(this.#name)
    this.#name = undefined
    if (held === undefined) return
    held.users--
    const idle = [...HELD].filter(([, { users }]) => users === 0)
    for (const [at, [name, { descriptor }]] of idle.entries()) {
      if (at >= idle.length - MAX_IDLE && fstatSync(descriptor).nlink > 0) continue
      HELD.delete(name)
      closeSync(descriptor)
    }
  }

  /** Opens the file that is now at the path, and keeps it open. @returns its descriptor. */
  hold(): number {
    const name = fileIdentity(statSync(this.path, { bigint: true }))
    const shared = HELD.get(name)
    if (shared !== undefined && name === this.#name) return shared.descriptor
    const held = shared ?? { descriptor: openRegular(this.path), users: 0 }
    // Another process replaced the file between stat and open.
    if (
      shared === undefined &&
      fileIdentity(fstatSync(held.descriptor, { bigint: true })) !== name
    ) {
      closeSync(held.descriptor)
      return this.hold()
    }
    held.users++
    // The map is ordered by last use.
    HELD.delete(name)
    HELD.set(name, held)
    this.release()
    this.#name = name
    return held.descriptor
  }
}

const fileIdentity = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`

/** Suffixes of the files that SQLite opens with a database. */
const DATABASE_SUFFIXES = ['', '-journal', '-wal', '-shm']

/**
 * Checks that a database and the files beside it are regular files, because SQLite would wait forever for a named
 * pipe. It uses stat only: opening and closing a file would release the locks of this process.
 * @throws {ForeproofError} `invalid-input` that names the other file.
 */
export function assertRegularFiles(path: string): void {
  for (const name of DATABASE_SUFFIXES.map((suffix) => `${path}${suffix}`)) {
    try {
      // One stat each, because a writer may create or delete its journal at any time.
      const status = statSync(name, { throwIfNoEntry: false })
      if (status !== undefined) assertRegular(status, name)
    } catch (cause) {
      throw fileError(cause, name)
    }
  }
}
