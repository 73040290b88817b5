import { existsSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { demandFile } from '../../files/atomic.js'
import { openOnce } from './connection.js'
import { openSqlite } from './driver.js'
import { undoUnfinished, writingError } from './writable.js'

const BUSY_TIMEOUT_MS = 10_000

/**
 * Makes one file a copy of another as that is at one moment, in one transaction of the file that is written: who has
 * it open reads what it was or what it becomes.
 * @throws {ForeproofError} as readers and writers do; where the other file holds something else than a history;
 * `refused` where its name is that of a device or a pipe.
 */
export async function backupSqlite(from: string, to: string): Promise<void> {
  demandFile(to)
  const source = openOnce(from, BUSY_TIMEOUT_MS)
  const isNew =
    (statSync(to, { throwIfNoEntry: false })?.size ?? 0) === 0 && !existsSync(`${to}-journal`)
  try {
    if (!isNew) demandWritable(to)
    await source.db.backup(resolve(to))
    source.demandWhole()
  } catch (cause) {
    if (isNew) for (const name of [to, `${to}-journal`]) rmSync(name, { force: true })
    throw writingError(cause, to)
  } finally {
    source.db.close()
  }
}

/** Looks whether it is a history that can be locked: the backup itself would wait for ever. */
function demandWritable(to: string): void {
  undoUnfinished(to)
  if (statSync(to).size > 0) openOnce(to, BUSY_TIMEOUT_MS).db.close()
  const target = openSqlite(resolve(to), { timeout: BUSY_TIMEOUT_MS })
  try {
    target.exec('BEGIN EXCLUSIVE; COMMIT')
  } finally {
    target.close()
  }
}
