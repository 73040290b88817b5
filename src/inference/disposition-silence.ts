import { blocking, reasonOf } from './disposition-rules.js'
import type {
  Comparison,
  DispositionInput,
  DispositionReason,
  FailureCount,
} from './disposition-types.js'

/**
 * What keeps a candidate from winning by silence. A model without any skill looks better once it
 * withholds the forecasts that went wrong, so the share of a comparator's origins that it leaves out
 * is limited, at every horizon and in every level: one that is silent in volatile hours alone stays
 * far below any limit over all origins. Why a forecast is missing does not matter, so that a
 * recorded failure is never worse than a deleted one.
 */
export function silenceReasons(
  comparison: Comparison,
  { availabilityLimits: limits }: DispositionInput,
): DispositionReason[] {
  const failing = failureReason(comparison)
  if (limits === undefined) return failing === undefined ? [] : [blocking(...failing)]
  const silent = comparison.availability.flatMap(({ horizon, level, origins, notScored }) => {
    const limit = level === null ? limits.all : limits.level
    if (notScored <= limit * origins) return []
    const { comparator } = comparison
    const of = { comparator, horizon, found: notScored / origins, limit }
    return [
      blocking('availability_limit_exceeded', { ...of, details: level === null ? [] : [level] }),
    ]
  })
  const noted = failing && reasonOf({ code: failing[0], leads_to: NOTHING_LOST, ...failing[1] })
  return noted === undefined ? silent : [...silent, noted]
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
