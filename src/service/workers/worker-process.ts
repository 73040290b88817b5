import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { ForeproofError } from '../../contract/error.js'
import type { FromWorker, ToWorker, WorkerOptions } from './worker.js'

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url))

/** A process that serves, seen from the primary. */
export type WorkerProcess = ReturnType<typeof startWorker>

/** How a process ended; nothing of both where there was none. */
type End = Readonly<Record<'code' | 'signal', number | string | null>>

export function startWorker(options: WorkerOptions) {
  cluster.schedulingPolicy = cluster.SCHED_RR
  // The number is for those who look at the list of processes.
  cluster.setupPrimary({ exec: PROGRAM, args: [String(options.number)] })
  const worker = cluster.fork()
  closeWithWorker(worker.process)
  const ended = new Promise<End>((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal }))
    worker.on('error', () => {
      if (worker.process.pid === undefined) resolve({ code: null, signal: null })
    })
  })
  const listening = new Promise<AddressInfo>((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'listening') resolve(message.address)
      if (message.kind !== 'failed') return
      reject(new ForeproofError(message.code, message.message, { help: message.help }))
    })
    void ended.then(({ code, signal }) => {
      const how = signal ?? `exit code ${code}`
      reject(new ForeproofError('unavailable', `a worker ended before it listened (${how})`))
    })
  })
  // Not every caller waits for it.
  listening.catch(() => undefined)
  const reported = (what: FromWorker['kind']) =>
    new Promise<void>((resolve) => {
      worker.on('message', (message: FromWorker) => message.kind === what && resolve())
    })
  const ready = reported('ready')
  const ask = async (message: ToWorker) => {
    await ready
    // One that ends meanwhile is reported by its end.
    if (worker.isConnected()) worker.send(message, () => undefined)
  }
  void ask({ ask: 'start', options })
  return {
    pid: worker.process.pid,
    /** Where it listens; rejected with what kept it from that. */
    listening,
    /** Resolves when it stops and takes no new connection any more. */
    closed: reported('closed'),
    ended,
    hasEnded: () => worker.isDead(),
    ask: (message: ToWorker) => void ask(message),
    kill: () => void worker.process.kill('SIGKILL'),
  }
}

/** A connection as node's cluster hands it over; -1 when this process has closed its side. */
interface Handle {
  readonly fd: number
  close(): void
}

/**
 * Closes, when a worker dies, the connection that it was being handed. Node's cluster keeps a connection until the
 * worker says that it has taken it (one at a time), and forgets the one whose worker never says so: its client would
 * wait for as long as the primary lives, and the primary would lose a descriptor with every such death.
 */
function closeWithWorker(worker: ChildProcess): void {
  let last: Handle | undefined
  const send = worker.send.bind(worker) as (...sent: unknown[]) => boolean
  worker.send = (...sent: unknown[]): boolean => {
    const [message, handle] = sent
    if ((message as { act?: unknown } | null)?.act === 'newconn') last = handle as typeof last
    return send(...sent)
  }
  // It may have been read there: no other worker could answer it.
  worker.once('exit', () => {
    if (last !== undefined && last.fd >= 0) last.close()
  })
}
