import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type ErrorCode, ForeproofError } from '../../contract/error.js'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { stoppedError } from '../../files/breathe.js'
import { TableFault } from '../fault.js'
import { damaged } from './damaged.js'
import type { ParquetPart } from './decode.js'

/** A row group has to be unpacked with so much memory, and in such a time. */
const MEMORY_MIB = 1024
const SECONDS = 60

/** What the thread answers when it is asked for the next part. */
export type ParquetAnswer =
  | { readonly part: ParquetPart }
  | { readonly end: true }
  | { readonly finding: Finding }
  | { readonly error: { readonly code: ErrorCode; message: string; help: string | undefined } }

/**
 * `decodeParquet` in a thread of its own: a file may be made so that unpacking it takes all memory or
 * does not end, and only a thread can be stopped. It works ahead while the rows are used.
 */
export async function* decodeInThread(
  file: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<ParquetPart> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    stderr: true,
  })
  try {
    let asked = ask(worker, file, signal)
    for (;;) {
      const answer = await asked
      if ('end' in answer) return
      if ('finding' in answer) throw new TableFault(answer.finding)
      if ('error' in answer) throw errorOf(answer.error, file)
      asked = ask(worker, file, signal)
      // It may fail while the rows are used, before anybody waits for it.
      asked.catch(() => {})
      yield answer.part
    }
  } finally {
    await worker.terminate()
  }
}

async function ask(
  worker: Worker,
  file: string,
  signal: AbortSignal | undefined,
): Promise<ParquetAnswer> {
  const done = new AbortController()
  try {
    return await Promise.race([
      answered(worker, file, done.signal),
      setTimeout(SECONDS * 1000, undefined, { signal: done.signal }).then(() => {
        throw beyond('time', file)
      }),
      stopped(signal, done.signal),
    ])
  } finally {
    done.abort()
  }
}

function answered(worker: Worker, file: string, done: AbortSignal): Promise<ParquetAnswer> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error & { code?: string }) =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? beyond('memory', file)
          : damaged('its bytes cannot be unpacked', file),
      )
    const onExit = () => reject(damaged('its reader ended', file))
    done.addEventListener('abort', () => {
      worker.off('message', resolve).off('error', onError).off('exit', onExit)
    })
    worker.on('message', resolve).on('error', onError).on('exit', onExit)
    worker.postMessage('next')
  })
}

function stopped(signal: AbortSignal | undefined, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(stoppedError())
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true, signal: done })
  })
}

function beyond(fault: 'memory' | 'time', file: string): TableFault {
  return new TableFault(finding('table-parquet', { fault, says: '' }, { file }))
}

function errorOf(
  { code, message, help }: { code: ErrorCode; message: string; help: string | undefined },
  file: string,
): ForeproofError {
  return new ForeproofError(code, message, { file, ...(help !== undefined && { help }) })
}
