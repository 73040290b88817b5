import { parentPort, workerData } from 'node:worker_threads'
import { ForeproofError } from '../contract/error.js'
import { openHistory } from '../history/reader.js'
import type { RowMark } from '../history/types.js'
import { digestsOf, type EncodedFile, encodings } from './files.js'
import { type PageRange, type RangeContext, type RangeResult, writeRange } from './range.js'
import { HistoryMoved } from './rows.js'

/** What a thread is started with. */
export interface RangeJob {
  readonly path: string
  /** Spares this reader the look at every row that the first one has had. */
  readonly mark: RowMark | null
  readonly range: PageRange
  readonly context: RangeContext
  /** One shared number: pages that are told and not yet written. */
  readonly waiting: Int32Array<SharedArrayBuffer>
}

/** What it tells: the files of a page, then its result, or why there is none. */
export type RangeNews =
  | { readonly files: readonly EncodedFile[] }
  | { readonly result: RangeResult }
  | { readonly moved: true }
  | { readonly failed: Pick<ForeproofError, 'code' | 'message' | 'file' | 'help' | 'findings'> }
  | {
      readonly system: { readonly code: string; readonly syscall: string; readonly message: string }
    }

/** Pages that may wait to be written, so that memory does not fill with them. */
const PAGES_WAITING = 64

function tell(news: RangeNews, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(news, moved)
}

function run({ path, mark, range, context, waiting }: RangeJob): void {
  const reader = openHistory(path)
  try {
    if (mark !== null) reader.rowsSince(mark)
    const result = writeRange(reader, range, context, (file, bytes) => {
      // Compressed bytes lie in a larger buffer, of which all would be handed over.
      const files = encodings(file, bytes).map(
        ([name, content]): EncodedFile => [
          name,
          content === bytes ? bytes : Uint8Array.from(content),
        ],
      )
      const digests = digestsOf(files)
      const before = Atomics.add(waiting, 0, 1)
      if (before >= PAGES_WAITING) Atomics.wait(waiting, 0, before + 1)
      tell(
        { files },
        files.map(([, content]) => content.buffer as ArrayBuffer),
      )
      return digests
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
