import { type Finding, finding } from '../contract/findings/finding.js'
import { checkRegistration } from '../contract/generated/check-registration.js'
import { instantOrNaN } from '../contract/instant.js'
import type { Plan, Protocol, Registration, SeriesProtocol } from '../contract/types.js'
import { firstDifference } from '../document/difference.js'
import { digestWithout } from '../document/digest.js'
import type { PeriodList } from '../periods/list.js'
import { extractBinding } from '../protocol/rules/bind.js'
import { compileRules, type Rules } from '../protocol/rules/compile.js'
import type { RegisteredEntry } from '../protocol/rules/entry.js'
import { undecidedFindings } from '../protocol/rules/hourly-texts.js'
import { frozenEntries, type Ledger, registeredEntries } from '../protocol/rules/ledger.js'
import { scaledTransforms } from '../scoring/scales.js'
import { createRegistration, REGISTRATION_DIGEST, type Scaled } from './build.js'
import { assertZoneTable, registeredInstants } from './instants.js'
import { planFindings } from './plan-rules.js'

/**
 * Verifies a registration: its form, its digest and the protocol it names. Then the plan that it follows from is made
 * again, checked as `register` checks it, and registered again: the first member that differs is reported. Findings
 * that are not errors, such as an omitted stratum, were reported when it was made and are not repeated. The numbers of
 * its scales can only be compared with the outcomes, which are not available here.
 * @param periods - the list of the protocol, if it has one.
 * @throws {ForeproofError} `unavailable` if another table of time zones gives other instants than those registered
 */
export function verifyRegistration(
  value: unknown,
  protocol: Protocol | SeriesProtocol,
  periods: PeriodList = [],
): Finding[] {
  const schema = checkRegistration(value)
  if (schema.length > 0) return schema
  const registration = value as Registration
  const digest = digestFindings(registration)
  const other = otherProtocol(registration, protocol)
  // Under another protocol everything else would differ, too, and tell nothing new.
  if (other.length > 0) return [...digest, ...other]
  const undecided = undecidedFindings(protocol).map((each) => ({ ...each, pointer: '/protocol' }))
  const rules = compileRules(protocol, periods)
  if (digest.length === 0) {
    const here = registeredInstants(registration.window, rules, periods)
    assertZoneTable(registration.instants, here, rules)
  }
  const plan = planBehind(registration, rules)
  const registeredAt = instantOrNaN(registration.registered_at)
  const faults = planFindings(plan, rules, registeredAt, periods)
    .filter(({ severity }) => severity === 'error')
    .map(ofRegistration)
  const wrong = [...digest, ...undecided, ...faults]
  // Of a plan with faults no registration can be made.
  if (faults.length > 0) return wrong
  const scaled = scaledAgain(registration, rules)
  const made = createRegistration(plan, rules, registeredAt, periods, scaled)
  const recomputed = { ...made, ...ofTheMoment(registration, made) }
  return [...wrong, ...differingMembers(registration, recomputed)]
}

/** The plan that would have led to this registration. */
function planBehind(registration: Registration, rules: Rules): Plan {
  const { name, description, mode, window, candidates, provenance_required } = registration
  const { outcomes, time, commitment, commitment_log } = registration
  return {
    plan_version: 1,
    ...{ name, description, mode, window: { from: window.from, to: window.to } },
    candidates: candidates.map((each) => each.name),
    ...extractBinding(rules, registration.rules),
    ...{ provenance_required, outcomes, time, commitment, commitment_log },
  }
}

/** What no protocol and no plan gives. */
const ofTheMoment = (
  { registered_at, registration_sha256, instants }: Registration,
  made: Registration,
): Partial<Registration> => ({
  ...{ registered_at, registration_sha256 },
  instants: made.instants && { ...made.instants, tz: instants?.tz ?? made.instants.tz },
})

/** Scales of each series on each transform, with the registered numbers, as of registration or before. */
function scaledAgain(registration: Registration, rules: Rules): Scaled | undefined {
  const { registered_at, scales_as_of, scales } = registration
  const transforms = [...scaledTransforms(rules).keys()]
  if (transforms.length === 0) return undefined
  const each = rules.series.flatMap(({ id: series }) =>
    transforms.map((transform) => ({ series, transform })),
  )
  const now = instantOrNaN(registered_at)
  return {
    scales: each.map((of, index) => ({ ...of, value: scales[index]?.value ?? 1 })),
    at: Math.min(now, instantOrNaN(scales_as_of ?? registered_at)),
  }
}

