import { Worker } from 'node:worker_threads'
import { seedState } from './draws.js'
import { fillGroup, type Job, stopIfAsked, stopped } from './job.js'
import { instantiate, kernelMemory } from './kernel.js'
import { drawAll, runHere } from './run-here.js'
import type { WorkerAnswer, WorkerStart } from './worker-protocol.js'

// Node loads no TypeScript into a thread: from the sources, as in unit tests, everything is
// computed in the calling thread. The result is the same.
const BUILT = !import.meta.url.endsWith('.ts')

/** Tasks a worker has in hand, so that it never waits for the next one to be gathered. */
const IN_HAND = 2

/**
 * Runs the job in `count` threads. This thread draws, ahead of those that sum, and gathers tiles;
 * which thread takes which tile changes nothing in any figure.
 */
export async function runInWorkers(job: Job, count: number): Promise<void> {
  if (!BUILT) return runHere(job)
  stopIfAsked(job.signal)
  const memory = kernelMemory(job.layout.bytes)
  const ready = new Int32Array(new SharedArrayBuffer(4))
  const { layout, seed, ranks } = job
  const workers = Array.from({ length: Math.min(count, job.groups.length) }, (_, worker) => {
    const workerData: WorkerStart = { memory, layout, worker, seed, ranks, ready }
    return new Worker(new URL('./worker-entry.js', import.meta.url), { workerData })
  })
  const stop = new AbortController()
  const summed = sumInWorkers(job, workers)
  const signal = job.signal ? AbortSignal.any([job.signal, stop.signal]) : stop.signal
  const drawn = layout.heldDraws ? drawHere(job, memory, ready, signal) : Promise.resolve()
  try {
    await Promise.all([summed, drawn])
  } finally {
    stop.abort()
    await Promise.all(workers.map((worker) => worker.terminate()))
    await Promise.allSettled([summed, drawn])
  }
}

async function drawHere(
  job: Job,
  memory: ReturnType<typeof kernelMemory>,
  ready: Int32Array,
  signal: AbortSignal,
): Promise<void> {
  seedState(memory, 0, job.seed)
  await drawAll(instantiate(memory), job.layout, ready, signal)
}

/** Deals the groups out, each to the first worker that has a hand free. */
function sumInWorkers(job: Job, workers: readonly Worker[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = 0
    let open = job.groups.length
    const deal = (worker: Worker) => {
      if (next >= job.groups.length) return
      const tiles = fillGroup(job, next)
      next++
      worker.postMessage(
        tiles,
        tiles.map((tile) => tile.values.buffer as ArrayBuffer),
      )
    }
    job.signal?.addEventListener('abort', () => reject(stopped()), { once: true })
    for (const worker of workers) {
      worker.on('error', reject)
      worker.on('exit', () => reject(new Error('a worker thread ended before its work was done')))
      worker.on('message', (summaries: WorkerAnswer) => {
        job.onSummaries(summaries)
        open--
        if (open === 0) resolve()
        else deal(worker)
      })
    }
    for (let hand = 0; hand < IN_HAND; hand++) for (const worker of workers) deal(worker)
  })
}
