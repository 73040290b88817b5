import seedrandom from 'seedrandom'
import type { Kernel, KernelMemory } from './kernel.js'
import type { Layout } from './layout.js'

/** A stretch of replicates whose draws lie ready at an address. */
export interface Stretch {
  readonly address: number
  readonly first: number
  readonly count: number
}

/** Hands out the draws of all replicates in order; undefined after the last. */
export interface DrawSource {
  next(): Stretch | undefined
}

interface GeneratorState {
  readonly i: number
  readonly j: number
  readonly S: readonly number[]
}

/**
 * Seeds the generator with the seedrandom package and puts its state where the kernel continues
 * it. The package decides what a seed means; the kernel only repeats its steps faster, and a test
 * holds the two against each other draw by draw.
 */
export function seedState(memory: KernelMemory, address: number, seed: number): void {
  const { i, j, S } = seedrandom(String(seed), { state: true }).state() as GeneratorState
  new Uint8Array(memory.buffer, address, 256).set(S)
  new Int32Array(memory.buffer, address + 256, 2).set([i, j])
}

/** Draws the block starts of `count` replicates, replicate by replicate, block by block. */
export function drawReplicates(
  kernel: Kernel,
  layout: Layout,
  state: number,
  out: number,
  count: number,
): void {
  const draw = layout.wide ? kernel.draws_wide : kernel.draws_narrow
  draw(state, out, count * layout.blocks, layout.starts)
}

const bytesOfReplicate = (layout: Layout): number => layout.blocks * layout.drawBytes

/** Draws that another thread writes once for all; `ready` tells how many replicates are there. */
export function heldDraws(layout: Layout, ready: Int32Array): DrawSource {
  let first = 0
  return {
    next() {
      if (first >= layout.replicates) return undefined
      let written = Atomics.load(ready, 0)
      while (written <= first) {
        Atomics.wait(ready, 0, written)
        written = Atomics.load(ready, 0)
      }
      const stretch = {
        address: layout.draws + first * bytesOfReplicate(layout),
        first,
        count: Math.min(layout.chunk, written - first),
      }
      first += stretch.count
      return stretch
    },
  }
}

/** Draws made afresh, chunk by chunk, where holding them all would take too much memory. */
export function localDraws(
  memory: KernelMemory,
  kernel: Kernel,
  layout: Layout,
  state: number,
  out: number,
  seed: number,
): DrawSource {
  seedState(memory, state, seed)
  let first = 0
  return {
    next() {
      if (first >= layout.replicates) return undefined
      const count = Math.min(layout.chunk, layout.replicates - first)
      drawReplicates(kernel, layout, state, out, count)
      const stretch = { address: out, first, count }
      first += count
      return stretch
    },
  }
}
