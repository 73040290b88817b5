import cluster from 'node:cluster'
import { EXIT, ForeproofError } from '../../contract/error.js'
import { jsonLogger, type Logger } from '../log.js'
import { type Replica, startReplica } from '../start.js'
import type { FromWorker, ToWorker, WorkerOptions } from './messages.js'

// What a process of `serve --workers` runs: it is told over its channel what to do, and by signals of its own.

let started: Promise<Replica> | undefined
let logger = loggerOf()

process.on('message', (asked: ToWorker) => {
  if (asked.ask === 'start') start(asked.options)
  else if (asked.ask === 'reload') void started?.then((replica) => replica.reload(asked.keys))
  else end((replica) => (asked.ask === 'close' ? replica.close() : replica.retire()))
})
// The primary hands on what it is sent. Ctrl-C reaches every process of a terminal, though, and so may others.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, close)
process.on('SIGHUP', () => void started?.then((replica) => replica.reload()))
process.on('SIGUSR2', () => undefined)
cluster.worker?.once('disconnect', () => {
  // Node would end a worker without its primary at once, in the middle of an answer.
  if (cluster.worker !== undefined) cluster.worker.exitedAfterDisconnect = true
  logger.log('warn', 'primary-gone', 'the process that started this one has ended')
  close()
})
process.on('uncaughtException', (error) => {
  logger.log('error', 'internal-error', error.message, { stack: error.stack })
  process.exit(EXIT.unable)
})

tell({ told: 'ready' })

function start({ number, service }: WorkerOptions): void {
  logger = loggerOf(number)
  started = startReplica({ ...service, logger }, number)
  started.then(
    ({ address }) => tell({ told: 'listening', address }),
    (error) => {
      const { code, message, help } =
        error instanceof ForeproofError ? error : new ForeproofError('bug', String(error))
      tell({ told: 'failed', code, message, help })
      end()
    },
  )
}

function close(): void {
  end((replica) => replica.close())
}

/** Ends the process once the service is stopped. */
function end(stop: (replica: Replica) => Promise<boolean> = async () => true): void {
  const stopped = Promise.resolve(started).then(
    (replica) => replica === undefined || stop(replica),
    () => true,
  )
  void stopped.then((written) => {
    if (written) process.exit(EXIT.holds)
    // A thread still waits for the file system of the audit log: only a signal ends this process.
    process.kill(process.pid, 'SIGKILL')
  })
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
