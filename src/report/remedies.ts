import type { CandidateDisposition, EvaluationResult } from '../evaluation/result/types.js'
import { percent, whole } from '../output/figures.js'

type Code = CandidateDisposition['reasons'][number]['code']

/** What would take away a reason that blocks; those that nothing takes away are not named. */
const REMEDY: Partial<Record<Code, (result: EvaluationResult) => string>> = {
  evidence_chain_broken: () => 'Restore the inputs that were registered and score again.',
  control_failed: () => 'Report it: the program computed something that cannot be.',
  comparison_missing: () =>
    'Register an evaluation that has every comparator that the protocol requires.',
  failure_rate_above_comparator: () =>
    'Fail no more often than each comparator in the window of a new registration.',
  availability_limit_exceeded: ({ settings }) =>
    `Give a forecast in time for at least ${percent(1 - (settings.availability_limit ?? 1))} of the origins at every horizon, and ${percent(1 - (settings.availability_limit_stratum ?? 1))} in every level of a stratum, in the window of a new registration.`,
  comparator_availability_limit_exceeded: () =>
    'Register a comparator that keeps to the same limits, or the built-in rule of its name.',
  deciding_test_blocked: ({ settings }) =>
    `Register a longer window: a deciding test needs ${whole(settings.minimum_pairs)} pairs and ${whole(settings.minimum_blocks)} effective blocks at every horizon.`,
}

/** What would unblock a candidate, each remedy once; empty where it is not blocked. */
export function remediesOf(
  result: EvaluationResult,
  { disposition, reasons }: CandidateDisposition,
): string[] {
  if (disposition !== 'blocked') return []
  const blocking = reasons.filter((reason) => reason.leads_to === 'blocked')
  const codes = [...new Set(blocking.map(({ code }) => code))]
  return codes.flatMap((code) => REMEDY[code]?.(result) ?? [])
}
