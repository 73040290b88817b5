import { ForeproofError } from '../contract/error.js'

/**
 * Does work that Ctrl-C and SIGTERM end only where it leaves nothing half done: it looks at the signal
 * it is given there. A second one ends the process at once.
 * @param left what a run that was stopped has left, a sentence.
 * @returns what `work` returns.
 */
export async function interruptible<T>(
  left: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  try {
    return await work(stop.signal)
  } catch (cause) {
    if (!(cause instanceof ForeproofError) || cause.code !== 'interrupted') throw cause
    throw new ForeproofError('interrupted', cause.message, { help: left, cause })
  } finally {
    process.removeListener('SIGINT', onSignal)
    process.removeListener('SIGTERM', onSignal)
  }
}

/** Does short work that Ctrl-C and SIGTERM cannot cut in two: what is done then is told as ever. */
export function uninterrupted<T>(work: () => T): T {
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  process.on('SIGTERM', ignore)
  try {
    return work()
  } finally {
    process.removeListener('SIGINT', ignore)
    process.removeListener('SIGTERM', ignore)
  }
}
