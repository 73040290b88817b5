import { asciiJson } from '../../forecast/ascii.js'
import { Sheet } from '../../forecast/sheet.js'

/** One request as the read-audit log records it; never the key, nor the query. */
export interface AuditEntry {
  /** Like the request id, it holds nothing that JSON would escape. */
  readonly timestamp: string
  readonly method: string
  readonly path: string
  readonly remoteAddress: string | undefined
  readonly status: number
  readonly latencySeconds: number
  /** The inside of a JSON array of strings, in ASCII. */
  readonly forecastIds: string
  readonly fingerprint: string | undefined
  readonly requestId: string
}

/**
 * Lines of the read-audit log, in ASCII. They are put together as bytes, and what a line shares with the
 * one before is not put together again: of many requests in one millisecond, little differs.
 */
export class AuditLines {
  private readonly sheet = new Sheet()
  private last: AuditEntry | undefined
  private opening = ''
  private fingerprint = ''

  /** @returns the line with its newline, on a sheet that the next line is written on. */
  write(entry: AuditEntry): Sheet {
    const { sheet, last } = this
    if (
      last === undefined ||
      entry.timestamp !== last.timestamp ||
      entry.path !== last.path ||
      entry.status !== last.status ||
      entry.remoteAddress !== last.remoteAddress ||
      entry.method !== last.method ||
      entry.fingerprint !== last.fingerprint
    ) {
      this.opening = openingOf(entry)
      this.fingerprint = entry.fingerprint === undefined ? 'null' : `"${entry.fingerprint}"`
      this.last = entry
    }
    sheet.clear()
    sheet.text(this.opening)
    sheet.micros(entry.latencySeconds)
    sheet.text(',"forecast_ids":[')
    sheet.text(entry.forecastIds)
    sheet.text('],"key_fingerprint":')
    sheet.text(this.fingerprint)
    sheet.text(',"request_id":"')
    sheet.text(entry.requestId)
    sheet.text('"}\n')
    return sheet
  }
}

function openingOf({ timestamp, method, path, remoteAddress, status }: AuditEntry): string {
  const address = remoteAddress === undefined ? 'null' : asciiJson(remoteAddress)
  return (
    `{"timestamp":"${timestamp}","method":${asciiJson(method)},"path":${asciiJson(path)},` +
    `"remote_address":${address},"status":${status},"latency_seconds":`
  )
}
