import type { Kernel, KernelMemory } from './kernel.js'
import { type Area, type KernelLayout, outerRoom } from './layout.js'
import type { Tails } from './quantiles.js'
import type { Replicates } from './types.js'

/** All that is kept of the replicates of one test. */
export interface BootstrapSummary {
  /** Place of the test in the input. */
  readonly test: number
  /** Replicates without a single pair; when there are any, the figures cover the others only. */
  readonly empty: number
  /** Null when every replicate is empty. */
  readonly replicates: Replicates | null
  /** Null when any replicate is empty: there is no p-value and no bound then. */
  readonly tails: Tails | null
}

const SAMPLE = 1024

/** Condenses the statistics of one test after the other; the kernel passes over them. */
export class Summariser {
  /** One per replicate in the order of drawing, NaN where it drew no pair; to be filled. */
  readonly statistics: Float64Array
  readonly #kernel: Kernel
  readonly #buffer: SharedArrayBuffer
  readonly #area: Area
  readonly #room: number
  readonly #ranks: Int32Array

  /** @param ranks the order statistics to keep, ascending */
  constructor(
    kernel: Kernel,
    memory: KernelMemory,
    { replicates }: KernelLayout,
    area: Area,
    ranks: Int32Array,
  ) {
    this.#kernel = kernel
    this.#buffer = memory.buffer
    this.#area = area
    this.#room = outerRoom(replicates)
    this.#ranks = ranks
    this.statistics = new Float64Array(memory.buffer, area.statistics, replicates)
  }

  summarise(test: number): BootstrapSummary {
    const { statistics: at, figures } = this.#area
    const count = this.statistics.length
    this.#kernel.moments(at, count, figures)
    const [sum, least, greatest] = new Float64Array(this.#buffer, figures, 3)
    const [filled, atOrBelowZero, atOrAboveZero] = new Int32Array(this.#buffer, figures + 24, 3)
    const empty = count - filled!
    if (filled === 0) return { test, empty, replicates: null, tails: null }
    const mean = sum! / filled!
    const replicates = {
      mean,
      standardDeviation: Math.sqrt(this.#kernel.squares(at, count, mean) / filled!),
      least: least!,
      greatest: greatest!,
      atOrBelowZero: atOrBelowZero!,
      atOrAboveZero: atOrAboveZero!,
    }
    return { test, empty, replicates, tails: empty > 0 ? null : this.tails() }
  }

  /** The asked order statistics of both tails, exact. */
  tails(): Tails {
    const count = this.statistics.length
    const depth = this.#ranks[this.#ranks.length - 1]! + 1
    if (count > 4 * SAMPLE && depth < count / 16) {
      const outer = this.#outerValues(depth)
      if (outer !== undefined) return pick(outer.below.sort(), outer.above.sort(), this.#ranks)
    }
    // Few replicates, many ties, or a sample that misled. The way taken never shows in the result.
    const all = this.statistics.slice().sort()
    return pick(all, all, this.#ranks)
  }

  /**
   * The values beyond the thresholds, `depth` or more on either side; undefined when they are fewer,
   * or far too many.
   */
  #outerValues(depth: number) {
    const { statistics: at, below, above, figures } = this.#area
    const { low, high } = sampleThresholds(this.statistics, depth)
    const room = this.#room
    this.#kernel.outside(
      ...([at, this.statistics.length, low, high] as const),
      ...([room, below, above, figures] as const),
    )
    const [belows, aboves] = new Int32Array(this.#buffer, figures, 2)
    if (belows! > room || aboves! > room || belows! < depth || aboves! < depth) return undefined
    return {
      below: new Float64Array(this.#buffer, below, belows!).slice(),
      above: new Float64Array(this.#buffer, above, aboves!).slice(),
    }
  }
}

function pick(below: Float64Array, above: Float64Array, ranks: Int32Array): Tails {
  const lower = new Float64Array(ranks.length)
  const upper = new Float64Array(ranks.length)
  for (let i = 0; i < ranks.length; i++) {
    lower[i] = below[ranks[i]!]!
    upper[i] = above[above.length - 1 - ranks[i]!]!
  }
  return { lower, upper }
}

/** Thresholds that leave a little more than `depth` values outside on either side. */
function sampleThresholds(statistics: Float64Array, depth: number): { low: number; high: number } {
  const step = Math.floor(statistics.length / SAMPLE)
  const sample = new Float64Array(SAMPLE)
  for (let i = 0; i < SAMPLE; i++) sample[i] = statistics[i * step]!
  sample.sort()
  const share = depth / statistics.length
  const spread = Math.sqrt(SAMPLE * share * (1 - share))
  // Rarely too near: then everything is sorted, which costs more than it is likely.
  const at = Math.min(SAMPLE - 1, Math.ceil(SAMPLE * share + 3.5 * spread + 3))
  return { low: sample[at]!, high: sample[SAMPLE - 1 - at]! }
}
