import { isObject } from '../../contract/is-object.js'
import type { HealthData } from '../../contract/types.js'
import { readDocument } from '../../document/read.js'

type Health = HealthData['status']

/** The durable report of the pipeline, as far as the service passes it on. */
export interface HealthReport {
  readonly overall: Health
  /** True when the report itself says that anything is unavailable or open. */
  readonly open: boolean
  readonly degraded: boolean
  readonly stages: HealthData['stages']
}

/** What the report says on the left; `open` is a pipeline's word for unavailable. */
const HEALTH: ReadonlyMap<unknown, Health> = new Map<unknown, Health>([
  ['healthy', 'healthy'],
  ['degraded', 'degraded'],
  ['unavailable', 'unavailable'],
  ['open', 'unavailable'],
])
const HEALTHS = 'healthy, degraded, unavailable or open'
const CIRCUIT_STATES: ReadonlySet<unknown> = new Set(['closed', 'half_open', 'open'])

/**
 * Reads a report; members beyond the known ones are the producer's own.
 * @returns why it is none, in words for a log, when it is half-written or says what no report says.
 */
export function readHealthReport(bytes: Uint8Array): HealthReport | { readonly invalid: string } {
  const document = readDocument(bytes, 'health')
  if (!document.ok) return { invalid: 'not a whole JSON document' }
  if (!isObject(document.value)) return { invalid: 'not a JSON object' }
  const { overall_health, stages } = document.value
  const overall = HEALTH.get(overall_health)
  if (overall === undefined) return { invalid: `overall_health is not ${HEALTHS}` }
  if (!isObject(stages)) return { invalid: 'stages is not an object' }
  const healths: Health[] = [overall]
  let circuitOpen = false
  const read: HealthData['stages'] = Object.create(null)
  for (const [name, stage] of Object.entries(stages)) {
    const { health: reported, circuit_state } = isObject(stage) ? stage : {}
    const health = HEALTH.get(reported)
    if (health === undefined) return { invalid: `the health of a stage is not ${HEALTHS}` }
    if (typeof circuit_state !== 'string' || !CIRCUIT_STATES.has(circuit_state)) {
      return { invalid: 'the circuit_state of a stage is not closed, half_open or open' }
    }
    healths.push(health)
    circuitOpen ||= circuit_state === 'open'
    read[name] = { health, circuit_state }
  }
  return {
    overall,
    open: circuitOpen || healths.includes('unavailable'),
    degraded: healths.includes('degraded'),
    stages: read,
  }
}
