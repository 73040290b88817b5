import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ForeproofError } from '../../contract/error.js'
import { auditPathOf } from '../audit/paths.js'
import type { ServiceConfig } from '../config/config.js'
import type { Logger } from '../log.js'
import { type RunningService, urlOf } from '../start.js'
import type { FromWorker, ToWorker, WorkerOptions } from './worker.js'

/** Before a worker that has died is started again; twice as long each time it dies young. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000
/** A worker that has lived so long dies of something new. */
const YOUNG_MS = 60_000
/** Beyond the time of draining: answers that peers do not take, and the audit log, have theirs. */
const END_MS = 20_000

/** Processes that serve behind one port, kept running by this one, which serves nothing itself. */
export interface RunningWorkers extends RunningService {
  /** Ends all at once. */
  kill(): void
}

type Shared = Pick<ServiceConfig, 'settings' | 'keys' | 'fingerprintSecret'>

/**
 * Starts `config.settings.workers` processes that serve alike.
 * @throws {ForeproofError} what kept one of them from listening; none is left then.
 */
export async function startWorkers(config: Shared, logger: Logger): Promise<RunningWorkers> {
  const { settings } = config
  let { keys } = config
  // One for all: a key has the same fingerprint in the audit logs of all.
  const fingerprintSecret = config.fingerprintSecret ?? randomBytes(32).toString('base64')
  const optionsOf = (number: number): WorkerOptions => {
    const auditPath = auditPathOf(settings.auditPath, number)
    const probePort = settings.probePort === 0 ? 0 : settings.probePort + number - 1
    return { number, service: { ...settings, auditPath, probePort, keys, fingerprintSecret } }
  }
  const slots = Array.from(
    { length: settings.workers },
    (_, index) => new Slot(() => optionsOf(index + 1), logger),
  )
  const kill = () => {
    for (const slot of slots) slot.kill()
  }
  let stopped: Promise<boolean> | undefined
  const [address] = await Promise.all(slots.map((slot) => slot.listening())).catch((error) => {
    kill()
    throw error
  })
  if (settings.limiter === '') {
    const message =
      'each worker counts for itself: without --limiter a key has up to so many requests'
    const most = settings.rateLimit * settings.workers
    logger.log('warn', 'limit-per-worker', message, { most })
  }
  return {
    address: address as AddressInfo,
    url: urlOf(address as AddressInfo),
    kill,
    reload(given) {
      keys = given ?? keys
      for (const slot of slots) slot.ask({ ask: 'reload', keys: given })
    },
    close() {
      stopped ??= Promise.all(slots.map((slot) => slot.leave(settings.drainSeconds))).then(
        (ended) => ended.every(Boolean),
      )
      return stopped
    },
  }
}

/** One of the workers: the process that runs under its number, and the next one where that has died. */
class Slot {
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

  ask(message: ToWorker): void {
    this.#process.ask(message)
  }

  /**
   * Has the worker stop for good.
   * @param drainSeconds how long it still takes requests.
   * @returns whether it ended in order.
   */
  async leave(drainSeconds: number): Promise<boolean> {
    this.#leaving.abort()
    const process = this.#process
    if (process.hasEnded()) return true
    process.ask({ ask: 'close' })
    const limit = setTimeout(() => process.kill(), drainSeconds * 1000 + END_MS)
    const { code, signal } = await process.ended
    clearTimeout(limit)
    if (code === 0) return true
    this.#log('error', 'worker-broken-off', 'the worker did not stop in order', { code, signal })
    return false
  }

  kill(): void {
    this.#leaving.abort()
    this.#process.kill()
  }

  async #keep(): Promise<void> {
    const { signal } = this.#leaving
    for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      const { listening, ended, pid } = this.#process
      await listening.then(
        () => this.#log('info', 'worker-started', 'the worker takes requests', { pid }),
        (error) => this.#logFailure(error),
      )
      const end = await ended
      if (signal.aborted) return
      if (performance.now() - this.#startedAt > YOUNG_MS) wait = FIRST_PAUSE_MS
      const message = 'the worker has ended, and is started again'
      this.#log('error', 'worker-ended', message, { pid, ...end, in_ms: wait })
      await pause(wait, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      this.#startedAt = performance.now()
      this.#process = startWorker(this.options())
    }
  }

  #logFailure(error: unknown): void {
    if (this.#leaving.signal.aborted) return
    const { message, help } =
      error instanceof ForeproofError ? error : new ForeproofError('bug', String(error))
    this.#log('error', 'worker-failed', message, { help })
  }

  #log(...[level, event, message, fields]: Parameters<Logger['log']>): void {
    this.logger.log(level, event, message, { worker: this.options().number, ...fields })
  }
}

const PROGRAM = fileURLToPath(new URL('./worker.js', import.meta.url))

/** A process that serves, seen from the primary. */
type WorkerProcess = ReturnType<typeof startWorker>

/** How a process ended; nothing of both where there was none. */
type End = Readonly<Record<'code' | 'signal', number | string | null>>

function startWorker(options: WorkerOptions) {
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
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message: FromWorker) => message.kind === 'ready' && resolve())
  })
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
