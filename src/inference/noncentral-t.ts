import { errorFunction, gammaln } from 'simple-statistics'

/** Even, for Simpson's rule; the integrand is smooth, and the error far below that of `errorFunction`. */
const STEPS = 2000

/**
 * P(T > t) for a noncentral t: of (Z + shift) / S, with Z standard normal and S the root of a
 * chi-square over its degrees of freedom. Found as the mean of P(Z > t·S − shift) over S, for
 * predictions of power: exact to about 1e-6.
 *
 * @param t the value that has to be exceeded.
 * @param degrees of freedom, at least 1.
 * @param shift noncentrality: the true difference in standard errors.
 */
export function noncentralUpperTail(t: number, degrees: number, shift: number): number {
  const half = degrees / 2
  const logConstant = Math.log(2) + half * Math.log(half) - gammaln(half)
  const density = (s: number) =>
    s === 0 ? 0 : Math.exp(logConstant + (degrees - 1) * Math.log(s) - half * s * s)
  // S has mean near 1 and standard deviation near 1 / sqrt(2 degrees): eight of them hold all of it.
  const end = 1 + 8 / Math.sqrt(2 * degrees)
  const width = end / STEPS
  let sum = 0
  for (let step = 0; step <= STEPS; step++) {
    const s = step * width
    const weight = step === 0 || step === STEPS ? 1 : step % 2 === 1 ? 4 : 2
    sum += weight * density(s) * upperNormal(t * s - shift)
  }
  return Math.min(1, Math.max(0, (sum * width) / 3))
}

/** Mean of a noncentral t over its shift: the mean of 1 / S. @param degrees more than 1. */
export function noncentralMeanFactor(degrees: number): number {
  const half = degrees / 2
  return Math.sqrt(half) * Math.exp(gammaln(half - 0.5) - gammaln(half))
}

/** Variance of a noncentral t. @param degrees more than 2. */
export function noncentralVariance(degrees: number, shift: number): number {
  const mean = shift * noncentralMeanFactor(degrees)
  return (degrees * (1 + shift * shift)) / (degrees - 2) - mean * mean
}

function upperNormal(z: number): number {
  return (1 - errorFunction(z / Math.SQRT2)) / 2
}
