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
import type { Paired } from './pair.js'
import { shownCounts } from './result/shared.js'
import type { ResultDifference } from './result/types.js'

/** The input of the verdict on every candidate, for protocols of either version. */
export interface DispositionBasis
  extends Omit<DispositionInput, 'mode' | 'comparisons' | 'byVerdict'> {
  readonly registration: Pick<Registration, 'mode' | 'candidates' | 'comparators'>
  readonly paired: Paired
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
export function dispositionsOf(basis: DispositionBasis) {
  const {
    registration,
    paired,
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
  const failuresOf = (model: string) => {
    const { expected, point } = shownCounts(paired, { model })
    return { failures: point.failed, expected }
  }
  // Models of the history that are required under the name of a built-in, and may be anything.
  const substituted = comparators
    .filter(({ source, required_as }) => source === 'history' && required_as.some(isBuiltIn))
    .map(({ name }) => name)
  return candidates.map(({ name: candidate }) => {
    // One per candidate.
    const verdict = verdicts.find((each) => each.candidate === candidate) as JudgedVerdict
    const comparisons = comparators.map((comparator) => ({
      comparator: comparator.name,
      candidateFailures: failuresOf(candidate),
      comparatorFailures: failuresOf(comparator.name),
      ...found(candidate, comparator),
    }))
    const byVerdict = { verdict, alpha, substituted, missingOutcomes, tooLax, waiting }
    return { candidate, ...decideDisposition({ ...limits, mode, comparisons, byVerdict }) }
  })
}

/** Levels and series with fewer keys per step have no limit, because a few missing ones would be a large share. */
const LEAST_ASKED = 30

/** A part of the keys that has a limit of its own. */
export interface AvailabilityPart extends Pick<AvailabilityCell, 'isSeries' | 'lossShare'> {
  readonly level: string
  readonly cells: readonly (Counts & { readonly horizon: number })[]
}

/**
 * What was left out at each horizon, overall, and in each part over all horizons.
 * @param ofHistory whether the comparator comes from the history, and must keep the same limits.
 */
export function availabilityOf(
  cells: AvailabilityPart['cells'],
  parts: readonly AvailabilityPart[],
  ofHistory: boolean,
): AvailabilityCell[] {
  const sum = (counts: readonly LeftOutCount[]): LeftOutCount => ({
    notScored: counts.reduce((all, one) => all + one.notScored, 0),
    origins: counts.reduce((all, one) => all + one.origins, 0),
  })
  const horizons = [...new Set(cells.map(({ horizon }) => horizon))]
  const left = (
    of: AvailabilityPart['cells'],
    place: Pick<AvailabilityCell, 'horizon' | 'level'>,
  ) => ({
    ...place,
    ...sum(of.map((cell) => leftOutOf(cell))),
    comparator: ofHistory ? sum(of.map(comparatorLeftOut)) : undefined,
  })
  const asked = parts.flatMap(({ cells: own, level, ...part }): AvailabilityCell[] => {
    const cell = left(own, { horizon: 'overall', level })
    const steps = new Set(own.map(({ horizon }) => horizon)).size
    return cell.origins < LEAST_ASKED * steps ? [] : [{ ...cell, ...part }]
  })
  return [
    ...horizons.map((horizon) => {
      const own = cells.filter((cell) => cell.horizon === horizon)
      return left(own, { horizon, level: null })
    }),
    left(cells, { horizon: 'overall', level: null }),
    ...asked,
  ]
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
export function leftOutOf({ shared, lost, with_outcome: origins }: Counts): LeftOutCount {
  return { notScored: origins - shared - lost.comparator_not_scored, origins }
}

/** What the comparator of a cell left out, of all origins with an outcome. */
function comparatorLeftOut({ shared, lost, with_outcome: origins }: Counts): LeftOutCount {
  const scored = shared + lost.candidate_not_scored + lost.vintage_mismatch
  return { notScored: origins - scored, origins }
}

type Counts = Pick<ResultDifference, 'shared' | 'lost' | 'with_outcome'>