/** Where a registration has what a plan says elsewhere. */
const ELSEWHERE = [
  ['/bound', '/comparators'],
  ['/limits/epsilon', '/rules/scores/1/epsilon'],
  ['/limits', '/rules/limits'],
  ['/strata', '/rules/strata'],
  ['/due_minutes', '/rules/origins/due'],
] as const

function ofRegistration(verified: Finding): Finding {
  const { pointer = '' } = verified
  const [from, to] = ELSEWHERE.find(([own]) => pointer.startsWith(own)) ?? ['', '']
  const rest = from === '/bound' ? '' : pointer.slice(from.length)
  return { ...verified, pointer: `${to}${rest}` }
}

/** Checks only form and digest, if no protocol is available. */
export function digestFindings(registration: Registration): Finding[] {
  const computed = digestWithout(registration, REGISTRATION_DIGEST)
  const declared = registration.registration_sha256
  if (computed === declared) return []
  const args = { fault: 'registration', declared, computed, python: null } as const
  return [finding('digest-mismatch', args, { pointer: `/${REGISTRATION_DIGEST}` })]
}

/** An error if a registration was made under another protocol. */
function otherProtocol(
  registration: Pick<Registration, 'protocol'>,
  protocol: Pick<Protocol, 'protocol_version' | 'protocol_sha256'>,
): Finding[] {
  const { version, sha256 } = registration.protocol
  if (sha256 === protocol.protocol_sha256 && version === protocol.protocol_version) return []
  const given = `${protocol.protocol_version} (${protocol.protocol_sha256})`
  const args = { named: `${version} (${sha256})`, given }
  return [finding('registration-of-other-protocol', args, { pointer: '/protocol' })]
}

/** The first member that differs from what the rest of the registration gives. */
function differingMembers(registration: Registration, expected: Registration): Finding[] {
  const other = firstDifference(registration, expected)
  if (other === undefined) return []
  const text = (value: unknown) =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  const args = { found: text(other.stored), expected: text(other.computed) }
  return [finding('registration-differs', args, { pointer: other.pointer })]
}

/** The ledger's entry of a registration; undefined if it was never entered. */
export function findRegisteredEntry(
  registration: Pick<Registration, 'registration_sha256'>,
  ledger: Ledger,
): RegisteredEntry | undefined {
  const { registration_sha256: digest } = registration
  return registeredEntries(ledger).find((entry) => entry.registration_sha256 === digest)
}

/**
 * Checks whether a ledger agrees with a registration: it was entered under the same protocol and at the same time,
 * after its protocol was frozen. The ledger checks its chain itself.
 */
export function ledgerFindings(registration: Registration, ledger: Ledger): Finding[] {
  const entry = findRegisteredEntry(registration, ledger)
  if (entry === undefined) {
    const args = { fault: 'absent', found: '', expected: ledger.file } as const
    return [finding('registration-unentered', args, { pointer: '' })]
  }
  const findings: Finding[] = []
  const { protocol, registered_at: registeredAt } = registration
  const compare = (pointer: string, found: string, expected: string) => {
    const args = { fault: 'differs', found, expected } as const
    if (found !== expected) findings.push(finding('registration-unentered', args, { pointer }))
  }
  compare('/registered_at', registeredAt, entry.registered_at)
  compare('/protocol/sha256', protocol.sha256, entry.protocol_sha256)
  compare('/mode', registration.mode, entry.mode)
  for (const member of ['first_inputs', 'last_settled'] as const) {
    compare(`/window/${member}`, String(registration.window[member]), String(entry[member]))
  }
  const frozen = frozenEntries(ledger).find((each) => each.protocol_sha256 === protocol.sha256)
  if (frozen !== undefined && instantOrNaN(registeredAt) < instantOrNaN(frozen.frozen_at)) {
    const args = {
      fault: 'before-frozen',
      found: registeredAt,
      expected: frozen.frozen_at,
    } as const
    findings.push(finding('registration-unentered', args, { pointer: '/registered_at' }))
  }
  return findings
}
