import { statSync } from 'node:fs'
import { LastSeen } from '../../files/last-seen.js'
import { type KeyEntry, openToOthers, readKeysFile } from './key-file.js'

/** How often the file is looked at: what changes holds well within a second. */
const LOOK_MS = 250

/** What the watch tells its owner. */
export interface KeysObserver {
  /** The file holds other keys than before. */
  changed(keys: readonly KeyEntry[]): void
  /** The file can be read again, and holds what it held before it could not. */
  mended(): void
  /** A look found a file that is missing or at fault: told at every look, as long as it lasts. */
  broken(cause: unknown): void
  /** Users who are neither owner nor of the group have rights on the file: told when it was read. */
  open(rights: string): void
}

/**
 * Looks at a keys file again and again, also when it is replaced by rename or is a link that leads elsewhere.
 * A look that finds nothing new costs one `stat`.
 */
export class KeysWatch {
  readonly #seen = new LastSeen()
  /** What is in force, as text. */
  #text: string
  #broken = false
  #timer: NodeJS.Timeout | undefined

  /** @param first - what the file held when it was read. */
  constructor(
    private readonly path: string,
    first: readonly KeyEntry[],
    private readonly told: KeysObserver,
  ) {
    this.#text = JSON.stringify(first)
  }

  start(): void {
    this.#tellRights()
    this.look()
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Looks now, at the file's content where it is asked to look closely. */
  look(closely = false): void {
    if (closely) this.#seen.forget()
    try {
      const isNew = this.#seen.isNew(statSync(this.path), Date.now())
      if (isNew || this.#broken) this.#read()
    } catch (cause) {
      this.#seen.forget()
      this.#broken = true
      this.told.broken(cause)
    }
  }

  #read(): void {
    const keys = readKeysFile(this.path)
    const text = JSON.stringify(keys)
    const [wasBroken, isOther] = [this.#broken, text !== this.#text]
    this.#broken = false
    this.#text = text
    if (isOther) this.told.changed(keys)
    else if (wasBroken) this.told.mended()
    if (isOther || wasBroken) this.#tellRights()
  }

  #tellRights(): void {
    const rights = openToOthers(this.path)
    if (rights !== undefined) this.told.open(rights)
  }
}
