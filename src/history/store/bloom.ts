/** A set that may answer "perhaps" wrongly (about 1 in 10,000) but "no" never; some 24 bits an item. */
export class Bloom {
  #bits: Uint32Array
  #count = 0

  constructor(items: Iterable<string> = []) {
    const list = [...items]
    this.#bits = new Uint32Array(wordsFor(list.length))
    for (const item of list) this.#set(item)
    this.#count = list.length
  }

  /** True when the item fits; false asks the owner to build a larger filter. */
  add(item: string): boolean {
    if (this.mayHold(probe(item))) return true
    if (wordsFor(this.#count + 1) > this.#bits.length) return false
    this.#set(item)
    this.#count++
    return true
  }

  mayHold([a, b]: Probe): boolean {
    const mask = this.#bits.length * 32 - 1
    for (let turn = 0; turn < 6; turn++) {
      const bit = (a + turn * b) & mask
      if (((this.#bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false
    }
    return true
  }

  #set(item: string): void {
    const mask = this.#bits.length * 32 - 1
    const [a, b] = probe(item)
    for (let turn = 0; turn < 6; turn++) {
      const bit = (a + turn * b) & mask
      this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
    }
  }
}

/** A power of two, with at least 24 bits an item and room to grow. */
function wordsFor(items: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(4, (items * 24) / 32)))
}

export type Probe = readonly [number, number]

/** Two 32-bit FNV-1a hashes of different seeds; the second is odd, so that bits do not repeat. */
export function probe(text: string): Probe {
  let a = 0x811c9dc5
  let b = 0x1b873593
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x01000193)
  }
  return [a ^ (a >>> 15), (b ^ (b >>> 13)) | 1]
}
