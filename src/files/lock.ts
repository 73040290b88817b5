import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { ForeproofError, fileError } from '../contract/error.js'
import { temporaryBeside } from './atomic.js'
import { isRunning, startOf } from './process.js'

const WAIT_MS = 20
const PATIENCE_MS = 10_000

/**
 * Runs `work` while holding `path`.lock, so that only one process at a time changes `path`. A lock
 * left behind by a process of this machine that no longer runs is taken over.
 * @throws {ForeproofError} `unavailable` when another process holds it for ten seconds.
 */
export function withLock<T>(path: string, work: () => T): T {
  const lock = `${path}.lock`
  acquire(lock)
  try {
    return work()
  } finally {
    unlinkSync(lock)
  }
}

function acquire(lock: string): void {
  const deadline = performance.now() + PATIENCE_MS
  while (!take(lock)) {
    const dead = deadHolder(lock)
    if (dead !== undefined) removeStale(lock, dead)
    else if (performance.now() > deadline) {
      throw new ForeproofError('unavailable', `${lock}: another process holds this lock`, {
        file: lock,
        help: 'Wait for it; if no foreproof is running, delete the file.',
      })
    } else pause(WAIT_MS)
  }
}

function take(lock: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(lock, 'wx')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw fileError(cause, lock)
  }
  try {
    const start = startOf(process.pid)
    writeFileSync(descriptor, `${[process.pid, hostname(), start].join(' ').trim()}\n`)
  } finally {
    closeSync(descriptor)
  }
  return true
}

function readHolder(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}

/** The content of a lock whose process no longer runs, else undefined. */
function deadHolder(lock: string): string | undefined {
  const holder = readHolder(lock)
  const [pid, host, start] = holder?.trim().split(' ') ?? []
  if (pid === undefined || host !== hostname() || !/^\d+$/.test(pid)) return undefined
  return isRunning(Number(pid), start) ? undefined : holder
}

/** Moves a dead lock aside and makes sure that it was that one, not the next holder's. */
function removeStale(lock: string, holder: string): void {
  const aside = temporaryBeside(lock)
  try {
    renameSync(lock, aside)
    if (readHolder(aside) !== holder) linkSync(aside, lock)
    unlinkSync(aside)
  } catch {
    // Somebody else took it over first.
  }
}

/** Waits without giving up the thread: the callers are short command-line steps. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
