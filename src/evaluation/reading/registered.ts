import type { Registration, RulesData } from '../../contract/types.js'
import type { StratumLevel } from '../../pairing/plan.js'
import type { Rules } from '../../protocol/rules/compile.js'
import { listGroups } from '../../protocol/rules/groups.js'
import type { TooLax } from '../../protocol/rules/lax.js'
import { registeredTests } from '../../registration/build.js'
import { stratumLevels } from '../../registration/family.js'
import type { TestDefinition, VerdictMeasure } from '../../registration/test-definition.js'
import type { EvaluationBasis } from '../plan.js'

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

/** The parts of a registration that a reading uses. */
export interface Registered {
  /** With what the plan adds to the protocol, and with the alpha that is left. */
  readonly rules: Rules
  readonly mode: 'prospective' | 'backtest'
  readonly candidates: Registration['candidates']
  readonly comparators: Registration['comparators']
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

/**
 * What a reading takes from its registration.
 * @param origins - of the window, by their positions in the list, if the rules have one.
 */
export function registeredBy(
  { registration, rules, tooLax }: EvaluationBasis,
  origins: readonly number[],
  isShortened: boolean,
): Registered {
  const { mode, candidates, comparators, not_asked: notAsked, family } = registration
  const tests = registeredTests(rules, registration, origins).map(scopedTest)
  return {
    ...{ rules, mode, candidates, comparators, notAsked, tooLax, isShortened },
    groups: listGroups(rules),
    levels: levelsIn(rules),
    tests: tests.filter((test) => !isRuledOut(test, rules)),
    familySha256: family.sha256,
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

/** Baselines whose next forecast follows the newest value; one more value hardly changes a median of 100. */
const CHARGED: readonly string[] = [
  'persistence',
  'drift',
  'seasonal_naive',
  'ema',
  'ar1',
  'strongest',
  'hourly',
]

/** Who copies the value at due is stopped by persistence; against these only where persistence is far off. */
const CHARGED_INSTEAD: readonly string[] = ['climatology', 'seasonal_climatology']

const builtInKind = ({ rules, comparators }: Registered, comparator: string): string | undefined =>
  comparators.some(({ source, name }) => source === 'built_in' && name === comparator)
    ? rules.baselines.find(({ id }) => id === comparator)?.kind
    : undefined

/** Whether a comparator may be charged for waiting: the built-in ones. */
export function isChargeableIn(registered: Registered, comparator: string): boolean {
  return [...CHARGED, ...CHARGED_INSTEAD].includes(builtInKind(registered, comparator) ?? '')
}

/** Whether a comparator is charged for waiting. @param farOff - as `ReadingTests` has them */
export function isChargedIn(
  registered: Registered,
  comparator: string,
  farOff: readonly string[],
): boolean {
  const kind = builtInKind(registered, comparator) ?? ''
  if (!CHARGED_INSTEAD.includes(kind)) return CHARGED.includes(kind)
  const { rules, comparators } = registered
  const last = comparators.filter(({ name }) =>
    rules.baselines.some((of) => of.id === name && isPersistence(of)),
  )
  return last.length > 0 && last.every(({ name }) => farOff.includes(name))
}
