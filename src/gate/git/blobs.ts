import { type ObjectStore, readObjects } from './objects.js'

/** Blobs asked for in one run of git; bounds memory, and the length of no command line. */
const BATCH = 256

/** Contents of git objects, read in batches and only once. */
export class Blobs {
  readonly #store: ObjectStore
  readonly #limit: number
  readonly #contents = new Map<string, Buffer>()

  /** @param limit - objects larger than this many bytes are cut to one byte more. */
  constructor(store: ObjectStore, limit: number) {
    this.#store = store
    this.#limit = limit
  }

  /** Reads what is not known yet. */
  load(oids: Iterable<string>): void {
    const wanted = [...new Set(oids)].filter((oid) => !this.#contents.has(oid))
    for (let from = 0; from < wanted.length; from += BATCH) {
      const batch = wanted.slice(from, from + BATCH)
      for (const [index, content] of this.peek(batch).entries()) {
        this.#contents.set(batch[index] as string, content)
      }
    }
  }

  get(oid: string): Buffer {
    if (!this.#contents.has(oid)) this.load([oid])
    return this.#contents.get(oid) as Buffer
  }

  /** Reads without keeping: for looking through many. */
  peek(oids: readonly string[]): Buffer[] {
    // A copy, so that one small blob does not keep a whole batch in memory.
    return readObjects(this.#store, oids).map((bytes) =>
      Buffer.from(bytes.subarray(0, this.#limit + 1)),
    )
  }
}
