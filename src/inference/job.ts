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

/**
 * Cuts the tiles into groups. Where every worker draws for itself, large groups save drawing. Where
 * the draws are held, the first group of every worker is large: it is busy then while the draws are
 * still being made, which no second thread can help with. The others are single, to end together.
 */
export function groupsOf(
  tiles: readonly TilePlan[],
  layout: Layout,
  workers: number,
): TilePlan[][] {
  const groups: TilePlan[][] = []
  const share = Math.ceil(tiles.length / workers)
  const first = layout.heldDraws ? Math.floor(share / 2) : share
  const size = Math.max(1, Math.min(layout.group, first))
  for (let from = 0; from < tiles.length; from += groups.at(-1)?.length ?? size) {
    const single = layout.heldDraws && groups.length >= workers
    groups.push(tiles.slice(from, from + (single ? 1 : size)))
  }
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
