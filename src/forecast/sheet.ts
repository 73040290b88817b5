const FIRST_BYTES = 65_536
/** A sheet that grew beyond this is let go again once it is blank. */
const KEPT_BYTES = 2_097_152
/** Longer texts go by the native way, shorter ones are quicker copied here. */
const SHORT = 40
/** The longest text of a number, and some. */
const NUMBER_BYTES = 32
/** So many hundredths are counted in 32 bits. */
const MOST_HUNDREDTHS = 2_000_000_000
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

/**
 * Bytes that are put together piece by piece. A page is made of thousands of pieces: as a string it would
 * be a tree of them, built, walked and thrown away again for every page. All text is ASCII.
 */
export class Sheet {
  private bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** Bytes written so far. */
  length = 0

  text(piece: string): void {
    const { length } = piece
    if (this.length + length > this.bytes.length) this.grow(length)
    if (length > SHORT) this.bytes.write(piece, this.length, 'latin1')
    else {
      const { bytes, length: start } = this
      for (let at = 0; at < length; at++) bytes[start + at] = piece.charCodeAt(at)
    }
    this.length += length
  }

  /**
   * A number as JSON has it. Most are prices in cents and the like: with two decimals that give the number
   * back when divided, and so few digits that no shorter ones can, their digits need no search. The others
   * go past V8's memory of numbers it has written: it costs more than it spares where hardly one comes twice.
   */
  number(value: number): void {
    const size = Math.abs(value)
    const hundredths = Math.round(size * 100)
    if (!(hundredths <= MOST_HUNDREDTHS) || hundredths / 100 !== size) {
      this.text(JSON.stringify(value))
      return
    }
    if (this.length + NUMBER_BYTES > this.bytes.length) this.grow(NUMBER_BYTES)
    const { bytes } = this
    if (value < 0) bytes[this.length++] = MINUS
    const units = (hundredths / 100) | 0
    let digits = 1
    for (let left = units; left >= 10; left = (left / 10) | 0) digits++
    for (let at = this.length + digits - 1, left = units; at >= this.length; at--) {
      const shorter = (left / 10) | 0
      bytes[at] = ZERO + left - shorter * 10
      left = shorter
    }
    this.length += digits
    const rest = hundredths - units * 100
    if (rest === 0) return
    const tenths = (rest / 10) | 0
    bytes[this.length++] = POINT
    bytes[this.length++] = ZERO + tenths
    if (rest !== tenths * 10) bytes[this.length++] = ZERO + rest - tenths * 10
  }

  /** A number from 0 on with six decimals. */
  micros(value: number): void {
    const micros = Math.round(value * 1e6)
    const units = Math.floor(micros / 1e6)
    this.text(String(units))
    if (this.length + NUMBER_BYTES > this.bytes.length) this.grow(NUMBER_BYTES)
    const { bytes, length } = this
    bytes[length] = POINT
    for (let at = length + 6, left = micros - units * 1e6; at > length; at--) {
      const shorter = Math.floor(left / 10)
      bytes[at] = ZERO + left - shorter * 10
      left = shorter
    }
    this.length += 7
  }

  /** What was written from one place to another, once more. */
  again(from: number, to: number): void {
    const length = to - from
    if (this.length + length > this.bytes.length) this.grow(length)
    const { bytes } = this
    for (let at = from; at < to; at++) bytes[this.length++] = bytes[at] as number
  }

  copy(piece: Uint8Array): void {
    if (this.length + piece.length > this.bytes.length) this.grow(piece.length)
    this.bytes.set(piece, this.length)
    this.length += piece.length
  }

  /** What was written, as bytes of its own. The sheet is blank afterwards. */
  take(): Buffer {
    return this.takeInto(Buffer.allocUnsafeSlow(this.length))
  }

  /** What was written, at the beginning of a memory that has room for it. The sheet is blank afterwards. */
  takeInto(memory: Buffer): Buffer {
    const { length } = this
    this.bytes.copy(memory, 0, 0, length)
    this.clear()
    return memory.subarray(0, length)
  }

  /** Copies what was written to a place in a memory that has room for it. The sheet stays as it is. */
  copyTo(memory: Buffer, at: number): void {
    this.bytes.copy(memory, at, 0, this.length)
  }

  /** What was written, as text. The sheet is blank afterwards. */
  takeText(): string {
    const text = this.bytes.toString('latin1', 0, this.length)
    this.clear()
    return text
  }

  /** Wipes off everything, also what a fault may have left half written. */
  clear(): void {
    this.length = 0
    if (this.bytes.length > KEPT_BYTES) this.bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  }

  private grow(more: number): void {
    let size = this.bytes.length
    while (size < this.length + more) size *= 2
    const larger = Buffer.allocUnsafeSlow(size)
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }
}
