import { isPoolName } from '../contract/baseline-names.js'
import { type ArgsOf, type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import { checkRegistration } from '../contract/generated/check-registration.js'
import { instantOrNaN } from '../contract/instant.js'
import type { Protocol, Registration, SeriesRegistration } from '../contract/types.js'
import { firstDifference } from '../document/difference.js'
import { digestWithout } from '../document/digest.js'
import { bindPlan } from '../protocol/rules/bind.js'
import { compileRules, type Rules } from '../protocol/rules/compile.js'
import type { RegisteredEntry } from '../protocol/rules/entry.js'
import { inferenceOf, undecidedFindings } from '../protocol/rules/hourly-texts.js'
import { frozenEntries, type Ledger, registeredEntries } from '../protocol/rules/ledger.js'
import { REGISTRATION_DIGEST, registeredComparators } from './build.js'
import { enumerateFamily, familyDigest } from './family.js'
import { hourlyWindowInstants } from './instants.js'
import { bindingFindings } from './limits.js'
import { modelFindings, openNames, type PlannedModels, usesStrongest } from './model-rules.js'
import { commitmentFindings, unfitVintage } from './plan-rules.js'
import { scorerOf } from './scorer/scorer.js'
import { strataFindings } from './strata.js'
import { originsOf, timeFindings } from './time-rules.js'
import type { AnyRegistration } from './types.js'

/**
 * Verifies a registration: its form, its digest, the protocol it names, the rules of `register`, and every test of its
 * family by name. Findings that are not errors, such as an omitted stratum, were reported when it was made and are not
 * repeated.
 */
export function verifyRegistration(value: unknown, protocol: Protocol): Finding[] {
  const schema = checkRegistration(value)
  if (schema.length > 0) return schema
  const registration = value as Registration
  const findings = digestFindings(registration)
  findings.push(...otherProtocol(registration, protocol))
  // Under another protocol everything else would differ, too, and tell nothing new.
  if (findings.some(({ code }) => code === 'registration-of-other-protocol')) return findings
  const horizons = protocol.horizons_hours
  const rules = compileRules(protocol)
  const planned = plannedModels(registration, openNames(rules))
  const { window, publication_lag_minutes } = registration
  const bound = bindPlan(rules, { ...planned, due_minutes: publication_lag_minutes ?? null })
  const undecided = undecidedFindings(protocol).map((each) => ({ ...each, pointer: '/protocol' }))
  findings.push(
    ...undecided,
    ...timeFindings(registration, instantOrNaN(registration.registered_at)),
    ...modelFindings(planned, rules).map(ofComparators),
    ...strataFindings(registration.strata, protocol.sampling.strata),
    ...poolFindings(registration, bound, protocol),
  )
  const family = enumerateFamily(rules, registration).map(({ name }) => name)
  const inference = inferenceOf(protocol)
  const { inference: _registered, ...kept } = registration
  const expected = {
    ...kept,
    ...(inference && { inference }),
    window: { ...window, origins: originsOf(window), ...hourlyWindowInstants(bound, window) },
    horizons_hours: horizons,
    // One model per required name: further models would share the alpha that a `negative` needs.
    comparators: registeredComparators(bound),
    family,
    family_size: family.length,
    family_sha256: familyDigest(family, inference),
  }
  findings.push(
    ...differingMembers(registration, expected),
    ...commitmentFindings(registration),
    ...namedTooEarly(registration),
    ...bindingFindings(registration, rules),
    ...completenessFindings(registration, protocol),
  )
  // The statements follow from the rest: if that is wrong they differ, too, and tell nothing new.
  const { scorer } = registration
  if (hasNoErrors(findings) && scorer !== undefined) {
    const stated = { ...registration, scorer: scorerOf(registration, protocol, scorer.version) }
    findings.push(...differingMembers(registration, stated))
  }
  return findings.filter(({ severity }) => severity === 'error')
}

/** Checks only form and digest, if no protocol is available. */
export function digestFindings(registration: Registration | SeriesRegistration): Finding[] {
  const computed = digestWithout(registration, REGISTRATION_DIGEST)
  const declared = registration.registration_sha256
  if (computed === declared) return []
  const args = { fault: 'registration', declared, computed, python: null } as const
  return [finding('digest-mismatch', args, { pointer: `/${REGISTRATION_DIGEST}` })]
}

/** An error if a registration was made under another protocol. */
export function otherProtocol(
  registration: Pick<Registration, 'protocol'>,
  protocol: Pick<Protocol, 'protocol_version' | 'protocol_sha256'>,
): Finding[] {
  const { version, sha256 } = registration.protocol
  if (sha256 === protocol.protocol_sha256 && version === protocol.protocol_version) return []
  const given = `${protocol.protocol_version} (${protocol.protocol_sha256})`
  const args = { named: `${version} (${sha256})`, given }
  return [finding('registration-of-other-protocol', args, { pointer: '/protocol' })]
}

/** A vintage that is named before its outcomes exist. */
export function namedTooEarly({
  mode,
  outcomes,
}: Pick<Registration, 'mode' | 'outcomes'>): Finding[] {
  const isEarly = mode === 'prospective' && outcomes.vintage_sha256 !== null
  return isEarly ? [unfitVintage('too-early', '/outcomes/vintage_sha256')] : []
}

/** What a plan says in `bound`, a registration says of its comparators. */
const ofComparators = (found: Finding): Finding =>
  found.pointer?.startsWith('/bound') ? { ...found, pointer: '/comparators' } : found

/**
 * The models of the plan that would have led to this registration, because the rules are written for plans.
 * @param names of the protocol that may be bound; default: all.
 */
export function plannedModels(
  { candidates, comparators }: Pick<AnyRegistration, 'candidates' | 'comparators'>,
  names?: readonly string[],
): PlannedModels {
  const bound = comparators.flatMap(({ required_as, source, name }) =>
    required_as.flatMap((required) => {
      const isOpen = names?.includes(required) ?? (source !== 'built_in' || name !== required)
      return isOpen ? [[required, name] as const] : []
    }),
  )
  return { candidates: candidates.map(({ name }) => name), bound: Object.fromEntries(bound) }
}

/**
 * The pool contains only rules, each once, by name. The plan decided which rule is meant by a name of the protocol that
 * is not built in; all other names mean their own rules.
 */
function poolFindings(
  { baseline_pool: pool }: Registration,
  rules: Pick<Rules, 'required'>,
  protocol: Protocol,
): Finding[] {
  const names = usesStrongest(rules) ? protocol.estimands.comparisons.simple_baseline_pool : []
  const own = names.filter(isPoolName)
  const sound =
    pool.every((name, index) => isPoolName(name) && name > (pool[index - 1] ?? '')) &&
    own.every((name) => pool.includes(name)) &&
    pool.length <= names.length &&
    (pool.length > 0 || names.length === 0) &&
    (own.length < names.length || pool.length === own.length)
  return sound ? [] : [differing('pool', '/baseline_pool', '', '', own.join(', ') || 'none')]
}

function differing(
  fault: ArgsOf<'registration-differs'>['fault'],
  pointer: string,
  what: string,
  found: unknown = '',
  expected: unknown = '',
): Finding {
  const args = { fault, what, found: String(found), expected: String(expected) }
  return finding('registration-differs', args, { pointer })
}

/** The first member that differs from what the rest of the registration gives. */
export function differingMembers<T extends object>(registration: T, expected: T): Finding[] {
  const other = firstDifference(registration, expected)
  if (other === undefined) return []
  const text = (value: unknown) =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  const [found, computed] = [text(other.stored), text(other.computed)]
  return [differing('value', other.pointer, 'the value', found, computed)]
}

/** Members that were introduced together with the rules against silence: among the limits, and next to them. */
const LIMITS = ['availability', 'availability_stratum', 'direction_pairs_factor'] as const
const BESIDE = ['publication_lag_minutes', 'scorer'] as const

/** Members that a plan may omit, and that older registrations lack. */
const LATER = ['inference', 'time', 'commitment', 'commitment_log'] as const

/**
 * A registration older than the rules against silence has none of their members and is judged without them. One that
 * has any of them must have all, because removing a member would remove its rule. The same holds under a protocol that
 * describes the cosine test, because none was registered under such a protocol before.
 */
function completenessFindings(registration: Registration, protocol: Protocol): Finding[] {
  const { limits } = registration
  const missing = [
    ...LIMITS.filter((name) => limits[name] === undefined).map((name) => `limits.${name}`),
    ...BESIDE.filter((name) => registration[name] === undefined),
  ]
  const isLate =
    inferenceOf(protocol) !== undefined ||
    LATER.some((member) => registration[member] !== undefined) ||
    missing.length < LIMITS.length + BESIDE.length
  return (isLate ? missing : []).map((what) =>
    differing('missing', `/${what.replace('.', '/')}`, what),
  )
}

/** The ledger's entry of a registration; undefined if it was never entered. */
export function registeredEntry(
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
export function ledgerFindings(
  registration: Registration | SeriesRegistration,
  ledger: Ledger,
): Finding[] {
  const entry = registeredEntry(registration, ledger)
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
