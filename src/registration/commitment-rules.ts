import { type Finding, finding } from '../contract/findings/finding.js'
import type { Plan } from '../contract/types.js'

/** What of a plan or a registration says who bears its times out. */
type Witnessed = Pick<Plan, 'mode' | 'time' | 'commitment' | 'commitment_log' | 'strata'>

/** Whether the authorities can be as many as are asked for, and a commitment can be judged. */
export function commitmentFindings(witnessed: Witnessed): Finding[] {
  const { mode, time, commitment, commitment_log: log, strata } = witnessed
  const findings: Finding[] = []
  for (const [index, { name, anchor_sha256: sha256 }] of (time?.authorities ?? []).entries()) {
    const first = time?.authorities.findIndex(
      (other) => other.name.toLowerCase() === name.toLowerCase() || other.anchor_sha256 === sha256,
    )
    if (first === undefined || first === index) continue
    const args = { name, first: `/time/authorities/${first}` }
    findings.push(finding('authority-repeated', args, { pointer: `/time/authorities/${index}` }))
  }
  const least = time?.at_least ?? 0
  const there = time?.authorities.length ?? 0
  if (least > there) {
    findings.push(finding('authorities-too-few', { least, there }, { pointer: '/time/at_least' }))
  }
  if (commitment !== 'stamped') {
    if (log !== undefined) {
      findings.push(finding('log-without-commitment', {}, { pointer: '/commitment_log' }))
    }
    return findings
  }
  if (mode === 'retrospective') {
    findings.push(finding('commitment-in-retrospect', {}, { pointer: '/commitment' }))
  }
  if (least === 0) {
    findings.push(finding('commitment-without-authorities', {}, { pointer: '/commitment' }))
  }
  // A regime stands beside the forecasts of a history, in no resource: whoever writes it can change it afterwards.
  for (const [index, { name, by }] of strata.entries()) {
    if (by !== 'regime') continue
    findings.push(finding('regime-not-committed', { name }, { pointer: `/strata/${index}/by` }))
  }
  return findings
}
