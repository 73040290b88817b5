import type { Kernel, KernelMemory } from './kernel.js'
import { type Area, type KernelLayout, STATE_BYTES } from './layout.js'

/** Draws the block starts of `count` replicates, replicate by replicate, block by block. */
export function drawReplicates(
  kernel: Kernel,
  layout: KernelLayout,
  state: number,
  out: number,
  count: number,
): void {
  const draw = layout.wide ? kernel.draws_wide : kernel.draws_narrow
  draw(state, out, count * layout.blocks, layout.starts)
}

/** Writes the draws of all replicates from the state at 0, once for all threads, chunk by chunk. */
export function* writeDraws(kernel: Kernel, layout: KernelLayout): Generator<void> {
  const { replicates, chunk, draws, blocks, drawBytes } = layout
  for (let first = 0; first < replicates; first += chunk) {
    const count = Math.min(chunk, replicates - first)
    drawReplicates(kernel, layout, 0, draws + first * blocks * drawBytes, count)
    yield
  }
}

/** Draws made afresh from the state at 0, where holding them all would take too much memory: the size of each chunk. */
export function* drawAgain(
  memory: KernelMemory,
  kernel: Kernel,
  layout: KernelLayout,
  area: Area,
): Generator<number> {
  const seeded = new Uint8Array(memory.buffer, 0, STATE_BYTES)
  new Uint8Array(memory.buffer, area.state, STATE_BYTES).set(seeded)
  for (let first = 0; first < layout.replicates; first += layout.chunk) {
    const count = Math.min(layout.chunk, layout.replicates - first)
    drawReplicates(kernel, layout, area.state, area.localDraws, count)
    yield count
  }
}
