import type { KernelMemory } from './kernel.js'
import type { Layout } from './layout.js'
import type { Summary } from './summary.js'
import type { Tile } from './tiles.js'

/** What a worker is started with. */
export interface WorkerStart {
  readonly memory: KernelMemory
  readonly layout: Layout
  readonly worker: number
  readonly seed: number
  readonly ranks: Int32Array
  /** One shared number: the replicates whose draws are written. */
  readonly ready: Int32Array
}

/** To a worker: one group of tiles. Back come its summaries. */
export type WorkerTask = readonly Tile[]
export type WorkerAnswer = readonly Summary[]
