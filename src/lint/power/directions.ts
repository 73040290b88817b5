import { cosineSums } from '../../inference/cosines.js'
import { directionError } from '../../scoring/direction.js'
import { meanSums, type Points, product, type Sums } from './points.js'

/** A comparator that calls a direction at so large a share of the hours that have one is taken to call one at all. */
const NEARLY_ALL = 0.99

/** Where a comparator is compared by direction, over all of the past. */
export interface PastDirections {
  /** Per horizon: 1 where it calls one. The same object for all that call nearly all. */
  readonly calls: readonly Uint8Array[]
  /** Per horizon: 1 where it calls the wrong one. */
  readonly wrong: readonly Uint8Array[]
}

/** Of every comparator. @param errors of each, by horizon; `realised` has what they are held against */
export function pastDirections(
  errors: readonly (readonly Float64Array[])[],
  realised: readonly Float64Array[],
  epsilon: number,
): PastDirections[] {
  const moved = realised.map((moves) =>
    Uint8Array.from(moves, (move) => Number(Math.abs(move) > epsilon)),
  )
  return errors.map((columns) => {
    const directions = columns.map((column, at) =>
      column.map((error, i) => {
        const move = realised[at]![i] as number
        return directionError(move + error, move, epsilon)
      }),
    )
    const calls = directions.map((column) =>
      Uint8Array.from(column, (error) => Number(!Number.isNaN(error))),
    )
    const all = calls.every((column, at) => count(column) >= NEARLY_ALL * count(moved[at]!))
    return {
      calls: all ? moved : calls,
      wrong: directions.map((column) => Uint8Array.from(column, (error) => error || 0)),
    }
  })
}

function count(flags: Uint8Array): number {
  let sum = 0
  for (const flag of flags) sum += flag
  return sum
}

/** How many, and their cosine sums. */
interface Count {
  readonly count: number
  readonly cosines: Float64Array
}

/** The hours of a window at which a direction is called at any horizon that is asked: one after another, as in the test of their mean. */
export class CalledHours {
  /** Per horizon: 1 where a direction is called; undefined where too few are for it to be asked. */
  readonly #calls: readonly (Uint8Array | undefined)[]
  readonly #called: readonly (Count | undefined)[]
  /** The point that each hour of the window belongs to, where a direction is called. */
  readonly #pointOf: Uint16Array
  readonly #points: Points

  /**
   * @param calls in the window, by horizon
   * @param enough calls for a horizon to be asked
   */
  constructor(calls: readonly Uint8Array[], enough: number, points: Points) {
    this.#calls = calls.map((column) => (count(column) < enough ? undefined : column))
    this.#points = points
    const asked = this.#calls.filter((column) => column !== undefined)
    const isCalled = calls[0]!.map((_, hour) => Number(asked.some((each) => each[hour] === 1)))
    const share = points.points / count(isCalled)
    let before = 0
    this.#pointOf = Uint16Array.from(isCalled, (called) =>
      called === 1 ? Math.floor(before++ * share) : 0,
    )
    this.#called = this.beyond(calls, 1).map((steps) => steps?.[0])
  }

  /** Per horizon and step, where a direction is called and the turn is beyond the step. @param turns in the window, by horizon */
  beyond(turns: readonly Uint8Array[], steps: number): (Count[] | undefined)[] {
    return this.#calls.map((calls, at) => calls && this.#beyond(calls, turns[at]!, steps))
  }

  #beyond(calls: Uint8Array, turns: Uint8Array, steps: number): Count[] {
    const { points, degrees, table } = this.#points
    const counts = Array.from({ length: steps }, () => new Float64Array(points))
    for (let hour = 0; hour < calls.length; hour++) {
      const turn = turns[hour] as number
      if (turn > 0 && calls[hour] === 1) counts[turn - 1]![this.#pointOf[hour] as number]!++
    }
    // What is beyond a step is beyond those before it.
    for (let step = steps - 1; step > 0; step--) {
      const [before, after] = [counts[step - 1]!, counts[step]!]
      for (let point = 0; point < points; point++) before[point]! += after[point] as number
    }
    return counts.map((column) => ({
      count: column.reduce((sum, value) => sum + value, 0),
      cosines: cosineSums(column, degrees, table),
    }))
  }

  /**
   * Pairs of a margin and its standard error, of the mean over the horizons and then of each: how much more seldom
   * a candidate is wrong than a comparator. NaN where that is not asked.
   * @param candidate how often it is wrong, by horizon; `comparator` likewise
   */
  margins(candidate: readonly (Count | undefined)[], comparator: readonly (Count | undefined)[]) {
    const { points, degrees } = this.#points
    const horizons = this.#called.map((called, at): Sums | undefined => {
      if (called === undefined) return undefined
      const [own, theirs] = [candidate[at] as Count, comparator[at] as Count]
      const mean = (own.count - theirs.count) / called.count
      // Of what each hour is above the mean, as much as it adds to the error of a mean over these hours.
      const scale = Math.sqrt(points) / called.count
      const cosines = new Float64Array(degrees)
      for (let j = 0; j < degrees; j++) {
        cosines[j] = scale * (own.cosines[j]! - theirs.cosines[j]! - mean * called.cosines[j]!)
      }
      return { mean, cosines }
    })
    const asked = horizons.filter((each) => each !== undefined)
    const overall = asked.length > 0 ? meanSums(asked) : undefined
    return [overall, ...horizons].flatMap((each) => {
      if (each === undefined) return [Number.NaN, Number.NaN]
      return [-each.mean, Math.sqrt(product(each.cosines, each.cosines) / degrees)]
    })
  }
}
