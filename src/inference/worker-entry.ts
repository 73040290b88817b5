import { parentPort, workerData } from 'node:worker_threads'
import { SharedDraws } from './draws.js'
import { instantiate } from './kernel.js'
import { sumTiles, type ThreadInput } from './sum-tiles.js'
import type { Tile } from './tiles.js'

const input = workerData as ThreadInput
const { memory, layout, worker, counters } = input
const kernel = instantiate(memory)

// Draws follow from one another, so one thread makes them all: at once, for they need no test.
if (layout.sharedDraws && worker === 0) {
  for (const _ of new SharedDraws(layout, counters).write(kernel));
}

parentPort?.once('message', (tiles: readonly Tile[]) => {
  for (const summaries of sumTiles(input, kernel, tiles)) parentPort?.postMessage(summaries)
})
