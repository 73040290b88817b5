import type { PairingRow } from '../forecast/row.js'
import { type EvaluateOptions, type Paired, type PairingTask, pairRegistered } from './pair.js'
import { lateForecasts, type RunMetadata } from './result/shared.js'

/** What an evaluation computes, whichever version its protocol has. */
export interface EvaluationTask<R> extends PairingTask {
  /** Whether forecasts that were committed late or not at all are read once more, as if they counted. */
  readonly isReadTwice: boolean
  /**
   * Scores and tests what was paired.
   * @param second - paired with those forecasts, too, where there are any.
   */
  readonly finish: (
    paired: Paired,
    second: Paired | undefined,
    metadata: RunMetadata,
    options: EvaluateOptions,
  ) => Promise<R>
}

/** Reads the rows of the window in origin order, from the first on. */
export type ReadRows = () => AsyncIterable<readonly PairingRow[]>

/**
 * Scores and tests, from what was paired to the whole content of a result: the same for `score` and for `audit`, and the
 * same for the same inputs with any options. Where witnesses are asked for and forecasts were committed late or not at
 * all, all is computed once more with these.
 */
export async function scorePaired<R>(
  task: EvaluationTask<R>,
  paired: Paired,
  history: ReadRows,
  metadata: RunMetadata,
  options: EvaluateOptions,
): Promise<R> {
  const withLate = { ...task, plan: { ...task.plan, lateCounts: true } }
  const second =
    task.isReadTwice && lateForecasts(paired) > 0
      ? await pairRegistered(withLate, history(), () => undefined, options)
      : undefined
  return await task.finish(paired, second, metadata, options)
}
