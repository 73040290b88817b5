import { readFileSync, type Stats, statSync } from 'node:fs'
import { formatMessage } from '../../contract/findings/finding.js'
import { checkPipelineHealth } from '../../contract/generated/check-pipeline-health.js'
import { formatStored, type Instant } from '../../contract/instant.js'
import type { HealthData, PipelineHealth } from '../../contract/types.js'
import { readDocument } from '../../document/read.js'
import { LastSeen } from '../../files/last-seen.js'
import { freshnessAt } from '../../forecast/freshness.js'
import { RequestFault } from '../api/fault.js'

/** The report of the pipeline at a moment. */
export interface HealthSnapshot {
  readonly now: Instant
  readonly health: HealthReading
}

/** The state of a readable history. */
export interface ReadableHistory {
  /** The newest origin, `undefined` when it is empty. */
  readonly newest: Instant | undefined
}

/**
 * The state of the service: unavailable if the history cannot be read or anything is open; degraded if anything is
 * degraded or the history is not fresh.
 * @param history undefined if it cannot be read.
 * @throws {RequestFault} 503 if the report is unreadable or invalid.
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

/** The status of the service, from the report and the state of the history. */
export function toStatus(report: HealthReport, readable = true, fresh = true) {
  if (!readable || report.open) return 'unavailable'
  return report.degraded || !fresh ? 'degraded' : 'healthy'
}

/** The parts of the pipeline's report that the service uses. */
interface HealthReport {
  /** True when the report itself says that anything is unavailable or open. */
  readonly open: boolean
  readonly degraded: boolean
  readonly stages: HealthData['stages']
}

/** Given instead of a path if the pipeline writes no report. */
export const NO_PIPELINE = 'none'

/**
 * Parses a report; unknown members are ignored.
 * @returns a reason for the log if the report is incomplete or invalid.
 */
function parseHealthReport(bytes: Uint8Array): HealthReading {
  const document = readDocument(bytes, 'health')
  const value = document.ok ? document.value : undefined
  const [fault] = document.ok ? checkPipelineHealth(value) : document.findings
  if (fault === undefined) return toHealthReport(value as PipelineHealth)
  const at = fault.pointer ? `${fault.pointer}: ` : ''
  return { invalid: at + formatMessage(fault).text }
}

/** Derives the parts that the service uses from a report. */
export function toHealthReport({ overall_health, stages }: PipelineHealth): HealthReport {
  const reported = Object.values(stages)
  const healths = [overall_health, ...reported.map(({ health }) => health)].map(healthStatus)
  const read: HealthData['stages'] = Object.create(null)
  for (const [name, { health, circuit_state }] of Object.entries(stages)) {
    read[name] = { health: healthStatus(health), circuit_state }
  }
  const isOpen = reported.some(({ circuit_state }) => circuit_state === 'open')
  const open = isOpen || healths.includes('unavailable')
  return { open, degraded: healths.includes('degraded'), stages: read }
}

/** `open` is a pipeline's word for unavailable. */
const healthStatus = (reported: PipelineHealth['overall_health']): HealthData['status'] =>
  reported === 'open' ? 'unavailable' : reported

/** A report has a few hundred bytes; a far larger file is something else. */
const MAX_BYTES = 1_048_576

export type HealthReading = HealthReport | { readonly invalid: string }

/**
 * Creates a source for the current report. The file is read again after every change, including a rename; otherwise a
 * call costs one stat.
 * @param path of the report, or `none`.
 */
export function healthSource(path: string): (nowMs: number) => HealthReading {
  if (path === NO_PIPELINE) return () => ({ open: false, degraded: false, stages: {} })
  const seen = new LastSeen()
  const invalid = (why: string) => ({ invalid: `${path}: ${why}` })
  let reading: HealthReading = invalid('not read yet')
  const read = (stats: Stats): HealthReading => {
    if (!stats.isFile()) return invalid('not a regular file')
    if (stats.size > MAX_BYTES) return invalid('far too large for a health report')
    const report = parseHealthReport(readFileSync(path))
    return 'invalid' in report ? invalid(report.invalid) : report
  }
  return (nowMs) => {
    try {
      const stats = statSync(path)
      // The time shows whether the file may still change unnoticed.
      if (seen.isNew(stats, nowMs)) reading = read(stats)
    } catch (cause) {
      seen.forget()
      reading = invalid(`cannot be read (${(cause as NodeJS.ErrnoException).code})`)
    }
    return reading
  }
}
