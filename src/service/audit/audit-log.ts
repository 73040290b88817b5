import type { Sheet } from '../../forecast/sheet.js'
import { AuditFile, type AuditLimits } from './audit-file.js'
import { LineQueue } from './line-queue.js'

/** How long a line may wait for company: lines are written in batches, */
const FLUSH_MS = 20
/** which are not larger than this: a long write would take the processor from requests for milliseconds. */
const BATCH_BYTES = 131_072
/** After a failed write the file system gets a moment before the next try. */
const RETRY_MS = 1000
/** Lines kept while the disk is full or stalled; beyond that the newest are dropped, and counted. */
const BACKLOG_BYTES = 8_388_608
const PRUNE_MS = 3_600_000

/** What the log tells its owner; a fault never reaches a request. */
export interface AuditObserver {
  /** A write failed. Lines wait for the next try as long as there is room for them. */
  failed(cause: unknown): void
  /** A line found no room in the backlog and is lost. */
  dropped(): void
  /** Writing works again. */
  recovered(): void
}

/**
 * The read-audit log: lines are taken at once and written behind the answer, in order, in whole lines.
 * A kill loses at most the lines of the last moment, never half a line.
 */
export class AuditLog {
  private readonly file: AuditFile
  private readonly lines = new LineQueue(BACKLOG_BYTES)
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> | undefined
  private failing = false
  private closing = false
  private pruneAt = 0
  private readonly pruning: NodeJS.Timeout

  constructor(
    path: string,
    limits: AuditLimits,
    private readonly observer: AuditObserver,
    private readonly clock: () => number = Date.now,
  ) {
    this.file = new AuditFile(path, limits)
    this.pruning = setInterval(() => this.arm(0), PRUNE_MS).unref()
    this.arm(0)
  }

  /** Takes one line with its newline. */
  append(line: Sheet): void {
    if (!this.lines.push(line)) {
      this.observer.dropped()
      return
    }
    if (this.writing !== undefined) return
    const { length } = this.lines
    const filled = length >= BATCH_BYTES && length - line.length < BATCH_BYTES
    // While writing fails, a full batch is no reason to try sooner.
    const full = filled && !this.failing
    if (full || this.timer === undefined) this.arm(full ? 0 : FLUSH_MS)
  }

  /** Writes what is waiting and closes the file. Nothing may be appended any more. */
  async close(): Promise<void> {
    // Two writers at once would take the same lines: from here on this is the only one.
    this.closing = true
    clearInterval(this.pruning)
    clearTimeout(this.timer)
    await this.writing
    await this.write()
    await this.file.close()
  }

  private arm(delay: number): void {
    if (this.closing) return
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.writing ??= this.write().finally(() => {
        this.writing = undefined
        if (this.lines.length > 0 && this.timer === undefined) {
          this.arm(this.failing ? RETRY_MS : this.lines.length >= BATCH_BYTES ? 0 : FLUSH_MS)
        }
      })
    }, delay)
  }

  private async write(): Promise<void> {
    try {
      const now = this.clock()
      await this.file.ready(now)
      if (now >= this.pruneAt) {
        await this.file.prune(now)
        this.pruneAt = now + PRUNE_MS
      }
      // What comes meanwhile waits for company: writing line by line would wake a thread for each.
      for (let left = this.lines.length; left > 0; ) left -= await this.writeBatch()
      if (this.failing) this.observer.recovered()
      this.failing = false
    } catch (cause) {
      this.failing = true
      this.observer.failed(cause)
      await this.file.close().catch(() => undefined)
    }
  }

  /**
   * Writes as many lines as fit into the current file, at least one into an empty file.
   * @returns how many bytes were written.
   */
  private async writeBatch(): Promise<number> {
    const room = Math.min(this.file.room(), BATCH_BYTES)
    const batch = this.lines.oldest(room, this.file.empty)
    if (batch.length === 0) {
      await this.file.rotate()
      return 0
    }
    const kept = await this.file.append(batch, this.clock())
    this.lines.drop(kept)
    if (kept < batch.length) throw new Error('no space left for the audit log')
    return kept
  }
}
