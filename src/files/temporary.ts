import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRunning, startOf, thisMachine } from './running.js'

const UNIQUE = /^([1-9]\d*)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/

const place = () => thisMachine().slice(0, 8)

/** A name beside `path` that no other writer uses, and that says whose it is. */
export function temporaryBeside(path: string): string {
  const { pid } = process
  const unique = [pid, startOf(pid) ?? '', place(), randomBytes(4).toString('hex')].join('-')
  return join(dirname(path), `.${basename(path)}.${unique}.tmp`)
}

/**
 * Removes what writers of `path` have left unfinished that were killed. Nothing is taken for theirs but
 * a name that `temporaryBeside` gave on this machine, to a process that no longer runs.
 */
export function clearLeft(path: string): void {
  const folder = dirname(path)
  const lead = `.${basename(path)}.`
  for (const name of namesIn(folder)) {
    const unique = name.startsWith(lead) ? UNIQUE.exec(name.slice(lead.length)) : null
    if (unique === null) continue
    const [, pid, start, of] = unique
    if (of !== place() || isRunning(Number(pid), start || undefined)) continue
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // Another user's: it may stay.
    }
  }
}

/** Empty for a folder that cannot be read: what is made in it next fails, and says why. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
