import { setImmediate as nextTurn } from 'node:timers/promises'
import { ForeproofError } from '../contract/error.js'

/**
 * To be awaited now and then in long work: rows of a history come without a turn of the event loop, and
 * a signal of the system is heard only between turns.
 * @throws {ForeproofError} `interrupted` when a stop was asked for.
 */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return
  await nextTurn()
  if (signal.aborted) throw stoppedError()
}

/** What ends work that was asked to stop. */
export function stoppedError(): ForeproofError {
  return new ForeproofError('interrupted', 'the run was stopped before it was complete')
}

/** Waits without giving up the thread: for short command-line steps, and for a few milliseconds. */
export function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/**
 * Waits for `promise`, and no longer than `ms`.
 * @throws also where it took too long.
 */
export function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLong = () => reject(new Error(`no answer within ${ms} ms`))
    // What came while this process was busy is read before it is called late.
    const timer = setTimeout(() => setImmediate(tooLong), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
