import { Worker } from 'node:worker_threads'
import { causeOf } from './failure.js'
import type { PageTask, WorkerNews, WorkerOrder } from './worker.js'
import type { PageRange, RangeResult } from './write-range.js'

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
