import { readFileSync, type Stats, statSync } from 'node:fs'
import { formatMessage } from '../../contract/findings/finding.js'
import { checkPipelineHealth } from '../../contract/generated/check-pipeline-health.js'
import { formatStored, type Instant } from '../../contract/instant.js'
import type { HealthData, PipelineHealth } from '../../contract/types.js'
import { readDocument } from '../../document/read.js'
import { LastSeen } from '../../files/last-seen.js'
import { freshnessAt } from '../../forecast/freshness.js'
import { RequestFault } from '../api/fault.js'

/** A moment, and the report of the pipeline as it was then. */
export interface HealthSnapshot {
  readonly now: Instant
  readonly health: HealthReading
}

/** A history that can be read. */
export interface ReadableHistory {
  /** The newest origin, `undefined` when it is empty. */
  readonly newest: Instant | undefined
}

/**
 * The state of the service: unavailable when the history cannot be read or anything is open, degraded
 * when anything is degraded or the history is not fresh.
 * @param history undefined where the history cannot be read.
 * @throws {RequestFault} 503 when the report cannot be read or is none.
 */
export function healthAt(
  snapshot: HealthSnapshot,
  history: ReadableHistory | undefined,
  staleAfterSeconds: number,
): HealthData {
  const report = requireReport(snapshot)
  const freshness = freshnessAt(history?.newest, snapshot.now, staleAfterSeconds)
  return {
    checked_at: formatStored(snapshot.now),
    status: toStatus(report, history !== undefined, freshness.status === 'fresh'),
    freshness,
    stages: report.stages,
  }
}

/** @throws {RequestFault} 503 when forecasts must not be served: the report is unreadable, or says unavailable or open. */
export function requireAvailable(snapshot: HealthSnapshot): void {
  if (!requireReport(snapshot).open) return
  const detail =
    'the health report says that the pipeline, a stage or a circuit is unavailable or open'
  throw new RequestFault(503, 'The forecast history is unavailable.', undefined, detail)
}

/** @throws {RequestFault} 503 */
export function requireReport({ health }: HealthSnapshot): HealthReport {
  if ('invalid' in health) {
    const message = 'The health state cannot be determined.'
    throw new RequestFault(503, message, undefined, health.invalid)
  }
  return health
}

/** What a report makes of the service, where its history can be read and is fresh or not. */
export function toStatus(report: HealthReport, readable = true, fresh = true) {
  if (!readable || report.open) return 'unavailable'
  return report.degraded || !fresh ? 'degraded' : 'healthy'
}

/** The durable report of the pipeline, as far as the service passes it on. */
interface HealthReport {
  /** True when the report itself says that anything is unavailable or open. */
  readonly open: boolean
  readonly degraded: boolean
  readonly stages: HealthData['stages']
}

/** In place of the path of the report where a pipeline writes none. */
export const NO_PIPELINE = 'none'

/**
 * Reads a report; members beyond the known ones are the producer's own.
 * @returns why it is none, in words for a log, when it is half-written or says what no report says.
 */
function parseHealthReport(bytes: Uint8Array): HealthReading {
  const document = readDocument(bytes, 'health')
  const value = document.ok ? document.value : undefined
  const [fault] = document.ok ? checkPipelineHealth(value) : document.findings
  if (fault === undefined) return toHealthReport(value as PipelineHealth)
  const at = fault.pointer ? `${fault.pointer}: ` : ''
  return { invalid: at + formatMessage(fault).text }
}

/** What the service makes of a report. */
export function toHealthReport({ overall_health, stages }: PipelineHealth): HealthReport {
  const reported = Object.values(stages)
  const healths = [overall_health, ...reported.map(({ health }) => health)].map(healthOf)
  const read: HealthData['stages'] = Object.create(null)
  for (const [name, { health, circuit_state }] of Object.entries(stages)) {
    read[name] = { health: healthOf(health), circuit_state }
  }
  const isOpen = reported.some(({ circuit_state }) => circuit_state === 'open')
  const open = isOpen || healths.includes('unavailable')
  return { open, degraded: healths.includes('degraded'), stages: read }
}

/** `open` is a pipeline's word for unavailable. */
const healthOf = (reported: PipelineHealth['overall_health']): HealthData['status'] =>
  reported === 'open' ? 'unavailable' : reported

/** A report is a few hundred bytes; what is far larger is something else. */
const MAX_BYTES = 1_048_576

export type HealthReading = HealthReport | { readonly invalid: string }

/**
 * Gives the report as it lies on disk at a moment. It is read again whenever its file has changed, also by
 * rename; between changes a look costs one stat.
 * @param path of the report; `none` where there is none.
 */
export function healthSource(path: string): (nowMs: number) => HealthReading {
  if (path === NO_PIPELINE) return () => ({ open: false, degraded: false, stages: {} })
  const seen = new LastSeen()
  const invalid = (why: string) => ({ invalid: `${path}: ${why}` })
  let reading: HealthReading = invalid('not read yet')
  const read = (found: Stats): HealthReading => {
    if (!found.isFile()) return invalid('not a regular file')
    if (found.size > MAX_BYTES) return invalid('far too large for a health report')
    const report = parseHealthReport(readFileSync(path))
    return 'invalid' in report ? invalid(report.invalid) : report
  }
  return (nowMs) => {
    try {
      const found = statSync(path)
      // The clock shows whether a file has settled.
      if (seen.isNew(found, nowMs)) reading = read(found)
    } catch (cause) {
      seen.forget()
      reading = invalid(`cannot be read (${(cause as NodeJS.ErrnoException).code})`)
    }
    return reading
  }
}
