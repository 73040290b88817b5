import { parentPort, workerData } from 'node:worker_threads'
import { ForeproofError } from '../../contract/error.js'
import { TableFault } from '../fault.js'
import { decodeParquet, type ParquetPart } from './decode.js'
import type { ParquetAnswer } from './thread.js'

const parts = decodeParquet(String(workerData))

// Every message asks for the next part.
parentPort?.on('message', () => {
  void parts.next().then(
    (next) => answer(next.done ? { end: true } : { part: next.value as ParquetPart }),
    (error: unknown) => answer(failure(error)),
  )
})

function answer(given: ParquetAnswer): void {
  parentPort?.postMessage(given)
}

function failure(error: unknown): ParquetAnswer {
  if (error instanceof TableFault) return { finding: error.finding }
  if (error instanceof ForeproofError) {
    const { code, message, help } = error
    return { error: { code, message, help } }
  }
  throw error
}
