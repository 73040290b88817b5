import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { ForeproofError } from '../../contract/error.js'
import type { Logger } from '../log.js'
import type { ToWorker, WorkerOptions } from './messages.js'
import { startWorker, type WorkerProcess } from './worker-process.js'

/** Before a worker that has died is started again; twice as long each time it dies young. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** A worker that has lived so long dies of something new. */
const YOUNG_MS = 60_000
/** Beyond the time of draining: answers that peers do not take, and the audit log, have theirs. */
const END_MS = 20_000

/** One of the workers: the process that runs under its number, and the next one where that has died. */
export class Slot {
  #process: WorkerProcess
  #startedAt = performance.now()
  /** Aborted when no further process is wanted. */
  readonly #leaving = new AbortController()

  /** Starts the worker. @param options what a process is started with at this time. */
  constructor(
    private readonly options: () => WorkerOptions,
    private readonly logger: Logger,
  ) {
    this.#process = startWorker(options())
  }

  /**
   * Waits until the worker listens, and starts it again whenever it dies from then on.
   * @throws {ForeproofError} what kept it from listening: it is not started again.
   */
  async listening(): Promise<AddressInfo> {
    const address = await this.#process.listening
    void this.#keep()
    return address
  }

  /** Starts the worker again and again until it listens, and whenever it dies from then on, or is to leave. */
  async listeningAtLast(): Promise<void> {
    await new Promise<void>((resolve) => void this.#keep(resolve))
  }

  ask(message: ToWorker): void {
    this.#process.ask(message)
  }

  /**
   * Has the worker stop for good.
   * @param drainSeconds how long it still takes requests.
   * @returns whether it ended in order.
   */
  async leave(how: 'close' | 'retire', drainSeconds: number): Promise<boolean> {
    this.#leaving.abort()
    const process = this.#process
    if (process.hasEnded()) return true
    process.ask({ ask: how })
    const limit = setTimeout(() => process.kill(), drainSeconds * 1000 + END_MS)
    const { code, signal } = await process.ended
    clearTimeout(limit)
    if (code === 0) return true
    this.#log('error', 'worker-broken-off', 'the worker did not stop in order', { code, signal })
    return false
  }

  /** Resolves when the worker, which was told to stop, takes no new connection any more. */
  async closed(): Promise<void> {
    await Promise.race([this.#process.closed, this.#process.ended])
  }

  kill(): void {
    this.#leaving.abort()
    this.#process.kill()
  }

  /** @param settled called when the worker listens, or is to leave. */
  async #keep(settled: () => void = () => undefined): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      const { listening, ended, pid } = this.#process
      await listening.then(
        () => {
          this.#log('info', 'worker-started', 'the worker takes requests', { pid })
          settled()
        },
        (error) => this.#tellOf(error),
      )
      const end = await ended
      if (this.#leaving.signal.aborted) break
      if (performance.now() - this.#startedAt > YOUNG_MS) wait = FIRST_PAUSE_MS
      const message = 'the worker has ended, and is started again'
      this.#log('error', 'worker-ended', message, { pid, ...end, in_ms: wait })
      await pause(wait, undefined, { signal: this.#leaving.signal }).catch(() => undefined)
      if (this.#leaving.signal.aborted) break
      this.#startedAt = performance.now()
      this.#process = startWorker(this.options())
    }
    settled()
  }

  #tellOf(error: unknown): void {
    if (this.#leaving.signal.aborted) return
    const { message, help } =
      error instanceof ForeproofError ? error : new ForeproofError('bug', String(error))
    this.#log('error', 'worker-failed', message, { help })
  }

  #log(...[level, event, message, fields]: Parameters<Logger['log']>): void {
    this.logger.log(level, event, message, { worker: this.options().number, ...fields })
  }
}
