import { parentPort } from 'node:worker_threads'
import { putEncoded, type Target } from './files.js'

/** One file to compress and write; the answer has its digests, or what went wrong. */
export interface WriteJob {
  readonly target: Target
  readonly path: string
  readonly bytes: Uint8Array
}

parentPort?.on('message', ({ target, path, bytes }: WriteJob) => {
  try {
    parentPort?.postMessage({ written: putEncoded(target, path, bytes) })
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    parentPort?.postMessage({ failed: { code, message, path } })
  }
})
