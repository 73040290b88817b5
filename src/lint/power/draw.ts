import { remembering } from '../../contract/remembering.js'
import { directedOrigins } from '../../registration/limits.js'
import type { PlannedDesign, PlannedVerdict, Rung } from './design.js'
import { CalledHours, computePastDirections, type PastDirections } from './directions.js'
import { type Drawn, DrawnWindows } from './eligible.js'
import {
  averageSums,
  computeSums,
  type Points,
  product,
  type Sums,
  tabulatePoints,
} from './points.js'
import type { Random } from './random.js'
import type { DrawnWindow, MadeCandidates } from './surrogate.js'

/** Reductions of the loss for which drawn windows are tested; power is interpolated linearly between them. */
export const STEPS = [
  0.005, 0.01, 0.015, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1, 0.14, 0.2, 0.3, 0.5,
] as const

/** What windows of every length are drawn from. */
interface WholePast {
  readonly comparators: readonly PastComparator[]
  /** Log returns from each origin to its targets, by horizon. */
  readonly realised: readonly Float64Array[]
}

export function wholePast({ verdict, epsilon }: PlannedDesign, made: MadeCandidates): WholePast {
  const { surrogates } = made
  const realised = surrogates.realised({ start: 0, origins: surrogates.origins })
  return { realised, comparators: drawPast(made, realised, verdict && epsilon) }
}

/**
 * Draws windows of one length for candidates of each law.
 * @param pairs of windows and their mirror images
 */
export function drawWindows(
  { verdict }: PlannedDesign,
  { surrogates, laws }: MadeCandidates,
  past: WholePast,
  rung: Rung,
  pairs: number,
  random: Random,
): DrawnWindows[] {
  const { origins } = rung
  const points = tabulatePoints(rung)
  const { realised } = past
  const drawn = laws.map(() => STEPS.map((): Drawn[] => []))
  for (let pair = 0; pair < pairs; pair++) {
    // At equal distances, because windows with random starts vary more.
    const start = Math.floor(((pair + 0.5) / pairs) * (surrogates.origins - origins + 1))
    const window = surrogates.redraw({ start, origins }, random)
    const comparators = comparatorsIn(past.comparators, window, points, verdict)
    const moves = (verdict ? realised : []).map((column) => column.subarray(start, start + origins))
    for (const [at, law] of laws.entries()) {
      for (const sign of [1, -1] as const) {
        const candidate = drawCandidate(surrogates.errors(window, law, sign), moves, points)
        const against = comparators.map((each) => conditionsBy(candidate, each, points, verdict))
        STEPS.forEach((reduction, step) => {
          const row = { asked: [], tests: [] }
          for (const add of against) add(row, reduction, step)
          drawn[at]![step]!.push(row)
        })
      }
    }
  }
  return drawn.map((steps) => new DrawnWindows(origins, steps))
}

/** Cumulative sums over the past: the sum of a stretch is the difference of two. */
class Running {
  readonly #sums: Float64Array

  constructor(values: Float64Array) {
    this.#sums = new Float64Array(values.length + 1)
    for (let i = 0; i < values.length; i++) {
      this.#sums[i + 1] = (this.#sums[i] as number) + (values[i] as number)
    }
  }

