import type { Kernel, KernelMemory } from './kernel.js'
import { type Area, type Layout, STATE_BYTES } from './layout.js'

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

/** The draws of all replicates: one thread writes them once, every thread reads them. */
export class SharedDraws {
  readonly #layout: Layout
  readonly #counters: Int32Array

  /** @param counters the first number is the replicates written; shared between the threads */
  constructor(layout: Layout, counters: Int32Array) {
    this.#layout = layout
    this.#counters = counters
  }

  /** Writes them chunk by chunk from the state at 0, waking the waiting threads after each. */
  *write(kernel: Kernel): Generator<void> {
    const { replicates, chunk } = this.#layout
    for (let first = 0; first < replicates; first += chunk) {
      const count = Math.min(chunk, replicates - first)
      drawReplicates(kernel, this.#layout, 0, this.address(first), count)
      Atomics.store(this.#counters, 0, first + count)
      Atomics.notify(this.#counters, 0)
      yield
    }
  }

  /** How many replicates can be read. */
  written(): number {
    return Atomics.load(this.#counters, 0)
  }

  /** Sleeps until more than `written` replicates can be read. */
  wait(written: number): void {
    Atomics.wait(this.#counters, 0, written)
  }

  address(replicate: number): number {
    return this.#layout.draws + replicate * bytesOfReplicate(this.#layout)
  }
}

/** Draws made afresh from the state at 0, where holding them all would take too much memory: the size of each chunk. */
export function* drawAgain(
  memory: KernelMemory,
  kernel: Kernel,
  layout: Layout,
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
