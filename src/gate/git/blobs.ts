import { git } from './run.js'

/** Blobs asked for in one run of git; bounds memory, and the length of no command line. */
const BATCH = 256

/** Contents of git objects, read in batches and only once. */
export class Blobs {
  readonly #top: string
  readonly #limit: number
  readonly #contents = new Map<string, Buffer>()

  /** @param limit - objects larger than this many bytes are cut to one byte more. */
  constructor(top: string, limit: number) {
    this.#top = top
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
    if (oids.length === 0) return []
    const output = git(this.#top, ['cat-file', '--batch'], `${oids.join('\n')}\n`)
    const contents: Buffer[] = []
    let at = 0
    for (const oid of oids) {
      const end = output.indexOf(0x0a, at)
      const header = output.subarray(at, end).toString('latin1').split(' ')
      // What is missing is asked for again: git's message, and our advice, are those of any failure.
      if (header.length !== 3) git(this.#top, ['cat-file', 'blob', oid])
      const size = Number(header[2])
      const content = output.subarray(end + 1, end + 1 + Math.min(size, this.#limit + 1))
      // A copy, so that one small blob does not keep a whole batch in memory.
      contents.push(Buffer.from(content))
      at = end + 1 + size + 1
    }
    return contents
  }
}
