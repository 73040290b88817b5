import type { ModelReference } from '../contract/types.js'
import {
  type AvailabilityCell,
  type Comparison,
  type DispositionInput,
  decideDisposition,
  undecided,
  type VerdictBasis,
  type WaitingBasis,
} from '../inference/disposition.js'
import type { JudgedVerdict } from '../inference/verdict.js'
import type { AnyRegistration } from '../registration/types.js'
import type { Paired } from './pair.js'
import { shownCounts } from './result/shared.js'
import type { SharedKeys } from './result/types.js'

/** What the verdict on every candidate follows from, whichever version its protocol has. */
export interface DispositionBasis
  extends Omit<DispositionInput, 'mode' | 'comparisons' | 'byVerdict'> {
  readonly registration: Pick<AnyRegistration, 'mode' | 'candidates' | 'comparators'>
  readonly paired: Paired
  readonly alpha: number
  /** One a candidate; undefined where a registration has no verdict hypotheses, and nothing is decided. */
  readonly verdicts: readonly JudgedVerdict[] | undefined
  /** Whether a name is that of a rule that is computed. */
  readonly isBuiltIn: (name: string) => boolean
  readonly missingOutcomes: VerdictBasis['missingOutcomes']
  readonly tooLax: VerdictBasis['tooLax']
  readonly waiting: WaitingBasis
  /** What was found of a candidate against a comparator. */
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
  if (verdicts === undefined) {
    return candidates.map(({ name: candidate }) => ({ candidate, ...undecided() }))
  }
  const failuresOf = (model: string) => {
    const { expected, point } = shownCounts(paired, { model })
    return { failures: point.failed, expected }
  }
  // Models of the history that are required by the name of a built-in, and may be anything.
  const substituted = comparators
    .filter(({ source, required_as }) => source === 'history' && required_as.some(isBuiltIn))
    .map(({ name }) => name)
  return candidates.map(({ name: candidate }) => {
    // One a candidate.
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

/** A level or a series with fewer keys a step is not asked what was left out of it: a few would be a large share. */
const LEAST_ASKED = 30

/** A part of the keys that has a limit of its own. */
export interface AvailabilityPart extends Pick<AvailabilityCell, 'isSeries' | 'lossShare'> {
  readonly level: string
  readonly cells: readonly (Counts & { readonly horizon: number })[]
}

/**
 * What was left out of each horizon, over all of them, and of each part over all horizons.
 * @param whole as `leftOutOf` takes it.
 * @param ofHistory whether the comparator comes from the history, and keeps to the same limits.
 */
export function availabilityOf(
  cells: AvailabilityPart['cells'],
  parts: readonly AvailabilityPart[],
  whole: boolean,
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
    ...sum(of.map((cell) => leftOutOf(cell, whole))),
    comparator: ofHistory ? sum(of.flatMap((cell) => comparatorLeftOut(cell) ?? [])) : undefined,
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
 * What a candidate left out in a cell: the origins with an outcome at which it has no pair, out of
 * these and its pairs. Where the comparator is silent too it counts as well, or a comparator that
 * speaks only where the candidate does would hide its silence; where the comparator alone is silent,
 * no pair can be asked for. A forecast from another vintage is no pair, and it is the candidate that names its
 * vintage.
 *
 * A result of a registration without an availability limit does not count outcomes: there, out of the
 * origins at which the comparator is scored.
 *
 * @param whole with verdict hypotheses: out of all origins with an outcome. A comparator that a gap in the
 * closes silences for a month would otherwise make a few missing forecasts a large share.
 */
export function leftOutOf(
  { shared, lost, with_outcome: outcomes }: Counts,
  whole: boolean,
): LeftOutCount {
  const notScored =
    outcomes === undefined
      ? lost.candidate_not_scored + lost.vintage_mismatch
      : outcomes - shared - lost.comparator_not_scored
  const origins = whole ? outcomes : undefined
  return { notScored, origins: origins ?? shared + notScored }
}

/** What the comparator of a cell left out, of all origins with an outcome; undefined where they were not counted. */
function comparatorLeftOut({
  shared,
  lost,
  with_outcome: outcomes,
}: Counts): LeftOutCount | undefined {
  if (outcomes === undefined) return undefined
  const scored = shared + lost.candidate_not_scored + lost.vintage_mismatch
  return { notScored: outcomes - scored, origins: outcomes }
}

type Counts = Pick<SharedKeys, 'shared' | 'lost' | 'with_outcome'>
