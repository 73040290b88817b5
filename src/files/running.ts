import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { sha256Hex } from '../document/digest.js'

/**
 * What distinguishes a process from a later one with the same number: when it started, in ticks since the
 * machine did. A container gives its first process the same number at every start. Undefined where
 * the system does not say, and for a process that has ended.
 */
export function startOf(pid: number): string | undefined {
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
  return start === undefined || startOf(pid) === start
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
