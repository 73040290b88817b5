import { ForeproofError } from '../contract/error.js'
import type { HolmStep } from './types.js'

/**
 * Holm's step-down procedure: sorted ascending, the p-value of rank i among m tests is multiplied
 * by m - i + 1; the adjusted p-value is the greatest such product so far, at most 1; a test is
 * rejected when it is at or below alpha. Source: Holm (1979), A simple sequentially rejective
 * multiple test procedure; the adjusted values are those of R's `p.adjust(p, "holm")`.
 *
 * Tests without a p-value (null) stay in m, below every other: they make the rest no easier.
 * Equal p-values share the smallest of their ranks. The running greatest gives them one adjusted
 * p-value anyway; sharing the multiplier keeps their bounds from hanging on the order of the input.
 *
 * @param pValues in [0, 1], or null for a blocked test
 * @param alpha familywise level
 * @returns one step per test, in the order of the input; null where p is null
 * @throws ForeproofError invalid-input for a number that is no p-value
 */
export function holm(pValues: readonly (number | null)[], alpha: number): (HolmStep | null)[] {
  const size = pValues.length
  const wrong = pValues.findIndex((p) => p !== null && !(p >= 0 && p <= 1))
  if (wrong >= 0) {
    throw new ForeproofError('invalid-input', `p-value ${wrong + 1} is ${pValues[wrong]}`, {
      help: 'A p-value lies between 0 and 1; a test without one is null.',
    })
  }
  const order = pValues
    .map((p, index) => ({ p, index }))
    .filter((entry): entry is { p: number; index: number } => entry.p !== null)
    .sort((a, b) => a.p - b.p)
  const steps: (HolmStep | null)[] = pValues.map(() => null)
  let rank = 1
  let adjustedP = 0
  order.forEach(({ p, index }, place) => {
    if (place === 0 || p !== order[place - 1]!.p) rank = place + 1
    const multiplier = size - rank + 1
    adjustedP = Math.max(adjustedP, Math.min(1, multiplier * p))
    steps[index] = { rank, multiplier, adjustedP, rejected: atOrBelow(adjustedP, alpha) }
  })
  return steps
}

// p-values are fractions over R + 1 and alpha is a short decimal: where the product equals alpha on
// paper, rounding may leave it a few units of the last place above.
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
