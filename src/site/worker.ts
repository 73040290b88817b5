import { parentPort, workerData } from 'node:worker_threads'
import { ForeproofError } from '../contract/error.js'
import { openHistory } from '../history/store/reader.js'
import type { RowMark } from '../history/store/types.js'
import { digestsOf, encodings } from './files.js'
import {
  type PageRange,
  type PageSink,
  type RangeContext,
  type RangeResult,
  writeRange,
} from './range.js'
import { HistoryMoved } from './rows.js'
import { type PlacedFile, SlotFiller, type Slots, Stopped } from './slots.js'

/** What a thread is started with. */
export interface PageThreadData {
  /** Of the history. */
  readonly path: string
  readonly slots: Slots
}

/** What all pages of one plan share. */
export interface PageTask {
  /** Spares this reader the look at every row that the first one has had. */
  readonly mark: RowMark | null
  readonly context: RangeContext
}

/** The ranges of pages come as messages, one after the other; the last message is `end`. */
export type RangeOrder = { readonly task: PageTask; readonly range: PageRange } | 'end'

/** Why there is no result of a range. */
export type RangeFailure =
  | { readonly moved: true }
  | { readonly failed: Pick<ForeproofError, 'code' | 'message' | 'file' | 'help' | 'findings'> }
  | {
      readonly system: { readonly code: string; readonly syscall: string; readonly message: string }
    }

/** What a thread tells of a range: the files of its pages, then the result, or why there is none. */
export type RangeNews =
  | { readonly pages: readonly (readonly PlacedFile[])[] }
  | { readonly result: RangeResult }
  | RangeFailure

/** The largest that glibc heeds is 32 MiB. */
const LARGE_BLOCK = 24 << 20

/**
 * glibc gives free memory back to the kernel, which clears it anew for the compression of each page, unless
 * larger blocks than that have come and gone. A message that nobody gets takes one along, untouched.
 */
function keepMemory(): void {
  const memory = new ArrayBuffer(LARGE_BLOCK)
  const { port1, port2 } = new MessageChannel()
  port1.postMessage(null, [memory])
  port2.close()
}
keepMemory()

/** A message costs as much as a tenth of a page, so some pages share one. */
const PAGES_TOLD_TOGETHER = 4

function tell(news: RangeNews): void {
  parentPort?.postMessage(news)
}

const { path, slots } = workerData as PageThreadData
const reader = openHistory(path)
const filler = new SlotFiller(slots)

let untold: PlacedFile[][] = []

function tellPages(): void {
  if (untold.length > 0) tell({ pages: untold })
  untold = []
}

const sink: PageSink = {
  room: () => filler.room(),
  put(page, bytes) {
    const files = encodings(page, bytes)
    const digests = digestsOf(files)
    untold.push(filler.fill(files))
    if (untold.length === PAGES_TOLD_TOGETHER) tellPages()
    return digests
  },
}

let begun = false

async function make(order: RangeOrder): Promise<void> {
  if (order === 'end') {
    await reader.close()
    parentPort?.close()
    return
  }
  const { task, range } = order
  const { mark, context } = task
  try {
    if (!begun && mark !== null) await reader.rowsSince(mark)
    begun = true
    const result = await writeRange(reader, range, context, sink)
    tellPages()
    tell({ result })
  } catch (cause) {
    await reader.close()
    if (cause instanceof Stopped) return
    if (cause instanceof HistoryMoved) tell({ moved: true })
    else if (cause instanceof ForeproofError) {
      const { code, message, file, help, findings } = cause
      tell({ failed: { code, message, file, help, findings } })
    } else {
      const { code, syscall, message } = cause as { code: string; syscall: string; message: string }
      if (syscall === undefined) throw cause
      tell({ system: { code, syscall, message } })
    }
  }
}

/** Orders are carried out one after the other, also where one comes before the last one is done. */
let orders = Promise.resolve()
parentPort?.on('message', (order: RangeOrder) => {
  orders = orders.then(() => make(order))
})
