import { statSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import { LastSeen } from '../../files/last-seen.js'
import type { Metrics } from '../health/metrics.js'
import { type FaultLog, faultText, type Logger } from '../log.js'
import { type KeyEntry, readKeysFile, rightsOfOthers, toAcceptedKey } from './key-store.js'
import type { AcceptedKey } from './keys.js'

/** How often the file is checked, so that a change takes effect well within a second. */
const LOOK_MS = 250

export interface KeysParts {
  readonly logger: Logger
  readonly faults: Pick<FaultLog, 'report' | 'over'>
  readonly metrics: Metrics
  readonly acceptKeys: (keys: readonly AcceptedKey[]) => void
}

/**
 * Watches the keys file of a service, also when it is replaced by rename or is a link with a new target. New content
 * takes effect, and faults are logged. A check without changes costs one `stat`.
 */
export class KeysWatch {
  readonly #seen = new LastSeen()
  #inForce: readonly KeyEntry[]
  #broken = false
  #timer: NodeJS.Timeout | undefined

  /** @param first the content of the file when it was read. */
  constructor(
    private readonly path: string,
    first: readonly KeyEntry[],
    private readonly parts: KeysParts,
  ) {
    this.#inForce = first
  }

  start(): void {
    this.#warnOfRights()
    this.check()
    this.#timer = setInterval(() => this.check(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Checks now; with `closely`, also the content of an apparently unchanged file. */
  check(closely = false): void {
    if (closely) this.#seen.forget()
    try {
      const isNew = this.#seen.isNew(statSync(this.path), Date.now())
      if (isNew || this.#broken) this.#read()
    } catch (cause) {
      this.#seen.forget()
      this.#broken = true
      this.parts.metrics.set('keys_file_broken', 1)
      const help = cause instanceof ForeproofError ? cause.help : undefined
      const text = `keys stay as they were: ${faultText(cause)}`
      this.parts.faults.report('keys file', 'keys-file-broken', text, { file: this.path, help })
    }
  }

  #read(): void {
    const keys = readKeysFile(this.path)
    const isOther = JSON.stringify(keys) !== JSON.stringify(this.#inForce)
    if (isOther) this.#accept(keys)
    if (!isOther && !this.#broken) return
    this.#broken = false
    this.parts.metrics.set('keys_file_broken', 0)
    this.parts.faults.over('keys file', 'keys-file-mended', 'the keys file can be read again')
    this.#warnOfRights()
  }

  #accept(keys: readonly KeyEntry[]): void {
    const { logger, acceptKeys } = this.parts
    const file = this.path
    const before = this.#inForce
    const without = (some: readonly KeyEntry[], others: readonly KeyEntry[]) => {
      const names = new Set(others.map(({ name }) => name))
      return some.filter(({ name }) => !names.has(name)).length
    }
    acceptKeys(keys.map(toAcceptedKey))
    this.#inForce = keys
    const changed = { added: without(keys, before), removed: without(before, keys) }
    const counts = { file, keys: keys.length, ...changed }
    logger.log('info', 'keys-read', 'the keys of the file are in force', counts)
    if (keys.length === 0) {
      logger.log('warn', 'no-keys', 'the keys file holds no key: no one can read', { file })
    }
  }

  /** Warns if users who are neither owner nor in the group have permissions on the file. */
  #warnOfRights(): void {
    const rights = rightsOfOthers(this.path)
    if (rights === undefined) return
    const message = `every user of this machine may ${rights} the keys file`
    const help = `chmod o= ${this.path}`
    this.parts.logger.log('warn', 'keys-file-open', message, { file: this.path, help })
  }
}
