import { Worker } from 'node:worker_threads'
import { ForeproofError } from '../../contract/error.js'
import type { RowMark } from '../../history/store/types.js'
import { HistoryMoved } from '../rows.js'
import type { WriterOptions } from '../writer/types.js'
import type { PageRange, RangeContext, RangeResult } from './write-range.js'

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

/** A thread that writes pages of one build, one range at a time. */
export class PageWorker {
  readonly #thread: Worker
  readonly #ended: Promise<void>
  #failure: unknown
  #settle: { resolve(result: RangeResult): void; reject(cause: unknown): void } | undefined

  constructor(task: PageTask) {
    this.#thread = new Worker(new URL('./worker.js', import.meta.url), { workerData: task })
    this.#thread.on('error', (cause) => this.#fail(cause))
    this.#ended = new Promise((resolve) => {
      this.#thread.on('exit', () => {
        this.#fail(new Error('a worker ended without a result'))
        resolve()
      })
    })
    this.#thread.on('message', (news: WorkerNews) => {
      if ('result' in news) this.#settle?.resolve(news.result)
      else this.#settle?.reject(causeOf(news.failure))
    })
  }

  write(range: PageRange): Promise<RangeResult> {
    return new Promise((resolve, reject) => {
      // It may have ended before anything was asked of it.
      if (this.#failure !== undefined) reject(this.#failure)
      this.#settle = { resolve, reject }
      this.#thread.postMessage(range satisfies WorkerOrder)
    })
  }

  /** Lets it end by itself once its range is done: SQLite does not bear to be ended while it waits for a lock. */
  async end(): Promise<void> {
    this.#thread.postMessage('end' satisfies WorkerOrder)
    await this.#ended
  }

  #fail(cause: unknown): void {
    this.#failure ??= cause
    this.#settle?.reject(cause)
  }
}

/** What went wrong in a worker, as a message can carry it: an error loses its class and its members there. */
export type Failure =
  | { readonly kind: 'moved' }
  | {
      readonly kind: 'refused'
      readonly error: Pick<ForeproofError, 'code' | 'message' | 'file' | 'help' | 'findings'>
    }
  | { readonly kind: 'other'; readonly error: unknown; readonly members: object }

/** An error, as a message. */
export function failureOf(cause: unknown): Failure {
  if (cause instanceof HistoryMoved) return { kind: 'moved' }
  if (!(cause instanceof ForeproofError)) {
    return { kind: 'other', error: cause, members: { ...(cause as object) } }
  }
  const { code, message, file, help, findings } = cause
  return { kind: 'refused', error: { code, message, file, help, findings } }
}

/** The error that a message tells of. */
export function causeOf(failure: Failure): unknown {
  if (failure.kind === 'moved') return new HistoryMoved()
  if (failure.kind === 'other') return Object.assign(failure.error as object, failure.members)
  const { code, message, file, help, findings } = failure.error
  return new ForeproofError(code, message, { file, help, findings })
}
