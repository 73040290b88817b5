import { blockCounts, blockSums } from './blocks.js'
import type { DrawSource, Stretch } from './draws.js'
import { type Kernel, type KernelMemory, LANES } from './kernel.js'
import { type Area, areaOf, type Layout } from './layout.js'
import { type Summary, summarise } from './summary.js'
import type { Tile } from './tiles.js'

/** Takes tiles through all replicates; one engine per thread, reused from tile to tile. */
export class Engine {
  readonly #kernel: Kernel
  readonly #buffer: SharedArrayBuffer
  readonly #layout: Layout
  readonly #area: Area
  readonly #ranks: Int32Array
  /** Statistics per tile and lane, one per replicate. */
  readonly #statistics: Float64Array[][] = []
  readonly #averaged: Float64Array
  readonly #scratch: Float64Array
  readonly #sums: Float64Array

  constructor(
    kernel: Kernel,
    memory: KernelMemory,
    layout: Layout,
    worker: number,
    ranks: Int32Array,
  ) {
    this.#kernel = kernel
    this.#buffer = memory.buffer
    this.#layout = layout
    this.#area = areaOf(layout, worker)
    this.#ranks = ranks
    this.#averaged = new Float64Array(layout.replicates)
    this.#scratch = new Float64Array(layout.origins)
    this.#sums = new Float64Array(layout.starts)
  }

  /** At most `layout.group` tiles; summaries in the order of tiles and their evaluations. */
  run(tiles: readonly Tile[], draws: DrawSource): Summary[] {
    tiles.forEach((tile, place) => {
      this.#prepare(tile, place)
    })
    for (let stretch = draws.next(); stretch !== undefined; stretch = draws.next()) {
      for (let place = 0; place < tiles.length; place++) {
        this.#sum(tiles[place]!, place, stretch)
      }
    }
    return tiles.flatMap((tile, place) =>
      tile.evaluations.map(({ test, lanes }) =>
        summarise(test, this.#statistic(place, lanes), this.#ranks),
      ),
    )
  }

  /** Writes block sums and counts, row by block start, lane by lane. */
  #prepare(tile: Tile, place: number): void {
    const { origins, starts, blockLength } = this.#layout
    const table = new Float64Array(this.#buffer, this.#area.table(place), starts * LANES)
    const counts = this.#counts(this.#area.counts(place), starts * LANES)
    for (let lane = 0; lane < tile.lanes; lane++) {
      const values = tile.values.subarray(lane * origins, (lane + 1) * origins)
      blockSums(values, blockLength, this.#scratch, this.#sums)
      for (let i = 0; i < starts; i++) table[i * LANES + lane] = this.#sums[i]!
      if (!tile.gaps) continue
      blockCounts(values, blockLength, (start, count) => {
        counts[start * LANES + lane] = count
      })
    }
  }

  /** Sums one stretch of replicates and divides by the number of pairs drawn. */
  #sum(tile: Tile, place: number, stretch: Stretch): void {
    const { wide, blocks, blockLength } = this.#layout
    const { sums, sumCounts } = this.#area
    const counted = wide ? this.#kernel.counted_wide : this.#kernel.counted_narrow
    const dense = wide ? this.#kernel.dense_wide : this.#kernel.dense_narrow
    const run = tile.gaps ? counted : dense
    const [table, counts] = [this.#area.table(place), this.#area.counts(place)]
    run(table, counts, stretch.address, blocks, stretch.count, sums, sumCounts)
    const totals = new Float64Array(this.#buffer, sums, stretch.count * LANES)
    const pairs = this.#counts(sumCounts, stretch.count * LANES)
    for (let lane = 0; lane < tile.lanes; lane++) {
      const statistics = this.#lane(place, lane)
      let from = lane
      if (tile.gaps) {
        for (let i = 0; i < stretch.count; i++, from += LANES) {
          statistics[stretch.first + i] = totals[from]! / pairs[from]!
        }
      } else {
        const all = blocks * blockLength
        for (let i = 0; i < stretch.count; i++, from += LANES) {
          statistics[stretch.first + i] = totals[from]! / all
        }
      }
    }
  }

  #counts(address: number, length: number): Uint16Array | Uint32Array {
    return this.#layout.wide
      ? new Uint32Array(this.#buffer, address, length)
      : new Uint16Array(this.#buffer, address, length)
  }

  #lane(place: number, lane: number): Float64Array {
    this.#statistics[place] ??= []
    this.#statistics[place][lane] ??= new Float64Array(this.#layout.replicates)
    return this.#statistics[place][lane]
  }

  /** The statistic of a test in every replicate: its lane, or the mean of its lanes. */
  #statistic(place: number, lanes: readonly number[]): Float64Array {
    const [first, ...others] = lanes.map((lane) => this.#lane(place, lane))
    if (others.length === 0) return first!
    const averaged = this.#averaged
    averaged.set(first!)
    for (const other of others) {
      for (let i = 0; i < averaged.length; i++) averaged[i] = averaged[i]! + other[i]!
    }
    for (let i = 0; i < averaged.length; i++) averaged[i] = averaged[i]! / lanes.length
    return averaged
  }
}
