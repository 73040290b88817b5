import { closeSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { displayPath } from '../../files/given.js'
import { namesOpenFile, openRegular, readInto } from '../../files/regular.js'

/** What SQLite keeps beside a database. */
const COMPANIONS = ['', '-wal', '-shm', '-journal']

/** A file that the service only reads, and what it is to a reader of the message. */
interface Input {
  readonly path: string
  readonly what: string
}

export const historyInputs = (path: string): Input[] =>
  COMPANIONS.map((suffix) => ({ path: `${path}${suffix}`, what: 'the history' }))

/**
 * The audit log is the one thing the service writes: it cuts half lines off, moves the file aside and
 * removes old ones. None of that may happen to what it reads.
 * @param name the variable or flag that the audit path came from.
 * @throws {ForeproofError} `usage` when the audit log, or a place it rotates to, is one of the inputs, and for a file by such
 * a name as /dev/stdout, which would itself be moved aside with the first rotation.
 */
export function assertSafeAuditPath(audit: string, inputs: readonly Input[], name: string): void {
  if (tryStat(audit)?.isFile() && namesOpenFile(audit)) {
    throw new ForeproofError('usage', `${name} is ${audit}, which leads to a file here`, {
      help: 'Give the path of that file itself: the audit log moves its file aside when it is full.',
    })
  }
  if (hasOtherContent(audit)) {
    throw new ForeproofError('usage', `${name} is ${displayPath(audit)}, which is no audit log`, {
      help: 'Give the audit log a file of its own: half a line at its end is cut off, and old lines are removed.',
    })
  }
  const place = canonical(audit)
  for (const { path, what } of inputs) {
    const other = canonical(path)
    const rotated = other.startsWith(`${place}.`) && /^\d+$/.test(other.slice(place.length + 1))
    if (other === place || rotated || isSameFile(audit, path)) {
      throw new ForeproofError('usage', `${name} would write over ${what} (${path})`, {
        help: 'Give the audit log a file of its own.',
      })
    }
  }
}

/** Whether a file holds something else than lines of JSON, such as a key. What cannot be read is said when it is opened. */
function hasOtherContent(path: string): boolean {
  if (tryStat(path)?.isFile() !== true) return false
  let descriptor: number | undefined
  try {
    descriptor = openRegular(path)
    const start = Buffer.alloc(2)
    const length = readInto(descriptor, start)
    return !'{"'.startsWith(start.toString('latin1', 0, length))
  } catch {
    return false
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** The path with its links followed, as far as it exists. */
function canonical(path: string): string {
  const whole = resolve(path)
  try {
    return realpathSync(whole)
  } catch {
    const folder = dirname(whole)
    return folder === whole ? whole : join(canonical(folder), basename(whole))
  }
}

/** Whether two names belong to one file, by a hard link too. */
function isSameFile(a: string, b: string): boolean {
  const [first, second] = [tryStat(a), tryStat(b)]
  return first?.isFile() === true && first.ino === second?.ino && first.dev === second.dev
}

/** Undefined for what is not there or cannot be looked at: writing to it says so in its own time. */
export function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
