import { Worker } from 'node:worker_threads'
import { type Job, type JobStart, stopIfAsked, stopped } from './job.js'
import { kernelMemory } from './kernel.js'
import { seedState } from './seed.js'
import { newCounters, type ThreadInput } from './sum-tiles.js'
import type { BootstrapSummary } from './summary.js'
import { shareTiles } from './tiles.js'

// Node loads no TypeScript into a thread: from the sources, as in unit tests, everything is
// computed in the calling thread. The result is the same.
const BUILT = !import.meta.url.endsWith('.ts')

/** Threads that are starting, and drawing as soon as they can. */
export interface Pool {
  /** Rejects when a thread fails, or on the job's signal. */
  run(job: Job): Promise<void>
  /** Ends the threads, whatever they are doing. */
  stop(): Promise<void>
}

/**
 * Starts `layout.workers` threads; undefined when the calling thread is to do it alone. Starting
 * takes a while and so does drawing, so this is called before the tests are looked at.
 */
export function startPool({ layout, seed, ranks }: JobStart): Pool | undefined {
  if (!BUILT || layout.workers === 1) return undefined
  const memory = kernelMemory(layout.bytes)
  seedState(memory, 0, seed)
  const counters = newCounters()
  const workers = Array.from({ length: layout.workers }, (_, worker) => {
    const workerData: ThreadInput = { memory, layout, worker, ranks, counters }
    return new Worker(new URL('./worker-entry.js', import.meta.url), { workerData })
  })
  const failed = new Promise<never>((_, reject) => {
    for (const worker of workers) {
      worker.on('error', reject)
      worker.on('exit', (code) => {
        if (code !== 0) reject(new Error('a worker thread ended before its work was done'))
      })
    }
  })
  // It may fail before anybody waits for it.
  failed.catch(() => {})
  return {
    run: (job) => Promise.race([failed, sumInWorkers(job, workers)]),
    async stop() {
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
  }
}

/** Gives all tiles to every thread, which take them from a common queue. */
function sumInWorkers(job: Job, workers: readonly Worker[]): Promise<void> {
  let onAbort: () => void
  const summed = new Promise<void>((resolve, reject) => {
    stopIfAsked(job.signal)
    let open = job.tiles.length
    const tiles = shareTiles(job.tiles)
    onAbort = () => reject(stopped())
    job.signal?.addEventListener('abort', onAbort, { once: true })
    for (const worker of workers) {
      worker.on('message', (summaries: readonly BootstrapSummary[]) => {
        job.onSummaries(summaries)
        open--
        if (open === 0) resolve()
      })
      worker.postMessage(tiles)
    }
  })
  // The signal may live on and serve other jobs.
  return summed.finally(() => job.signal?.removeEventListener('abort', onAbort))
}
