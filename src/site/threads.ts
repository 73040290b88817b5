import { Worker } from 'node:worker_threads'
import { ForeproofError } from '../contract/error.js'
import type { HistoryReader, RowMark } from '../history/types.js'
import { putAll, putEncoded, type Target } from './files.js'
import { PAGE_SIZE } from './plan.js'
import { type PageRange, type RangeContext, type RangeResult, writeRange } from './range.js'
import { HistoryMoved } from './rows.js'
import { filesIn, makeSlots, release } from './slots.js'
import type { RangeJob, RangeNews } from './worker.js'

/** Below so many pages, starting threads costs more than it saves. */
const WORTH_THREADS = 64

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
  const { reader, range, context, target, onPage } = work
  const halves = range.high - range.low + 1 < WORTH_THREADS ? undefined : split(work)
  if (halves === undefined) {
    return writeRange(reader, range, context, {
      put(path, bytes) {
        const written = putEncoded(target, path, bytes)
        onPage?.()
        return written
      },
    })
  }
  const threads = halves.map((half) => start(work, half))
  try {
    const [upper, lower] = (await Promise.all(threads.map(({ result }) => result))) as [
      RangeResult,
      RangeResult,
    ]
    const whole = lower.sealed === halves[1].high
    const { sealed, sealedThrough } = whole && upper.sealed >= halves[0].low ? upper : lower
    return { written: [...upper.written, ...lower.written], sealed, sealedThrough }
  } finally {
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }
}

/** The newer and the older half, which meet at a row that both must see where it is now. */
function split({ reader, forecasts, range }: RangeWork): [PageRange, PageRange] | undefined {
  const middle = Math.floor((range.low + range.high) / 2)
  const border = reader.keysAt(forecasts - middle * PAGE_SIZE - 1, 2)
  const [last, first] = border ?? []
  if (last === undefined || first === undefined) return undefined
  return [
    { high: range.high, low: middle + 1, after: range.after, edge: first },
    { high: middle, low: range.low, after: last, edge: range.edge },
  ]
}

function start({ reader, mark, context, target, onPage }: RangeWork, range: PageRange) {
  const slots = makeSlots()
  const job: RangeJob = { path: reader.path, mark, range, context, slots }
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: job,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })
  const result = new Promise<RangeResult>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('exit', () => reject(new Error('a thread ended without a result')))
    worker.on('message', (news: RangeNews) => {
      if ('files' in news) {
        try {
          putAll(target, filesIn(slots, news.files))
        } catch (cause) {
          reject(cause)
          return
        }
        release(slots)
        onPage?.()
      } else if ('result' in news) resolve(news.result)
      else if ('moved' in news) reject(new HistoryMoved())
      else if ('system' in news) reject(Object.assign(new Error(news.system.message), news.system))
      else {
        const { code, message, file, help, findings } = news.failed
        const details = { ...(file !== undefined && { file }), ...(help !== undefined && { help }) }
        reject(new ForeproofError(code, message, { ...details, findings }))
      }
    })
  })
  return { worker, result }
}
