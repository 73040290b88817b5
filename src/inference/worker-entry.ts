import { parentPort, workerData } from 'node:worker_threads'
import { heldDraws, localDraws } from './draws.js'
import { Engine } from './engine.js'
import { instantiate } from './kernel.js'
import { areaOf } from './layout.js'
import type { WorkerStart, WorkerTask } from './worker-protocol.js'

const { memory, layout, worker, seed, ranks, ready } = workerData as WorkerStart
const kernel = instantiate(memory)
const engine = new Engine(kernel, memory, layout, worker, ranks)
const area = areaOf(layout, worker)

parentPort?.on('message', (tiles: WorkerTask) => {
  const draws = layout.heldDraws
    ? heldDraws(layout, ready)
    : localDraws(memory, kernel, layout, area.state, area.localDraws, seed)
  parentPort?.postMessage(engine.run(tiles, draws))
})
