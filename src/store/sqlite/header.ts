import { type BigIntStats, closeSync, existsSync, readSync, statSync } from 'node:fs'
import { fileError } from '../../contract/error.js'
import { openRegular, refuseOther } from '../../files/regular.js'
import { noHistory } from './faults.js'

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100

interface FileHeader {
  readonly stats: BigIntStats
  readonly wal: boolean
  /** Bytes the file should have; undefined where the header does not say. */
  readonly needs: number | undefined
}

/** Reads the file's header; says what is no database before SQLite says it less well. */
export function readFileHeader(path: string): FileHeader {
  let descriptor: number | undefined
  try {
    refuseOtherKinds(path)
    const stats = statSync(path, { bigint: true })
    const opened = openRegular(path)
    descriptor = opened
    const header = Buffer.alloc(HEADER_BYTES)
    const read = () => readSync(opened, header, 0, HEADER_BYTES, 0)
    const isMarked = (bytes: number) =>
      bytes === HEADER_BYTES && header.toString('latin1', 0, MAGIC.length) === MAGIC
    const bytes = read()
    if (bytes === 0) throw noHistory(path, 'the file is empty')
    // The first page of a new database may be written last: SQLite has to judge what is being written, and
    // where the journal has gone by now, that page is there.
    if (!isMarked(bytes) && !existsSync(`${path}-journal`) && !isMarked(read())) {
      throw noHistory(path, 'not an SQLite database')
    }
    const pageSize = header.readUInt16BE(16)
    const counted = header.readUInt32BE(24) === header.readUInt32BE(92)
    const needs = (pageSize === 1 ? 65536 : pageSize) * header.readUInt32BE(28)
    return { stats, wal: header[18] === 2, needs: counted ? needs : undefined }
  } catch (cause) {
    throw fileError(cause, path)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** What SQLite keeps beside a database, and opens whenever it opens that. */
const BESIDE = ['', '-journal', '-wal', '-shm']

/**
 * Looks at a database and the files beside it before SQLite opens them: a pipe in the place of one would
 * hold it for ever. They are not opened here: closing one would give up the locks of this process on it.
 * @throws {ForeproofError} `invalid-input` naming what is no regular file.
 */
export function refuseOtherKinds(path: string): void {
  for (const name of BESIDE.map((suffix) => `${path}${suffix}`)) {
    try {
      // One look each: a writer makes its journal and takes it away at any time.
      const status = statSync(name, { throwIfNoEntry: false })
      if (status !== undefined) refuseOther(status, name)
    } catch (cause) {
      throw fileError(cause, name)
    }
  }
}
