import { Worker } from 'node:worker_threads'
import { ForeproofError, fileError } from '../contract/error.js'
import { putEncoded, type Target, type WrittenFile } from './files.js'
import type { WriteJob } from './worker.js'

/** Compresses and writes files; `add` waits while too much is under way. */
export interface Writer {
  add(path: string, text: string): Promise<void>
  /** Waits until everything is written. */
  flush(): Promise<void>
  readonly written: readonly WrittenFile[]
  /** Gives up what is still under way. */
  close(): Promise<void>
}

/** Below so many files, starting a thread costs more than it saves. */
const WORTH_THREADS = 64
// One: files of one folder are made one after the other, and two threads only wait for each other.
const THREADS = 1
const UNDER_WAY = 6

export function createWriter(target: Target, files: number): Writer {
  return files < WORTH_THREADS ? writeHere(target) : writeInThreads(target)
}

function writeHere(target: Target): Writer {
  const written: WrittenFile[] = []
  return {
    async add(path, text) {
      try {
        written.push(...putEncoded(target, path, Buffer.from(text)))
      } catch (cause) {
        throw fileError(cause, path)
      }
    },
    flush: async () => {},
    written,
    close: async () => {},
  }
}

interface Answer {
  readonly written?: readonly WrittenFile[]
  readonly failed?: {
    readonly code: string | undefined
    readonly message: string
    readonly path: string
  }
}

function writeInThreads(target: Target): Writer {
  const written: WrittenFile[] = []
  const busy = new Map<Worker, number>()
  let failure: ForeproofError | undefined
  let wake = () => {}
  for (let index = 0; index < THREADS; index++) {
    const worker = new Worker(new URL('./worker.js', import.meta.url))
    busy.set(worker, 0)
    worker.on('message', ({ written: files, failed }: Answer) => {
      busy.set(worker, (busy.get(worker) ?? 1) - 1)
      if (files !== undefined) written.push(...files)
      if (failed !== undefined) {
        failure ??= fileError(Object.assign(new Error(failed.message), failed), failed.path)
      }
      wake()
    })
    worker.on('error', (cause) => {
      failure ??= new ForeproofError('bug', cause.message, { cause })
      wake()
    })
  }
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const check = () => {
    if (failure !== undefined) throw failure
  }
  return {
    async add(path, text) {
      const least = () => [...busy].reduce((a, b) => (b[1] < a[1] ? b : a))
      while (failure === undefined && least()[1] >= UNDER_WAY) await changed()
      check()
      const [worker, count] = least()
      busy.set(worker, count + 1)
      const bytes = Buffer.from(text)
      const job: WriteJob = { target, path, bytes }
      worker.postMessage(job, bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : [])
    },
    async flush() {
      while (failure === undefined && [...busy.values()].some((count) => count > 0)) await changed()
      check()
    },
    written,
    async close() {
      await Promise.all([...busy.keys()].map((worker) => worker.terminate()))
    },
  }
}
