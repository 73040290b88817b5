import { checkPipelineHealth } from '../../contract/check-pipeline-health.js'
import { messageOf } from '../../contract/findings/finding.js'
import type { HealthData, PipelineHealth } from '../../contract/types.js'
import { readDocument } from '../../document/read.js'

type Reported = PipelineHealth['overall_health']
type Health = HealthData['status']

/** The durable report of the pipeline, as far as the service passes it on. */
export interface HealthReport {
  /** True when the report itself says that anything is unavailable or open. */
  readonly open: boolean
  readonly degraded: boolean
  readonly stages: HealthData['stages']
}

/** What stands for the path of the report where a pipeline writes none. */
export const NO_PIPELINE = 'none'

/** Where a pipeline writes no report: its history decides alone. */
export const NO_REPORT: HealthReport = {
  open: false,
  degraded: false,
  stages: {},
}

/**
 * Reads a report; members beyond the known ones are the producer's own.
 * @returns why it is none, in words for a log, when it is half-written or says what no report says.
 */
export function readHealthReport(bytes: Uint8Array): HealthReport | { readonly invalid: string } {
  const document = readDocument(bytes, 'health')
  const value = document.ok ? document.value : undefined
  const [fault] = document.ok ? checkPipelineHealth(value) : document.findings
  if (fault === undefined) return healthReportOf(value as PipelineHealth)
  const at = fault.pointer ? `${fault.pointer}: ` : ''
  return { invalid: at + messageOf(fault).text }
}

/** What the service makes of a report. */
export function healthReportOf({ overall_health, stages }: PipelineHealth): HealthReport {
  const reported = Object.values(stages)
  const healths = [overall_health, ...reported.map(({ health }) => health)].map(healthOf)
  const read: HealthData['stages'] = Object.create(null)
  for (const [name, { health, circuit_state }] of Object.entries(stages)) {
    read[name] = { health: healthOf(health), circuit_state }
  }
  return {
    open:
      healths.includes('unavailable') ||
      reported.some(({ circuit_state }) => circuit_state === 'open'),
    degraded: healths.includes('degraded'),
    stages: read,
  }
}

/** `open` is a pipeline's word for unavailable. */
function healthOf(reported: Reported): Health {
  return reported === 'open' ? 'unavailable' : reported
}
