import { type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import { formatUtc, type Instant, instantOf, instantOrNaN } from '../contract/instant.js'
import type { Plan, SeriesProtocol, SeriesRegistration } from '../contract/types.js'
import { digestWithout } from '../document/digest.js'
import type { Document } from '../document/read.js'
import type { PeriodList } from '../periods/list.js'
import { lastSettled } from '../periods/series-times.js'
import { locateFindings } from '../protocol/rules/check.js'
import { compileRules, type Rules } from '../protocol/rules/compile.js'
import { groupsOf } from '../protocol/rules/groups.js'
import { askedIn, notAsked } from '../scoring/baselines/reach.js'
import { type SeriesScale, type SeriesScales, seriesScales } from '../scoring/scales.js'
import type { TruthVintage } from '../truth/releases-vintage.js'
import { risingFindings } from '../truth/rising.js'
import { seriesTruth } from '../truth/series-truth.js'
import {
  otherVintage,
  REGISTRATION_DIGEST,
  registeredCandidates,
  registeredComparators,
  statedMembers,
  withVintage,
} from './build.js'
import { enumerateFamily, type FamilyBasis, familyDigest, registeredCells } from './family.js'
import { registeredInstants, windowInstants } from './instants.js'
import { lacksVintage, planFindings, unfitVintage } from './plan-rules.js'
import { inferenceUnder } from './series-design.js'
import { windowOrigins } from './series-plan-rules.js'

/**
 * Builds the registration of a plan in which `planFindings` found no error.
 * @param scales from `seriesScales`; empty if losses are not scaled.
 * @param scaledAt the instant of the scales.
 */
export function buildSeriesRegistration(
  plan: Plan,
  protocol: SeriesProtocol,
  periods: PeriodList,
  scales: readonly SeriesScale[],
  now: Instant,
  scaledAt: Instant = now,
): SeriesRegistration {
  const rules = compileRules(protocol, periods)
  const { name, mode, window, outcomes, provenance_required } = plan
  const { description, ...stated } = statedMembers(plan)
  const origins = windowOrigins(periods, window)
  const basis = {
    window: { ...window, origins: origins.length, ...windowInstants(rules, origins) },
    candidates: registeredCandidates(plan),
    ...askedMembers(protocol, periods, rules, origins),
    groups: groupsOf(protocol),
  }
  const registration = {
    registration_version: 2 as const,
    registration_sha256: '',
    name,
    ...(description !== undefined && { description }),
    registered_at: formatUtc(now),
    mode,
    protocol: { version: protocol.protocol_version, sha256: protocol.protocol_sha256 },
    ...basis,
    scales: [...scales],
    ...(scales.length > 0 && { scales_as_of: formatUtc(scaledAt) }),
    instants: registeredInstants(window, rules, periods),
    inference: inferenceUnder(rules),
    provenance_required,
    ...stated,
    outcomes,
    ...familyMembers(basis, rules, origins),
  }
  return { ...registration, registration_sha256: digestWithout(registration, REGISTRATION_DIGEST) }
}

/** The comparators of candidates: all that are required and can forecast some series of the window. */
export function askedMembers(
  protocol: SeriesProtocol,
  periods: PeriodList,
  rules: Rules,
  origins: readonly number[],
): Pick<SeriesRegistration, 'comparators' | 'not_asked'> {
  const unasked = notAsked(protocol, periods, rules, origins)
  const isAsked = askedIn(unasked)
  const comparators = registeredComparators(rules).filter(({ name }) =>
    protocol.series.some(({ id }) => isAsked(name, id)),
  )
  return { comparators, not_asked: unasked }
}

/** The parts of a registration about its tests. */
export function familyMembers(
  basis: Omit<FamilyBasis, 'strata'>,
  rules: Rules,
  origins: readonly number[],
): Pick<SeriesRegistration, 'family_size' | 'family_sha256' | 'family'> {
  const { strata } = rules
  const tests = enumerateFamily(rules, { ...basis, strata }, registeredCells(rules, origins))
  const family = tests.map(({ name }) => name)
  return {
    family_size: family.length,
    family_sha256: familyDigest(family, inferenceUnder(rules)),
    family,
  }
}

export interface PrepareSeriesOptions {
  readonly plan: Document
  /** Already verified, with the ledger beside it. */
  readonly protocol: SeriesProtocol
  readonly periods: PeriodList
  readonly now: Instant
  /** The outcomes of a backtest, or those from which scales are computed. */
  readonly vintage?: TruthVintage | undefined
}

export interface PreparedSeries {
  readonly findings: readonly Finding[]
  /** Absent if a finding forbids it. */
  readonly registration?: SeriesRegistration
}

/** The registration that a plan would make, with the findings of its rules and the outcomes. */
export function prepareSeriesRegistration(input: PrepareSeriesOptions): PreparedSeries {
  const { protocol, periods, now, vintage } = input
  let found = planFindings(input.plan.value, protocol, now, periods)
  if (vintage !== undefined) found = found.filter((each) => !lacksVintage(each))
  const plan = input.plan.value as Plan
  const tied = vintage !== undefined && hasNoErrors(found) && plan.mode === 'backtest'
  if (tied) found = [...found, ...otherVintage(plan, vintage), ...tooEarly(plan, input)]
  const scales = scalesOf(input)
  if (hasNoErrors(found))
    found = [...found, ...(scales.ok ? [] : scales.findings), ...risingIn(input)]
  const findings = locateFindings(found, input.plan)
  if (!hasNoErrors(found) || !scales.ok) return { findings }
  const planned = tied ? withVintage(plan, vintage) : plan
  const made = [planned, protocol, periods, scales.scales, now, scaledAt(input)] as const
  const registration = buildSeriesRegistration(...made)
  return { findings, registration }
}

/** As `risingFindings`, if outcomes are available. */
function risingIn({ protocol, periods, vintage, now }: PrepareSeriesOptions): Finding[] {
  if (vintage === undefined) return []
  const truth = seriesTruth(protocol, periods, compileRules(protocol, periods), vintage)
  return risingFindings(protocol, periods, truth, now)
}

/** Whether the outcomes of a backtest end before the last one of the window is settled. */
function tooEarly(
  { window }: Plan,
  { protocol, periods, vintage }: PrepareSeriesOptions,
): Finding[] {
  const last = lastSettled(compileRules(protocol, periods), windowOrigins(periods, window))
  const { complete_to: end } = vintage?.manifest ?? {}
  if (end && instantOrNaN(end) >= last) return []
  return [unfitVintage('ends-early', '/window/to', end ?? 'no stated time', formatUtc(last))]
}

/** These outcomes may lack some later values, and with later ones the same scales could not be computed again. */
function scaledAt({ now, vintage }: PrepareSeriesOptions): Instant {
  return Math.min(now, instantOf(vintage?.manifest.complete_to) ?? now)
}

/** From the values in force at registration; findings concern the whole plan. */
function scalesOf(input: PrepareSeriesOptions): SeriesScales {
  const { protocol, periods, vintage } = input
  if (protocol.scaling.kind === 'none') return { ok: true, scales: [] }
  if (vintage === undefined) {
    return { ok: false, findings: [finding('scales-without-outcomes', {}, { pointer: '' })] }
  }
  const truth = seriesTruth(protocol, periods, compileRules(protocol, periods), vintage)
  const scales = seriesScales(protocol, periods, truth, scaledAt(input))
  if (scales.ok) return scales
  return { ok: false, findings: scales.findings.map((each) => ({ ...each, pointer: '' })) }
}
