import type { Sheet } from '../../forecast/sheet.js'

const FIRST_BYTES = 65_536
const NEWLINE = 0x0a

/**
 * Lines on their way to a file, as the bytes they will be there. As strings they would live just long
 * enough to be copied by the garbage collector's next passes, all of them, while requests wait. Two
 * buffers take turns: one takes new lines while the other is written. They stay as large as they once had
 * to be, at most the limit each: what is let go here has to be asked for again at
 * the next rotation, and large memory that comes and goes keeps the garbage collector busy.
 */
export class LineQueue {
  private filling = Buffer.allocUnsafeSlow(FIRST_BYTES)
  private filled = 0
  private draining = Buffer.allocUnsafeSlow(FIRST_BYTES)
  private from = 0
  private to = 0

  /** @param limit bytes of waiting lines; what comes beyond is refused. */
  constructor(private readonly limit: number) {}

  /** Bytes of all waiting lines. */
  get length(): number {
    return this.to - this.from + this.filled
  }

  /** Takes one line with its newline; false when there is no room for it. */
  push(line: Sheet): boolean {
    const { length } = line
    if (this.length + length > this.limit) return false
    if (this.filled + length > this.filling.length) this.grow(this.filled + length)
    line.copyTo(this.filling, this.filled)
    this.filled += length
    return true
  }

  /**
   * The oldest lines that `room` bytes can hold; empty when not even one fits. Holds until they are dropped.
   * @param atLeastOne gives the oldest line however long it is.
   */
  oldest(room: number, atLeastOne: boolean): Buffer {
    if (this.from === this.to) this.turn()
    const { draining, from, to } = this
    if (to - from <= room) return draining.subarray(from, to)
    const end = room > 0 ? draining.subarray(from, from + room).lastIndexOf(NEWLINE) : -1
    if (end >= 0) return draining.subarray(from, from + end + 1)
    const first = draining.indexOf(NEWLINE, from)
    return draining.subarray(from, atLeastOne ? first + 1 : from)
  }

  /** Forgets so many bytes of the oldest lines. */
  drop(bytes: number): void {
    this.from += bytes
  }

  private turn(): void {
    const next = this.draining
    this.draining = this.filling
    this.from = 0
    this.to = this.filled
    this.filling = next
    this.filled = 0
  }

  private grow(least: number): void {
    let size = this.filling.length
    while (size < least) size = Math.min(2 * size, Math.max(least, this.limit))
    const larger = Buffer.allocUnsafeSlow(size)
    larger.set(this.filling.subarray(0, this.filled))
    this.filling = larger
  }
}
