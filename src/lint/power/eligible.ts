import { studentQuantile } from '../../inference/student-t.js'
import { overallRung, type PlannedDesign, type WeighedTest } from './design.js'

/** A drawn window for the ladder: consecutive pairs of a margin and its standard error. */
export interface Drawn {
  /**
   * For each part of the verdict hypothesis and each floor (which has no error), or for the overall test alone; NaN if
   * it is not tested.
   */
  readonly asked: readonly number[]
  /** For the deciding tests: when they reject, their weight goes to the hypothesis. */
  readonly tests: readonly number[]
}

/** Decides on candidates of one law in drawn windows of one length. */
export class DrawnWindows {
  readonly origins: number
  /** By step and window. */
  readonly #drawn: readonly (readonly Drawn[])[]
  readonly #means: readonly Drawn[]

  constructor(origins: number, drawn: readonly (readonly Drawn[])[]) {
    this.origins = origins
    this.#drawn = drawn
    this.#means = drawn.map((windows) => ({
      asked: averageWindows(windows.map(({ asked }) => asked)),
      tests: averageWindows(windows.map(({ tests }) => tests)),
    }))
  }

  /**
   * The share of windows that find the reduction of a step. In longer windows, margins are closer to their mean by the
   * square root of the length, and their errors closer to 0.
   */
  share(step: number, origins: number, { verdict, test }: Ladder): number {
    const nearer = Math.sqrt(this.origins / origins)
    const means = this.#means[step] as Drawn
    const windows = this.#drawn[step] as readonly Drawn[]
    let passed = 0
    for (const { asked, tests } of windows) {
      const smallest = leastMargin(asked, means.asked, nearer)
      if (smallest < (verdict.at(-1) as number)) continue
      // Most windows need no weight of a rejected test.
      if (smallest >= (verdict[0] as number)) {
        passed++
        continue
      }
      const largest = sizes(tests, means.tests, nearer)
      let rejected = 0
      while (rejected < largest.length && largest[rejected]! >= test[rejected]!) rejected++
      if (smallest >= (verdict[rejected] as number)) passed++
    }
    return passed / windows.length
  }
}

/**
 * The margin of a pair in standard errors, in a window whose margins are closer to their mean; NaN if it is not tested.
 */
function ratio(
  pairs: readonly number[],
  means: readonly number[],
  nearer: number,
  at: number,
): number {
  const mean = means[at] as number
  const margin = mean + nearer * ((pairs[at] as number) - mean)
  return margin / (nearer * (pairs[at + 1] as number))
}

function leastMargin(asked: readonly number[], means: readonly number[], nearer: number): number {
  let smallest = Infinity
  for (let at = 0; at < asked.length; at += 2) {
    const margin = ratio(asked, means, nearer, at)
    if (margin < smallest) smallest = margin
  }
  return smallest
}

/** The absolute value of every test, largest first. */
function sizes(tests: readonly number[], means: readonly number[], nearer: number): Float64Array {
  const sorted = new Float64Array(tests.length / 2)
  let count = 0
  for (let at = 0; at < tests.length; at += 2) {
    const size = Math.abs(ratio(tests, means, nearer, at))
    if (!Number.isNaN(size)) sorted[count++] = -size
  }
  // Numbers sort in ascending order without a comparison function.
  return sorted.subarray(0, count).sort().map(Math.abs)
}

/** The |t| for the verdict hypothesis and for a deciding test, by the number of rejected tests. */
export interface Ladder {
  readonly verdict: readonly number[]
  readonly test: readonly number[]
}

/** The weighted ladder in a window of this length, as far as the deciding tests of one candidate change it. */
export function ladderIn(design: PlannedDesign, origins: number): Ladder {
  const { level, degrees, needed: alone } = overallRung(design, origins)
  if (design.verdict === undefined) return { verdict: [alone], test: [] }
  const [first] = design.tests as [WeighedTest, ...WeighedTest[]]
  const tests = design.tests.filter(
    ({ candidate, weight, decides }) => decides && candidate === first.candidate && weight > 0,
  )
  const needed = (share: number) =>
    [0, ...tests].map((_, rejected) =>
      studentQuantile(share / (1 - rejected * first.weight), degrees),
    )
  return { verdict: needed(level), test: needed(design.alpha * first.weight) }
}

/** Mean of each figure over the windows that have it. */
function averageWindows(windows: readonly (readonly number[])[]): number[] {
  return windows[0]!.map((_, at) => {
    let [sum, count] = [0, 0]
    for (const window of windows) {
      const figure = window[at] as number
      if (Number.isNaN(figure)) continue
      sum += figure
      count++
    }
    return sum / count
  })
}
