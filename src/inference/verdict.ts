import type { EwcJudged } from './ewc-judge.js'
import { studentTail } from './student-t.js'
import type { BlockedReason, WeightedStep } from './test-result.js'

/**
 * One hypothesis per candidate: against some required comparator its overall loss is not lower, or a limit is exceeded.
 * Rejecting it means that the candidate is better against all of them, within all limits.
 */
export interface VerdictHypothesis {
  readonly candidate: string
  /** Its share of alpha, in the unit of the family's weights. */
  readonly weight: number
  readonly parts: readonly VerdictPart[]
  /** Positions in the family of the overall tests, which are rejected with it. */
  readonly implies: readonly number[]
}

/** A mean difference that must lie below a limit. */
export interface VerdictPart {
  readonly comparator: string
  /** Hours, or the mean of the horizons. */
  readonly horizon: number | 'overall'
  readonly measure: 'point_loss' | 'direction_error'
  /** Not a test of the family: missing outcomes count in it. */
  readonly judged: EwcJudged
  /** In the unit of the measure, 0 for the overall loss; null if it cannot be computed. */
  readonly limit: number | null
}

export interface JudgedPart extends Omit<VerdictPart, 'judged'> {
  /** The name of its test. */
  readonly test: string
  /** Mean difference; null without pairs. */
  readonly observed: number | null
  /** Null if it cannot be computed: then there is no verdict. */
  readonly p: number | null
  /** Why it cannot be computed; empty if it can, or if there is no limit. */
  readonly reasons: readonly BlockedReason[]
}

export interface VerdictP {
  readonly candidate: string
  readonly weight: number
  readonly parts: readonly JudgedPart[]
  /** The largest of its parts; null if any part has none. */
  readonly p: number | null
}

export interface JudgedVerdict extends VerdictP {
  /** Null if it has no p-value. */
  readonly holm: WeightedStep | null
}

/**
 * The p-value of a verdict hypothesis: the largest of its parts, because it is rejected only if all of them are. Valid
 * under any dependence between them, without a correction. Source: Berger (1982), Multiparameter hypothesis testing and
 * acceptance sampling.
 */
export function computeVerdictP({ candidate, weight, parts: asked }: VerdictHypothesis): VerdictP {
  const parts = asked.map(judgedPart)
  const valid = parts.flatMap(({ p }) => (p === null ? [] : [p]))
  const p = valid.length < parts.length || valid.length === 0 ? null : Math.max(...valid)
  return { candidate, weight, parts, p }
}

/** 2 P(T > (limit - d) / se), at most 1: with the limit 0, the two-sided p of a d below it. */
function judgedPart({ judged, ...part }: VerdictPart): JudgedPart {
  const { counts, reasons, p, standardError, degreesOfFreedom: nu } = judged
  const { name: test, observed } = counts
  const { limit } = part
  const common = { ...part, test, observed, reasons }
  if (p === null || observed === null || limit === null) return { ...common, p: null }
  const room = limit - observed
  return { ...common, p: room > 0 ? studentTail(room / standardError, nu) : 1 }
}

/**
 * The level of the simultaneous bounds that a `negative` rests on. They have an alpha of their own: the overall tests
 * share half of it, and all other deciding tests share the other half, of all candidates together (Bonferroni). A claim
 * uses one end of them, so the rate of false claims is at most alpha / 2.
 * @param tests that share a half
 */
export function simultaneousLevel(alpha: number, tests: number): number {
  return alpha / 2 / tests
}
