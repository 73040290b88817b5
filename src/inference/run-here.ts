import { HeldDraws } from './draws.js'
import { breathe, type Job, stopIfAsked } from './job.js'
import { instantiate } from './kernel.js'
import { seedState } from './seed.js'
import { leaveMemory, takeMemory } from './spare-memory.js'
import { newTally, sumTiles } from './sum-tiles.js'

/** Runs the job in the calling thread, with a pause for other work between tiles. */
export async function runHere(job: Job): Promise<void> {
  const { layout, seed, ranks } = job
  stopIfAsked(job.signal)
  const memory = takeMemory(layout.bytes)
  try {
    seedState(memory, 0, seed)
    const kernel = instantiate(memory)
    const tally = newTally()
    if (layout.heldDraws) {
      for (const _ of new HeldDraws(layout, tally).write(kernel)) await breathe(job.signal)
    }
    const part = { memory, layout, worker: 0, ranks, tally }
    for (const summaries of sumTiles(part, kernel, job.tiles)) {
      job.onSummaries(summaries)
      await breathe(job.signal)
    }
  } finally {
    leaveMemory(memory)
  }
}
