import { cosineSums } from '../../inference/cosines.js'
import { directionError } from '../../scoring/direction.js'
import { type Points, product } from './points.js'

/** A comparator that calls a direction at this share of the hours with one counts as always calling one. */
const NEARLY_ALL = 0.99

/** Where a comparator is compared by direction, over the whole past. */
export interface PastDirections {
  /** Per horizon: 1 where it calls a direction. The same object for all that call nearly all. */
  readonly calls: readonly Uint8Array[]
  /** Per horizon: 1 where it calls the wrong direction. */
  readonly wrong: readonly Uint8Array[]
}

/** For every comparator. @param errors of each, by horizon; `realised` has the outcomes to compare with */
export function computePastDirections(
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

function count(flags: Uint8Array | Float64Array): number {
  let sum = 0
  for (let at = 0; at < flags.length; at++) sum += flags[at] as number
  return sum
}

/** A count and its cosine sums. */
interface Count {
  readonly count: number
  readonly cosines: Float64Array
}

/**
 * The hours of a window at which a direction is called at any tested horizon. They are placed in a row, as in the test
 * of their mean.
 */
export class CalledHours {
  /** Per horizon: 1 where a direction is called; undefined if there are too few for a test. */
  readonly #calls: readonly (Uint8Array | undefined)[]
  readonly #called: readonly (Count | undefined)[]
  /** The point of each hour of the window at which a direction is called. */
  readonly #pointAt: Uint16Array
  readonly #points: Points

  /**
   * @param calls in the window, by horizon
   * @param enough calls for a horizon to be tested
   */
  constructor(calls: readonly Uint8Array[], enough: number, points: Points) {
    this.#calls = calls.map((column) => (count(column) < enough ? undefined : column))
    this.#points = points
    const asked = this.#calls.filter((column) => column !== undefined)
    const isCalled = new Uint8Array(calls[0]!.length)
    for (const column of asked) {
      for (let hour = 0; hour < isCalled.length; hour++) isCalled[hour]! |= column[hour] as number
    }
    const share = points.points / count(isCalled)
    this.#pointAt = new Uint16Array(isCalled.length)
    for (let hour = 0, before = 0; hour < isCalled.length; hour++) {
      if (isCalled[hour] === 1) this.#pointAt[hour] = Math.floor(before++ * share)
    }
    this.#called = this.beyond(calls, 1).map((steps) => steps?.[0])
  }

  /**
   * Per horizon and step, the hours where a direction is called and the turn is beyond the step. @param turns in the
   * window, by horizon
   */
  beyond(turns: readonly Uint8Array[], steps: number): (Count[] | undefined)[] {
    return this.#calls.map((calls, at) => calls && this.#beyond(calls, turns[at]!, steps))
  }

  #beyond(calls: Uint8Array, turns: Uint8Array, steps: number): Count[] {
    const { points, degrees, table } = this.#points
    const pointAt = this.#pointAt
    // By step, then by point.
    const counts = new Float64Array(steps * points)
    for (let hour = 0; hour < calls.length; hour++) {
      const turn = turns[hour] as number
      if (turn > 0 && calls[hour] === 1) counts[(turn - 1) * points + (pointAt[hour] as number)]!++
    }
    // A turn beyond a step is also beyond the steps before it.
    for (let at = counts.length - 1; at >= points; at--)
      counts[at - points]! += counts[at] as number
    return Array.from({ length: steps }, (_, step) => {
      const column = counts.subarray(step * points, (step + 1) * points)
      return { count: count(column), cosines: cosineSums(column, degrees, table) }
    })
  }

  /**
   * Pairs of a margin and its standard error, for the mean over the horizons and then for each: how much less often a
   * candidate is wrong than a comparator. NaN if it is not tested.
   * @param candidate how often it is wrong, by horizon; `comparator` likewise
   */
  margins(candidate: readonly (Count | undefined)[], comparator: readonly (Count | undefined)[]) {
    const { points, degrees } = this.#points
    const values = new Array<number>(2 * this.#called.length + 2).fill(Number.NaN)
    const sums = new Float64Array(degrees)
    let [asked, all] = [0, 0]
    for (const [at, called] of this.#called.entries()) {
      if (called === undefined) continue
      const [ours, theirs] = [candidate[at] as Count, comparator[at] as Count]
      const mean = (ours.count - theirs.count) / called.count
      // Of what each hour is above the mean, as much as it adds to the error of a mean over these hours.
      const scale = Math.sqrt(points) / called.count
      let squares = 0
      for (let j = 0; j < degrees; j++) {
        const value =
          scale * (ours.cosines[j]! - theirs.cosines[j]! - mean * (called.cosines[j] as number))
        sums[j]! += value
        squares += value * value
      }
      values[2 * at + 2] = -mean
      values[2 * at + 3] = Math.sqrt(squares / degrees)
      asked++
      all += mean
    }
    if (asked === 0) return values
    values[0] = -all / asked
    values[1] = Math.sqrt(product(sums, sums) / degrees) / asked
    return values
  }
}
