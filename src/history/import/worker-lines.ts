import { parentPort, workerData } from 'node:worker_threads'
import { createBatchReader } from './flat-batch.js'

// A thread that reads stretches of NDJSON; see parallel.ts.
const read = createBatchReader((workerData as { file: string }).file)

parentPort?.on('message', (bytes: Uint8Array<ArrayBuffer>) => {
  const batch = read(bytes)
  const { line, start, end, origin, model, numbers } = batch
  const parts = [bytes, line, start, end, origin, model, numbers]
  parentPort?.postMessage(
    batch,
    parts.map((part) => part.buffer as ArrayBuffer),
  )
})
