import type { PairingRow } from '../forecast/row.js'
import { type EvaluateOptions, type Paired, type PairingTask, pairRegistered } from './pair.js'
import type { MadeEvaluation } from './reading/result.js'
import { lateForecasts, type RunMetadata } from './result/shared.js'

/** The computations of an evaluation, for protocols of either version. */
export interface EvaluationTask extends PairingTask {
  /** Whether a second reading also counts forecasts that were committed late or never. */
  readonly isReadTwice: boolean
  /**
   * Scores and tests the pairs.
   * @param second - paired with those forecasts included, if there are any.
   */
  readonly finish: (
    paired: Paired,
    second: Paired | undefined,
    metadata: RunMetadata,
    options: EvaluateOptions,
  ) => Promise<MadeEvaluation>
}

/** Reads the rows of the window in origin order; each call starts from the first row. */
export type ReadRows = () => AsyncIterable<readonly PairingRow[]>

/**
 * Scores and tests, from the pairs to the complete content of a result: the same for `score` and for `audit`, and
 * independent of options. If witnesses are required and forecasts were committed late or never, everything is computed
 * a second time with these.
 */
export async function scorePaired(
  task: EvaluationTask,
  paired: Paired,
  history: ReadRows,
  metadata: RunMetadata,
  options: EvaluateOptions,
): Promise<MadeEvaluation> {
  const withLate = { ...task, plan: { ...task.plan, lateCounts: true } }
  const second =
    task.isReadTwice && lateForecasts(paired) > 0
      ? await pairRegistered(withLate, history(), () => undefined, options)
      : undefined
  return await task.finish(paired, second, metadata, options)
}
