import { drawAgain } from './draws.js'
import { Engine } from './engine.js'
import type { Kernel, KernelMemory } from './kernel.js'
import { areaOf, type KernelLayout } from './layout.js'
import type { BootstrapSummary } from './summary.js'
import type { Tile } from './tiles.js'

/** What one thread needs to take its part of a run. */
export interface ThreadInput {
  readonly memory: KernelMemory
  readonly layout: KernelLayout
  /** The thread's number, from 0. */
  readonly worker: number
  /** The order statistics to keep of each test. */
  readonly ranks: Int32Array
  readonly counters: Int32Array
}

/** Two numbers that the threads share: 1 when the shared draws are written, and the tiles taken. */
export const newCounters = (): Int32Array => new Int32Array(new SharedArrayBuffer(8))

/** Lets the threads that wait for the shared draws go on. */
export function announceDraws(counters: Int32Array): void {
  Atomics.store(counters, 0, 1)
  Atomics.notify(counters, 0)
}

/**
 * Takes tiles from the common queue until it is empty, each through all replicates; yields the
 * summaries of finished tiles. Which thread takes which tile changes nothing in any figure.
 */
export function* sumTiles(
  { memory, layout, worker, ranks, counters }: ThreadInput,
  kernel: Kernel,
  tiles: readonly Tile[],
): Generator<readonly BootstrapSummary[]> {
  const { sharedDraws, draws, replicates } = layout
  const engine = new Engine(kernel, memory, layout, worker, ranks)
  const area = areaOf(layout, worker)
  const size = Math.min(layout.group, Math.ceil(tiles.length / layout.workers))
  for (;;) {
    const first = Atomics.add(counters, 1, size)
    const group = tiles.slice(first, first + size).map((tile) => engine.open(tile))
    if (group.length === 0) return
    if (sharedDraws) {
      Atomics.wait(counters, 0, 0)
      for (const open of group) engine.advance(open, draws, replicates)
    } else {
      for (const count of drawAgain(memory, kernel, layout, area)) {
        for (const open of group) engine.advance(open, area.localDraws, count)
      }
    }
    for (const open of group) yield engine.close(open)
  }
}
