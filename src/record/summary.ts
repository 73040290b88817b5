import type { Result } from '../evaluation/result/result.js'
import { verdictName } from '../report/sentences.js'
import { accountingIn, asCounts, closestComparator, verdictsIn } from '../report/view.js'
import type { SummarizedResult } from './inputs.js'
import type { RecordCandidate } from './track-record.js'

/** What a record shows of a result. */
export const summarizeResult = (result: Result): SummarizedResult => ({
  kind: result.kind,
  divisor: result.registrations?.divisor,
  candidates: verdictsIn(result).map(({ candidate, disposition }) => ({
    candidate,
    disposition,
    verdict: verdictName(result, disposition),
    ...countVerdicts(asCounts(result, candidate), candidate),
  })),
})

function countVerdicts(
  result: Result,
  candidate: string,
): Omit<RecordCandidate, 'candidate' | 'disposition' | 'verdict'> {
  const {
    expected = 0,
    without_outcome = 0,
    point,
  } = accountingIn(result, candidate, 'overall') ?? {}
  const scored = point?.scored ?? 0
  const closest = closestComparator(result, candidate)
  const strongest = closest
    ? {
        comparator: closest.comparator,
        difference: closest.observed,
        lower: closest.lower,
        upper: closest.upper,
      }
    : null
  return { expected, scored, left_out: expected - scored, without_outcome, strongest }
}
