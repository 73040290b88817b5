import type {
  CandidateDisposition,
  EvaluationResult,
  ResultReason,
} from '../evaluation/result/types.js'
import { percent, whole } from '../output/figures.js'
import { minimumBlocksIn } from './view.js'

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
    `Have a scored forecast (made in time, from inputs of its time, and of the same vintage as that of a comparator that names one) for at least ${percent(1 - (settings.availability_limit ?? 1))} of the origins at every horizon, and ${percent(1 - (settings.availability_limit_stratum ?? 1))} in every level of a stratum, in the window of a new registration.`,
  comparator_availability_limit_exceeded: () =>
    'Register a comparator that keeps to the same limits, or the built-in rule of its name.',
}

/** What takes away that a deciding test is blocked: a longer window, where that gives it what it lacks. */
function testableDesign(result: EvaluationResult, blocked: readonly ResultReason[]): string[] {
  // Without any pair a test lacks everything, and a longer window gives it none.
  const lacks = (...codes: string[]) =>
    blocked.some(
      ({ details }) =>
        !details.includes('no_pairs') && details.some((detail) => codes.includes(detail)),
    )
  const { settings } = result
  const longer = `Register a longer window: a deciding test needs ${whole(settings.minimum_pairs)} pairs and ${whole(minimumBlocksIn(result))} effective blocks at every horizon.`
  return [
    ...(lacks('too_few_pairs', 'too_few_blocks', 'window_shorter_than_block', 'empty_replicate')
      ? [longer]
      : []),
    ...(lacks('no_variance')
      ? [
          'Look at the forecasts: a candidate whose differences from a comparator never vary is most likely a copy of it, moved by a constant.',
        ]
      : []),
  ]
}

/** What would unblock a candidate, each remedy once; empty where it is not blocked. */
export function remediesOf(
  result: EvaluationResult,
  { disposition, reasons }: CandidateDisposition,
): string[] {
  if (disposition !== 'blocked') return []
  const blocking = reasons.filter((reason) => reason.leads_to === 'blocked')
  const codes = [...new Set(blocking.map(({ code }) => code))]
  const tests = blocking.filter(({ code }) => code === 'deciding_test_blocked')
  return [
    ...codes.flatMap((code) => REMEDY[code]?.(result) ?? []),
    ...testableDesign(result, tests),
  ]
}
