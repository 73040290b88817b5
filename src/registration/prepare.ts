import { type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import {
  formatUtc,
  type Instant,
  instantOrNaN,
  MICROS_PER_HOUR,
  parseInstant,
} from '../contract/instant.js'
import type { Plan, Protocol, Registration, SeriesProtocol } from '../contract/types.js'
import type { Document } from '../document/read.js'
import type { PeriodList } from '../periods/list.js'
import { lastSettled } from '../periods/series-times.js'
import { locateFindings } from '../protocol/rules/check.js'
import { compileRules, type Rules } from '../protocol/rules/compile.js'
import { undecidedFindings } from '../protocol/rules/hourly-texts.js'
import { computeScales } from '../scoring/scales.js'
import type { TruthVintage } from '../truth/releases-vintage.js'
import { risingFindings } from '../truth/rising.js'
import { createSeriesTruth, type SeriesTruth } from '../truth/series-truth.js'
import { createRegistration, type Scaled } from './build.js'
import { lacksVintage, planFindings, unfitVintage } from './plan-rules.js'
import { findWindowOrigins } from './series-plan-rules.js'
import { lastTarget } from './time-rules.js'

export interface PrepareOptions {
  readonly plan: Document
  /** Already verified, with the ledger beside it. */
  readonly protocol: Document
  /** The list of the protocol, if it has one. */
  readonly periods?: PeriodList | undefined
  readonly now: Instant
  /** The vintage of closes that a backtest is tied to. */
  readonly closes?: ClosesFacts | undefined
  /** The outcomes of a backtest over a list of periods, or those from which scales are computed. */
  readonly releases?: TruthVintage | undefined
}

/** The facts about a vintage of closes that registering needs; it does not read any close. */
export interface ClosesFacts {
  readonly first: Instant
  readonly last: Instant
  readonly manifest: VintageName & { readonly sha256: string }
}

interface VintageName {
  readonly vintage_id: string
  readonly sha256: string
  readonly source: string
}

export interface PrepareResult {
  readonly findings: readonly Finding[]
  /** Absent if a finding forbids it. */
  readonly registration?: Registration
}

/**
 * The registration that a plan would make, with the findings of its rules and of the outcomes. `lintPlanned` checks
 * whether the protocol can reach a conclusion with this family and window.
 */
export function prepareRegistration(input: PrepareOptions): PrepareResult {
  const { periods = [], closes, releases } = input
  const protocol = input.protocol.value as Protocol | SeriesProtocol
  const undecided = locateFindings(undecidedFindings(protocol), input.protocol)
  if (undecided.length > 0) return { findings: undecided }
  const vintage = closes ?? releases
  const plan = input.plan.value as Plan
  const rules = compileRules(protocol, periods)
  const truth = releases && createSeriesTruth(rules, periods, releases)
  const given = { ...input, plan, rules, periods, truth }
  const planFaults = planFindings(plan, rules, input.now, periods).filter(
    (each) => vintage === undefined || !lacksVintage(each),
  )
  if (hasNoErrors(planFaults)) planFaults.push(...vintageFindings(given))
  const { scaled, faults } = prepareScales(given)
  if (hasNoErrors(planFaults)) {
    planFaults.push(...faults, ...(truth ? risingFindings(rules, periods, truth, input.now) : []))
  }
  const findings = locateFindings(planFaults, input.plan)
  if (!hasNoErrors(planFaults)) return { findings }
  const tied = vintage && plan.mode === 'backtest' ? withVintage(plan, vintage) : plan
  return { findings, registration: createRegistration(tied, rules, input.now, periods, scaled) }
}

interface Given extends Omit<PrepareOptions, 'plan' | 'protocol' | 'periods'> {
  readonly plan: Plan
  readonly rules: Rules
  readonly periods: PeriodList
  /** What the outcomes of a list of periods say. */
  readonly truth: SeriesTruth | undefined
}

/** Whether the outcomes are those of the plan and reach over its window. */
function vintageFindings({ plan, rules, periods, closes, releases }: Given): Finding[] {
  if (closes !== undefined) return closesFindings(plan, closes, rules.steps)
  if (releases === undefined || plan.mode === 'prospective') return []
  const last = lastSettled(rules, findWindowOrigins(periods, plan.window))
  const { complete_to: end } = releases.manifest
  const reachesEnd = end && instantOrNaN(end) >= last
  return [
    ...otherVintage(plan, releases),
    ...(reachesEnd
      ? []
      : [unfitVintage('ends-early', '/window/to', end ?? 'no stated time', formatUtc(last))]),
  ]
}

/** Closes that the baseline with the longest memory needs before the first origin: 720 returns and one. */
const LEAD_IN_HOURS = 720

/** Checks whether a plan can be evaluated on the closes it is registered with. */
export function closesFindings(
  plan: Plan,
  closes: ClosesFacts,
  horizons: readonly number[],
): Finding[] {
  const { mode, window } = plan
  if (mode === 'prospective') return [unfitVintage('too-early', '/mode')]
  const findings = otherVintage(plan, closes)
  const settled = lastTarget(window.to, horizons)
  if (settled > closes.last) {
    const last = formatUtc(closes.last)
    findings.push(unfitVintage('ends-early', '/window/to', last, formatUtc(settled)))
  }
  const leadIn = (instantOrNaN(window.from) - closes.first) / MICROS_PER_HOUR
  if (leadIn < LEAD_IN_HOURS) {
    const hours = Math.max(0, Math.floor(leadIn))
    findings.push(unfitVintage('lead-in', '/window/from', hours, LEAD_IN_HOURS))
  }
  return findings
}

/** Whether the plan names a different vintage. */
function otherVintage({ outcomes }: Plan, { manifest }: { readonly manifest: VintageName }) {
  const actual = [
    ['source', manifest.source],
    ['vintage_id', manifest.vintage_id],
    ['vintage_sha256', manifest.sha256],
  ] as const
  return actual.flatMap(([key, is]): Finding[] => {
    const given = outcomes[key]
    if (given === null || given === is) return []
    return [unfitVintage('other', `/outcomes/${key}`, is, given)]
  })
}

/** The plan with the vintage it is to be scored with. */
function withVintage(plan: Plan, { manifest }: { readonly manifest: VintageName }): Plan {
  const { vintage_id, sha256 } = manifest
  return { ...plan, outcomes: { ...plan.outcomes, vintage_id, vintage_sha256: sha256 } }
}

/** From the values in force at registration; findings concern the whole plan. */
function prepareScales({ rules, periods, releases, truth, now }: Given): {
  readonly scaled?: Scaled
  readonly faults: readonly Finding[]
} {
  if (rules.scaling.kind === 'none') return { faults: [] }
  if (releases === undefined || truth === undefined) {
    return { faults: [finding('scales-without-outcomes', {}, { pointer: '' })] }
  }
  // These outcomes may lack some later values, and with later ones the same scales could not be computed again.
  const at = Math.min(now, parseInstant(releases.manifest.complete_to) ?? now)
  const scales = computeScales(rules, periods, truth, at)
  if (scales.ok) return { scaled: { scales: scales.scales, at }, faults: [] }
  return { faults: scales.findings.map((each) => ({ ...each, pointer: '' })) }
}
