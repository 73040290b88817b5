import { ForeproofError } from '../contract/error.js'
import type { Layout } from './layout.js'
import type { Summary } from './summary.js'
import { fillTile, type Tile, type TilePlan } from './tiles.js'

/** The computing part of a family, cut into groups of tiles; where it runs does not matter to it. */
export interface Job {
  readonly layout: Layout
  readonly seed: number
  /** The order statistics to keep of each test. */
  readonly ranks: Int32Array
  readonly groups: readonly (readonly TilePlan[])[]
  readonly onSummaries: (summaries: readonly Summary[]) => void
  readonly signal: AbortSignal | undefined
}

export function groupsOf(tiles: readonly TilePlan[], size: number): TilePlan[][] {
  const groups: TilePlan[][] = []
  for (let i = 0; i < tiles.length; i += size) groups.push(tiles.slice(i, i + size))
  return groups
}

export function fillGroup(job: Job, group: number): Tile[] {
  return (job.groups[group] ?? []).map((plan) => fillTile(plan, job.layout.origins))
}

/** Lets timers, signals and messages be served, then stops if a stop was asked for. */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  stopIfAsked(signal)
}

export function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw stopped()
}

export function stopped(): ForeproofError {
  return new ForeproofError('interrupted', 'the resampling was stopped before it was done')
}
