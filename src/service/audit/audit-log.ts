import type { AuditEvent } from '../../contract/types.js'
import { withTimeout } from '../../files/waiting.js'
import { asciiJson } from '../../forecast/ascii.js'
import type { Metrics } from '../health/metrics.js'
import { type FaultLog, faultText, type Logger } from '../log.js'
import { AuditFile, type AuditSettings } from './audit-file.js'

/** How long a line waits for others, so that lines are written in batches. */
const FLUSH_MS = 20
/** Pause after a failed write. */
const RETRY_MS = 1000
/** How long a stop waits for a file system that does not respond. */
const CLOSE_MS = 5000
/**
 * Bytes of lines kept while the disk is full or stalled. Beyond this, new lines are dropped and counted.
 */
const BACKLOG_BYTES = 8_388_608
const PRUNE_MS = 3_600_000

export interface AuditParts {
  readonly logger: Logger
  readonly faults: FaultLog
  readonly metrics: Metrics
}

/**
 * The read-audit log. Lines are queued at once, and written after the answer, in order and as whole lines. A kill
 * loses at most the last few milliseconds; half a line is cut off at the next start.
 */
export class AuditLog {
  readonly #file: AuditFile
  readonly #pruning: NodeJS.Timeout
  /** Lines on their way to the file, in ASCII, oldest first. */
  #lines: string[] = []
  #bytes = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #failing = false
  #closing = false
  #reopening = false
  #pruneAt = 0

  constructor(
    private readonly settings: AuditSettings,
    private readonly parts: AuditParts,
  ) {
    this.#file = new AuditFile(settings, (lines) =>
      parts.metrics.count('audit_lines_rotated_away_total', lines),
    )
    this.#pruning = setInterval(() => this.#writeIn(0), PRUNE_MS).unref()
    this.#writeIn(0)
  }

  /** Queues one line with its newline, in ASCII. */
  append(line: string): void {
    if (this.#bytes + line.length > BACKLOG_BYTES) {
      this.parts.metrics.count('audit_lines_dropped_total')
      this.parts.faults.report('audit backlog', 'audit-line-dropped', 'the audit backlog is full')
      return
    }
    this.#lines.push(line)
    this.#bytes += line.length
    this.#writeIn(FLUSH_MS)
  }

  /** Reopens the file, because another program may have moved or truncated it. */
  reopen(): void {
    this.#reopening = true
    this.#writeIn(0)
  }

  /**
   * Writes the queue and closes the file; nothing may be appended afterwards.
   * @returns false if the file system does not respond: a thread still waits for it.
   */
  async close(): Promise<boolean> {
    this.#closing = true
    clearInterval(this.#pruning)
    clearTimeout(this.#timer)
    const closed = await withTimeout(CLOSE_MS, this.#finish()).catch(() => false)
    const lines = this.#lines.length
    if (lines === 0) return closed
    const fields = { file: this.settings.auditPath, lines }
    const message = 'the audit log could not be written to the end'
    this.parts.logger.log('error', 'audit-lines-lost', message, fields)
    this.parts.metrics.count('audit_lines_dropped_total', lines)
    return closed
  }

  async #finish(): Promise<boolean> {
    await this.#writing
    await this.#write()
    await this.#file.close().catch(() => undefined)
    return true
  }

  /** Schedules writing of the queue, with one timer and one writer at a time. */
  #writeIn(delay: number): void {
    if (this.#closing || this.#timer !== undefined || this.#writing !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined
        if (this.#lines.length > 0) this.#writeIn(this.#failing ? RETRY_MS : FLUSH_MS)
      })
    }, delay)
  }

  async #write(): Promise<void> {
    const { faults, metrics } = this.parts
    try {
      const now = Date.now()
      if (this.#reopening) await this.#file.close()
      this.#reopening = false
      await this.#file.ready(now)
      if (now >= this.#pruneAt) {
        await this.#file.prune(now)
        this.#pruneAt = now + PRUNE_MS
      }
      // New lines wait for the next batch: each write wakes a thread.
      for (let left = this.#lines.length; left > 0; ) {
        const { wanted, written } = await this.#writeBatch(left)
        // The disk is full. The next try reports it if there is no room at all.
        if (written < wanted) return
        left -= written
      }
      faults.over('audit log', 'audit-recovered', 'the audit log is written again')
      faults.over('audit backlog', 'audit-lines-kept', 'no line is dropped any more')
      this.#failing = false
    } catch (cause) {
      // Lines stay queued while there is room. A fault never affects a request.
      this.#failing = true
      metrics.count('audit_write_failures_total')
      const file = this.settings.auditPath
      faults.report('audit log', 'audit-write-failed', faultText(cause), { file })
      // A full pipe still has a reader, which would miss the rest of a line.
      const { code } = cause as NodeJS.ErrnoException
      if (code !== 'EAGAIN') await this.#file.close().catch(() => undefined)
    }
  }

  /**
   * Writes as many lines as fit into the current file, and at least one into an empty file.
   * @returns how many lines fit, and how many were written.
   */
  async #writeBatch(max: number): Promise<{ wanted: number; written: number }> {
    const room = this.#file.room()
    let count = 0
    let bytes = 0
    for (const line of this.#lines) {
      const fits = bytes + line.length <= room || (count === 0 && this.#file.empty)
      if (count === max || !fits) break
      bytes += line.length
      count++
    }
    if (count === 0) {
      await this.#file.rotate()
      return { wanted: 0, written: 0 }
    }
    const batch = Buffer.from(this.#lines.slice(0, count).join(''), 'latin1')
    const written = this.#drop(await this.#file.append(batch, Date.now()))
    return { wanted: count, written }
  }

  /** Removes bytes of the oldest lines from the queue; always whole lines. */
  #drop(bytes: number): number {
    let count = 0
    for (let left = bytes; left > 0; count++) left -= this.#lines[count]?.length ?? left
    this.#lines = this.#lines.slice(count)
    this.#bytes -= bytes
    return count
  }
}

/**
 * One request in the read-audit log, without key and query. Time, id and fingerprint have no characters that JSON
 * escapes. The forecasts are a JSON array of strings in ASCII, which cached pages keep ready.
 */
export type AuditEntry = Omit<AuditEvent, 'forecast_ids'> & { readonly forecast_ids: string }

/** A line of the read-audit log, in ASCII, with its newline. */
export function auditLine(entry: AuditEntry): string {
  const { key_fingerprint: fingerprint = null, key_name: name = null } = entry
  // A latency always shows six decimals, which JSON.stringify cannot guarantee.
  return (
    `{"timestamp":"${entry.timestamp}","method":${asciiJson(entry.method)},"path":${asciiJson(entry.path)},` +
    `"remote_address":${asciiJson(entry.remote_address)},"status":${entry.status},` +
    `"latency_seconds":${entry.latency_seconds.toFixed(6)},"forecast_ids":${entry.forecast_ids},` +
    `"key_fingerprint":${fingerprint === null ? 'null' : `"${fingerprint}"`},` +
    `"key_name":${asciiJson(name)},"request_id":"${entry.request_id}"}\n`
  )
}
