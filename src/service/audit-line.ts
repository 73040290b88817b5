import { asciiJson } from './ascii.js'

/** One request as the read-audit log records it; never the key, nor the query. */
export interface AuditEntry {
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

/** The line of an entry, in ASCII, so that its length in characters is its length in bytes. */
export function auditLine(entry: AuditEntry): string {
  const fingerprint = entry.fingerprint === undefined ? 'null' : `"${entry.fingerprint}"`
  const address = entry.remoteAddress === undefined ? 'null' : asciiJson(entry.remoteAddress)
  return (
    `{"timestamp":"${entry.timestamp}","method":${asciiJson(entry.method)},` +
    `"path":${asciiJson(entry.path)},"remote_address":${address},"status":${entry.status},` +
    `"latency_seconds":${Math.round(entry.latencySeconds * 1e6) / 1e6},` +
    `"forecast_ids":[${entry.forecastIds}],"key_fingerprint":${fingerprint},` +
    `"request_id":"${entry.requestId}"}\n`
  )
}
