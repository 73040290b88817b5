import { availableParallelism } from 'node:os'
import { ForeproofError } from '../contract/error.js'
import { printable } from '../contract/printable.js'
import type { EvaluateOptions } from '../evaluation/pair.js'
import type { Terminal } from './command.js'
import { aNumber, usage } from './options.js'

/** Ctrl-C, a request to end, and a closed terminal: all three stop a run. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs work that a stop signal ends only where nothing is left half done: `work` gets the signal and checks it. A
 * second signal ends the process at once.
 * @param left what a stopped run leaves behind, as a sentence; a function is called at the end.
 * @returns what `work` returns.
 */
export async function interruptible<T>(
  left: string | (() => string),
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const each of STOP_SIGNALS) process.once(each, onSignal)
  try {
    return await work(stop.signal)
  } catch (cause) {
    if (!(cause instanceof ForeproofError) || cause.code !== 'interrupted') throw cause
    const help = typeof left === 'string' ? left : left()
    throw new ForeproofError('interrupted', cause.message, { help, cause })
  } finally {
    for (const each of STOP_SIGNALS) process.removeListener(each, onSignal)
  }
}

/** Runs short work that a stop signal does not interrupt; its answer is printed as usual. */
export function uninterrupted<T>(work: () => T): T {
  const ignore = () => undefined
  for (const each of STOP_SIGNALS) process.on(each, ignore)
  try {
    return work()
  } finally {
    for (const each of STOP_SIGNALS) process.removeListener(each, ignore)
  }
}

const INTERVAL_MS = 100

/**
 * Shows a progress line on standard error that `show` overwrites and that is removed at the end; does nothing without a
 * terminal.
 */
export async function withProgress<T>(
  { stderr }: Pick<Terminal, 'stderr'>,
  work: (show: (text: string) => void) => Promise<T>,
): Promise<T> {
  const write = (text: string) => stderr.isTTY === true && stderr.write(`\r\u001b[K${text}`)
  let shownAt = Number.NEGATIVE_INFINITY
  try {
    return await work((text) => {
      const now = performance.now()
      if (now - shownAt < INTERVAL_MS) return
      shownAt = now
      write(printable(text))
    })
  } finally {
    write('')
  }
}

/**
 * Runs long work with a progress line; Ctrl-C stops it without leaving anything half done.
 * @param left as of `interruptible`.
 */
export async function watched<T>(
  context: Pick<Terminal, 'stderr'>,
  left: string | (() => string),
  work: (signal: AbortSignal, show: (text: string) => void) => Promise<T>,
): Promise<T> {
  return await interruptible(left, (signal) => withProgress(context, (show) => work(signal, show)))
}

/** More threads are not useful. */
const MOST_WORKERS = 256

/** Affects only the speed. */
export const WORKERS = {
  ...aNumber('Worker threads (by default one per processor); the result is the same'),
  read: (given: number | undefined): number => {
    const count = given ?? availableParallelism()
    if (Number.isInteger(count) && count >= 1 && count <= MOST_WORKERS) return count
    throw usage(`--workers: the value must be a whole number from 1 to ${MOST_WORKERS}`)
  },
}

/** The threads of an evaluation, and where it reports progress. */
export function threads(
  { workers }: { readonly workers: number },
  show: (text: string) => void,
): EvaluateOptions {
  return {
    workers,
    onProgress: (phase, completed, total) => {
      const share = total === 0 ? 100 : Math.floor((completed / total) * 100)
      show(`${phase} ${share} % of ${total}`)
    },
  }
}
