import { parentPort, workerData } from 'node:worker_threads'
import { writeDraws } from './draws.js'
import { instantiate } from './kernel.js'
import { announceDraws, sumTiles, type ThreadInput } from './sum-tiles.js'
import type { Tile } from './tiles.js'

const input = workerData as ThreadInput
const { memory, layout, worker, counters } = input
const kernel = instantiate(memory)

// Draws follow from one another, so one thread makes them all: at once, for they need no test.
if (layout.sharedDraws && worker === 0) {
  for (const _ of writeDraws(kernel, layout));
  announceDraws(counters)
}

parentPort?.once('message', (tiles: readonly Tile[]) => {
  for (const summaries of sumTiles(input, kernel, tiles)) parentPort?.postMessage(summaries)
})
