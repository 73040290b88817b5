import { parentPort, workerData } from 'node:worker_threads'
import { openHistory } from '../../history/store/open.js'
import { folderWriter } from '../writer/folder.js'
import { failureOf, type PageTask, type WorkerNews, type WorkerOrder } from './page-worker.js'
import { type PageRange, type RangeResult, writeRange } from './write-range.js'

const { history, mark, context, writer } = workerData as PageTask
const reader = openHistory(history)
const tell = (news: WorkerNews): void => parentPort?.postMessage(news)

async function write(range: PageRange): Promise<RangeResult> {
  if (mark !== null) await reader.rowsSince(mark)
  return writeRange(reader, folderWriter(writer), range, context)
}

parentPort?.on('message', async (order: WorkerOrder) => {
  if (order === 'end') {
    await reader.close()
    parentPort?.close()
    return
  }
  try {
    tell({ result: await write(order) })
  } catch (cause) {
    tell({ failure: failureOf(cause) })
  }
})
