import { ForeproofError } from '../contract/error.js'
import type { KernelLayout } from './layout.js'
import type { BootstrapSummary } from './summary.js'
import type { Tile } from './tiles.js'

/** What can be said of the computing part of a family before its tiles are known. */
export interface JobStart {
  readonly layout: KernelLayout
  readonly seed: number
  /** The order statistics to keep of each test. */
  readonly ranks: Int32Array
}

/** The computing part of a family, cut into tiles; where it runs does not matter to it. */
export interface Job extends JobStart {
  readonly tiles: readonly Tile[]
  readonly onSummaries: (summaries: readonly BootstrapSummary[]) => void
  readonly signal: AbortSignal | undefined
}

/** Lets timers, signals and messages be served, then stops if a stop was asked for. */
export async function yieldToEventLoop(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  stopIfAsked(signal)
}

export function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw stopped()
}

export function stopped(): ForeproofError {
  return new ForeproofError('interrupted', 'the resampling was stopped before it was complete')
}
