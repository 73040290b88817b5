import { remembering } from '../../contract/remembering.js'
import { findWindowFault, overallRung, type PlannedDesign } from './design.js'
import { drawWindows, STEPS, wholePast } from './draw.js'
import { type DrawnWindows, ladderIn } from './eligible.js'
import { seededRandom } from './random.js'
import type { MadeCandidates } from './surrogate.js'

/** The power that counts as finding a reduction. */
export const WANTED_POWER = 0.8
export const REDUCTIONS = [0.03, 0.05, 0.1] as const

/** Lengths of windows, in days, for the curve. */
export const CURVE_DAYS = [20, 30, 45, 60, 90, 120, 180, 270, 365, 540, 730, 1095] as const
/** The longest window of a plan. */
export const MOST_DAYS = 3650

/**
 * Drawn windows, each with its mirror image: for the planned length, and for each other length. A verdict hypothesis
 * takes longer, because each window needs a full evaluation: 300 windows have a standard error of at most 3 points.
 */
const PAIRS = { verdict: 150, overall: 2000, others: 48 } as const
/** A length this close to the planned one is replaced by it. */
const NEAR = 0.05
const HOURS_A_DAY = 24
/** The largest reduction that is tested. */
const LARGEST_REDUCTION = 0.95

/** Power to find a reduction, in windows of a number of origins that are not blocked. */
type PowerIn = (origins: number) => (reduction: number) => number

/** Power of the verdict hypothesis (or of the overall test) for candidates of one law, in windows of any length. */
export class Prediction {
  readonly #design: PlannedDesign
  readonly #powerIn: PowerIn

  constructor(design: PlannedDesign, powerIn: PowerIn) {
    this.#design = design
    this.#powerIn = powerIn
  }

  /** Probability of finding the reduction in the first step of the ladder; 0 in a blocked window. */
  power(origins: number, reduction: number): number {
    return this.#blocked(origins) ? 0 : this.#powerIn(origins)(reduction)
  }

  /** The smallest reduction found with the wanted probability; null if there is none. */
  smallest(origins: number): number | null {
    return this.#blocked(origins) ? null : smallestFound(this.#powerIn(origins))
  }

  /** Days until the reduction is found with the wanted probability; null beyond the longest window. */
  days(reduction: number): number | null {
    const enough = (days: number) => this.power(days * HOURS_A_DAY, reduction) >= WANTED_POWER
    // With a verdict hypothesis a longer window may be harder: it may test a comparator that seldom calls a direction.
    const lengths = [...CURVE_DAYS, MOST_DAYS]
    const first = lengths.findIndex(enough)
    if (first === -1) return null
    let [below, above] = [lengths[first - 1] ?? 0, lengths[first] as number]
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2)
      if (enough(middle)) above = middle
      else below = middle
    }
    return above
  }

  #blocked(origins: number): boolean {
    return findWindowFault(this.#design, origins) !== undefined
  }
}

/** The smallest reduction found with the wanted probability; null if there is none. */
export function smallestFound(power: (reduction: number) => number): number | null {
  if (power(LARGEST_REDUCTION) < WANTED_POWER) return null
  return rising((reduction) => power(reduction) >= WANTED_POWER, 0, LARGEST_REDUCTION)
}

/** Power at any reduction, interpolated linearly between the drawn steps; 0 without a reduction. */
export const betweenSteps =
  (powerAt: (step: number) => number) =>
  (reduction: number): number => {
    const next = STEPS.findIndex((step) => step >= reduction)
    if (next === -1) return powerAt(STEPS.length - 1)
    const [from, least] = next === 0 ? [0, 0] : [STEPS[next - 1]!, powerAt(next - 1)]
    return least + ((powerAt(next) - least) * (reduction - from)) / (STEPS[next]! - from)
  }

/** The point where a condition that is false below becomes true; `high` if it never does. */
function rising(holds: (value: number) => boolean, low: number, high: number): number {
  let [below, above] = [low, high]
  for (let step = 0; step < 50; step++) {
    const middle = (below + above) / 2
    if (holds(middle)) above = middle
    else below = middle
  }
  return above
}

/** The share of drawn windows in which all conditions hold. @param drawn in ascending order of their lengths */
function powerBy(design: PlannedDesign, drawn: readonly DrawnWindows[]): PowerIn {
  return (origins) => {
    const ladder = ladderIn(design, origins)
    const { below, above, between } = around(drawn, origins)
    const powerAt = remembering(
      (step: number) =>
        between(below.share(step, origins, ladder), above.share(step, origins, ladder)),
      STEPS.length,
    )
    return betweenSteps(powerAt)
  }
}

/** The lengths around another one, and its logarithmic position between them; beyond the longest, the longest. */
function around(drawn: readonly DrawnWindows[], origins: number) {
  const next = drawn.findIndex((each) => each.origins >= origins)
  const above = drawn.at(next) as DrawnWindows
  const below = drawn[next > 0 ? next - 1 : drawn.indexOf(above)] as DrawnWindows
  const share =
    below === above
      ? 0
      : Math.log(origins / below.origins) / Math.log(above.origins / below.origins)
  return { below, above, between: (a: number, b: number) => a + (b - a) * share }
}

/**
 * Predictions for candidates of each law. Windows are drawn up to the length of the closes; the power of longer ones is
 * extrapolated from the longest.
 * @param seed of all that is drawn
 * @param beforeLength - awaited before the windows of each length are drawn; an error in it stops the work.
 */
export async function predictions(
  design: PlannedDesign,
  made: MadeCandidates,
  seed: number,
  beforeLength: () => Promise<void> = async () => {},
): Promise<Prediction[]> {
  const planned = design.verdict ? PAIRS.verdict : PAIRS.overall
  const past = wholePast(design, made)
  const drawn: (readonly DrawnWindows[])[] = []
  for (const origins of lengths(design, made.surrogates.origins)) {
    await beforeLength()
    const random = seededRandom(`${seed}/predict/${origins}`)
    const pairs = origins === design.origins ? planned : PAIRS.others
    drawn.push(drawWindows(design, made, past, overallRung(design, origins), pairs, random))
  }
  return made.laws.map((_, at) => {
    const windows = drawn.map((laws) => laws[at] as DrawnWindows)
    return new Prediction(design, remembering(powerBy(design, windows)))
  })
}

/** The lengths of the drawn windows. */
function lengths(design: PlannedDesign, available: number): number[] {
  const others = CURVE_DAYS.map((days) => days * HOURS_A_DAY).filter(
    (origins) => Math.abs(origins / design.origins - 1) > NEAR,
  )
  const wanted = [...others, design.origins]
  const possible = wanted.filter((origins) => origins <= available)
  // If no wanted window fits, one window of all closes.
  const all = possible.length === 0 ? [available] : possible
  return [...new Set(all)].sort((a, b) => a - b)
}
