import type { ComparatorErrors } from './comparator.js'
import type { Resemblance } from './design.js'
import type { Random } from './random.js'

/** Smallest number of simulated errors for estimating the error scale of a candidate. */
const ERRORS_FOR_SCALE = 1_400_000

/** A window of the past, from the `start`th origin on. */
interface Stretch {
  readonly start: number
  readonly origins: number
}

/** A drawn stretch of the past, with errors that are independent of the comparator's. */
export interface DrawnWindow extends Stretch {
  /** Per horizon: errors of persistence if every hourly return had a random sign. */
  readonly noise: readonly Float64Array[]
}

/**
 * Simulates candidates that resemble a comparator. The error of one is scale · (rho · e + sqrt(1 − rho²) · w): e is the
 * comparator's error, and w that of persistence in the same market with a random sign for every hourly return. So w has
 * the volatility and the fat tails of its hours, and no correlation with e. The scale makes the mean absolute error of
 * the candidate over all closes equal to the comparator's, on average over the signs.
 */
export class Surrogates {
  readonly #of: ComparatorErrors
  /** Per horizon: the factor that gives w the standard deviation of e. */
  readonly #noiseScale: readonly number[]

  constructor(of: ComparatorErrors) {
    this.#of = of
    const length = this.origins
    this.#noiseScale = of.horizons.map((horizon, at) => {
      const errors = of.errors[at] as Float64Array
      let [actual, drawn] = [0, 0]
      for (let i = 0; i < length; i++) {
        actual += (errors[i] as number) ** 2
        for (let hour = i; hour < i + horizon; hour++) drawn += (of.returns[hour] as number) ** 2
      }
      return Math.sqrt(actual / drawn)
    })
  }

  /** Origins that windows can be drawn from. */
  get origins(): number {
    return (this.#of.errors[0] as Float64Array).length
  }

  /** A window with a random start. @param origins at most the number available. */
  draw(origins: number, random: Random): DrawnWindow {
    const start = Math.floor(random.uniform() * (this.origins - origins + 1))
    return this.redraw({ start, origins }, random)
  }

  /** The same window, with new noise for another candidate. */
  redraw({ start, origins }: Stretch, random: Random): DrawnWindow {
    return { start, origins, noise: this.#noise({ start, origins }, random) }
  }

  /** Absolute errors of the comparator in a window, per horizon. */
  comparator(window: Stretch): Float64Array[] {
    return errorsIn(this.#of, window).map(absolute)
  }

  /** Log returns from each origin of a window to its targets, per horizon. */
  realised(window: Stretch): Float64Array[] {
    return this.#moves(window, () => 1)
  }

  /** Absolute errors of a candidate in a window, per horizon; see `errors`. */
  candidate(window: DrawnWindow, of: CandidateLaw, sign: 1 | -1): Float64Array[] {
    return this.errors(window, of, sign).map(absolute)
  }

  /**
   * Errors of a candidate in a window, per horizon.
   * @param sign -1 for the mirror image of the noise, which is equally likely.
   */
  errors({ start, origins, noise }: DrawnWindow, of: CandidateLaw, sign: 1 | -1): Float64Array[] {
    const rest = sign * Math.sqrt(1 - of.correlation ** 2)
    return this.#of.errors.map((errors, at) => {
      const drawn = noise[at] as Float64Array
      const scale = of.scale[at] as number
      const [shared, apart] = [scale * of.correlation, scale * rest]
      const column = new Float64Array(origins)
      for (let i = 0; i < origins; i++) {
        column[i] = shared * (errors[start + i] as number) + apart * (drawn[i] as number)
      }
      return column
    })
  }

  /** The laws of candidates with these correlations and the comparator's loss, from the same draws. */
  laws(correlations: readonly number[], random: Random): CandidateLaw[] {
    const sums = correlations.map(() => this.#of.horizons.map(() => 0))
    const draws = Math.ceil(ERRORS_FOR_SCALE / 2 / this.origins)
    for (let draw = 0; draw < draws; draw++) {
      const { noise } = this.draw(this.origins, random)
      for (const [of, correlation] of correlations.entries()) {
        const apart = Math.sqrt(1 - correlation ** 2)
        for (const [at, errors] of this.#of.errors.entries()) {
          const drawn = noise[at] as Float64Array
          for (const rest of [apart, -apart]) {
            let sum = sums[of]![at] as number
            for (let i = 0; i < errors.length; i++)
              sum += Math.abs(correlation * (errors[i] as number) + rest * (drawn[i] as number))
            sums[of]![at] = sum
          }
        }
      }
    }
    const made = 2 * draws * this.origins
    return correlations.map((correlation, of) => ({
      correlation,
      scale: this.#of.losses.map((loss, at) => loss / ((sums[of]![at] as number) / made)),
    }))
  }

  #noise(window: Stretch, random: Random): Float64Array[] {
    const moves = this.#moves(window, () => (random.uniform() < 0.5 ? -1 : 1))
    return moves.map((column, at) => {
      const scale = this.#noiseScale[at] as number
      return column.map((move) => scale * move)
    })
  }

  /** Per horizon, the move of the price if every hourly return had the given sign. */
  #moves({ start, origins }: Stretch, sign: () => 1 | -1): Float64Array[] {
    const { horizons, returns } = this.#of
    const hours = origins + Math.max(...horizons)
    // Cumulative sums of the signed returns: the move to a horizon is a difference of two.
    const sums = new Float64Array(hours + 1)
    for (let hour = 0; hour < hours; hour++) {
      sums[hour + 1] = (sums[hour] as number) + sign() * (returns[start + hour] as number)
    }
    return horizons.map((horizon) => {
      const column = new Float64Array(origins)
      for (let i = 0; i < origins; i++) {
        column[i] = (sums[i + horizon] as number) - (sums[i] as number)
      }
      return column
    })
  }
}

/** Errors of a comparator in a window, per horizon. */
export function errorsIn({ errors }: ComparatorErrors, { start, origins }: Stretch) {
  return errors.map((column) => column.slice(start, start + origins))
}

/** Absolute values, in place. */
export function absolute(column: Float64Array): Float64Array {
  for (let i = 0; i < column.length; i++) column[i] = Math.abs(column[i] as number)
  return column
}

/** The error law of a simulated candidate: correlation of its errors, and their scale per horizon. */
export interface CandidateLaw {
  readonly correlation: number
  readonly scale: readonly number[]
}

/** Simulated candidates, and their comparators. */
export interface MadeCandidates {
  /** The assumed ones, then the estimated ones. */
  readonly resemblances: readonly Resemblance[]
  readonly surrogates: Surrogates
  /** One per resemblance. */
  readonly laws: readonly CandidateLaw[]
  /** All comparators that closes determine, including the reference. */
  readonly comparators: readonly ComparatorErrors[]
}
