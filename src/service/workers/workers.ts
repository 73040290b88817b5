import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { auditPathOf } from '../audit/worker-file.js'
import type { ServiceConfig } from '../config/config.js'
import type { Logger } from '../log.js'
import { type RunningService, urlOf } from '../start.js'
import type { WorkerOptions } from './messages.js'
import { Slot } from './slot.js'

/** Processes that serve behind one port, kept running by this one, which serves nothing itself. */
export interface RunningWorkers extends RunningService {
  /** Puts new processes in the place of all, one by one; others take the requests meanwhile. */
  replace(): Promise<void>
  /** Ends all at once. */
  kill(): void
}

type Shared = Pick<ServiceConfig, 'settings' | 'keys' | 'fingerprintSecret'>

/**
 * Starts `config.settings.workers` processes that serve alike.
 * @throws {ForeproofError} what kept one of them from listening; none is left then.
 */
export async function startWorkers(config: Shared, logger: Logger): Promise<RunningWorkers> {
  const workers = new Workers(config, logger)
  await workers.start()
  const { limiter, rateLimit, workers: count } = config.settings
  if (limiter === '') {
    const message =
      'each worker counts for itself: without --limiter a key has up to so many requests'
    logger.log('warn', 'limit-per-worker', message, { most: rateLimit * count })
  }
  return workers
}

class Workers implements RunningWorkers {
  readonly #slots = new Map<number, Slot>()
  /** One for all: a key has the same fingerprint in the audit logs of all. */
  readonly #fingerprintSecret: string
  #keys: readonly string[]
  #address: AddressInfo | undefined
  #replacing = false
  #closed: Promise<boolean> | undefined

  constructor(
    private readonly config: Shared,
    private readonly logger: Logger,
  ) {
    this.#keys = config.keys
    this.#fingerprintSecret = config.fingerprintSecret ?? randomBytes(32).toString('base64')
  }

  async start(): Promise<void> {
    const { workers } = this.config.settings
    const slots = Array.from({ length: workers }, (_, index) => this.#newSlot(index + 1))
    try {
      const [address] = await Promise.all(slots.map((slot) => slot.listening()))
      this.#address = address
    } catch (error) {
      for (const slot of slots) slot.kill()
      throw error
    }
  }

  get address(): AddressInfo {
    if (this.#address === undefined) throw new Error('not started')
    return this.#address
  }

  get url(): string {
    return urlOf(this.address)
  }

  reload(keys?: readonly string[]): void {
    if (keys !== undefined) this.#keys = keys
    for (const slot of this.#slots.values()) slot.ask({ ask: 'reload', keys })
  }

  async replace(): Promise<void> {
    if (this.#closed !== undefined) return
    if (this.#replacing) {
      const message = 'the workers are being replaced already: ask again when that has ended'
      this.logger.log('warn', 'replace-ignored', message)
      return
    }
    this.#replacing = true
    this.logger.log('info', 'replacing', 'new workers take the place of all, one by one')
    try {
      await this.#replaceAll()
    } catch (error) {
      const message = `the workers stay as they are: ${(error as Error).message}`
      this.logger.log('error', 'replace-failed', message)
    }
    this.#replacing = false
  }

  close(): Promise<boolean> {
    this.#closed ??= this.#closeAll()
    return this.#closed
  }

  kill(): void {
    for (const slot of this.#slots.values()) slot.kill()
  }

  /**
   * A worker more stands in for the one that is replaced. So there are never fewer than wanted, and never two
   * of one number, which would write one audit log and want one port for probes.
   */
  async #replaceAll(): Promise<void> {
    const { workers } = this.config.settings
    const standIn = workers + 1
    try {
      await this.#newSlot(standIn).listening()
    } catch (error) {
      this.#slots.delete(standIn)
      throw error
    }
    for (let number = 1; number <= workers; number++) {
      await this.#leave([number], 'retire')
      if (this.#closed !== undefined) return
      await this.#newSlot(number).listeningAtLast()
    }
    await this.#leave([standIn], 'retire')
    if (this.#closed === undefined) {
      this.logger.log('info', 'replaced', 'every worker is a new one', { workers })
    }
  }

  /**
   * A client of the first that stops would come to the others again: all hold their answers back until none
   * takes a new connection.
   */
  async #closeAll(): Promise<boolean> {
    const slots = [...this.#slots.values()]
    const ended = this.#leave([...this.#slots.keys()], 'close')
    await Promise.all(slots.map((slot) => slot.closed()))
    for (const slot of slots) slot.ask({ ask: 'end' })
    return await ended
  }

  /** @returns whether all ended in order. */
  async #leave(numbers: readonly number[], how: 'close' | 'retire'): Promise<boolean> {
    const { drainSeconds } = this.config.settings
    const leaving = numbers.map(async (number) => {
      const inOrder = await this.#slots.get(number)?.leave(how, drainSeconds)
      return inOrder !== false
    })
    const ended = await Promise.all(leaving)
    for (const number of numbers) this.#slots.delete(number)
    return ended.every(Boolean)
  }

  #newSlot(number: number): Slot {
    const slot = new Slot(() => this.#optionsOf(number), this.logger)
    this.#slots.set(number, slot)
    return slot
  }

  #optionsOf(number: number): WorkerOptions {
    const { settings } = this.config
    const { auditPath, probePort, workers } = settings
    // What stands in for moments has no port that anybody could know.
    const hasProbes = probePort !== 0 && number <= workers
    const service = {
      ...settings,
      auditPath: auditPathOf(auditPath, number),
      probePort: hasProbes ? probePort + number - 1 : 0,
      keys: this.#keys,
      fingerprintSecret: this.#fingerprintSecret,
    }
    return { number, service }
  }
}
