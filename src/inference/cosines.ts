import { remembering } from '../contract/remembering.js'

// Minimax polynomials of sine and cosine on [-pi/4, pi/4], from FreeBSD's k_sin.c and k_cos.c (Sun Microsystems 1993):
// less than 2^-58 off. Math.cos may change in the last bit between releases of Node; a result must not.
const SINE = [
  -0.16666666666666632, 0.00833333333332249, -0.0001984126982985795, 2.7557313707070068e-6,
  -2.5050760253406863e-8, 1.58969099521155e-10,
]
const COSINE = [
  0.0416666666666666, -0.001388888888887411, 2.480158728947673e-5, -2.7557314351390663e-7,
  2.087572321298175e-9, -1.1359647557788195e-11,
]

/**
 * cos(pi m / (2 n)) for m = 0 .. 4 n - 1: the values that a discrete cosine transform of n values needs.
 * @param n 1 or more
 */
export function cosines(n: number): Float64Array {
  const table = new Float64Array(4 * n)
  // At n and 3 n the cosine is 0, the initial value of the table.
  for (let m = 0; m < n; m++) {
    const value = quarterCosine(m, n)
    table[m] = value
    table[2 * n - m] = -value
    table[2 * n + m] = -value
    if (m > 0) table[4 * n - m] = value
  }
  return table
}

/** Returns `cosines(n)`. */
export type CosineTables = (n: number) => Float64Array

/** A small cache, because the tests of one stratum have almost the same pairs. */
const KEPT = 8

export function createCosineTables(): CosineTables {
  return remembering(cosines, KEPT)
}

/**
 * Λ_j = √(2/n) Σ u_i cos(πj(i+½)/n) for j = 1..nu, summed in time order.
 * @param table `cosines` of their number
 */
export function cosineSums(values: Float64Array, nu: number, table: Float64Array): Float64Array {
  const n = values.length
  const scale = Math.sqrt(2 / n)
  const sums = new Float64Array(nu)
  for (let j = 1; j <= nu; j++) {
    let sum = 0
    // cos(πj(2i + 1)/(2n)): walk through the table in steps of 2j, modulo its length.
    let at = j % (4 * n)
    for (let i = 0; i < n; i++) {
      sum += (values[i] as number) * (table[at] as number)
      at += 2 * j
      while (at >= 4 * n) at -= 4 * n
    }
    sums[j - 1] = scale * sum
  }
  return sums
}

/** cos(pi m / (2 n)) for m below n, from the nearer end of the quarter. */
function quarterCosine(m: number, n: number): number {
  return 2 * m <= n ? cosine((Math.PI * m) / (2 * n)) : sine((Math.PI * (n - m)) / (2 * n))
}

function sine(x: number): number {
  const z = x * x
  return x + x * z * polynomial(SINE, z)
}

function cosine(x: number): number {
  const z = x * x
  const half = 0.5 * z
  const w = 1 - half
  // Add back the rounding error of 1 - half.
  return w + (1 - w - half + z * z * polynomial(COSINE, z))
}

function polynomial(coefficients: readonly number[], z: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * z + coefficient, 0)
}
