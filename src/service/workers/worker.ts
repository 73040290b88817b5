import cluster from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { type ErrorCode, EXIT, ForeproofError } from '../../contract/error.js'
import type { ServiceOptions } from '../config/config.js'
import { jsonLogger, type Logger } from '../log.js'
import { type RunningService, startReplica } from '../start.js'

/** What a worker is started with. It comes over the channel: every user can read a command line. */
export interface WorkerOptions {
  readonly number: number
  readonly service: Omit<ServiceOptions, 'logger'>
}

/** What the primary asks of a worker. */
export type ToWorker =
  | { readonly ask: 'start'; readonly options: WorkerOptions }
  | { readonly ask: 'reload'; readonly keys?: readonly string[] | undefined }
  | { readonly ask: 'close' }

/** What a worker reports to the primary. */
export type FromWorker =
  /** That it listens to what is asked: what came before that is lost. */
  | { readonly kind: 'ready' }
  /** That it takes requests. */
  | { readonly kind: 'listening'; readonly address: AddressInfo }
  /** Why it cannot. */
  | {
      readonly kind: 'failed'
      readonly code: ErrorCode
      readonly message: string
      readonly help?: string | undefined
    }

/** What a process of `serve --workers` does: what it is asked over its channel, and by signals of its own. */
class WorkerSide {
  #started: Promise<RunningService> | undefined
  #logger = loggerOf()

  listen(): void {
    process.on('message', (asked: ToWorker) => this.#obey(asked))
    // The primary hands on what it is sent. Ctrl-C reaches every process of a terminal, though, and so may others.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#close())
    process.on('SIGHUP', () => this.#reload())
    const { worker } = cluster
    worker?.once('disconnect', () => {
      // Node would end a worker without its primary at once, in the middle of an answer.
      worker.exitedAfterDisconnect = true
      this.#logger.log('warn', 'primary-gone', 'the process that started this one has ended')
      this.#close()
    })
    process.on('uncaughtException', (error) => {
      this.#logger.log('error', 'internal-error', error.message, { stack: error.stack })
      process.exit(EXIT.unable)
    })
    report({ kind: 'ready' })
  }

  #obey(asked: ToWorker): void {
    if (asked.ask === 'start') this.#start(asked.options)
    else if (asked.ask === 'reload') this.#reload(asked.keys)
    else this.#close()
  }

  #start({ number, service }: WorkerOptions): void {
    this.#logger = loggerOf(number)
    this.#started = startReplica({ ...service, logger: this.#logger }, number)
    this.#started.then(
      ({ address }) => report({ kind: 'listening', address }),
      (error) => {
        const fault =
          error instanceof ForeproofError ? error : new ForeproofError('bug', `${error}`)
        const { code, message, help } = fault
        report({ kind: 'failed', code, message, help })
        this.#close()
      },
    )
  }

  #reload(keys?: readonly string[]): void {
    const reload = (replica: RunningService) => replica.reload(keys)
    void this.#started?.then(reload, () => undefined)
  }

  /** Ends the process once the service is stopped, or where it did not start. */
  #close(): void {
    const stopped = Promise.resolve(this.#started).then(
      (replica) => replica === undefined || replica.close(),
      () => true,
    )
    void stopped.then((written) => {
      if (written) process.exit(EXIT.holds)
      // A thread still waits for the file system of the audit log: only a signal ends this process.
      process.kill(process.pid, 'SIGKILL')
    })
  }
}

function report(message: FromWorker): void {
  process.send?.(message, () => undefined)
}

function loggerOf(worker?: number): Logger {
  const lines = jsonLogger(process.stderr, () => new Date().toISOString())
  return {
    log(level, event, message, fields) {
      lines.log(level, event, message, { worker, ...fields })
    },
  }
}

new WorkerSide().listen()
