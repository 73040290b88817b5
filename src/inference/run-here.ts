import { writeDraws } from './draws.js'
import { type Job, stopIfAsked, yieldToEventLoop } from './job.js'
import { instantiate, kernelMemory } from './kernel.js'
import { seedState } from './seed.js'
import { announceDraws, newCounters, sumTiles } from './sum-tiles.js'

/** Runs the job in the calling thread, with a pause for other work between tiles. */
export async function runHere(job: Job): Promise<void> {
  const { layout, seed, ranks } = job
  stopIfAsked(job.signal)
  const memory = kernelMemory(layout.bytes)
  seedState(memory, 0, seed)
  const kernel = instantiate(memory)
  const counters = newCounters()
  if (layout.sharedDraws) {
    for (const _ of writeDraws(kernel, layout)) await yieldToEventLoop(job.signal)
    announceDraws(counters)
  }
  const input = { memory, layout, worker: 0, ranks, counters }
  for (const summaries of sumTiles(input, kernel, job.tiles)) {
    job.onSummaries(summaries)
    await yieldToEventLoop(job.signal)
  }
}
