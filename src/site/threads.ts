import { Worker } from 'node:worker_threads'
import { ForeproofError } from '../contract/error.js'
import type { HistoryReader, RowMark } from '../history/types.js'
import { putAll, putEncoded, type Target } from './files.js'
import { type PageRange, type RangeContext, type RangeResult, writeRange } from './range.js'
import { HistoryMoved } from './rows.js'
import { filesIn, makeSlots, release } from './slots.js'
import { joined, type MadeStretch, Stretches } from './stretches.js'
import type { PageThread, RangeNews } from './worker.js'

/** Below so many pages, starting threads costs more than it saves. */
const WORTH_THREADS = 64
const THREADS = 2

/** Rows live for one page: with room for many pages, next to nothing is left when rubbish is collected. */
const YOUNG_MB = 48

export interface RangeWork {
  readonly reader: HistoryReader
  readonly mark: RowMark | null
  readonly forecasts: number
  readonly range: PageRange
  readonly context: RangeContext
  readonly target: Target
  readonly onPage?: (() => void) | undefined
}

/**
 * Writes a stretch of pages. Where that pays, two threads make them and this one writes them: file
 * systems let one thread at a time make files in a folder. The files are the same.
 */
export async function writePages(work: RangeWork): Promise<RangeResult> {
  const { reader, forecasts, range, context, target, onPage } = work
  const pays = range.high - range.low + 1 >= WORTH_THREADS
  // Without the keys of rows by their place, nobody can begin in the middle.
  if (!pays || reader.keysAt(0, 1, forecasts) === undefined) {
    return writeRange(reader, range, context, {
      put(path, bytes) {
        const written = putEncoded(target, path, bytes)
        onPage?.()
        return written
      },
    })
  }
  const stretches = new Stretches(reader, forecasts, range)
  const made: MadeStretch[] = []
  // A thread for which there is no stretch is not started.
  const threads = Array.from({ length: THREADS }, () => stretches.next())
    .filter((first) => first !== undefined)
    .map((first) => ({ first, ...start(work) }))
  try {
    await Promise.all(
      threads.map(async ({ first, make }) => {
        for (let next: PageRange | undefined = first; next !== undefined; next = stretches.next()) {
          made.push({ range: next, ...(await make(next)) })
        }
      }),
    )
    return joined(made)
  } finally {
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
}

function start({ reader, mark, context, target, onPage }: RangeWork) {
  const slots = makeSlots()
  const workerData: PageThread = { path: reader.path, mark, context, slots }
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  let resolve: (result: RangeResult) => void = () => undefined
  let reject: (cause: unknown) => void = () => undefined
  worker.on('error', (cause) => reject(cause))
  worker.on('exit', () => reject(new Error('a thread ended without a result')))
  worker.on('message', (news: RangeNews) => {
    if ('pages' in news) {
      try {
        for (const files of news.pages) {
          putAll(target, filesIn(slots, files))
          release(slots)
          onPage?.()
        }
      } catch (cause) {
        reject(cause)
      }
    } else if ('result' in news) resolve(news.result)
    else if ('moved' in news) reject(new HistoryMoved())
    else if ('system' in news) reject(Object.assign(new Error(news.system.message), news.system))
    else {
      const { code, message, file, help, findings } = news.failed
      const details = { ...(file !== undefined && { file }), ...(help !== undefined && { help }) }
      reject(new ForeproofError(code, message, { ...details, findings }))
    }
  })
  /** One range after the other. */
  const make = (range: PageRange): Promise<RangeResult> =>
    new Promise((made, failed) => {
      resolve = made
      reject = failed
      worker.postMessage(range)
    })
  return { worker, make }
}
