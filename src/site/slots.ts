import type { EncodedFile } from './files.js'

/**
 * Memory that two threads share: one makes pages in its slots, in turn, and the other writes them to
 * files. Memory of their own would have to be found, handed over and let go again for every page.
 */
export interface Slots {
  readonly memory: SharedArrayBuffer
  /** One number: pages that are made and not yet written. */
  readonly waiting: Int32Array<SharedArrayBuffer>
}

/** A file by the place of its bytes in the memory, or with its bytes where they had no room there. */
export type PlacedFile =
  | readonly [path: string, at: number, length: number]
  | readonly [path: string, bytes: Uint8Array]

/** A page of a hundred forecasts with its copies takes half of it. */
export const SLOT_BYTES = 256 << 10
/** No more pages than these are ever made and not yet written. */
const SLOTS = 16

export function makeSlots(): Slots {
  return {
    memory: new SharedArrayBuffer(SLOTS * SLOT_BYTES),
    waiting: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  }
}

/** The files of a page. */
export function filesIn({ memory }: Slots, placed: readonly PlacedFile[]): EncodedFile[] {
  return placed.map(([path, at, length]) => [
    path,
    typeof at === 'number' ? new Uint8Array(memory, at, length) : at,
  ])
}

/** Says that the page made first of those waiting is written. */
export function release({ waiting }: Slots): void {
  Atomics.sub(waiting, 0, 1)
  Atomics.notify(waiting, 0)
}

/** The side that fills the slots. */
export class SlotFiller {
  private slot = 0

  constructor(private readonly slots: Slots) {}

  /** The next slot, as soon as what was in it is written. */
  room(): Buffer {
    const { memory, waiting } = this.slots
    for (let made = Atomics.load(waiting, 0); made >= SLOTS; made = Atomics.load(waiting, 0)) {
      Atomics.wait(waiting, 0, made)
    }
    return Buffer.from(memory, this.slot * SLOT_BYTES, SLOT_BYTES)
  }

  /** Leaves the files of a page in the slot, the first of which may be there already. */
  fill(files: readonly EncodedFile[]): PlacedFile[] {
    const room = this.room()
    let end = room.byteOffset
    let left = room.length
    const placed = files.map(([path, bytes]): PlacedFile => {
      if (bytes.length > left) return [path, bytes]
      const at = end
      const isThere = bytes.buffer === room.buffer && bytes.byteOffset === at
      if (!isThere) room.set(bytes, at - room.byteOffset)
      end += bytes.length
      left -= bytes.length
      return [path, at, bytes.length]
    })
    this.slot = (this.slot + 1) % SLOTS
    Atomics.add(this.slots.waiting, 0, 1)
    return placed
  }
}