  /** Sums of a window, by point. */
  totals(start: number, { points, hours }: Points): Float64Array {
    const totals = new Float64Array(points)
    for (let point = 0, at = start; point < points; point++, at += hours) {
      totals[point] = (this.#sums[at + hours] as number) - (this.#sums[at] as number)
    }
    return totals
  }
}

/** A comparator over the whole past. */
interface PastComparator {
  /** By horizon. */
  readonly losses: readonly Running[]
  readonly directions?: PastDirections
}

/** @param epsilon undefined without verdict hypotheses: then only the reference is tested, and no direction. */
function drawPast(
  { surrogates, comparators }: MadeCandidates,
  realised: readonly Float64Array[],
  epsilon: number | undefined,
): PastComparator[] {
  const running = (losses: readonly Float64Array[]) => losses.map((each) => new Running(each))
  if (epsilon === undefined) {
    return [{ losses: running(surrogates.comparator({ start: 0, origins: surrogates.origins })) }]
  }
  const errors = comparators.map((each) => each.errors)
  return computePastDirections(errors, realised, epsilon).map((directions, at) => ({
    losses: running(errors[at]!.map((column) => column.map(Math.abs))),
    directions,
  }))
}

/** A comparator in a drawn window. */
interface Comparator {
  /** The overall loss, then by horizon. */
  readonly losses: readonly Sums[]
  readonly called?: CalledHours
  /** How often it calls the wrong direction, by horizon. */
  readonly wrong: ReturnType<CalledHours['beyond']>
}

function comparatorsIn(
  past: readonly PastComparator[],
  { start, origins }: DrawnWindow,
  points: Points,
  verdict: PlannedVerdict | undefined,
): Comparator[] {
  const enough = verdict ? directedOrigins(verdict.registration.rules.dependence.minimum_pairs) : 0
  const inWindow = (columns: readonly Uint8Array[]) =>
    columns.map((column) => column.subarray(start, start + origins))
  const calledHours = remembering(
    (calls: readonly Uint8Array[]) => new CalledHours(inWindow(calls), enough, points),
  )
  return past.map(({ losses, directions }) => {
    const sums = losses.map((each) => computeSums(each.totals(start, points), points))
    const withOverall = [averageSums(sums), ...sums]
    if (directions === undefined) return { losses: withOverall, wrong: [] }
    const called = calledHours(directions.calls)
    return { losses: withOverall, called, wrong: called.beyond(inWindow(directions.wrong), 1) }
  })
}

/** A simulated candidate in a drawn window. */
interface Candidate {
  /** The overall loss, then by horizon. */
  readonly losses: readonly Sums[]
  /** How often it calls the wrong direction where others call one, by horizon and step. */
  readonly wrong: (called: CalledHours) => ReturnType<CalledHours['beyond']>
}

function drawCandidate(
  errors: readonly Float64Array[],
  moves: readonly Float64Array[],
  points: Points,
): Candidate {
  const sums = errors.map((column) => computeSums(sumErrors(column, points), points))
  const turns = moves.map((column, at) => findTurns(errors[at]!, column))
  return {
    losses: [averageSums(sums), ...sums],
    // Comparators that call a direction at the same hours share the result.
    wrong: remembering((called) => called.beyond(turns, STEPS.length)),
  }
}

/** Sums of absolute errors, by point. */
function sumErrors(errors: Float64Array, { points, hours }: Points): Float64Array {
  const totals = new Float64Array(points)
  for (let point = 0, i = 0; point < points; point++) {
    let total = 0
    for (const end = i + hours; i < end; i++) total += Math.abs(errors[i] as number)
    totals[point] = total
  }
  return totals
}

/** Steps are multiples of this share. */
const FINEST = 200
/** The number of steps below a share, rounded up to the next multiple. */
const STEPS_BELOW = Uint8Array.from(
  { length: FINEST + 1 },
  (_, next) => STEPS.filter((step) => Math.round(step * FINEST) < next).length,
)

/**
 * At how many steps a candidate calls the wrong direction. It is monotone: once a direction is right, it is right for
 * every smaller error.
 */
function findTurns(errors: Float64Array, moves: Float64Array): Uint8Array {
  const turns = new Uint8Array(errors.length)
  for (let i = 0; i < turns.length; i++) {
    const error = errors[i] as number
    const move = moves[i] as number
    if (error * move >= 0) continue
    const right = 1 - Math.abs(move / error)
    if (right > 0) turns[i] = STEPS_BELOW[Math.ceil(right * FINEST)] as number
  }
  return turns
}

/** A row under construction. */
interface Row {
  readonly asked: number[]
  readonly tests: number[]
}

/** Adds the parts of `Drawn` for one comparator and one reduction. */
type AddConditions = (row: Row, reduction: number, step: number) => void

/** The overall loss, its floor, the limit at each horizon and for the mean direction; and the tests of all these. */
function conditionsBy(
  candidate: Candidate,
  comparator: Comparator,
  points: Points,
  verdict: PlannedVerdict | undefined,
): AddConditions {
  const margins = marginsBy(candidate.losses, comparator.losses, points)
  const { called, losses, wrong } = comparator
  if (verdict === undefined || called === undefined) {
    return ({ asked }, reduction) => {
      const [gain, error] = margins(1 - reduction) as [number, number]
      asked.push(gain, error)
    }
  }
  const { harm, direction: limit } = verdict.registration.rules.limits
  const theirs = wrong.map((steps) => steps?.[0])
  const ours = candidate.wrong(called)
  return ({ asked, tests }, reduction, step) => {
    const gains = margins(1 - reduction)
    const [overall, error] = gains as [number, number]
    const charged = overall - verdict.waiting * losses[0]!.mean
    asked.push(charged, error, charged - verdict.floor * losses[0]!.mean, 0)
    for (let at = 1; at < losses.length; at++) {
      asked.push(gains[2 * at]! + harm * losses[at]!.mean, gains[2 * at + 1]!)
    }
    const directions = called.margins(
      ours.map((steps) => steps?.[step]),
      theirs,
    )
    asked.push((limit ?? 0) + directions[0]!, directions[1]!)
    tests.push(...gains, ...directions.slice(2))
  }
}

/**
 * How much smaller the loss of a candidate is if its errors shrink to a share: pairs of a margin and its standard
 * error.
 */
function marginsBy(
  candidate: readonly Sums[],
  comparator: readonly Sums[],
  { points, degrees }: Points,
): (share: number) => number[] {
  // The cosine sums are share · a − b: their squares, in powers of the share.
  const tests = candidate.map((a, at) => {
    const b = comparator[at] as Sums
    const [aa, ab] = [product(a.cosines, a.cosines), product(a.cosines, b.cosines)]
    return { own: a.mean, theirs: b.mean, aa, ab, bb: product(b.cosines, b.cosines) }
  })
  return (share) => {
    const margins: number[] = []
    for (const { own, theirs, aa, ab, bb } of tests) {
      const squares = Math.max(0, share * share * aa - 2 * share * ab + bb)
      margins.push(theirs - share * own, Math.sqrt(squares / degrees / points))
    }
    return margins
  }
}
