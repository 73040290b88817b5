import { parentPort, workerData } from 'node:worker_threads'
import { resample } from './resample.js'
import type { Share } from './worker-pool.js'

const { design, groups } = workerData as Share
for (const group of groups) {
  for (const step of resample(design, group)) parentPort?.postMessage(step)
}
