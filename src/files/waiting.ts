import { setImmediate } from 'node:timers/promises'
import { ForeproofError } from '../contract/error.js'

/**
 * To be awaited now and then in long work: rows of a history come without a turn of the event loop, and
 * a signal of the system is heard only between turns.
 * @throws {ForeproofError} `interrupted` when a stop was asked for.
 */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return
  await setImmediate()
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
