import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { FlatBatch } from './flat-batch.js'
import { refuseLarge } from './splitter.js'

const NEWLINE = 0x0a
const WORKERS_LIMIT = 3
/** Stretches under way per thread: one being read, one waiting. */
const DEPTH = 2

/** Threads that pay for themselves: none on one core. */
export function workersUseful(): number {
  const cores = availableParallelism()
  return cores < 2 ? 0 : Math.min(WORKERS_LIMIT, cores)
}

/**
 * Reads NDJSON in threads while the caller writes, and hands over its stretches in the order of the
 * file, so that the outcome does not depend on the number of threads.
 */
export async function* readInThreads(
  chunks: AsyncIterable<Buffer>,
  file: string,
  threads: number,
): AsyncGenerator<FlatBatch> {
  const pool = Array.from({ length: threads }, () => new ReadingThread(file))
  const underWay: Promise<FlatBatch>[] = []
  let next = 0
  try {
    for await (const stretch of wholeLines(chunks, file)) {
      const thread = pool[next++ % threads] as ReadingThread
      underWay.push(thread.read(stretch))
      if (underWay.length >= threads * DEPTH) yield await (underWay.shift() as Promise<FlatBatch>)
    }
    for (const batch of underWay) yield await batch
  } finally {
    await Promise.all(pool.map((thread) => thread.end()))
  }
}

/** One thread; it answers in the order it was asked. */
class ReadingThread {
  readonly #worker: Worker
  readonly #waiting: { resolve: (batch: FlatBatch) => void; reject: (cause: unknown) => void }[] =
    []

  constructor(file: string) {
    this.#worker = new Worker(new URL('./worker-lines.js', import.meta.url), {
      workerData: { file },
    })
    this.#worker.on('message', (batch: FlatBatch) => this.#waiting.shift()?.resolve(batch))
    this.#worker.on('error', (cause) => {
      for (const { reject } of this.#waiting.splice(0)) reject(cause)
    })
  }

  read(bytes: Uint8Array<ArrayBuffer>): Promise<FlatBatch> {
    const answer = new Promise<FlatBatch>((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
    })
    // Whoever stops early does not ask for the answer any more.
    answer.catch(() => undefined)
    this.#worker.postMessage(bytes, [bytes.buffer])
    return answer
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Cuts at ends of lines; each stretch has memory of its own, which can change threads. */
async function* wholeLines(
  chunks: AsyncIterable<Buffer>,
  file: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end > 0) yield owned([rest, chunk.subarray(0, end)])
    rest = Buffer.concat(end > 0 ? [chunk.subarray(end)] : [rest, chunk])
    refuseLarge(rest.length, file, 1)
  }
  if (rest.length > 0) yield owned([rest])
}

function owned(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
