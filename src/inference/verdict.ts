import type { EwcJudged, EwcSeries } from './ewc-judge.js'
import { studentTail } from './student-t.js'
import type { WeightedStep } from './types.js'

/**
 * One hypothesis a candidate: against some required comparator its overall loss is not lower, or a
 * limit is exceeded. Rejecting it says that the candidate is better everywhere at once.
 */
export interface VerdictHypothesis {
  readonly candidate: string
  /** Its share of alpha, in the unit of the family's weights. */
  readonly weight: number
  /** Places in the family of its overall tests, one a required comparator. */
  readonly overall: readonly number[]
  readonly gates: readonly VerdictGate[]
}

/** A mean difference that may not be shown, nor suspected, to lie above a limit. */
export interface VerdictGate {
  /** A place in the family, or a test outside it: the mean of the direction over the horizons. */
  readonly test: number | EwcSeries
  /** In the unit of the measure; null where it cannot be had. */
  readonly limit: number | null
}

/** A part of a verdict hypothesis. */
export interface VerdictPart {
  readonly test: string
  readonly kind: 'overall' | 'limit'
  /** Mean difference; null without pairs. */
  readonly observed: number | null
  /** What it has to lie below: 0 for an overall test. */
  readonly limit: number | null
  /** Null where it cannot be had: then there is no verdict. */
  readonly p: number | null
}

export interface VerdictP {
  readonly candidate: string
  readonly parts: readonly VerdictPart[]
  /** The largest of its parts; null where one has none. */
  readonly p: number | null
}

export interface JudgedVerdict extends VerdictP {
  /** Null where it has no p-value. */
  readonly holm: WeightedStep | null
}

/**
 * The p-value of a verdict hypothesis: the largest of its parts, for it is rejected only where all of
 * them are. Valid under any dependence between them, and in need of no correction of its own.
 * Source: Berger (1982), Multiparameter hypothesis testing and acceptance sampling.
 *
 * @param family the figures of every test of the family
 * @param judge gives those of a test outside it
 */
export function verdictP(
  { candidate, overall, gates }: VerdictHypothesis,
  family: readonly EwcJudged[],
  judge: (test: EwcSeries) => EwcJudged,
): VerdictP {
  const parts = [
    ...overall.map((at) => overallPart(family[at] as EwcJudged)),
    ...gates.map(({ test, limit }) =>
      limitPart(typeof test === 'number' ? (family[test] as EwcJudged) : judge(test), limit),
    ),
  ]
  const known = parts.flatMap(({ p }) => (p === null ? [] : [p]))
  const p = known.length < parts.length || known.length === 0 ? null : Math.max(...known)
  return { candidate, parts, p }
}

/** The loss is lower: the two-sided p, or 1 where the estimate is not below 0. */
function overallPart({ counts: { name, observed }, p }: EwcJudged): VerdictPart {
  const lower = observed !== null && observed < 0
  const found = p === null || lower ? p : 1
  return { test: name, kind: 'overall', observed, limit: 0, p: found }
}

/** The limit is kept: 2 P(T > (limit − d) / se), at most 1. */
function limitPart(
  { counts: { name, observed }, p, standardError, degreesOfFreedom: nu }: EwcJudged,
  limit: number | null,
): VerdictPart {
  const part = { test: name, kind: 'limit', observed, limit } as const
  if (p === null || observed === null || limit === null) return { ...part, p: null }
  const room = limit - observed
  return { ...part, p: room > 0 ? studentTail(room / standardError, nu) : 1 }
}

/**
 * The level of the simultaneous bounds that a `negative` rests on. They have an alpha of their own:
 * half of it is shared by the overall tests, half by all other deciding tests, of all candidates
 * together (Bonferroni). A claim uses one end of them, so that a false one comes in at most alpha / 2.
 * @param tests that share a half
 */
export function simultaneousLevel(alpha: number, tests: number): number {
  return alpha / 2 / tests
}
