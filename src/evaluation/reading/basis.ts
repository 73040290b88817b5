import { countOriginsADay } from '../../inference/days.js'
import type { Memory } from '../../inference/ewc.js'
import type { EwcDesign } from '../../inference/ewc-judge.js'
import { Memberships } from '../../pairing/accounting.js'
import type { PairingPlan } from '../../pairing/plan.js'
import type { Rules } from '../../protocol/rules/compile.js'
import { groupBySeries } from '../../protocol/rules/groups.js'
import { testDesign } from '../../registration/design.js'
import { scoreMemory } from '../../registration/family.js'
import { askedIn } from '../../scoring/baselines/reach.js'
import type { Estimand } from '../../scoring/scored-pairs.js'
import { findNowcasts } from '../waiting.js'
import type { Registered } from './registered.js'

/** What a reading goes by before any series is read. */
export interface ReadingPlan {
  readonly registered: Registered
  /** With the cells of all series. */
  readonly plan: PairingPlan
  readonly memberships: Memberships
  readonly design: EwcDesign
  /** Steps that decide only by their limit of harm. */
  readonly nowcasts: readonly number[]
  /** Steps with a cell that is registered for tests; others cannot be tested. */
  readonly testedSteps: readonly number[]
  /** Whether a tested cell decides; else all of them do. */
  readonly isDecided: boolean
  readonly findGroup: (series: string) => string | undefined
  /** Whether a comparator is required for a series. */
  readonly isAsked: (comparator: string, series: string) => boolean
}

export function createReadingPlan(
  registered: Registered,
  plan: PairingPlan,
  memberships = new Memberships(plan.strata ?? [], plan.origins),
): ReadingPlan {
  const { rules } = registered
  const nowcasts = findNowcasts(plan, rules)
  const tested = testedSteps(plan, rules)
  const groups = groupBySeries(rules)
  return {
    ...{ registered, plan, memberships, nowcasts, testedSteps: tested },
    design: createDesign(rules, plan),
    isDecided: tested.some((step) => !nowcasts.includes(step)),
    findGroup: (series) => groups.get(series),
    isAsked: askedIn(registered.notAsked),
  }
}

/** The steps at which the calendar gives a cell as many keys as a test needs. */
function testedSteps({ cells, origins, rules: { hasCell } }: PairingPlan, rules: Rules): number[] {
  const positions = Array.from({ length: origins.count }, (_, at) => origins.position(at))
  const minimumPairs = rules.dependence.minimum_pairs
  const isTested = (cell: PairingPlan['cells'][number]) =>
    positions.filter((origin) => hasCell(origin, cell)).length >= minimumPairs
  return rules.steps.filter((step) => cells.some((cell) => cell.horizon === step && isTested(cell)))
}

/** The settings of the tests of a registered window. */
function createDesign(rules: Rules, { origins }: PairingPlan): EwcDesign {
  const dues = Float64Array.from({ length: origins.count }, (_, at) =>
    rules.due(origins.position(at)),
  )
  return { ...testDesign(rules), originsADay: countOriginsADay(dues) }
}

/** The estimand of a score: the point, or an interval that may be missing although the point is not. */
export function estimandIn({ scores, forecast }: Rules, measure: string): Estimand {
  const kind = scores.find(({ id }) => id === measure)?.kind
  const isOfPoint = kind === 'absolute_error' || kind === 'direction'
  return forecast.interval === 'required' || isOfPoint ? 'point' : 'interval'
}

/** How long differences of a score depend on each other: widths of intervals longer than errors of points. */
export function memoryIn({ scores }: Pick<Rules, 'scores'>, measure: string): Memory {
  const score = scores.find(({ id }) => id === measure)
  return score === undefined ? 'days' : scoreMemory(score.kind)
}

/** The deciding score. */
export const primaryIn = ({ scores }: Pick<Rules, 'scores'>): string =>
  scores.find(({ primary }) => primary)?.id as string
