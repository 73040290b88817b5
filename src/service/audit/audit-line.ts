import { asciiJson } from '../../forecast/ascii.js'

/** One request as the read-audit log records it; never the key, nor the query. */
export interface AuditEntry {
  readonly timestamp: string
  readonly method: string
  readonly path: string
  readonly remoteAddress: string | undefined
  readonly status: number
  readonly latencySeconds: number
  readonly forecastIds: readonly string[]
  readonly fingerprint: string | undefined
  readonly requestId: string
}

/** A line of the read-audit log, in ASCII, with its newline. */
export function auditLine(entry: AuditEntry): string {
  const { timestamp, method, path, remoteAddress, status } = entry
  const { latencySeconds, forecastIds, fingerprint, requestId } = entry
  const request = { timestamp, method, path, remote_address: remoteAddress ?? null, status }
  const rest = {
    forecast_ids: forecastIds,
    key_fingerprint: fingerprint ?? null,
    request_id: requestId,
  }
  // Always with its microseconds, which no number in JSON can promise.
  const latency = `"latency_seconds":${latencySeconds.toFixed(6)}`
  return `${asciiJson(request).slice(0, -1)},${latency},${asciiJson(rest).slice(1)}\n`
}
