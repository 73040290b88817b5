import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sha256Hex } from '../document/digest.js'

const UNIQUE = /^([1-9]\d*)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/

const place = () => thisMachine().slice(0, 8)

/** A name beside `path` that no other writer uses, and that says whose it is. */
export function temporaryName(path: string): string {
  const { pid } = process
  const unique = [pid, processStart(pid) ?? '', place(), randomBytes(4).toString('hex')].join('-')
  return join(dirname(path), `.${basename(path)}.${unique}.tmp`)
}

/**
 * Removes what writers of `path` have left unfinished that were killed. Nothing is taken for theirs but
 * a name that `temporaryBeside` gave on this machine, to a process that no longer runs.
 */
export function removeLeftovers(path: string): void {
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

/**
 * What distinguishes a process from a later one with the same number: when it started, in ticks since the
 * machine did. A container gives its first process the same number at every start. Undefined where
 * the system does not say, and for a process that has ended.
 */
export function processStart(pid: number): string | undefined {
  try {
    // The name, in parentheses, may hold anything; the state comes behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return /^[ZX]$/.test(fields[0] ?? '') ? undefined : fields[19]
  } catch {
    return undefined
  }
}

/** Whether the process runs that wrote down its number and, where the system says it, its start. */
export function isRunning(pid: number, start?: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return start === undefined || processStart(pid) === start
}

/** Names the machine or container whose process numbers these are; a digest, so that its host name is not shown. */
export function thisMachine(): string {
  const parts = [hostname()]
  try {
    parts.push(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'))
    parts.push(readlinkSync('/proc/self/ns/pid'))
  } catch {
    // Only Linux has these.
  }
  return sha256Hex(parts.join('\n')).slice(0, 32)
}
