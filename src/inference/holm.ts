import type { HolmStep, WeightedStep } from './test-result.js'

/**
 * Holm's step-down procedure with weights. Tests are taken in ascending order of p / w; a test is rejected while p
 * times the sum of the remaining weights, divided by its own weight, is at or below alpha. The adjusted p-value is the
 * largest such product so far, at most 1. With equal weights these are the values of R's `p.adjust(p, "holm")`. Source:
 * Holm (1979), A simple sequentially rejective multiple test procedure, section 4.
 * Tests without a p-value (null) keep their weight, so they do not make the others easier to reject. Ties of p / w
 * share the larger sum, so that the order of the input does not matter.
 * A hypothesis may imply others: if it is false, they are false too. Those that remain are rejected in its step, with
 * its adjusted p-value, and their weight returns. The familywise level holds: if one of them is true, the implying
 * hypothesis is true as well, and its rejection was already the error.
 *
 * @param pValues in [0, 1], or null for a blocked test
 * @param weights one per test, in any unit, greater than 0; 0 for a blocked test that claims no share
 * @param alpha familywise level
 * @param implied by the position of a hypothesis, the positions of those that it implies
 * @returns one step per test, in the order of the input; null if p is null
 */
export function weightedHolm(
  pValues: readonly (number | null)[],
  weights: readonly number[],
  alpha: number,
  implied: ReadonlyMap<number, readonly number[]> = new Map(),
): (WeightedStep | null)[] {
  const sorted = pValues
    .flatMap((p, index) => {
      const weight = weights[index] as number
      return p === null ? [] : [{ p, index, weight, share: p / weight }]
    })
    .sort((a, b) => a.share - b.share)
  const order = withImplied(sorted, implied)
  const remaining = remainingWeights(
    pValues.flatMap((p, index) => (p === null ? [weights[index] as number] : [])),
    order.map(({ weight }) => weight),
  )
  const steps: (WeightedStep | null)[] = pValues.map(() => null)
  let position = 0
  let lastShare = -1
  let adjustedP = 0
  let stopped: number | undefined
  order.forEach(({ p, index, weight, share, by }, at) => {
    // Ties use the rank of their first test; an implied hypothesis uses that of the one that implies it.
    if (by === undefined && share !== lastShare) {
      position = at
      lastShare = share
    }
    const left = remaining[position] as number
    const multiplier = left / weight
    if (by === undefined) adjustedP = Math.max(adjustedP, Math.min(1, multiplier * p))
    const rejected = atOrBelow(adjustedP, alpha)
    if (!rejected) stopped ??= left
    const level = (alpha * weight) / (stopped ?? left)
    const step = { rank: position + 1, weight, multiplier, adjustedP, rejected, level }
    steps[index] = by === undefined ? step : { ...step, by }
  })
  return steps
}

interface Ordered {
  readonly p: number
  readonly index: number
  readonly weight: number
  readonly share: number
  /** The hypothesis that implies this one, if it is rejected in that step. */
  readonly by?: number
}

/** The order, with implied hypotheses directly after the one that implies them, in the same step. */
function withImplied(
  sorted: readonly Ordered[],
  implied: ReadonlyMap<number, readonly number[]>,
): readonly Ordered[] {
  if (implied.size === 0) return sorted
  const tested = new Map(sorted.map((each) => [each.index, each]))
  const placed = new Set<number>()
  return sorted.flatMap((each) => {
    const { index } = each
    const group = [index, ...(implied.get(index) ?? [])].filter((at) => !placed.has(at))
    if (group[0] !== index) return []
    for (const at of group) placed.add(at)
    const following = group.slice(1).flatMap((at) => tested.get(at) ?? [])
    return [each, ...following.map((other) => ({ ...other, by: index }))]
  })
}

/** Holm's procedure in its usual form, with equal weights. */
export function holm(pValues: readonly (number | null)[], alpha: number): (HolmStep | null)[] {
  const steps = weightedHolm(
    pValues,
    pValues.map(() => 1),
    alpha,
  )
  return steps.map((step) => {
    if (step === null) return null
    const { weight: _weight, level: _level, ...plain } = step
    return plain
  })
}

/** The remaining weight at each position of the ladder, summed from its end. */
function remainingWeights(blocked: readonly number[], tested: readonly number[]): number[] {
  let sum = blocked.reduce((total, weight) => total + weight, 0)
  const remaining: number[] = []
  for (let at = tested.length - 1; at >= 0; at--) {
    sum += tested[at] as number
    remaining[at] = sum
  }
  return remaining
}

// p-values are fractions over R + 1 and alpha is a short decimal. If the product equals alpha exactly, rounding may
// make it a few units in the last place larger.
const ROUNDING = 1 + 2 ** -48

function atOrBelow(adjustedP: number, alpha: number): boolean {
  return adjustedP <= alpha * ROUNDING
}

/** 2 / (R + 1): the smallest two-sided p-value that R replicates can give. */
export function smallestP(replicates: number): number {
  return Math.min(1, 2 / (replicates + 1))
}

/** Two-sided bootstrap p-value, in steps of 2 / (R + 1). */
export function bootstrapP(
  atOrBelowZero: number,
  atOrAboveZero: number,
  replicates: number,
): number {
  return Math.min(1, (2 * (1 + Math.min(atOrBelowZero, atOrAboveZero))) / (replicates + 1))
}

/** Whether the most extreme p-value could still be rejected first in a family of this size. */
export function canReject(replicates: number, alpha: number, familySize: number): boolean {
  return atOrBelow(Math.min(1, familySize * smallestP(replicates)), alpha)
}

/** The largest family in which some test can be rejected: floor(alpha (R + 1) / 2). */
export function largestFamily(replicates: number, alpha: number): number {
  return Math.floor(((alpha * (replicates + 1)) / 2) * ROUNDING)
}
