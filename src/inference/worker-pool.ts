import { Worker } from 'node:worker_threads'
import { ForeproofError } from '../contract/error.js'
import { type BootstrapStep, type DrawnTest, type Resampling, resample } from './resample.js'

/** The tests that one thread takes through the replicates, group by group. */
export interface Share {
  readonly design: Resampling
  readonly groups: readonly (readonly DrawnTest[])[]
}

/** Receives the steps, and can stop them. */
export interface Watch {
  readonly onStep: (step: BootstrapStep) => void
  readonly signal: AbortSignal | undefined
}

// Node cannot load TypeScript into a thread. When run from the sources, as in unit tests, everything is computed in the
// calling thread, with the same result.
const BUILT = !import.meta.url.endsWith('.ts')

/** Runs every share in its own thread; a single share in this thread. */
export async function resampleShares(shares: readonly Share[], watch: Watch): Promise<void> {
  if (shares.length > 1 && BUILT) return inThreads(shares, watch)
  for (const { design, groups } of shares) {
    for (const group of groups) {
      for (const step of resample(design, group)) {
        watch.onStep(step)
        // Let timers, signals and messages run.
        await new Promise((resolve) => setImmediate(resolve))
        stopIfAsked(watch.signal)
      }
    }
  }
}

async function inThreads(shares: readonly Share[], { onStep, signal }: Watch): Promise<void> {
  const stop = new AbortController()
  const threads = shares.map((workerData) => {
    const thread = new Worker(new URL('./worker-entry.js', import.meta.url), { workerData })
    const ended = new Promise<void>((resolve, reject) => {
      thread.on('message', onStep)
      thread.on('error', reject)
      thread.on('exit', (code) => {
        if (code === 0) resolve()
        else reject(new Error('a worker thread ended before its work was done'))
      })
    })
    return { thread, ended }
  })
  const aborted = new Promise<never>((_, reject) => {
    const options = { once: true, signal: stop.signal }
    signal?.addEventListener('abort', () => reject(stopped()), options)
  })
  try {
    await Promise.race([aborted, Promise.all(threads.map(({ ended }) => ended))])
  } finally {
    stop.abort()
    await Promise.all(threads.map(({ thread }) => thread.terminate()))
  }
}

export function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw stopped()
}

function stopped(): ForeproofError {
  return new ForeproofError('interrupted', 'the resampling was stopped before it was complete')
}
