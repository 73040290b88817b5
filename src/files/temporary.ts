import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { sha256Hex } from '../document/digest.js'

const UNIQUE = /^([1-9]\d*)-(\d*)-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/

const machineId = () => thisMachine().slice(0, 8)

/** A unique temporary name beside `path` that identifies its process. */
export function temporaryName(path: string): string {
  const { pid } = process
  const unique = [pid, processStart(pid) ?? '', machineId(), randomBytes(4).toString('hex')].join(
    '-',
  )
  return join(dirname(path), `.${basename(path)}.${unique}.tmp`)
}

/**
 * Removes temporary files of killed writers of `path`: only names that `temporaryName` made on this machine for a
 * process that no longer runs.
 */
export function removeLeftovers(path: string): void {
  const folder = dirname(path)
  const lead = `.${basename(path)}.`
  for (const name of namesIn(folder)) {
    const unique = name.startsWith(lead) ? UNIQUE.exec(name.slice(lead.length)) : null
    if (unique === null) continue
    const [, pid, start, of] = unique
    if (of !== machineId() || isRunning(Number(pid), start || undefined)) continue
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // It belongs to another user; leave it.
    }
  }
}

/** Empty for an unreadable folder; writing to it reports the error later. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * The start time of a process in ticks since boot, which distinguishes it from a later process with the same number
 * (containers reuse numbers at every start). Undefined if unknown, or the process has ended.
 */
export function processStart(pid: number): string | undefined {
  try {
    // The name in parentheses may contain anything; the state follows it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return /^[ZX]$/.test(fields[0] ?? '') ? undefined : fields[19]
  } catch {
    return undefined
  }
}

/**
 * Whether the process that wrote down its number is still running. The start time, if known, tells it from a later
 * process with the same number.
 */
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
