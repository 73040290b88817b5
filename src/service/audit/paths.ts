import { closeSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ForeproofError } from '../../contract/error.js'
import { displayPath } from '../../files/display-path.js'
import { namesOpenFile, openRegular, readInto } from '../../files/regular.js'

/** Suffixes of the files that SQLite keeps beside a database. */
const COMPANIONS = ['', '-wal', '-shm', '-journal']

/** A file that the service only reads, and its description in messages. */
interface Input {
  readonly path: string
  readonly what: string
}

export const historyInputs = (path: string): Input[] =>
  COMPANIONS.map((suffix) => ({ path: `${path}${suffix}`, what: 'the history' }))

/**
 * Checks that the audit log cannot damage an input: the service cuts, renames and deletes audit files.
 * @param name the variable or flag of the audit path.
 * @throws {ForeproofError} `usage` if the audit log or one of its rotated names is an input, or a device name such as
 * /dev/stdout is a file, which the first rotation would rename.
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
  const auditPath = canonical(audit)
  for (const { path, what } of inputs) {
    const other = canonical(path)
    const rotated =
      other.startsWith(`${auditPath}.`) && /^\d+$/.test(other.slice(auditPath.length + 1))
    if (other === auditPath || rotated || isSameFile(audit, path)) {
      throw new ForeproofError('usage', `${name} would write over ${what} (${path})`, {
        help: 'Give the audit log a file of its own.',
      })
    }
  }
}

/**
 * Whether a file has something else than lines of JSON, such as a key. Opening it later reports an unreadable file.
 */
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

/** Resolves the links of a path, as far as it exists. */
function canonical(path: string): string {
  const absolute = resolve(path)
  try {
    return realpathSync(absolute)
  } catch {
    const folder = dirname(absolute)
    return folder === absolute ? absolute : join(canonical(folder), basename(absolute))
  }
}

/** Whether two paths are the same file, including hard links. */
function isSameFile(a: string, b: string): boolean {
  const [first, second] = [tryStat(a), tryStat(b)]
  return first?.isFile() === true && first.ino === second?.ino && first.dev === second.dev
}

/** Undefined if the file is missing or not accessible; writing to it reports that later. */
export function tryStat(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
