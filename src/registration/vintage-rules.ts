import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant, instantOrNaN, MICROS_PER_HOUR } from '../contract/instant.js'
import type { Plan } from '../contract/types.js'
import { lastTarget } from './time-rules.js'

/** What registering needs to know of a vintage; no close is looked at. */
export interface VintageFacts {
  readonly first: Instant
  readonly last: Instant
  readonly manifest: {
    readonly vintage_id: string
    readonly sha256: string
    readonly source: string
  }
}

/** Closes that the longest-looking baseline needs before the first origin: 720 returns and one. */
const LEAD_IN_HOURS = 720

/** Whether a plan's evaluation can be run on the vintage it is to be registered with. */
export function vintageFindings(
  plan: Plan,
  vintage: VintageFacts,
  horizons: readonly number[],
): Finding[] {
  const { mode, outcomes, window } = plan
  const { manifest } = vintage
  if (mode === 'prospective') return [finding('vintage-known-too-early', {}, { pointer: '/mode' })]
  const findings: Finding[] = []
  const differs = (key: 'source' | 'vintage_id' | 'vintage_sha256', found: string) => {
    const given = outcomes[key]
    if (given === undefined || given === found) return
    findings.push(finding('vintage-differs', { given, found }, { pointer: `/outcomes/${key}` }))
  }
  differs('source', manifest.source)
  differs('vintage_id', manifest.vintage_id)
  differs('vintage_sha256', manifest.sha256)
  const asOf = plan.as_of === undefined ? lastTarget(window.to, horizons) : instantOrNaN(plan.as_of)
  if (asOf > vintage.last) {
    const args = { needed: formatUtc(asOf), last: formatUtc(vintage.last) }
    findings.push(finding('vintage-ends-early', args, { pointer: '/window/to' }))
  }
  const leadIn = (instantOrNaN(window.from) - vintage.first) / MICROS_PER_HOUR
  if (leadIn < LEAD_IN_HOURS) {
    const args = { hours: Math.max(0, Math.floor(leadIn)), needed: LEAD_IN_HOURS }
    findings.push(finding('vintage-lead-in-short', args, { pointer: '/window/from' }))
  }
  return findings
}

/** The plan with the vintage it is to be scored with. */
export function withVintage(plan: Plan, { manifest }: VintageFacts): Plan {
  const { vintage_id, sha256 } = manifest
  return { ...plan, outcomes: { ...plan.outcomes, vintage_id, vintage_sha256: sha256 } }
}
