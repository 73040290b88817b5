import type { AuditEvent } from '../../contract/types.js'
import { withTimeout } from '../../files/waiting.js'
import { asciiJson } from '../../forecast/ascii.js'
import type { Metrics } from '../health/metrics.js'
import { type FaultLog, faultText, type Logger } from '../log.js'
import { AuditFile, type AuditSettings } from './audit-file.js'

/** How long a line may wait for company: lines are written in batches. */
const FLUSH_MS = 20
/** After a failed write the file system gets a moment before the next try. */
const RETRY_MS = 1000
/** A file system that does not answer keeps a stop waiting no longer than this. */
const CLOSE_MS = 5000
/** Lines kept while the disk is full or stalled; beyond that the newest are dropped, and counted. */
const BACKLOG_BYTES = 8_388_608
const PRUNE_MS = 3_600_000

export interface AuditParts {
  readonly logger: Logger
  readonly faults: FaultLog
  readonly metrics: Metrics
}

/**
 * The read-audit log: lines are taken at once and written behind the answer, in order, in whole lines.
 * A kill loses at most the lines of the last moment; half a line that it may leave is cut off at the next
 * start.
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

  /** Takes one line with its newline, in ASCII. */
  append(line: string): void {
    if (this.#bytes + line.length > BACKLOG_BYTES) {
      this.parts.metrics.count('audit_lines_dropped_total')
      this.parts.faults.met('audit backlog', 'audit-line-dropped', 'the audit backlog is full')
      return
    }
    this.#lines.push(line)
    this.#bytes += line.length
    this.#writeIn(FLUSH_MS)
  }

  /** Opens the file by its name anew: another program may have moved it or cut it. */
  reopen(): void {
    this.#reopening = true
    this.#writeIn(0)
  }

  /**
   * Writes what is waiting and closes the file. Nothing may be appended any more.
   * @returns false where the file system does not answer: a thread still waits for it.
   */
  async close(): Promise<boolean> {
    this.#closing = true
    clearInterval(this.#pruning)
    clearTimeout(this.#timer)
    const closed = await withTimeout(CLOSE_MS, this.#finish()).catch(() => false)
    const lines = this.#lines.length
    if (lines === 0) return closed
    const fields = { file: this.settings.auditPath, lines }
    const says = 'the audit log could not be written to the end'
    this.parts.logger.log('error', 'audit-lines-lost', says, fields)
    this.parts.metrics.count('audit_lines_dropped_total', lines)
    return closed
  }

  async #finish(): Promise<boolean> {
    await this.#writing
    await this.#write()
    await this.#file.close().catch(() => undefined)
    return true
  }

  /** Sees to it that waiting lines are written: one timer, one writer at a time. */
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
      // What comes meanwhile waits for company: writing line by line would wake a thread for each.
      for (let left = this.#lines.length; left > 0; ) {
        const { wanted, written } = await this.#writeBatch(left)
        // No more room: the next try, a moment later, says why where there is none at all.
        if (written < wanted) return
        left -= written
      }
      faults.over('audit log', 'audit-recovered', 'the audit log is written again')
      faults.over('audit backlog', 'audit-lines-kept', 'no line is dropped any more')
      this.#failing = false
    } catch (cause) {
      // Lines wait for the next try as long as there is room for them; a fault never reaches a request.
      this.#failing = true
      metrics.count('audit_write_failures_total')
      const file = this.settings.auditPath
      faults.met('audit log', 'audit-write-failed', faultText(cause), { file })
      // A full pipe still has a reader, who would miss the end of a line.
      const { code } = cause as NodeJS.ErrnoException
      if (code !== 'EAGAIN') await this.#file.close().catch(() => undefined)
    }
  }

  /**
   * Writes as many lines as fit into the current file, at least one into an empty file.
   * @returns how many lines there was room for, and how many of them were written.
   */
  async #writeBatch(most: number): Promise<{ wanted: number; written: number }> {
    const room = this.#file.room()
    let count = 0
    let bytes = 0
    for (const line of this.#lines) {
      const fits = bytes + line.length <= room || (count === 0 && this.#file.empty)
      if (count === most || !fits) break
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

  /** Forgets so many bytes of the oldest lines, whole lines all. */
  #drop(bytes: number): number {
    let count = 0
    for (let left = bytes; left > 0; count++) left -= this.#lines[count]?.length ?? left
    this.#lines = this.#lines.slice(count)
    this.#bytes -= bytes
    return count
  }
}

/**
 * One request as the read-audit log records it; never the key, nor the query. Its time, id and fingerprint hold nothing
 * that JSON would escape. Its forecasts are a JSON array of strings, in ASCII: pages that are kept keep it.
 */
export type AuditEntry = Omit<AuditEvent, 'forecast_ids'> & { readonly forecast_ids: string }

/** A line of the read-audit log, in ASCII, with its newline. */
export function auditLine(entry: AuditEntry): string {
  const { key_fingerprint: fingerprint = null, key_name: name = null } = entry
  // A latency always shows its microseconds, which no number in JSON can promise.
  return (
    `{"timestamp":"${entry.timestamp}","method":${asciiJson(entry.method)},"path":${asciiJson(entry.path)},` +
    `"remote_address":${asciiJson(entry.remote_address)},"status":${entry.status},` +
    `"latency_seconds":${entry.latency_seconds.toFixed(6)},"forecast_ids":${entry.forecast_ids},` +
    `"key_fingerprint":${fingerprint === null ? 'null' : `"${fingerprint}"`},` +
    `"key_name":${asciiJson(name)},"request_id":"${entry.request_id}"}\n`
  )
}
