import { ForeproofError } from '../contract/error.js'

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

/** Does short work that a signal to stop cannot cut in two: what is done then is told as ever. */
export function uninterrupted<T>(work: () => T): T {
  const ignore = () => undefined
  for (const each of STOP_SIGNALS) process.on(each, ignore)
  try {
    return work()
  } finally {
    for (const each of STOP_SIGNALS) process.removeListener(each, ignore)
  }
}
