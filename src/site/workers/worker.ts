import { parentPort, workerData } from 'node:worker_threads'
import { openHistory } from '../../history/store/open.js'
import type { RowMark } from '../../history/store/types.js'
import { folderWriter } from '../writer/folder.js'
import type { WriterOptions } from '../writer/types.js'
import { type Failure, failureOf } from './failure.js'
import { type PageRange, type RangeContext, type RangeResult, writeRange } from './write-range.js'

/** What all pages of one build share; a worker is started with it. */
export interface PageTask {
  /** What opens the history. */
  readonly history: string
  /** Spares a reader the look at every row that the first one has had. */
  readonly mark: RowMark | null
  readonly context: RangeContext
  readonly writer: WriterOptions
}

/** Ranges come one after the other; the last message is `end`. */
export type WorkerOrder = PageRange | 'end'

/** What is told of a range: its result, or why there is none. */
export type WorkerNews = { readonly result: RangeResult } | { readonly failure: Failure }

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
