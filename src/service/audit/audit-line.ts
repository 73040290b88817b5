import { asciiJson } from '../../forecast/ascii.js'

/** One request as the read-audit log records it; never the key, nor the query. */
export interface AuditEntry {
  /** Like the request id and the fingerprint, it holds nothing that JSON would escape. */
  readonly timestamp: string
  readonly method: string
  readonly path: string
  readonly remoteAddress: string | undefined
  readonly status: number
  readonly latencySeconds: number
  /** A JSON array of strings, in ASCII: pages that are kept keep it. */
  readonly forecastIds: string
  readonly fingerprint: string | undefined
  /** The name of the key in the keys file. */
  readonly keyName: string | undefined
  readonly requestId: string
}

/** A line of the read-audit log, in ASCII, with its newline. */
export function auditLine(entry: AuditEntry): string {
  const { timestamp, method, path, remoteAddress = null, status } = entry
  const { latencySeconds, forecastIds, fingerprint, keyName = null, requestId } = entry
  // A latency always shows its microseconds, which no number in JSON can promise.
  return (
    `{"timestamp":"${timestamp}","method":${asciiJson(method)},"path":${asciiJson(path)},` +
    `"remote_address":${asciiJson(remoteAddress)},"status":${status},` +
    `"latency_seconds":${latencySeconds.toFixed(6)},"forecast_ids":${forecastIds},` +
    `"key_fingerprint":${fingerprint === undefined ? 'null' : `"${fingerprint}"`},` +
    `"key_name":${asciiJson(keyName)},"request_id":"${requestId}"}\n`
  )
}
