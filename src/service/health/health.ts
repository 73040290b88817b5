import { formatStored, type Instant } from '../../contract/instant.js'
import type { HealthData } from '../../contract/types.js'
import { freshnessAt } from '../../forecast/freshness.js'
import { RequestFault } from '../api/fault.js'
import type { RequestSnapshot } from '../api/snapshot.js'
import type { HealthReport } from './health-report.js'

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
  snapshot: RequestSnapshot,
  history: ReadableHistory | undefined,
  staleAfterSeconds: number,
): HealthData {
  const report = reportOf(snapshot)
  const freshness = freshnessAt(history?.newest, snapshot.now, staleAfterSeconds)
  return {
    checked_at: formatStored(snapshot.now),
    status: statusOf(report, history !== undefined, freshness.status === 'fresh'),
    freshness,
    stages: report.stages,
  }
}

/** @throws {RequestFault} 503 when forecasts must not be served: the report is unreadable, or says unavailable or open. */
export function requireAvailable(snapshot: RequestSnapshot): void {
  if (reportOf(snapshot).open) {
    const detail =
      'the health report says that the pipeline, a stage or a circuit is unavailable or open'
    throw new RequestFault(503, 'The forecast history is unavailable.', undefined, detail)
  }
}

/** @throws {RequestFault} 503 */
export function reportOf({ health }: RequestSnapshot): HealthReport {
  if ('invalid' in health) {
    const message = 'The health state cannot be determined.'
    throw new RequestFault(503, message, undefined, health.invalid)
  }
  return health
}

/** What a report makes of the service, where its history can be read and is fresh or not. */
export function statusOf(report: HealthReport, readable = true, fresh = true) {
  if (!readable || report.open) return 'unavailable'
  return report.degraded || !fresh ? 'degraded' : 'healthy'
}
