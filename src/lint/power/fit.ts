import { cosineSums, cosines } from '../../inference/cosines.js'
import { noncentralMeanFactor, noncentralVariance } from '../../inference/student-t.js'
import type { Rung } from './design.js'
import type { Random } from './random.js'
import type { CandidateLaw, Surrogates } from './surrogate.js'

/** No reduction larger than this is looked at. */
export const LARGEST_REDUCTION = 0.95

/** The noncentral t that is used for the t of a reduction. */
export interface TLaw {
  readonly shift: number
  /** Effective degrees of freedom: fat tails make t steadier, or less so, than its own say. */
  readonly degrees: number
}

/** A drawn window as the test sees it: loss and cosine sums, both linear in the reduction. */
interface Summed {
  readonly candidate: Sums
  readonly comparator: Sums
}

export interface Sums {
  readonly mean: number
  readonly cosines: Float64Array
}

/** The t of candidates of one law in drawn windows of one length. */
export class DrawnT {
  readonly origins: number
  readonly #windows: readonly Summed[]

  constructor(origins: number, windows: readonly Summed[]) {
    this.origins = origins
    this.#windows = windows
  }

  /**
   * The noncentral t that has the mean and the variance of the drawn ones. Ω / L² alone, which does
   * without the second, is off by up to 7 points: an hour that is wild moves difference and standard
   * error together.
   */
  law(reduction: number): TLaw {
    const { mean, variance } = moments(
      this.#windows.map(({ candidate, comparator }) => {
        const { gain, error } = withError(candidate, comparator, reduction, this.origins)
        return gain / error
      }),
    )
    const shiftFor = (degrees: number) => mean / noncentralMeanFactor(degrees)
    // The fewer the degrees, the larger the variance.
    const degrees = rising((nu) => noncentralVariance(nu, shiftFor(nu)) <= variance, 2.5, 400)
    return { shift: shiftFor(degrees), degrees }
  }
}

/**
 * Draws windows of one length for candidates of each law.
 * @param pairs of windows and their mirror images
 */
export function drawnT(
  surrogates: Surrogates,
  laws: readonly CandidateLaw[],
  { origins, degrees }: Rung,
  pairs: number,
  random: Random,
): DrawnT[] {
  const drawn = laws.map((): Summed[] => [])
  const table = cosines(origins)
  for (let pair = 0; pair < pairs; pair++) {
    const window = surrogates.draw(origins, random)
    const comparator = sumsOf(meanColumn(surrogates.comparator(window)), degrees, table)
    for (const [at, law] of laws.entries()) {
      for (const sign of [1, -1] as const) {
        const own = meanColumn(surrogates.candidate(window, law, sign))
        drawn[at]!.push({ candidate: sumsOf(own, degrees, table), comparator })
      }
    }
  }
  return drawn.map((windows) => new DrawnT(origins, windows))
}

/** Loss and cosine sums of a window. @param table `cosines` of its origins */
export function sumsOf(values: Float64Array, degrees: number, table: Float64Array): Sums {
  let sum = 0
  for (const value of values) sum += value
  return { mean: sum / values.length, cosines: cosineSums(values, degrees, table) }
}

/** By how much a candidate with the reduction has the smaller loss, and the standard error of that. */
export function withError(
  candidate: Sums,
  comparator: Sums,
  reduction: number,
  origins: number,
): { readonly gain: number; readonly error: number } {
  const share = 1 - reduction
  const gain = comparator.mean - share * candidate.mean
  let omega = 0
  for (const [j, value] of candidate.cosines.entries()) {
    omega += (share * value - (comparator.cosines[j] as number)) ** 2
  }
  return { gain, error: Math.sqrt(omega / candidate.cosines.length / origins) }
}

function moments(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, variance: squares / values.length }
}

/** The unweighted mean over the horizons, hour by hour. */
function meanColumn(columns: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array((columns[0] as Float64Array).length)
  for (const column of columns) {
    for (let i = 0; i < mean.length; i++) mean[i]! += (column[i] as number) / columns.length
  }
  return mean
}

/** Where something that is false below becomes true; `high` where it never does. */
export function rising(holds: (value: number) => boolean, low: number, high: number): number {
  let [below, above] = [low, high]
  for (let step = 0; step < 50; step++) {
    const middle = (below + above) / 2
    if (holds(middle)) above = middle
    else below = middle
  }
  return above
}
