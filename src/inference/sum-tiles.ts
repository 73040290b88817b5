import { drawAgain, SharedDraws } from './draws.js'
import { Engine, type OpenTile } from './engine.js'
import type { Kernel, KernelMemory } from './kernel.js'
import { areaOf, type Layout } from './layout.js'
import type { Summary } from './summary.js'
import type { Tile } from './tiles.js'

/** What one thread needs to take its part of a run. */
export interface ThreadInput {
  readonly memory: KernelMemory
  readonly layout: Layout
  /** The thread's number, from 0. */
  readonly worker: number
  /** The order statistics to keep of each test. */
  readonly ranks: Int32Array
  readonly counters: Int32Array
}

/** Two numbers that the threads share: the replicates whose draws are written, the tiles taken. */
export const newCounters = (): Int32Array => new Int32Array(new SharedArrayBuffer(8))

/** The next tiles of the common queue, at most `count`; none when all are taken. */
function take(tiles: readonly Tile[], counters: Int32Array, count: number): readonly Tile[] {
  const from = Atomics.add(counters, 1, count)
  return tiles.slice(from, from + count)
}

/**
 * Takes tiles from the common queue until it is empty, each through all replicates; yields the
 * summaries of finished tiles. Which thread takes which tile changes nothing in any figure.
 */
export function* sumTiles(
  input: ThreadInput,
  kernel: Kernel,
  tiles: readonly Tile[],
): Generator<readonly Summary[]> {
  const { memory, layout, worker, ranks, counters } = input
  const engine = new Engine(kernel, memory, layout, worker, ranks)
  if (layout.sharedDraws) {
    const draws = new SharedDraws(layout, counters)
    yield* sumAsDrawn(engine, layout, draws, () => take(tiles, counters, 1)[0])
    return
  }
  // Every group of tiles costs another drawing of all replicates: groups as large as can be.
  const size = Math.min(layout.group, Math.ceil(tiles.length / layout.workers))
  const area = areaOf(layout, worker)
  for (;;) {
    const group = take(tiles, counters, size).map((tile) => engine.open(tile))
    if (group.length === 0) return
    for (const count of drawAgain(memory, kernel, layout, area)) {
      for (const open of group) engine.advance(open, area.localDraws, count)
    }
    for (const open of group) yield engine.close(open)
  }
}

/** The least replicates to go on with a tile: fewer, and fetching its table again would show. */
const LEAST_ADVANCE = 4096

/**
 * Sums while the draws are still being written, which one thread alone can do: whenever the open
 * tiles have caught up with the draws, another one is opened, so that the thread never waits as long
 * as it may open more. Once the draws are there, tiles are done one by one.
 */
export function* sumAsDrawn(
  engine: Engine,
  { replicates, group }: Layout,
  draws: Pick<SharedDraws, 'written' | 'wait' | 'address'>,
  next: () => Tile | undefined,
): Generator<readonly Summary[]> {
  const least = Math.min(LEAST_ADVANCE, Math.ceil(replicates / 8))
  const open: OpenTile[] = []
  let more = true
  for (;;) {
    const written = draws.written()
    const [behind] = open.toSorted((a, b) => a.done - b.done)
    if (behind && (written === replicates || written - behind.done >= least)) {
      engine.advance(behind, draws.address(behind.done), written - behind.done)
      if (behind.done < replicates) continue
      open.splice(open.indexOf(behind), 1)
      yield engine.close(behind)
    } else if (more && open.length < group) {
      const tile = next()
      if (tile === undefined) more = false
      else open.push(engine.open(tile))
    } else if (behind) {
      draws.wait(written)
    } else {
      return
    }
  }
}
