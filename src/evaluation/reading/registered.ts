import type { ModelReference, RulesData } from '../../contract/types.js'
import type { StratumLevel } from '../../pairing/types.js'
import { bindPlan } from '../../protocol/rules/bind.js'
import { compileRules, type Rules } from '../../protocol/rules/compile.js'
import { compileHourly } from '../../protocol/rules/compile-hourly.js'
import { type TooLax, tooLax } from '../../protocol/rules/lax.js'
import { enumerateFamily, registeredCells, stratumLevels } from '../../registration/family.js'
import { windowOrigins } from '../../registration/series-plan-rules.js'
import type { TestDefinition, VerdictMeasure } from '../../registration/types.js'
import { plannedModels } from '../../registration/verify.js'
import type { HourlyBasis, SeriesBasis } from '../plan.js'

/** One test of a registered family: candidate minus comparator, on the keys that both have scored. */
export interface ScopedTest {
  /** `CANDIDATE/COMPARATOR/SCORE/STEP|overall/SCOPE`, unique within the family. */
  readonly name: string
  readonly candidate: string
  readonly comparator: string
  /** Id of the score. */
  readonly measure: string
  /** The role of the score in a verdict; null if it is only shown. */
  readonly role: VerdictMeasure | null
  readonly step: number | 'overall'
  /** All origins, or those of a level. */
  readonly stratum: StratumLevel
  /** All series, or those of a group; of the two at most one is a part. */
  readonly group: string | 'all'
  readonly decides: boolean
}

/** The parts of a registration that a reading uses, for either version. */
export interface Registered {
  /** With what the plan adds to the protocol, and with the alpha that is left. */
  readonly rules: Rules
  readonly mode: 'prospective' | 'backtest'
  readonly candidates: readonly ModelReference[]
  readonly comparators: readonly (ModelReference & { readonly required_as: readonly string[] })[]
  /** Levels of all strata. */
  readonly levels: readonly Exclude<StratumLevel, 'all'>[]
  readonly groups: readonly string[]
  readonly notAsked: readonly { readonly comparator: string; readonly series: readonly string[] }[]
  /** In their order, without those that the registration itself rules out. */
  readonly tests: readonly ScopedTest[]
  readonly familySha256: string
  /** Numbers of the protocol that are so lax that no candidate is eligible. */
  readonly tooLax: readonly TooLax[]
  /** Whether only a first part of the window is scored. */
  readonly isShortened: boolean
}

/** That of a registration under a protocol of version 1. */
export function hourlyRegistered({
  registration,
  protocol,
}: Pick<HourlyBasis, 'registration' | 'protocol'>): Registered {
  const { mode, candidates, comparators, limits, family_sha256 } = registration
  const { direction_pairs_factor: _, ...bounds } = limits
  const rules = bindPlan(compileRules(protocol), {
    ...plannedModels(registration),
    strata: registration.strata,
    due_minutes: registration.publication_lag_minutes ?? null,
    limits: bounds,
  })
  const tests = enumerateFamily(rules, registration).map(scopedTest)
  return {
    ...{ rules, mode, candidates, comparators, groups: [], notAsked: [] },
    levels: levelsIn(rules),
    tests: tests.filter((test) => !isRuledOut(test, rules)),
    familySha256: family_sha256,
    tooLax: tooLax(compileHourly(protocol)),
    isShortened: false,
  }
}

/** That of a registration under a protocol of version 2. */
export function seriesRegistered(basis: SeriesBasis): Registered {
  const { registration, protocol, periods, origins } = basis
  const { mode, candidates, comparators, groups, not_asked: notAsked, family_sha256 } = registration
  const rules = { ...basis.rules, alpha: Number(protocol.uncertainty.alpha) }
  const last = rules.calendar.label(origins.at(-1) as number)
  const tested = registeredCells(rules, windowOrigins(periods, registration.window))
  const family = enumerateFamily(rules, { ...registration, strata: rules.strata }, tested)
  return {
    ...{ rules, mode, candidates, comparators, groups, notAsked },
    levels: levelsIn(rules),
    tests: family.map(scopedTest),
    familySha256: family_sha256,
    // Refused before: no list of periods is frozen with such numbers.
    tooLax: [],
    isShortened: last !== registration.window.to,
  }
}

const levelsIn = ({ strata }: Rules) =>
  stratumLevels(strata).flatMap((level) => (level === 'all' ? [] : level))

const scopedTest = ({ horizon: step, role, memory: _, ...test }: TestDefinition): ScopedTest => ({
  ...test,
  ...{ step, role: role === 'other' ? null : role },
})

/** Persistence never calls a direction. If all tests share alpha equally, every test of a family counts. */
const isRuledOut = ({ role, comparator }: ScopedTest, { weights, baselines }: RulesData): boolean =>
  weights !== null &&
  role === 'direction_error' &&
  baselines.some((of) => of.id === comparator && isPersistence(of))

/** Whether a baseline forecasts the last seen value; the rules of version 1 are recognised by their ids. */
export const isPersistence = ({
  id,
  kind,
}: Pick<RulesData['baselines'][number], 'id' | 'kind'>): boolean =>
  kind === 'persistence' || (kind === 'hourly' && id === 'persistence')
