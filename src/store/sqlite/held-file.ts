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

/** What the header of a database says. */
interface Header {
  readonly stats: BigIntStats
  /** Whether changes go into a write-ahead log. */
  readonly wal: boolean
  /** The bytes the file should have; undefined where the header does not say. */
  readonly needs: number | undefined
}

interface Held {
  readonly descriptor: number
  users: number
}

/**
 * One descriptor for each database file, by inode. When a process closes any descriptor of a file, POSIX releases all
 * locks of that process on it, those of SQLite included. A writer elsewhere then deletes the write-ahead log that SQLite
 * still reads here, and sound rows look damaged. So the descriptor stays open as long as this process may have a lock:
 * a closed connection keeps its own until its statements are collected, and hands it on to the next one, which then
 * asks for none. A deleted file is found by no writer any more.
 */
const HELD = new Map<string, Held>()
/** So many files stay open without a user; of more, the statements of the oldest have long been collected. */
const MAX_IDLE = 200

/** A database file that stays open at least as long as this process uses it. */
export class HeldFile {
  #name: string | undefined

  constructor(private readonly path: string) {}

  /**
   * Reads the header of the file as it is now, and says what is no database before SQLite says it less well.
   * @throws {ForeproofError}
   */
  header(): Header {
    try {
      assertRegularFiles(this.path)
      // An open file stays readable after its access rights were taken away.
      accessSync(this.path, constants.R_OK)
      const descriptor = this.hold()
      const stats = fstatSync(descriptor, { bigint: true })
      const header = Buffer.alloc(HEADER_BYTES)
      const read = () => readSync(descriptor, header, 0, HEADER_BYTES, 0)
      const isMarked = (bytes: number) =>
        bytes === HEADER_BYTES && header.toString('latin1', 0, MAGIC.length) === MAGIC
      const bytes = read()
      if (bytes === 0) throw notAHistoryError(this.path, 'the file is empty')
      // The first page of a new database may be written last: SQLite has to judge what is being written, and
      // where the journal has gone by now, that page is there.
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

  /** Gives the file up; SQLite must have closed it before. */
  release(): void {
    const own = this.#name === undefined ? undefined : HELD.get(this.#name)
    this.#name = undefined
    if (own === undefined) return
    own.users--
    const idle = [...HELD].filter(([, { users }]) => users === 0)
    for (const [at, [name, { descriptor }]] of idle.entries()) {
      if (at >= idle.length - MAX_IDLE && fstatSync(descriptor).nlink > 0) continue
      HELD.delete(name)
      closeSync(descriptor)
    }
  }

  /** Opens the file that the path names now, and keeps it open. @returns its descriptor. */
  hold(): number {
    const name = nameOf(statSync(this.path, { bigint: true }))
    const known = HELD.get(name)
    if (known !== undefined && name === this.#name) return known.descriptor
    const held = known ?? { descriptor: openRegular(this.path), users: 0 }
    // Another process replaced the file between stat and open.
    if (known === undefined && nameOf(fstatSync(held.descriptor, { bigint: true })) !== name) {
      closeSync(held.descriptor)
      return this.hold()
    }
    held.users++
    // The last in order is the one used last.
    HELD.delete(name)
    HELD.set(name, held)
    this.release()
    this.#name = name
    return held.descriptor
  }
}

const nameOf = ({ dev, ino }: BigIntStats) => `${dev}:${ino}`

/** The files that SQLite opens together with a database. */
const DATABASE_SUFFIXES = ['', '-journal', '-wal', '-shm']

/**
 * Checks a database and the files beside it before SQLite opens them: SQLite would wait for ever for a named pipe.
 * It does not open them: closing one would release the locks of this process.
 * @throws {ForeproofError} `invalid-input` naming what is no regular file.
 */
export function assertRegularFiles(path: string): void {
  for (const name of DATABASE_SUFFIXES.map((suffix) => `${path}${suffix}`)) {
    try {
      // One look each: a writer makes its journal and takes it away at any time.
      const status = statSync(name, { throwIfNoEntry: false })
      if (status !== undefined) assertRegular(status, name)
    } catch (cause) {
      throw fileError(cause, name)
    }
  }
}
