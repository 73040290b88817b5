import { isBaselineName } from '../../contract/baseline-names.js'
import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import type { Plan, Protocol, Registration, RulesData } from '../../contract/types.js'
import type { Document } from '../../document/read.js'
import { locateFindings } from '../../protocol/rules/check.js'
import { compileRules, rulesOver } from '../../protocol/rules/compile.js'
import { computeWaiting } from '../../protocol/rules/expected-waiting.js'
import { weightsUnder } from '../../protocol/rules/hourly-texts.js'
import { createRegistration } from '../../registration/build.js'
import { testDesign } from '../../registration/design.js'
import { enumerateFamily, testWeights } from '../../registration/family.js'
import { lacksVintage, planFindings } from '../../registration/plan-rules.js'
import { lintPlanned } from '../lint.js'
import type { PlannedDesign } from './design.js'

/** The comparator for any forecast if no comparator of the plan can be computed from closes. */
export const STAND_IN = 'persistence'

export interface PlannedPower {
  readonly design: PlannedDesign
  readonly weights: NonNullable<RulesData['weights']>
  /** False if the protocol names no cosine test: then the figures say what ewc-t would find. */
  readonly registered: boolean
  /** Distinct built-ins that the candidates are compared with. */
  readonly builtIns: readonly string[]
  /** True if none of them is a comparator of the plan. */
  readonly standIn: boolean
  /** Comparators of the history, whose errors cannot be computed from closes. */
  readonly unknown: readonly string[]
}

/** What waiting for the lag is worth; the same at every hour. */
const lagWorth = ({ rules }: Registration): number =>
  computeWaiting(rulesOver(rules, []), [0]).worth

/** The inputs of the power computation, from the registration that a plan would make. */
export function planPower(registration: Registration, protocol: Protocol): PlannedPower {
  const { rules } = registration
  const registered = rules.weights !== null
  const weights = rules.weights ?? weightsUnder(protocol)
  const tests = enumerateFamily(rules, registration)
  const shares = testWeights(tests, weights, registration.comparators)
  const names = registration.comparators.map(({ name }) => name)
  const computed = registration.comparators
    .filter(({ source, name }) => source === 'built_in' && isBaselineName(name))
    .map(({ name }) => name)
  return {
    design: {
      ...testDesign(rules),
      tests: tests.map((test, at) => ({
        ...test,
        weight: shares[at] as number,
      })),
      horizons: rules.steps,
      strata: rules.strata,
      epsilon: rules.scores.find(({ kind }) => kind === 'direction')?.epsilon ?? 0,
      origins: registration.window.origins,
      ...(weights.verdict !== null && {
        verdict: {
          registration,
          weight: weights.verdict,
          floor: rules.limits.practical_effect,
          waiting: lagWorth(registration),
        },
      }),
    },
    weights,
    registered,
    builtIns: computed.length > 0 ? computed : [STAND_IN],
    standIn: computed.length === 0,
    unknown: names.filter((name) => !computed.includes(name)),
  }
}

/** Findings that forbid registering today, but do not affect what a plan could find. */
export const isOfTheDay = (found: Finding): boolean =>
  lacksVintage(found) ||
  (found.code === 'plan-window' && ['has-begun', 'lies-ahead'].includes(found.args.fault)) ||
  (found.code === 'series-window' && ['has-begun', 'lies-ahead'].includes(found.args.fault))

export interface PlanRead {
  readonly findings: readonly Finding[]
  /** The registration of the plan; absent if a finding prevents it. */
  readonly registration?: Registration
}

/** Reads a plan as it would be registered, at any time. */
export function readPlan(plan: Document, protocol: Document, now: Instant): PlanRead {
  const rules = compileRules(protocol.value as Protocol)
  const faults = planFindings(plan.value, rules, now).filter((each) => !isOfTheDay(each))
  if (!hasNoErrors(faults)) return { findings: locateFindings(faults, plan) }
  const registration = createRegistration(plan.value as Plan, rules, now)
  const findings = [
    ...locateFindings(faults, plan),
    ...lintPlanned(registration, { protocol, plan }),
  ]
  return { findings, registration }
}
