import { blocking, reasonOf } from './disposition-rules.js'
import type {
  AvailabilityCell,
  Comparison,
  DispositionInput,
  DispositionReason,
  FailureCount,
} from './disposition-types.js'

/**
 * What keeps a candidate from winning by silence. A model without any skill looks better once it
 * withholds the forecasts that went wrong, so the share of the origins that it leaves out is limited, at every horizon and in every level: one that is silent in volatile hours alone stays
 * far below any limit over all origins. Why a forecast is missing does not matter, so that a
 * recorded failure is never worse than a deleted one. A comparator of the history keeps to the same limits, or
 * it could choose the origins of the comparison.
 */
export function silenceReasons(
  comparison: Comparison,
  { availabilityLimits: limits }: DispositionInput,
): DispositionReason[] {
  const failing = failureReason(comparison)
  if (limits === undefined) return failing === undefined ? [] : [blocking(...failing)]
  const silent = [
    ...beyondLimit('availability_limit_exceeded', comparison, limits, (cell) => cell),
    ...beyondLimit(
      'comparator_availability_limit_exceeded',
      comparison,
      limits,
      (cell) => cell.comparator,
    ),
  ]
  const noted = failing && reasonOf({ code: failing[0], leads_to: NOTHING_LOST, ...failing[1] })
  return noted === undefined ? silent : [...silent, noted]
}

/** A reason for every horizon and level at which more was left out than the limit allows. */
function beyondLimit(
  code: DispositionReason['code'],
  { comparator, availability }: Comparison,
  limits: { readonly all: number; readonly level: number },
  countIn: (cell: AvailabilityCell) => AvailabilityCell['comparator'],
): DispositionReason[] {
  return availability.flatMap((cell) => {
    const { origins, notScored } = countIn(cell) ?? { origins: 0, notScored: 0 }
    const limit = cell.level === null ? limits.all : limits.level
    if (notScored <= limit * origins) return []
    const details = cell.level === null ? [] : [cell.level]
    const { horizon } = cell
    return [blocking(code, { comparator, horizon, found: notScored / origins, limit, details })]
  })
}

/** A reason that is told and weighs nothing. */
const NOTHING_LOST = 'eligible_for_human_review'

/** That a candidate failed more often than a comparator: compared as fractions, not as rounded quotients. */
function failureReason({ comparator, candidateFailures, comparatorFailures }: Comparison) {
  const [ours, theirs] = [candidateFailures, comparatorFailures]
  if (ours.failures * theirs.expected <= theirs.failures * ours.expected) return undefined
  const of = { comparator, found: rate(ours), limit: rate(theirs) }
  return ['failure_rate_above_comparator', of] as const
}

function rate({ failures, expected }: FailureCount): number {
  return expected === 0 ? 0 : failures / expected
}
