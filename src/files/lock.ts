import {
  closeSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import { readIfRegular } from './regular.js'
import { isRunning, processStart, removeLeftovers, temporaryName } from './temporary.js'
import { pause } from './waiting.js'

/** A lock file has only a few words about its holder. */
const MAX_BYTES = 4096
const WAIT_MS = 20
const PATIENCE_MS = 10_000
/**
 * A lock that stays empty this long belongs to a process that was killed before writing its number.
 */
const EMPTY_MS = 1000
/** How often an abandoned lock is removed before it counts as held. */
const REMOVALS = 3

interface LockOptions {
  /** How long to wait for another holder; default: not at all. */
  readonly patienceMs?: number
  /**
   * The holder's machine; another machine cannot see whether the holder still runs. If absent, every holder is
   * treated as one of this machine, because containers that share a folder have many names.
   */
  readonly host?: string
  /** Makes the error if the lock is held, from the number of the holder's process if known. */
  readonly refuse: (holder: string | undefined) => ForeproofError
}

/**
 * Takes a lock: a file that names its holder. A lock whose holder no longer runs is taken over.
 * @returns a function that releases it.
 */
export function acquireLock(file: string, options: LockOptions): () => void {
  const { host } = options
  const deadline = performance.now() + (options.patienceMs ?? 0)
  let emptySince: number | undefined
  for (let attempt = 0; !create(file, host); attempt++) {
    const text = read(file)
    const now = performance.now()
    // The holder may be about to write its name, so look again.
    emptySince = text === '' ? (emptySince ?? now) : undefined
    const nameless = emptySince !== undefined && now - emptySince > EMPTY_MS
    const left = text !== undefined && (nameless || isAbandoned(text, host))
    // A missing lock was released meanwhile.
    const isHeld = text !== undefined && !left
    if (now > deadline && (isHeld || attempt >= REMOVALS)) {
      throw options.refuse(text?.trim().split(' ')[0] || undefined)
    }
    if (left) remove(file, text)
    else pause(WAIT_MS)
  }
  // Left by processes that were killed while taking over the lock.
  removeLeftovers(file)
  return () => rmSync(file, { force: true })
}

/**
 * Runs `work` while holding `path`.lock, so that only one process at a time changes `path`.
 * @throws {ForeproofError} `unavailable` when another process holds it for ten seconds.
 */
export function withLock<T>(path: string, work: () => T): T {
  const lock = `${path}.lock`
  const refuse = () =>
    new ForeproofError('unavailable', `${lock}: another process holds this lock`, {
      file: lock,
      help: 'Wait for it; if no foreproof is running, delete the file.',
    })
  const release = acquireLock(lock, { patienceMs: PATIENCE_MS, host: hostname(), refuse })
  try {
    return work()
  } finally {
    release()
  }
}

/**
 * Creates the file, unless it exists.
 * @returns whether it is ours: on a busy machine it may have stayed empty so long that another process took it over.
 */
function create(file: string, host: string | undefined): boolean {
  const holder = [process.pid, host, processStart(process.pid)].filter((part) => part !== undefined)
  const text = `${holder.join(' ')}\n`
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    throw code === 'ENOENT' ? missingFolder(dirname(file), cause) : fileError(cause, file)
  }
  try {
    writeFileSync(descriptor, text)
  } catch (cause) {
    rmSync(file, { force: true })
    throw fileError(cause, file)
  } finally {
    closeSync(descriptor)
  }
  return read(file) === text
}

/** The error for a missing folder of the locked file. */
function missingFolder(folder: string, cause: unknown): ForeproofError {
  return new ForeproofError('not-found', `${folder}: there is no such folder`, {
    file: folder,
    help: 'Make it, or check the path.',
    cause,
  })
}

function read(file: string): string | undefined {
  return readIfRegular(file, MAX_BYTES)?.toString('utf8')
}

/**
 * Whether the holder is known to be gone. If hosts do not matter, an empty lock counts as abandoned at once: a power
 * failure may leave one, and a process about to write its name checks afterwards that the lock is its own.
 */
function isAbandoned(text: string, host: string | undefined): boolean {
  const [pid = '', ...others] = text.trim().split(' ')
  if (host !== undefined && others.shift() !== host) return false
  return !/^[1-9]\d*$/.test(pid) || !isRunning(Number(pid), others[0])
}

/** Moves a lock aside, and checks that it was this one and not the next holder's. */
function remove(file: string, text: string): void {
  const aside = temporaryName(file)
  try {
    renameSync(file, aside)
    if (read(aside) !== text) linkSync(aside, file)
    unlinkSync(aside)
  } catch {
    // Another took it over first.
  }
}
