import { parentPort, workerData } from 'node:worker_threads'
import { ForeproofError } from '../contract/error.js'
import { openHistory } from '../history/reader.js'
import type { RowMark } from '../history/types.js'
import {
  HistoryMoved,
  type PageRange,
  type RangeContext,
  type RangeResult,
  writeRange,
} from './range.js'

/** What a thread is started with. */
export interface RangeJob {
  readonly path: string
  /** Spares this reader the look at every row that the first one has had. */
  readonly mark: RowMark | null
  readonly range: PageRange
  readonly context: RangeContext
}

/** What it tells: pages done, then its result, or why there is none. */
export type RangeNews =
  | { readonly pages: number }
  | { readonly result: RangeResult }
  | { readonly moved: true }
  | { readonly failed: Pick<ForeproofError, 'code' | 'message' | 'file' | 'help' | 'findings'> }
  | {
      readonly system: { readonly code: string; readonly syscall: string; readonly message: string }
    }

const PAGES_PER_MESSAGE = 16

function tell(news: RangeNews): void {
  parentPort?.postMessage(news)
}

function run({ path, mark, range, context }: RangeJob): void {
  const reader = openHistory(path)
  let pages = 0
  try {
    if (mark !== null) reader.rowsSince(mark)
    const result = writeRange(reader, range, context, () => {
      pages++
      if (pages % PAGES_PER_MESSAGE === 0) tell({ pages: PAGES_PER_MESSAGE })
    })
    tell({ result })
  } catch (cause) {
    if (cause instanceof HistoryMoved) tell({ moved: true })
    else if (cause instanceof ForeproofError) {
      const { code, message, file, help, findings } = cause
      tell({ failed: { code, message, file, help, findings } })
    } else {
      const { code, syscall, message } = cause as { code: string; syscall: string; message: string }
      if (syscall === undefined) throw cause
      tell({ system: { code, syscall, message } })
    }
  } finally {
    reader.close()
  }
}

run(workerData as RangeJob)
