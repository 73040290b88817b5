import { setImmediate as nextTurn } from 'node:timers/promises'
import { ForeproofError } from '../contract/error.js'

/**
 * Await this regularly in long work. Reading rows of a history does not yield to the event loop, and Node handles
 * signals only between its turns.
 * @throws {ForeproofError} `interrupted` if a stop was requested.
 */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return
  await nextTurn()
  if (signal.aborted) throw stoppedError()
}

/** The error that ends stopped work. */
export function stoppedError(): ForeproofError {
  return new ForeproofError('interrupted', 'the run was stopped before it was complete')
}

/** Blocks the thread; only for short command-line steps, and for a few milliseconds. */
export function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/**
 * Waits for `promise`, for at most `ms`.
 * @throws also if it takes longer.
 */
export function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLong = () => reject(new Error(`no answer within ${ms} ms`))
    // If this process was busy, first read what has already arrived.
    const timer = setTimeout(() => setImmediate(tooLong), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
