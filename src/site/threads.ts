import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ForeproofError } from '../contract/error.js'
import { BUSY_TIMEOUT_MS } from '../history/store/reader.js'
import type { HistoryReader, RowMark } from '../history/store/types.js'
import { type EncodedFile, putAll, putEncoded, type Target } from './files.js'
import {
  type PageRange,
  type PageSink,
  pagesOf,
  type RangeContext,
  type RangeResult,
  writeRange,
} from './range.js'
import { HistoryMoved } from './rows.js'
import { filesIn, makeSlots, release, SLOT_BYTES, stop } from './slots.js'
import { joined, type MadeStretch, Stretches } from './stretches.js'
import type { PageTask, PageThreadData, RangeFailure, RangeNews, RangeOrder } from './worker.js'

/** Below so many pages, starting threads costs more than it saves. */
const WORTH_THREADS = 64
/** Beside the one that writes all files; it has its hands full with three of them. */
const MOST_THREADS = 3

/** A thread may have to wait for another process's lock before it hears that it is to end. */
const END_MS = 2 * BUSY_TIMEOUT_MS

/** Rows live for one page: with room for many pages, next to nothing is left when rubbish is collected. */
const YOUNG_MB = 96

export interface RangeWork {
  readonly reader: HistoryReader
  readonly mark: RowMark | null
  readonly forecasts: number
  readonly range: PageRange
  readonly context: RangeContext
  readonly target: Target
  readonly onPage?: (() => void) | undefined
  /** Threads that were started before; where there are none, they are started now. */
  readonly threads?: PageThreads | undefined
}

/**
 * Writes a stretch of pages. Where that pays, other threads make pages too, and this one writes all of them:
 * file systems let one thread at a time make files in a folder. The files are the same.
 */
export async function writePages(work: RangeWork): Promise<RangeResult> {
  const { reader, mark, forecasts, range, context, target, onPage } = work
  const memory = Buffer.allocUnsafeSlow(SLOT_BYTES)
  const sink: PageSink = {
    // A page is written before the next one is made.
    room: () => memory,
    put(path, bytes) {
      const written = putEncoded(target, path, bytes)
      onPage?.()
      return written
    },
  }
  const pays = range.high - range.low + 1 >= WORTH_THREADS
  // Without the keys of rows by their place, nobody can begin in the middle.
  if (!pays || (await reader.keysAt(0, 1, forecasts)) === undefined) {
    return writeRange(reader, range, context, sink)
  }
  const threads = work.threads ?? new PageThreads(reader.path)
  const stretches = new Stretches(reader, forecasts, range, 1 + threads.count)
  const made: MadeStretch[] = []
  const makeAll = async (make: Make) => {
    for (;;) {
      const next = await stretches.next()
      if (next === undefined) return
      made.push({ range: next, ...(await make(next)) })
    }
  }
  const take = (files: readonly EncodedFile[]) => {
    putAll(target, files)
    onPage?.()
  }
  const failed = new AbortController()
  const others = threads.each({ mark, context }, take, makeAll)
  const own = makeAll((next) => makeBetween(pagesOf(reader, next, context, sink), failed.signal))
  try {
    await Promise.all([others, own])
    return joined(made)
  } finally {
    // Nobody may go on writing where one has failed: the next try may be under way there.
    failed.abort()
    await Promise.allSettled([threads.dismiss(), own])
  }
}

/** Makes pages one by one; between two, what other threads have made is written. */
async function makeBetween(
  pages: AsyncGenerator<void, RangeResult>,
  signal: AbortSignal,
): Promise<RangeResult> {
  for (let step = await pages.next(); ; step = await pages.next()) {
    if (step.done) return step.value
    await setImmediate(undefined, { signal })
  }
}

function fitting(): number {
  return Math.min(Math.max(availableParallelism() - 1, 1), MOST_THREADS)
}

type Make = (range: PageRange) => Promise<RangeResult>
type Take = (files: readonly EncodedFile[]) => void

/** Threads that make pages. They take a while to load, in which the thread that starts them can go on. */
export class PageThreads {
  private readonly threads: readonly PageThread[]

  /** @param path of the history. */
  constructor(path: string, length = fitting()) {
    this.threads = Array.from({ length }, () => new PageThread(path))
  }

  get count(): number {
    return this.threads.length
  }

  /** Has every thread make pages of one plan; `take` gets their files in the order they are made in. */
  async each(task: PageTask, take: Take, use: (make: Make) => Promise<void>): Promise<void> {
    await Promise.all(this.threads.map((thread) => use((range) => thread.make(task, range, take))))
  }

  async dismiss(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.dismiss()))
  }
}

class PageThread {
  private readonly slots = makeSlots()
  private readonly worker: Worker
  private readonly ended: Promise<void>
  private failure: unknown
  private take: Take = () => undefined
  private resolve: (result: RangeResult) => void = () => undefined
  private reject: (cause: unknown) => void = () => undefined

  constructor(path: string) {
    const workerData: PageThreadData = { path, slots: this.slots }
    this.worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    })
    this.worker.on('error', (cause) => this.fail(cause))
    this.ended = new Promise((resolve) => {
      this.worker.on('exit', () => {
        this.fail(new Error('a thread ended without a result'))
        resolve()
      })
    })
    this.worker.on('message', (news: RangeNews) => this.hear(news))
  }

  /** Makes one range; the next one only after it. */
  make(task: PageTask, range: PageRange, take: Take): Promise<RangeResult> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) reject(this.failure)
      this.take = take
      this.resolve = resolve
      this.reject = reject
      this.worker.postMessage({ task, range } satisfies RangeOrder)
    })
  }

  /** Lets it end by itself: to end it while SQLite waits for a lock takes the whole process along. */
  async dismiss(): Promise<void> {
    this.take = () => undefined
    stop(this.slots)
    this.worker.postMessage('end' satisfies RangeOrder)
    const giveUp = setTimeout(() => this.worker.terminate(), END_MS)
    await this.ended
    clearTimeout(giveUp)
  }

  private hear(news: RangeNews): void {
    if ('pages' in news) {
      try {
        for (const files of news.pages) {
          this.take(filesIn(this.slots, files))
          release(this.slots)
        }
      } catch (cause) {
        this.reject(cause)
      }
    } else if ('result' in news) this.resolve(news.result)
    else this.reject(causeOf(news))
  }

  /** It may end before anything was asked of it. */
  private fail(cause: unknown): void {
    this.failure ??= cause
    this.reject(cause)
  }
}

function causeOf(news: RangeFailure): unknown {
  if ('moved' in news) return new HistoryMoved()
  if ('system' in news) return Object.assign(new Error(news.system.message), news.system)
  const { code, message, file, help, findings } = news.failed
  const details = { ...(file !== undefined && { file }), ...(help !== undefined && { help }) }
  return new ForeproofError(code, message, { ...details, findings })
}
