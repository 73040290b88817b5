import { directedPairs } from '../../evaluation/verdict-hypotheses.js'
import { type CosineTables, cosineSums, cosineTables } from '../../inference/cosines.js'
import { ewcTest } from '../../inference/ewc.js'
import { studentQuantile } from '../../inference/student-t.js'
import type { Series } from '../../inference/types.js'
import { directionError } from '../../scoring/direction.js'
import {
  overallRung,
  type PlannedDesign,
  type PlannedVerdict,
  type Rung,
  type WeighedTest,
} from './design.js'
import type { Random } from './random.js'
import { absolute, errorsIn, type MadeCandidates } from './surrogate.js'

/** Reductions of the loss that drawn windows are held to; between two of them power is taken to be straight. */
export const STEPS = [
  0.005, 0.01, 0.015, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1, 0.14, 0.2, 0.3, 0.5,
] as const

/** Errors are put together by so many hours, far fewer than the quickest cosine has: it takes a tenth of the time. */
const TOGETHER = 12

/** A drawn window as the ladder sees it: pairs of a margin and its standard error, one after another. */
interface Drawn {
  /**
   * Of each part of the verdict hypothesis and of each floor (which has no error), or of the overall test alone; NaN for
   * one that is not asked.
   */
  readonly asked: Float64Array
  /** Of the deciding tests: what they reject returns weight to the hypothesis. */
  readonly tests: Float64Array
}

/** What decides on candidates of one law in drawn windows of one length. */
export class DrawnWindows {
  readonly origins: number
  /** By step and window. */
  readonly #drawn: readonly (readonly Drawn[])[]
  readonly #means: readonly Drawn[]

  constructor(origins: number, drawn: readonly (readonly Drawn[])[]) {
    this.origins = origins
    this.#drawn = drawn
    this.#means = drawn.map((windows) => ({
      asked: meansOf(windows.map(({ asked }) => asked)),
      tests: meansOf(windows.map(({ tests }) => tests)),
    }))
  }

  /**
   * The share of windows that find the reduction of a step. In longer windows, margins lie nearer to their
   * mean by the root of the length, and their errors to 0.
   */
  share(step: number, origins: number, { verdict, test }: Ladder): number {
    const nearer = Math.sqrt(this.origins / origins)
    const means = this.#means[step] as Drawn
    const windows = this.#drawn[step] as readonly Drawn[]
    const found = windows.filter(({ asked, tests }) => {
      const least = ratios(asked, means.asked, nearer).reduce((a, b) => Math.min(a, b), Infinity)
      if (least < (verdict.at(-1) as number)) return false
      const largest = ratios(tests, means.tests, nearer).map(Math.abs)
      largest.sort((a, b) => b - a)
      let rejected = 0
      while (rejected < largest.length && largest[rejected]! >= test[rejected]!) rejected++
      return least >= (verdict[rejected] as number)
    })
    return found.length / windows.length
  }
}

/** Every margin in standard errors; those that are not asked are left out. */
function ratios(pairs: Float64Array, means: Float64Array, nearer: number): number[] {
  const found: number[] = []
  for (let at = 0; at < pairs.length; at += 2) {
    const mean = means[at] as number
    const margin = mean + nearer * ((pairs[at] as number) - mean)
    if (!Number.isNaN(margin)) found.push(margin / (nearer * (pairs[at + 1] as number)))
  }
  return found
}

/** What the verdict hypothesis and a deciding test need, by how many of these tests are rejected. */
export interface Ladder {
  readonly verdict: readonly number[]
  readonly test: readonly number[]
}

/** The weighted ladder in a window of this length, as far as the deciding tests of one candidate move it. */
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

/** Mean of every figure over the windows that have it. */
function meansOf(windows: readonly Float64Array[]): Float64Array {
  return (windows[0] as Float64Array).map((_, at) => {
    const known = windows.map((each) => each[at] as number).filter((each) => !Number.isNaN(each))
    return known.reduce((sum, each) => sum + each, 0) / known.length
  })
}

/**
 * Draws windows of one length for candidates of each law.
 * @param pairs of windows and their mirror images
 */
