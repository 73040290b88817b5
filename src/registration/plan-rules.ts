import { ForeproofError } from '../contract/error.js'
import { type ArgsOf, type Finding, finding } from '../contract/findings/finding.js'
import { checkPlan } from '../contract/generated/check-registration.js'
import type { Instant } from '../contract/instant.js'
import type { Plan, WitnessRule } from '../contract/types.js'
import { compilePolicy } from '../log/policy-rule.js'
import type { PeriodList } from '../periods/list.js'
import { leavesToPlan, openFindings } from '../protocol/rules/bind.js'
import type { Rules } from '../protocol/rules/compile.js'
import { placeholders } from '../protocol/rules/placeholders.js'
import { limitFindings } from './limits.js'
import { modelFindings, poolFindings } from './model-rules.js'
import { seriesWindowFindings } from './series-plan-rules.js'
import { strataFindings } from './strata.js'
import { asksForLog, logNamed, timeFindings } from './time-rules.js'

/**
 * Every reason why a plan cannot be registered under a protocol, in one run, each with a pointer; warnings do not
 * prevent it.
 * @param now the time of registration.
 * @param periods of the protocol, if it has a list.
 */
export function planFindings(
  value: unknown,
  rules: Rules,
  now: Instant,
  periods: PeriodList = [],
): Finding[] {
  const form = formFindings(value)
  if (form.length > 0) return form
  const plan = value as Plan
  const strata = rules.strata.flatMap(({ name, by }) => (by === 'by_plan' ? [name] : []))
  return [
    ...openFindings(rules, plan),
    ...(rules.periods.kind === 'hours'
      ? timeFindings(plan, now)
      : seriesWindowFindings(plan, rules, periods, now)),
    ...modelFindings(plan, rules),
    ...poolFindings(plan, rules),
    ...(leavesToPlan(rules)
      ? [...strataFindings(plan.strata, strata), ...limitFindings(plan, rules)]
      : []),
    ...commitmentFindings(plan),
    ...outcomeFindings(plan),
  ]
}

/** Members that were not filled in, and violations of the schema of a plan in the rest. */
function formFindings(value: unknown): Finding[] {
  const open = placeholders(value, '')
  const schema = checkPlan(value).filter(
    ({ pointer }) => !open.some((placeholder) => placeholder.pointer === pointer),
  )
  const version = schema.filter(({ pointer }) => pointer === '/plan_version')
  // In a plan of another version, every other member would be reported too.
  return version.length > 0 ? version : [...open, ...schema]
}

/** Why the vintage of an evaluation is unusable, or weaker evidence than another. */
export function unfitVintage(
  fault: ArgsOf<'vintage-unfit'>['fault'],
  pointer: string,
  found: string | number = '',
  expected: string | number = '',
): Finding {
  const severity = fault === 'unnamed' || fault === 'lead-in' ? 'warning' : 'error'
  const args = { fault, found: String(found), expected: String(expected) }
  return finding('vintage-unfit', args, { pointer, severity })
}

/** The finding that the plan itself does not name its vintage. */
export const lacksVintage = ({ code, args }: Finding): boolean =>
  code === 'vintage-unfit' && args.fault === 'unnamed'

/** Checks whether a plan names its vintage if it can. */
function outcomeFindings({ mode, outcomes }: Pick<Plan, 'mode' | 'outcomes'>): Finding[] {
  const isKnown = outcomes.vintage_sha256 !== null
  if (isKnown === (mode === 'backtest')) return []
  return isKnown
    ? [unfitVintage('too-early', '/outcomes/vintage_sha256')]
    : [unfitVintage('unnamed', '/outcomes')]
}

/** Checks whether there are as many authorities as required, and whether a commitment can be judged. */
export function commitmentFindings(
  plan: Pick<Plan, 'mode' | 'time' | 'commitment' | 'strata' | 'commitment_log'>,
): Finding[] {
  const { mode, time, commitment, strata, commitment_log: log } = plan
  const { authorities = [], at_least: least = 0 } = time ?? {}
  const findings: Finding[] = []
  type Fault = ArgsOf<'commitment-unfounded'>['fault']
  const unfounded = (fault: Fault, pointer: string, found = '') =>
    findings.push(finding('commitment-unfounded', { fault, found }, { pointer }))
  for (const [index, { name, anchor_sha256: sha256 }] of authorities.entries()) {
    const first = authorities.findIndex(
      (other) => other.name.toLowerCase() === name.toLowerCase() || other.anchor_sha256 === sha256,
    )
    if (first < index) unfounded('repeated', `/time/authorities/${index}`, name)
  }
  if (least > authorities.length) {
    const found = `${authorities.length} authorities of the ${least} that are asked for`
    unfounded('too_few', '/time/at_least', found)
  }
  const { witnesses } = time ?? {}
  if (witnesses !== undefined) {
    const fault = policyFault(witnesses)
    if (fault !== undefined) unfounded('policy', '/time/witnesses', fault)
    if (commitment !== 'witnessed') unfounded('witnesses_alone', '/time/witnesses')
  }
  if (!asksForLog(commitment)) {
    if (log !== null) unfounded('log_alone', '/commitment_log')
    return findings
  }
  if (commitment === 'witnessed') {
    if (witnesses === undefined) unfounded('no_witnesses', '/commitment')
    else if (log !== null && log !== logNamed({ time, commitment_log: null })) {
      unfounded('other_log', '/commitment_log', log)
    }
  }
  if (mode === 'backtest') unfounded('backtest', '/commitment')
  if (least === 0) unfounded('no_authorities', '/commitment')
  // A history has regimes beside its forecasts, in no resource, so its writer can change them afterwards.
  for (const [index, { name, by }] of strata.entries()) {
    if (by === 'regime') unfounded('regime', `/strata/${index}/by`, name)
  }
  return findings
}

function policyFault(rule: WitnessRule): string | undefined {
  try {
    compilePolicy(rule)
    return undefined
  } catch (cause) {
    if (cause instanceof ForeproofError) return cause.message
    throw cause
  }
}
