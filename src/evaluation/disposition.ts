import type { ModelReference, Registration } from '../contract/types.js'
import {
  type AvailabilityCell,
  type Comparison,
  type DispositionInput,
  decideDisposition,
  type VerdictBasis,
  type WaitingBasis,
} from '../inference/disposition.js'
import type { JudgedVerdict } from '../inference/verdict.js'
import type { ResultDifference } from './result/result.js'

/** The input of the verdict on every candidate, for protocols of either version. */
export interface DispositionBasis
  extends Omit<DispositionInput, 'mode' | 'comparisons' | 'byVerdict'> {
  readonly registration: Pick<Registration, 'mode' | 'candidates' | 'comparators'>
  /** How many of its forecasts a model failed to make. */
  readonly countFailures: (model: string) => Comparison['candidateFailures']
  readonly alpha: number
  /** One per candidate. */
  readonly verdicts: readonly JudgedVerdict[]
  /** Whether a name is that of a built-in rule. */
  readonly isBuiltIn: (name: string) => boolean
  readonly missingOutcomes: VerdictBasis['missingOutcomes']
  readonly tooLax: VerdictBasis['tooLax']
  readonly waiting: WaitingBasis
  /** The results of a candidate against a comparator. */
  readonly found: (
    candidate: string,
    comparator: ModelReference,
  ) => Pick<Comparison, 'availability' | 'overall' | 'horizons' | 'groups'>
}

/** The verdict on every candidate. */
export function decideDispositions(basis: DispositionBasis) {
  const {
    registration,
    countFailures,
    alpha,
    verdicts,
    isBuiltIn,
    missingOutcomes,
    tooLax,
    waiting,
    ...rest
  } = basis
  const { found, ...limits } = rest
  const { mode, candidates, comparators } = registration
  // Models of the history that are required under the name of a built-in, and may be anything.
  const substituted = comparators
    .filter(({ source, required_as }) => source === 'history' && required_as.some(isBuiltIn))
    .map(({ name }) => name)
  return candidates.map(({ name: candidate }) => {
    // One per candidate.
    const verdict = verdicts.find((each) => each.candidate === candidate) as JudgedVerdict
    const comparisons = comparators.map((comparator) => ({
      comparator: comparator.name,
      candidateFailures: countFailures(candidate),
      comparatorFailures: countFailures(comparator.name),
      ...found(candidate, comparator),
    }))
    const byVerdict = { verdict, alpha, substituted, missingOutcomes, tooLax, waiting }
    return { candidate, ...decideDisposition({ ...limits, mode, comparisons, byVerdict }) }
  })
}

/** Levels and series with fewer keys per step have no limit, because a few missing ones would be a large share. */
const LEAST_ASKED = 30

/** What was left out of some cells. */
class LeftOut {
  #leftOut: LeftOutCount = { notScored: 0, origins: 0 }
  #comparator: LeftOutCount = { notScored: 0, origins: 0 }
  readonly #steps = new Set<number>()

  add(step: number, keys: Counts): void {
    this.#steps.add(step)
    this.#leftOut = addCounts(this.#leftOut, countLeftOut(keys))
    this.#comparator = addCounts(this.#comparator, comparatorLeftOut(keys))
  }

  /** @param ofHistory whether the comparator comes from the history, and must keep the same limits. */
  at(wanted: Pick<AvailabilityCell, 'horizon' | 'level'>, ofHistory: boolean): AvailabilityCell {
    return { ...wanted, ...this.#leftOut, comparator: ofHistory ? this.#comparator : undefined }
  }

  get isAsked(): boolean {
    return this.#leftOut.origins >= LEAST_ASKED * this.#steps.size
  }
}

const addCounts = (a: LeftOutCount, b: LeftOutCount): LeftOutCount => ({
  notScored: a.notScored + b.notScored,
  origins: a.origins + b.origins,
})

/**
 * What was left out in a comparison at each step, overall, and in each level and series over all steps, a series after
 * another.
 */
export class Availability {
  readonly #steps = new Map<number, LeftOut>()
  readonly #all = new LeftOut()
  readonly #levels = new Map<string, LeftOut>()
  readonly #series: { readonly cell: AvailabilityCell; readonly loss: number }[] = []
  #loss = 0

  /**
   * @param ofHistory whether the comparator comes from the history, and must keep the same limits.
   * @param isSeveral - whether there are several series; the share of one equals the overall share.
   */
  constructor(
    private readonly ofHistory: boolean,
    private readonly isSeveral: boolean,
  ) {}

  /**
   * Adds the cells of a series in which the comparator is required.
   * @param keysIn - over all origins, or those of a level. @param loss - of the comparator: the sum over the cells.
   */
  add(
    series: string,
    cells: readonly { readonly step: number; readonly keys: Counts }[],
    levels: ReadonlyMap<string, readonly { readonly step: number; readonly keys: Counts }[]>,
    loss: number,
  ): void {
    const ofSeries = new LeftOut()
    for (const { step, keys } of cells) {
      const at = this.#steps.get(step) ?? new LeftOut()
      this.#steps.set(step, at)
      for (const each of [at, this.#all, ofSeries]) each.add(step, keys)
    }
    for (const [level, of] of levels) {
      const at = this.#levels.get(level) ?? new LeftOut()
      this.#levels.set(level, at)
      for (const { step, keys } of of) at.add(step, keys)
    }
    this.#loss += loss
    if (!this.isSeveral || !ofSeries.isAsked) return
    const cell = { horizon: 'overall', level: `series: ${series}` } as const
    this.#series.push({ cell: ofSeries.at(cell, this.ofHistory), loss })
  }

  cells(): AvailabilityCell[] {
    const overall = (of: LeftOut, level: string | null) =>
      of.at({ horizon: 'overall', level }, this.ofHistory)
    return [
      ...[...this.#steps].map(([horizon, of]) => of.at({ horizon, level: null }, this.ofHistory)),
      overall(this.#all, null),
      ...[...this.#levels].flatMap(([level, of]) => (of.isAsked ? [overall(of, level)] : [])),
      ...this.#series.map(({ cell, loss }) => {
        return { ...cell, isSeries: true, lossShare: this.#loss === 0 ? 0 : loss / this.#loss }
      }),
    ]
  }
}

/** What was left out, and of how many origins. */
export interface LeftOutCount {
  readonly notScored: number
  readonly origins: number
}

/**
 * What a candidate left out in a cell: the origins with an outcome at which it has no pair, out of these and its pairs.
 * Origins at which the comparator is silent too are included; otherwise a comparator that forecasts only where the
 * candidate does would hide its silence. Where only the comparator is silent, no pair can be expected. A forecast from
 * another vintage is not a pair, because the candidate names its vintage.
 */
export function countLeftOut({ shared, lost, with_outcome: origins }: Counts): LeftOutCount {
  return { notScored: origins - shared - lost.comparator_not_scored, origins }
}

/** What the comparator of a cell left out, of all origins with an outcome. */
function comparatorLeftOut({ shared, lost, with_outcome: origins }: Counts): LeftOutCount {
  const scored = shared + lost.candidate_not_scored + lost.vintage_mismatch
  return { notScored: origins - scored, origins }
}

type Counts = Pick<ResultDifference, 'shared' | 'lost' | 'with_outcome'>
