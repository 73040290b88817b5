import { relative } from '../evaluation/result/readings.js'
import type { Result } from '../evaluation/result/types.js'
import { verdictName } from '../report/sentences.js'
import {
  accountingIn,
  asCounts,
  comparatorsIn,
  lossTest,
  measuresIn,
  primaryScore,
  relativeInterval,
  verdictsIn,
} from '../report/view.js'
import type { SummarizedResult } from './inputs.js'
import type { RecordCandidate } from './track-record.js'

/** What a record shows of a result. */
export const summarizeResult = (result: Result): SummarizedResult => ({
  kind: result.kind,
  candidates: verdictsIn(result).map(({ candidate, disposition }) => ({
    candidate,
    disposition,
    verdict: verdictName(result, disposition),
    ...countsOf(asCounts(result, candidate), candidate),
  })),
})

function countsOf(
  result: Result,
  candidate: string,
): Omit<RecordCandidate, 'candidate' | 'disposition' | 'verdict'> {
  const {
    expected = 0,
    without_outcome = 0,
    point,
  } = accountingIn(result, candidate, 'overall') ?? {}
  const scored = point?.scored ?? 0
  const strongest = strongestIn(result, candidate)
  return { expected, scored, left_out: expected - scored, without_outcome, strongest }
}

/** The difference to the comparator with the lowest loss. */
function strongestIn(result: Result, candidate: string): RecordCandidate['strongest'] {
  const { id } = primaryScore(result)
  const lossOf = (comparator: string) =>
    measuresIn(result, comparator, 'overall')?.means[id] ?? Number.POSITIVE_INFINITY
  const [best] = comparatorsIn(result)
    .map((comparator) => ({
      comparator,
      test: lossTest(result, { candidate, comparator }, 'overall'),
    }))
    .filter(({ test }) => test !== undefined && relative(test.observed, test) !== null)
    .sort((a, b) => lossOf(a.comparator) - lossOf(b.comparator))
  if (best?.test === undefined) return null
  const { observed: difference, lower, upper } = relativeInterval(best.test)
  return { comparator: best.comparator, difference, lower, upper }
}
