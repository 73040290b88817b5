import type { Sheet } from '../../forecast/sheet.js'

/** What a body larger than this was made in is not kept. */
const KEPT_BYTES = 1_048_576

/**
 * The memory that bodies are made in, one after the other. New memory for each would have the garbage
 * collector go through the whole heap many times a second, for it counts what lies outside as well.
 * Memory is used again only when every answer that was given its bytes is known to be written; whoever
 * cannot say so keeps it, and the next body gets memory of its own.
 */
export class BodyMemory {
  private memory = Buffer.alloc(0)
  private body: Buffer | undefined
  private lent = 0
  private written = 0

  /** Takes a body off a sheet. The body before it may be overwritten, unless somebody still has it. */
  take(sheet: Sheet): Buffer {
    const { length } = sheet
    if (this.lent !== this.written || this.memory.length < length) {
      this.memory = Buffer.allocUnsafeSlow(length + (length >> 3))
    }
    const body = sheet.takeInto(this.memory)
    this.lent = 0
    this.written = 0
    this.body = body
    if (this.memory.length > KEPT_BYTES) this.memory = Buffer.alloc(0)
    return body
  }

  /** The body taken last is given to one more answer. */
  lend(): void {
    this.lent++
  }

  /** One answer has written a body to the last byte. */
  wrote(body: Buffer): void {
    if (body === this.body) this.written++
  }
}
