import { checkRegistration } from '../contract/check-registration.js'
import { type ArgsOf, type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import { instantOrNaN } from '../contract/instant.js'
import type { Plan, Protocol, Registration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import { isPoolName } from '../scoring/baselines/names.js'
import { REGISTRATION_DIGEST } from './build.js'
import { enumerateFamily, familyDigest } from './family.js'
import { modelFindings, usesStrongest } from './model-rules.js'
import { commitmentFindings, inferenceFindings, methodNamed } from './plan-rules.js'
import type { Statement } from './scorer/basis.js'
import { scorerOf } from './scorer/scorer.js'
import { strataFindings } from './strata-rules.js'
import { originsOf, timeFindings } from './time-rules.js'

/**
 * Whether a registration is what it says: its form, its digest, the protocol it names, the rules
 * that `register` keeps, and every test of its family by name. Findings that are no errors, such as
 * an omitted stratum, were told when it was made and are not told again.
 */
export function verifyRegistration(value: unknown, protocol: Protocol): Finding[] {
  const schema = checkRegistration(value)
  if (schema.length > 0) return schema
  const registration = value as Registration
  const findings = digestFindings(registration)
  findings.push(...protocolFindings(registration, protocol))
  // Under another protocol everything else would differ too, and say no more.
  if (findings.some(({ code }) => code === 'registration-of-other-protocol')) return findings
  const horizons = protocol.horizons_hours
  const plan = planBehind(registration)
  findings.push(
    ...timeFindings(registration, horizons, instantOrNaN(registration.registered_at)),
    ...modelFindings(plan, protocol),
    ...strataFindings(registration.strata, protocol.sampling.strata),
    ...poolFindings(registration, protocol),
  )
  const differs = (pointer: string, what: string, found: unknown, expected: unknown) => {
    if (String(found) === String(expected)) return
    findings.push(differing('value', pointer, what, found, expected))
  }
  const { origins } = registration.window
  differs('/window/origins', 'the number of origins', origins, originsOf(registration.window))
  differs('/horizons_hours', 'the horizons', registration.horizons_hours, horizons)
  findings.push(
    ...familyFindings(registration),
    ...inferenceFindings(registration, protocol),
    ...commitmentFindings(registration),
    ...completenessFindings(registration, protocol),
  )
  // The statements follow from all the rest: where that is wrong they differ too, and say no more.
  if (hasNoErrors(findings)) findings.push(...scorerFindings(registration, protocol))
  return findings.filter(({ severity }) => severity === 'error')
}

/** Form and digest alone, for those who have no protocol at hand. */
export function digestFindings(registration: Registration): Finding[] {
  const computed = digestWithout(registration, REGISTRATION_DIGEST)
  const declared = registration.registration_sha256
  if (computed === declared) return []
  const args = { fault: 'registration', declared, computed, python: null } as const
  return [finding('digest-mismatch', args, { pointer: `/${REGISTRATION_DIGEST}` })]
}

function protocolFindings(registration: Registration, protocol: Protocol): Finding[] {
  const { version, sha256 } = registration.protocol
  if (sha256 === protocol.protocol_sha256 && version === protocol.protocol_version) return []
  return [
    finding(
      'registration-of-other-protocol',
      {
        named: `${version} (${sha256})`,
        given: `${protocol.protocol_version} (${protocol.protocol_sha256})`,
      },
      { pointer: '/protocol' },
    ),
  ]
}

/** The plan that would have led here, for the rules that are written for plans. */
function planBehind(registration: Registration): Plan {
  const { mode, name, window, candidates, strata, provenance_required } = registration
  const comparators = Object.fromEntries(
    registration.comparators.flatMap(({ required_as, ...model }) =>
      required_as.map((required) => [required, model] as const),
    ),
  )
  return {
    plan_version: 1,
    name,
    mode,
    window,
    candidates,
    comparators,
    strata,
    provenance_required,
    outcomes: { source: registration.outcomes.source },
  }
}

/**
 * The pool holds rules only, each once, by name. Which rule stands for a name of the protocol that
 * is none of ours was decided by the plan; all other names stand for themselves.
 */
function poolFindings(registration: Registration, protocol: Protocol): Finding[] {
  const { candidates, comparators, baseline_pool: pool } = registration
  const models = Object.fromEntries(comparators.map((model) => [model.name, model]))
  const names = usesStrongest({ candidates, comparators: models })
    ? protocol.estimands.comparisons.simple_baseline_pool
    : []
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

function familyFindings(registration: Registration): Finding[] {
  const names = enumerateFamily(registration).map(({ name }) => name)
  const findings: Finding[] = []
  const differs = (pointer: string, what: string, found: unknown, expected: unknown) =>
    findings.push(differing('value', pointer, what, found, expected))
  const { family, family_size: size, family_sha256: digest } = registration
  if (size !== names.length) differs('/family_size', 'the size of the family', size, names.length)
  const at = names.findIndex((name, index) => family[index] !== name)
  if (at !== -1 || family.length !== names.length) {
    const index = at === -1 ? names.length : at
    const nothing = 'no further test'
    const [found, expected] = [family[index] ?? nothing, names[index] ?? nothing]
    differs(at === -1 ? '/family' : `/family/${at}`, 'a test of the family', found, expected)
  }
  const computed = familyDigest(names, registration.inference)
  if (digest !== computed) differs('/family_sha256', 'the digest of the family', digest, computed)
  return findings
}

/** Registrations made before the scorer stated what it computes have nothing to compare. */
function scorerFindings(registration: Registration, protocol: Protocol): Finding[] {
  if (registration.scorer === undefined) return []
  const { computes: found, version } = registration.scorer
  const expected = scorerOf(registration, protocol, version).computes
  const at = [...expected, null].findIndex(
    (statement, index) =>
      statement?.of !== found[index]?.of || statement?.says !== found[index]?.says,
  )
  if (at === -1) return []
  const text = (statement: Statement | undefined) =>
    statement === undefined ? 'no further statement' : `${statement.of}: ${statement.says}`
  const pointer = at < found.length ? `/scorer/computes/${at}` : '/scorer/computes'
  const what = 'what the scorer computes'
  return [differing('value', pointer, what, text(found[at]), text(expected[at]))]
}

/** Members that came together, with the rules against silence; by the pointer of each. */
const TOGETHER: Readonly<Record<string, (registration: Registration) => unknown>> = {
  '/limits/availability_limit': ({ limits }) => limits.availability_limit,
  '/limits/availability_limit_stratum': ({ limits }) => limits.availability_limit_stratum,
  '/limits/direction_pairs_factor': ({ limits }) => limits.direction_pairs_factor,
  '/publication_lag_minutes': ({ publication_lag_minutes: lag }) => lag,
  '/scorer': ({ scorer }) => scorer,
}

/** Members that a plan may leave out, and that no registration from before has. */
const LATER = ['inference', 'time', 'commitment', 'commitment_log'] as const

/**
 * A registration made before there were rules against silence has none of their members and is judged
 * without them. One that has any of them has all: whoever takes one out takes its rule out. The same
 * holds under a protocol that describes the cosine test, for none was registered under such a one before.
 */
export function completenessFindings(registration: Registration, protocol: Protocol): Finding[] {
  const isThere = (of: (registration: Registration) => unknown) => of(registration) !== undefined
  const late =
    methodNamed(protocol) === 'ewc-t' ||
    LATER.some((member) => registration[member] !== undefined) ||
    Object.values(TOGETHER).some(isThere)
  if (!late) return []
  return Object.entries(TOGETHER)
    .filter(([, of]) => !isThere(of))
    .map(([pointer]) => differing('missing', pointer, pointer.slice(1).replace('/', '.')))
}
