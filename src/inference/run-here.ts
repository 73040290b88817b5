import { drawReplicates, heldDraws, localDraws, seedState } from './draws.js'
import { Engine } from './engine.js'
import { breathe, fillGroup, type Job, stopIfAsked } from './job.js'
import { instantiate, type Kernel, kernelMemory } from './kernel.js'
import { areaOf, type Layout } from './layout.js'

/** Runs the job in the calling thread, with a pause for other work between groups. */
export async function runHere(job: Job): Promise<void> {
  const { layout, seed } = job
  stopIfAsked(job.signal)
  const memory = kernelMemory(layout.bytes)
  const kernel = instantiate(memory)
  const engine = new Engine(kernel, memory, layout, 0, job.ranks)
  const ready = new Int32Array(new SharedArrayBuffer(4))
  if (layout.heldDraws) {
    seedState(memory, 0, seed)
    await drawAll(kernel, layout, ready, job.signal)
  }
  const { state, localDraws: out } = areaOf(layout, 0)
  for (let group = 0; group < job.groups.length; group++) {
    const draws = layout.heldDraws
      ? heldDraws(layout, ready)
      : localDraws(memory, kernel, layout, state, out, seed)
    job.onSummaries(engine.run(fillGroup(job, group), draws))
    await breathe(job.signal)
  }
}

/** Writes the draws of all replicates, telling waiting threads after each chunk. */
export async function drawAll(
  kernel: Kernel,
  layout: Layout,
  ready: Int32Array,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let first = 0; first < layout.replicates; first += layout.chunk) {
    const count = Math.min(layout.chunk, layout.replicates - first)
    const out = layout.draws + first * layout.blocks * layout.drawBytes
    drawReplicates(kernel, layout, 0, out, count)
    Atomics.store(ready, 0, first + count)
    Atomics.notify(ready, 0)
    await breathe(signal)
  }
}
