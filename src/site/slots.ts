import type { EncodedFile } from './files.js'

/**
 * Memory that two threads share: one makes pages in its slots, in turn, and the other writes them to
 * files. Memory of their own would have to be found, handed over and let go again for every page.
 */
export interface Slots {
  readonly memory: SharedArrayBuffer
  /** Two numbers: pages that are made and not yet written, and whether no more are wanted. */
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
    waiting: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
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

/** Says that no more pages are wanted: the other side hears of it when it asks for room. */
export function stop({ waiting }: Slots): void {
  Atomics.store(waiting, 1, 1)
  // Another number, in case the other side is just going to wait for this one to change.
  Atomics.store(waiting, 0, -1)
  Atomics.notify(waiting, 0)
}

/** No more pages are wanted. */
export class Stopped extends Error {}

/** The side that fills the slots. */
export class SlotFiller {
  private slot = 0

  constructor(private readonly slots: Slots) {}

  /**
   * The next slot, as soon as what was in it is written.
   * @throws {Stopped} when no more pages are wanted.
   */
  room(): Buffer {
    const { memory, waiting } = this.slots
    while (true) {
      const made = Atomics.load(waiting, 0)
      if (Atomics.load(waiting, 1) !== 0) throw new Stopped()
      if (made < SLOTS) return Buffer.from(memory, this.slot * SLOT_BYTES, SLOT_BYTES)
      Atomics.wait(waiting, 0, made)
    }
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
