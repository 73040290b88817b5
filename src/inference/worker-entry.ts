import { parentPort, workerData } from 'node:worker_threads'
import { HeldDraws } from './draws.js'
import { instantiate } from './kernel.js'
import { type Part, sumTiles } from './sum-tiles.js'
import type { Tile } from './tiles.js'

const part = workerData as Part
const { memory, layout, worker, tally } = part
const kernel = instantiate(memory)

// Draws follow from one another, so one thread makes them all: at once, for they need no test.
if (layout.heldDraws && worker === 0) {
  for (const _ of new HeldDraws(layout, tally).write(kernel));
}

parentPort?.once('message', (tiles: readonly Tile[]) => {
  for (const summaries of sumTiles(part, kernel, tiles)) parentPort?.postMessage(summaries)
})
