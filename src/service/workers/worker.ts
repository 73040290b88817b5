import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { EXIT, ForeproofError } from '../../contract/error.js'
import { jsonLogger, type Logger } from '../log.js'
import { type Replica, startReplica } from '../start.js'
import type { FromWorker, ToWorker, WorkerOptions } from './messages.js'

/** Answers are not held back for the sake of others any longer. */
const TOGETHER_MS = 500

/** What a process of `serve --workers` does: what it is told over its channel, and by signals of its own. */
class WorkerSide {
  #started: Promise<Replica> | undefined
  #logger = loggerOf()
  readonly #togetherEnds = new AbortController()

  listen(): void {
    process.on('message', (asked: ToWorker) => this.#obey(asked))
    // The primary hands on what it is sent. Ctrl-C reaches every process of a terminal, though, and so may others.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#close())
    process.on('SIGHUP', () => this.#reload())
    process.on('SIGUSR2', () => undefined)
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
    tell({ told: 'ready' })
  }

  #obey(asked: ToWorker): void {
    if (asked.ask === 'start') this.#start(asked.options)
    else if (asked.ask === 'reload') this.#reload(asked.keys)
    else if (asked.ask === 'retire') this.#end((replica) => replica.retire())
    else if (asked.ask === 'close') {
      this.#end((replica) => replica.close(() => this.#othersClosed()))
    } else this.#togetherEnds.abort()
  }

  #start({ number, service }: WorkerOptions): void {
    this.#logger = loggerOf(number)
    this.#started = startReplica({ ...service, logger: this.#logger }, number)
    this.#started.then(
      ({ address }) => tell({ told: 'listening', address }),
      (error) => {
        const { code, message, help } =
          error instanceof ForeproofError ? error : new ForeproofError('bug', String(error))
        tell({ told: 'failed', code, message, help })
        this.#close()
      },
    )
  }

  #reload(keys?: readonly string[]): void {
    void this.#started?.then(
      (replica) => replica.reload(keys),
      () => undefined,
    )
  }

  async #othersClosed(): Promise<void> {
    tell({ told: 'closed' })
    const { signal } = this.#togetherEnds
    await pause(TOGETHER_MS, undefined, { signal }).catch(() => undefined)
  }

  #close(): void {
    this.#end((replica) => replica.close())
  }

  /** Ends the process once the service is stopped, or where it did not start. */
  #end(stop: (replica: Replica) => Promise<boolean>): void {
    const stopped = Promise.resolve(this.#started).then(
      (replica) => replica === undefined || stop(replica),
      () => true,
    )
    void stopped.then((written) => {
      if (written) process.exit(EXIT.holds)
      // A thread still waits for the file system of the audit log: only a signal ends this process.
      process.kill(process.pid, 'SIGKILL')
    })
  }
}

function tell(message: FromWorker): void {
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
