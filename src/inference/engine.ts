import { fillLane } from './blocks.js'
import { type Kernel, type KernelMemory, LANES } from './kernel.js'
import { type Area, areaOf, type KernelLayout } from './layout.js'
import { type BootstrapSummary, Summariser } from './summary.js'
import type { Tile } from './tiles.js'

/** A tile on its way through the replicates. */
export interface OpenTile {
  readonly tile: Tile
  /** Where in the engine's area its table lies. */
  readonly place: number
  /** False when no lane has a gap: then nothing needs counting. */
  readonly gaps: boolean
  /** Replicates summed so far. */
  done: number
}

/** Takes tiles through all replicates; one engine per thread, reused from tile to tile. */
export class Engine {
  readonly #kernel: Kernel
  readonly #buffer: SharedArrayBuffer
  readonly #layout: KernelLayout
  readonly #area: Area
  readonly #summariser: Summariser
  /** The series of a tile, a row of eight per origin. */
  readonly #rows: Float64Array
  /** Statistics per place and lane, one per replicate. */
  readonly #statistics: Float64Array[][] = []
  /** Places of closed tiles, to be used again: their memory is warm. */
  readonly #free: number[] = []
  #places = 0

  constructor(
    kernel: Kernel,
    memory: KernelMemory,
    layout: KernelLayout,
    worker: number,
    ranks: Int32Array,
  ) {
    this.#kernel = kernel
    this.#buffer = memory.buffer
    this.#layout = layout
    this.#area = areaOf(layout, worker)
    this.#summariser = new Summariser(kernel, memory, layout, this.#area, ranks)
    this.#rows = new Float64Array(memory.buffer, this.#area.rows, layout.origins * LANES)
  }

  /**
   * Makes a tile ready, of which at most `layout.group` can be open at a time: writes block sums and
   * counts, row by block start, lane by lane.
   */
  open(tile: Tile): OpenTile {
    const place = this.#free.pop() ?? this.#places++
    const { origins, blockLength, wide } = this.#layout
    const { rows, table, counts } = this.#area
    if (tile.series.length < LANES) this.#rows.fill(0)
    let gaps = false
    tile.series.forEach((series, lane) => {
      if (fillLane(series, this.#rows, lane)) gaps = true
    })
    if (gaps) {
      const count = wide ? this.#kernel.block_counts_wide : this.#kernel.block_counts_narrow
      count(rows, origins, blockLength, counts(place))
    }
    this.#kernel.block_sums(rows, origins, blockLength, table(place))
    return { tile, place, gaps, done: 0 }
  }

  /** Sums the next `count` replicates, whose draws lie at `address`. */
  advance(open: OpenTile, address: number, count: number): void {
    const { chunk, blocks, drawBytes } = this.#layout
    for (let first = 0; first < count; first += chunk) {
      const draws = address + first * blocks * drawBytes
      this.#sum(open, draws, Math.min(chunk, count - first))
    }
  }

  /** Summaries in the order of the tile's tests; its place is free again. */
  close({ tile, place }: OpenTile): BootstrapSummary[] {
    this.#free.push(place)
    return tile.tests.map(({ test, lanes }) => {
      this.#average(place, lanes, this.#summariser.statistics)
      return this.#summariser.summarise(test)
    })
  }

  /** Sums one chunk of replicates and divides by the number of pairs drawn. */
  #sum(open: OpenTile, draws: number, count: number): void {
    const { wide, blocks, blockLength } = this.#layout
    const { sums, sumCounts } = this.#area
    const counted = wide ? this.#kernel.counted_wide : this.#kernel.counted_narrow
    const dense = wide ? this.#kernel.dense_wide : this.#kernel.dense_narrow
    const run = open.gaps ? counted : dense
    const [table, counts] = [this.#area.table(open.place), this.#area.counts(open.place)]
    run(table, counts, draws, blocks, count, sums, sumCounts)
    const totals = new Float64Array(this.#buffer, sums, count * LANES)
    const pairs = this.#counts(sumCounts, count * LANES)
    const first = open.done
    for (let lane = 0; lane < open.tile.series.length; lane++) {
      const statistics = this.#lane(open.place, lane)
      let from = lane
      if (open.gaps) {
        for (let i = 0; i < count; i++, from += LANES) {
          statistics[first + i] = totals[from]! / pairs[from]!
        }
      } else {
        const all = blocks * blockLength
        for (let i = 0; i < count; i++, from += LANES) {
          statistics[first + i] = totals[from]! / all
        }
      }
    }
    open.done += count
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

  /** Writes the statistic of a test in every replicate: its lane, or the mean of its lanes. */
  #average(place: number, lanes: readonly number[], out: Float64Array): void {
    const [first, ...others] = lanes.map((lane) => this.#lane(place, lane))
    out.set(first!)
    if (others.length === 0) return
    for (const other of others) {
      for (let i = 0; i < out.length; i++) out[i] = out[i]! + other[i]!
    }
    for (let i = 0; i < out.length; i++) out[i] = out[i]! / lanes.length
  }
}
