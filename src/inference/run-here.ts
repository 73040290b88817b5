import { HeldDraws } from './draws.js'
import { type Job, stopIfAsked, yieldToEventLoop } from './job.js'
import { instantiate, kernelMemory } from './kernel.js'
import { seedState } from './seed.js'
import { newTally, sumTiles } from './sum-tiles.js'

/** Runs the job in the calling thread, with a pause for other work between tiles. */
export async function runHere(job: Job): Promise<void> {
  const { layout, seed, ranks } = job
  stopIfAsked(job.signal)
  const memory = kernelMemory(layout.bytes)
  seedState(memory, 0, seed)
  const kernel = instantiate(memory)
  const tally = newTally()
  if (layout.heldDraws) {
    for (const _ of new HeldDraws(layout, tally).write(kernel)) await yieldToEventLoop(job.signal)
  }
  const part = { memory, layout, worker: 0, ranks, tally }
  for (const summaries of sumTiles(part, kernel, job.tiles)) {
    job.onSummaries(summaries)
    await yieldToEventLoop(job.signal)
  }
}
