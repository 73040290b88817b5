import { Worker } from 'node:worker_threads'
import { ForeproofError } from '../../contract/error.js'
import { TableFault } from '../table.js'
import type { ParquetAnswer } from './child.js'
import { decodeParquet, type ParquetPart } from './decode.js'

const parts = decodeParquet(String(process.argv[2]))
new Worker(new URL('./worker-memory.js', import.meta.url)).unref()
// These signals go to all processes of a terminal; the parent ends this one.
process.on('SIGINT', () => {}).on('SIGTERM', () => {})

// Every message requests the next part.
process.on('message', () => {
  void parts.next().then(
    (next) => answer(next.done ? { end: true } : { part: next.value as ParquetPart }),
    (error: unknown) => answer(failure(error)),
  )
})

function answer(given: ParquetAnswer): void {
  process.send?.(given)
}

function failure(error: unknown): ParquetAnswer {
  if (error instanceof TableFault) return { finding: error.finding }
  if (error instanceof ForeproofError) {
    const { code, message, help } = error
    return { error: { code, message, help } }
  }
  throw error
}
