import { availableParallelism } from 'node:os'
import { ForeproofError } from '../contract/error.js'
import { printable } from '../contract/printable.js'
import type { EvaluateOptions } from '../evaluation/pair.js'
import type { Terminal } from './command.js'
import { aNumber, usage } from './options.js'

/** Ctrl-C, a request to end, and a terminal that closes: all three ask the same of a run. */
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Does work that a signal to stop ends only where it leaves nothing half done: it looks at the signal
 * it is given there. A second one ends the process at once.
 * @param left what a run that was stopped has left, a sentence; a function is asked at the end.
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

/** Does short work that a signal to stop does not interrupt: its answer is printed as ever. */
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
 * Works with a line on standard error that `show` writes over and over and that is gone in the end;
 * nothing where there is no terminal.
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
 * Work of some time, with an end on Ctrl-C that leaves nothing half done and a line that shows how far it is.
 * @param left as of `interruptible`.
 */
export async function watched<T>(
  context: Pick<Terminal, 'stderr'>,
  left: string | (() => string),
  work: (signal: AbortSignal, show: (text: string) => void) => Promise<T>,
): Promise<T> {
  return await interruptible(left, (signal) => withProgress(context, (show) => work(signal, show)))
}

/** Most threads that are of any use. */
const MOST_WORKERS = 256

/** Changes how fast a result comes and nothing else. */
export const WORKERS = {
  ...aNumber('Worker threads (by default one per processor); the result is the same'),
  read: (given: number | undefined): number => {
    const count = given ?? availableParallelism()
    if (Number.isInteger(count) && count >= 1 && count <= MOST_WORKERS) return count
    throw usage(`--workers: the value must be a whole number from 1 to ${MOST_WORKERS}`)
  },
}

/** How an evaluation works: by how many threads, and where it reports how far it is. */
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
