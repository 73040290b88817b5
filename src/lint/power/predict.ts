import { noncentralUpperTail } from '../../inference/student-t.js'
import { overallRung, type PlannedDesign, windowFault } from './design.js'
import { type DrawnT, drawnT, LARGEST_REDUCTION, rising, type TLaw } from './fit.js'
import { seededRandom } from './random.js'
import type { CandidateLaw, Surrogates } from './surrogate.js'

/** What a reduction has to be found with. */
export const WANTED_POWER = 0.8
export const REDUCTIONS = [0.03, 0.05, 0.1] as const

/** Windows, in days, that the curve is drawn through. */
export const CURVE_DAYS = [20, 30, 45, 60, 90, 120, 180, 270, 365, 540, 730, 1095] as const
/** No plan is for longer. */
export const MOST_DAYS = 3650

/** Drawn windows, each with its mirror image: for the planned length, and for each other. */
const PAIRS = { planned: 400, others: 80 } as const
const HOURS_A_DAY = 24

/** Power of the overall test of candidates of one law, in windows of any length. */
export class Prediction {
  readonly #design: PlannedDesign
  /** In ascending order of their lengths. */
  readonly #drawn: readonly DrawnT[]

  constructor(design: PlannedDesign, drawn: readonly DrawnT[]) {
    this.#design = design
    this.#drawn = drawn
  }

  /** Probability that the reduction is found in the first step of the ladder; 0 in a blocked window. */
  power(origins: number, reduction: number): number {
    return this.#blocked(origins) ? 0 : this.#powerOf(origins)(reduction)
  }

  /** The smallest reduction found with the wanted probability; null where none is. */
  smallest(origins: number): number | null {
    if (this.#blocked(origins)) return null
    const power = this.#powerOf(origins)
    if (power(LARGEST_REDUCTION) < WANTED_POWER) return null
    return rising((reduction) => power(reduction) >= WANTED_POWER, 0, LARGEST_REDUCTION)
  }

  /** Whole days after which the reduction is found with the wanted probability; null beyond the most. */
  days(reduction: number): number | null {
    const enough = (days: number) => this.power(days * HOURS_A_DAY, reduction) >= WANTED_POWER
    if (!enough(MOST_DAYS)) return null
    let [below, above] = [0, MOST_DAYS]
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2)
      if (enough(middle)) above = middle
      else below = middle
    }
    return above
  }

  #blocked(origins: number): boolean {
    return windowFault(this.#design, origins) !== undefined
  }

  #powerOf(origins: number): (reduction: number) => number {
    const { needed } = overallRung(this.#design, origins)
    return (reduction) => {
      const { shift, degrees } = this.#lawAt(origins, reduction)
      return noncentralUpperTail(needed, degrees, shift)
    }
  }

  /** Between two lengths by their logarithms; beyond the longest as there. */
  #lawAt(origins: number, reduction: number): TLaw {
    const next = this.#drawn.findIndex((each) => each.origins >= origins)
    const above = this.#drawn.at(next) as DrawnT
    const lawOf = (drawn: DrawnT) => {
      // A reduction shows in a window of another length as this one does there.
      const equal = reduction * Math.sqrt(origins / drawn.origins)
      return drawn.law(Math.min(LARGEST_REDUCTION, equal))
    }
    if (next <= 0) return lawOf(above)
    const below = this.#drawn[next - 1] as DrawnT
    const share = Math.log(origins / below.origins) / Math.log(above.origins / below.origins)
    const [low, high] = [lawOf(below), lawOf(above)]
    const between = (a: number, b: number) => a + (b - a) * share
    return {
      shift: between(low.shift, high.shift),
      degrees: between(low.degrees, high.degrees),
    }
  }
}

/**
 * Predictions for candidates of each law. Windows as long as the closes allow are drawn; what
 * longer ones can find follows from the longest.
 * @param seed of all that is drawn
 */
export function predictions(
  design: PlannedDesign,
  surrogates: Surrogates,
  laws: readonly CandidateLaw[],
  seed: number,
): Prediction[] {
  const fits = lengths(design, surrogates.origins).map((origins) =>
    drawnT(
      surrogates,
      laws,
      overallRung(design, origins),
      origins === design.origins ? PAIRS.planned : PAIRS.others,
      seededRandom(`${seed}/predict/${origins}`),
    ),
  )
  return laws.map(
    (_, at) =>
      new Prediction(
        design,
        fits.map((fit) => fit[at] as DrawnT),
      ),
  )
}

/** The lengths that windows are drawn of. */
function lengths(design: PlannedDesign, available: number): number[] {
  const wanted = [...CURVE_DAYS.map((days) => days * HOURS_A_DAY), design.origins]
  const possible = wanted.filter((origins) => origins <= available)
  // Of closes so few that no wanted window fits, all.
  const all = possible.length === 0 ? [available] : possible
  return [...new Set(all)].sort((a, b) => a - b)
}