export function drawnWindows(
  { verdict, epsilon }: PlannedDesign,
  { surrogates, laws, comparators }: MadeCandidates,
  { origins, degrees }: Rung,
  pairs: number,
  random: Random,
): DrawnWindows[] {
  const drawn = laws.map(() => STEPS.map((): Drawn[] => []))
  const tables = cosineTables()
  const directed = verdict ? directedPairs(verdict.registration, verdict.protocol) : 0
  const points = Math.floor(origins / TOGETHER)
  const lossesOf = (errors: readonly Float64Array[]) =>
    errors.map((column) => sumsOf(meansIn(absolute(column), points), degrees, tables(points)))
  for (let pair = 0; pair < pairs; pair++) {
    // At equal distances: windows that begin by chance are more unlike.
    const start = Math.floor(((pair + 0.5) / pairs) * (surrogates.origins - origins + 1))
    const window = surrogates.again({ start, origins }, random)
    const realised = surrogates.realised(window)
    const reference = verdict ? [] : lossesOf(surrogates.comparator(window))
    const against = (verdict ? comparators : []).map((comparator): Against => {
      const errors = errorsIn(comparator, window)
      const calls = errors.map((column, at) => callsOf(column, realised[at]!, epsilon))
      return {
        losses: lossesOf(errors),
        calls,
        asked: calls.map((column) => calledIn(column) >= directed),
      }
    })
    for (const [at, law] of laws.entries()) {
      for (const sign of [1, -1] as const) {
        const errors = surrogates.errors(window, law, sign)
        const turns = (verdict ? errors : []).map((column, at) => turnsOf(column, realised[at]!))
        const losses = lossesOf(errors)
        const directions = verdict ? against.map((each) => directionsAt(each, turns, verdict)) : []
        for (const [step, reduction] of STEPS.entries()) {
          const of = { reduction, points }
          const parts = verdict
            ? against.flatMap((each, index) => [
                lossesAgainst(losses, each.losses, of, verdict),
                directions[index]!(step, degrees, tables),
              ])
            : [overallAgainst(losses, reference, of)]
          drawn[at]![step]!.push({
            asked: Float64Array.from(parts.flatMap(({ asked }) => asked)),
            tests: Float64Array.from(parts.flatMap(({ tests }) => tests)),
          })
        }
      }
    }
  }
  return drawn.map((steps) => new DrawnWindows(origins, steps))
}

/** What `Drawn` has, of one comparator. */
interface Conditions {
  readonly asked: readonly number[]
  readonly tests: readonly number[]
}

/** A comparator in a drawn window, by horizon. */
interface Against {
  readonly losses: readonly Sums[]
  /** Its direction errors; NaN where it calls none. */
  readonly calls: readonly Float64Array[]
  /** Whether it calls enough of them to be asked. */
  readonly asked: readonly boolean[]
}

/** Means of some hours together; what is left at the end is dropped. */
function meansIn(values: Float64Array, points: number): Float64Array {
  const means = new Float64Array(points)
  for (let i = 0; i < points * TOGETHER; i++) {
    means[Math.floor(i / TOGETHER)]! += (values[i] as number) / TOGETHER
  }
  return means
}

function callsOf(errors: Float64Array, realised: Float64Array, epsilon: number): Float64Array {
  return errors.map((error, i) => {
    const move = realised[i] as number
    return directionError(move + error, move, epsilon)
  })
}

function calledIn(calls: Float64Array): number {
  return calls.reduce((count, call) => count + Number(!Number.isNaN(call)), 0)
}

/** How much better a candidate is, and in how many points of a window. */
interface Better {
  readonly reduction: number
  readonly points: number
}

/** The overall loss alone. */
function overallAgainst(
  candidate: readonly Sums[],
  comparator: readonly Sums[],
  { reduction, points }: Better,
): Conditions {
  const { gain, error } = withError(meanOf(candidate), meanOf(comparator), reduction, points)
  return { asked: [gain, error], tests: [] }
}

