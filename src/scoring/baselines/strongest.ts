import type { Instant } from '../../contract/instant.js'
import type { Transform } from '../../protocol/rules/transforms.js'
import type { TruthView } from '../../truth/truth-view.js'
import { LEAST_LEARNT } from './series-rules.js'

/** The forecasts of all pool members for one target. */
interface Made {
  /** When they were due. */
  readonly at: Instant
  readonly target: number
  readonly points: readonly number[]
}

/**
 * Chooses the most accurate pool member so far, at one series and step: the smallest sum of absolute errors, on the
 * transform of the primary score, over forecasts that all members made and whose outcomes were public. Ties go to the
 * first. Each error is counted once, with the first value that is seen.
 */
export class Strongest {
  readonly #made: Made[] = []
  #waiting: Made[] = []
  #at: Instant = Number.NEGATIVE_INFINITY
  readonly #sums: Float64Array
  #count = 0

  constructor(
    size: number,
    private readonly on: Transform,
  ) {
    this.#sums = new Float64Array(size)
  }

  /**
   * @param points - of the pool for this target; NaN if a member makes none. @returns the forecast of the chosen
   * member; NaN until there are enough errors.
   */
  choose(view: TruthView, target: number, points: readonly number[]): number {
    if (view.at < this.#at) this.#forget()
    this.#at = view.at
    this.#waiting = this.#waiting.filter((made) => !this.#learn(view, made))
    if (!points.some(Number.isNaN)) {
      const made = { at: view.at, target, points }
      this.#made.push(made)
      this.#waiting.push(made)
    }
    if (this.#count < LEAST_LEARNT) return Number.NaN
    const smallest = Math.min(...this.#sums)
    return points[this.#sums.indexOf(smallest)] as number
  }

  /** An origin that is due before an earlier one may use fewer outcomes, so start over. */
  #forget(): void {
    this.#waiting = [...this.#made]
    this.#sums.fill(0)
    this.#count = 0
  }

  /** Returns whether the outcome was known. */
  #learn(view: TruthView, { at: due, target, points }: Made): boolean {
    if (due > view.at) return false
    const outcome = this.on.of(view.value(target))
    if (Number.isNaN(outcome)) return false
    for (const [at, point] of points.entries()) {
      this.#sums[at]! += Math.abs(this.on.of(point) - outcome)
    }
    this.#count++
    return true
  }
}
