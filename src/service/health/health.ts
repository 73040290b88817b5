import { formatStored, type Instant } from '../../contract/instant.js'
import type { HealthData } from '../../contract/types.js'
import { freshnessAt } from '../../forecast/freshness.js'
import { RequestFault } from '../api/fault.js'
import type { RequestSnapshot } from '../api/snapshot.js'
import type { HealthReport } from './health-report.js'

/** A history that can be read. */
export interface Newest {
  /** The newest origin, `undefined` when it is empty. */
  readonly origin: Instant | undefined
  /** Rows that cannot be represented, as far as they are known: pages that cannot be answered. */
  readonly unrepresentable: number
}

/**
 * The state of the service: unavailable when the history cannot be read or anything is open, degraded
 * when anything is degraded, the history is not fresh, or a row of it cannot be represented.
 * @param newest undefined where the history cannot be read.
 * @throws {RequestFault} 503 when the report cannot be read or is none.
 */
export function healthAt(
  snapshot: RequestSnapshot,
  newest: Newest | undefined,
  staleAfterSeconds: number,
): HealthData {
  const report = reportOf(snapshot)
  const freshness = freshnessAt(newest?.origin, snapshot.now, staleAfterSeconds)
  return {
    checked_at: formatStored(snapshot.now),
    status: statusOf(
      report,
      newest !== undefined,
      newest?.unrepresentable === 0 && freshness.status === 'fresh',
    ),
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

/** What a report makes of the service, where its history can be read and is in order or not. */
export function statusOf(report: HealthReport, readable = true, inOrder = true) {
  if (!readable || report.open) return 'unavailable'
  return report.degraded || !inOrder ? 'degraded' : 'healthy'
}