/** The overall loss, its floor, the limit at each horizon, and the tests of these losses. */
function lossesAgainst(
  candidate: readonly Sums[],
  comparator: readonly Sums[],
  { reduction, points }: Better,
  { floor, registration }: PlannedVerdict,
): Conditions {
  const gains = comparator.map((each, at) => withError(candidate[at]!, each, reduction, points))
  const { per_horizon_regression: limit } = registration.limits
  const overall = withError(meanOf(candidate), meanOf(comparator), reduction, points)
  return {
    asked: [
      ...[overall.gain, overall.error, overall.gain - floor * meanOf(comparator).mean, 0],
      ...gains.flatMap(({ gain, error }, at) => [gain + limit * comparator[at]!.mean, error]),
    ],
    tests: [overall, ...gains].flatMap(({ gain, error }) => [gain, error]),
  }
}

/** Loss of a window, and its cosine sums. */
interface Sums {
  readonly mean: number
  readonly cosines: Float64Array
}

/** Loss and cosine sums of a window. @param table `cosines` of its origins */
function sumsOf(values: Float64Array, degrees: number, table: Float64Array): Sums {
  let sum = 0
  for (const value of values) sum += value
  return { mean: sum / values.length, cosines: cosineSums(values, degrees, table) }
}

/** By how much a candidate with the reduction has the smaller loss, and the standard error of that. */
function withError(
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

/** The unweighted mean over the horizons. */
function meanOf(horizons: readonly Sums[]): Sums {
  const share = 1 / horizons.length
  const [first] = horizons
  return {
    mean: horizons.reduce((sum, { mean }) => sum + share * mean, 0),
    cosines: first!.cosines.map((_, j) =>
      horizons.reduce((sum, { cosines }) => sum + share * cosines[j]!, 0),
    ),
  }
}

/** By step: the mean direction error over the horizons and its limit, and the tests of each. */
function directionsAt(
  { calls, asked }: Against,
  turns: readonly Uint8Array[],
  { registration }: PlannedVerdict,
): (step: number, degrees: number, tables: CosineTables) => Conditions {
  const differences = turns.map((column, at) =>
    asked[at] ? directionDifferences(calls[at]!, column) : undefined,
  )
  return (step, degrees, tables) => {
    const horizons = differences.map((steps) => (steps ? [{ values: steps[step]! }] : []))
    const above = (components: readonly Series[]) => {
      if (components.length === 0) return { estimate: Number.NaN, standardError: Number.NaN }
      return ewcTest(components, degrees, tables)
    }
    const { estimate, standardError } = above(horizons.flat())
    const tests = horizons.map(above)
    return {
      asked: [registration.limits.directional_loss - estimate, standardError],
      tests: tests.flatMap((each) => [-each.estimate, each.standardError]),
    }
  }
}

/** At how many steps a candidate calls the wrong direction: a smaller error turns it to the right one, and there it stays. */
function turnsOf(errors: Float64Array, realised: Float64Array): Uint8Array {
  const turns = new Uint8Array(errors.length)
  for (let i = 0; i < turns.length; i++) {
    const [error, move] = [errors[i] as number, realised[i] as number]
    if (error * move >= 0) continue
    const right = 1 - Math.abs(move / error)
    let step = 0
    while (step < STEPS.length && (STEPS[step] as number) < right) step++
    turns[i] = step
  }
  return turns
}

/** By step, what a candidate's direction errors are above those of a comparator, some hours together. */
function directionDifferences(calls: Float64Array, turns: Uint8Array): Float64Array[] {
  const parts = Math.ceil(calls.length / TOGETHER)
  const [called, theirs] = [new Float64Array(parts), new Float64Array(parts)]
  const above = STEPS.map(() => new Float64Array(parts))
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i] as number
    if (Number.isNaN(call)) continue
    const part = Math.floor(i / TOGETHER)
    called[part]!++
    theirs[part]! += call
    const wrong = turns[i] as number
    for (let step = 0; step < wrong; step++) above[step]![part]!++
  }
  for (const column of above) {
    for (let part = 0; part < parts; part++) {
      column[part] = (column[part]! - theirs[part]!) / called[part]!
    }
  }
  return above
}
