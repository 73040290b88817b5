/**
 * Student's t distribution for whole degrees of freedom, accurate far out in its tails, which large families need. It
 * uses only the four operations and square roots, so that every machine gets the same bits.
 * With x = nu / (nu + t²) and a = nu / 2, P(|T| > |t|) is the regularised incomplete beta function I_x(a, 1/2), here as
 * its hypergeometric series. All terms are positive, so there is no cancellation. Reference: Abramowitz & Stegun 26.5.4
 * and 26.7.1.
 */

/**
 * P(|T| > |t|), both tails together.
 * @param nu degrees of freedom, a whole number from 1 up
 * @returns in [0, 1]; 1 at t = 0, NaN for NaN
 */
export function studentTail(t: number, nu: number): number {
  const square = t * t
  if (Number.isNaN(square)) return square
  if (square === Number.POSITIVE_INFINITY) return 0
  const a = nu / 2
  const x = nu / (nu + square)
  const rest = square / (nu + square)
  const power = halfPower(x, nu)
  if (square >= 1) return ((power * Math.sqrt(rest)) / (a * beta(nu))) * series(x, a)
  return 1 - ((power * Math.sqrt(rest)) / (0.5 * beta(nu))) * series(rest, 0.5, a)
}

/**
 * The t that leaves `level` outside, both tails together: the inverse of `studentTail`, accurate to the last bits.
 * @param level in (0, 1)
 * @throws RangeError for another level, because no such t exists
 */
export function studentQuantile(level: number, nu: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`no quantile of Student's t leaves ${level}`)
  return tailQuantile((t) => studentTail(t, nu), level)
}

/** P(F > x) for Fisher's F with 8 and `nu` degrees of freedom: I_y(nu / 2, 4), y = nu / (nu + 8 x), a sum of four terms. */
export function fisherTail(x: number, nu: number): number {
  const y = nu / (nu + 8 * x)
  let [sum, term] = [1, 1]
  for (let i = 1; i < 4; i++) {
    term *= ((nu / 2 + i - 1) / i) * (1 - y)
    sum += term
  }
  return halfPower(y, nu) * sum
}

/**
 * The x that leaves `level` above, accurate to the last bits. @param tail falls from 1 to 0 over the positive numbers
 */
export function tailQuantile(tail: (x: number) => number, level: number): number {
  let low = 2 ** -60
  if (tail(low) <= level) return low
  let high = 1
  while (tail(high) > level) {
    low = high
    high *= 16
  }
  // Bisects the logarithms, so that large and small quantiles have the same number of correct digits.
  for (let middle = between(low, high); low < middle && middle < high; ) {
    if (tail(middle) > level) low = middle
    else high = middle
    middle = between(low, high)
  }
  return high
}

function between(low: number, high: number): number {
  return high - low > low * 2 ** -20 ? Math.sqrt(low) * Math.sqrt(high) : low + (high - low) / 2
}

/** 1 + s + s·s' + … with s_k = x (a + b + k) / (a + 1 + k), until the sum no longer changes. */
function series(x: number, a: number, b = 0.5): number {
  let sum = 1
  let term = 1
  for (let k = 0; ; k++) {
    term *= (x * (a + b + k)) / (a + 1 + k)
    const next = sum + term
    if (next === sum) return sum
    sum = next
  }
}

/** x to the power nu / 2. */
function halfPower(x: number, nu: number): number {
  let power = nu % 2 === 1 ? Math.sqrt(x) : 1
  for (let done = nu % 2; done < nu; done += 2) power *= x
  return power
}

/** B(nu / 2, 1/2), by recurrence from B(1/2, 1/2) = pi or B(1, 1/2) = 2. */
function beta(nu: number): number {
  let value = nu % 2 === 1 ? Math.PI : 2
  for (let a = nu % 2 === 1 ? 0.5 : 1; a < nu / 2; a++) value *= a / (a + 0.5)
  return value
}
