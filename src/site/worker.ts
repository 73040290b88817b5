import { parentPort, workerData } from 'node:worker_threads'
import { ForeproofError } from '../contract/error.js'
import { openHistory } from '../history/reader.js'
import type { RowMark } from '../history/types.js'
import { digestsOf, encodings } from './files.js'
import { type PageRange, type RangeContext, type RangeResult, writeRange } from './range.js'
import { HistoryMoved } from './rows.js'
import { type PlacedFile, SlotFiller, type Slots } from './slots.js'

/** What a thread is started with. */
export interface RangeJob {
  readonly path: string
  /** Spares this reader the look at every row that the first one has had. */
  readonly mark: RowMark | null
  readonly range: PageRange
  readonly context: RangeContext
  readonly slots: Slots
}

/** What it tells: the files of a page, then its result, or why there is none. */
export type RangeNews =
  | { readonly files: readonly PlacedFile[] }
  | { readonly result: RangeResult }
  | { readonly moved: true }
  | { readonly failed: Pick<ForeproofError, 'code' | 'message' | 'file' | 'help' | 'findings'> }
  | {
      readonly system: { readonly code: string; readonly syscall: string; readonly message: string }
    }

function tell(news: RangeNews): void {
  parentPort?.postMessage(news)
}

function run({ path, mark, range, context, slots }: RangeJob): void {
  const reader = openHistory(path)
  try {
    if (mark !== null) reader.rowsSince(mark)
    const filler = new SlotFiller(slots)
    const result = writeRange(reader, range, context, {
      room: () => filler.room(),
      put(path, bytes) {
        const files = encodings(path, bytes)
        const digests = digestsOf(files)
        tell({ files: filler.fill(files) })
        return digests
      },
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
