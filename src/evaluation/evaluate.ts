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
    options: EvaluateOptions,
    second: Paired | undefined,
  ) => Promise<ResultOf<R>>
}

/** A result with everything but what it says of the run. */
export type ResultOf<R> = (metadata: RunMetadata) => R

/** An evaluation with everything computed that needs no knowledge of how it came about. */
export interface EvaluateResult<R> {
  readonly paired: Paired
  readonly result: ResultOf<R>
}

/** Reads the rows of the window in origin order, from the first on. */
export type ReadRows = () => AsyncIterable<readonly PairingRow[]>

/**
 * Pairs, scores and tests, from what was read and verified to the whole content of a result: the
 * same for `score` and for `audit`, and the same for the same inputs with any options.
 * @param onLines gets the text of pairs.ndjson, piece by piece.
 */
export async function evaluate<R>(
  task: EvaluationTask<R>,
  history: ReadRows,
  onLines: (text: string) => void,
  options: EvaluateOptions = {},
): Promise<EvaluateResult<R>> {
  const paired = await pairRegistered(task, history(), onLines, options)
  return { paired, result: await scorePaired(task, paired, history, options) }
}

/**
 * The second half of `evaluate`: scores and tests. Where witnesses are asked for and forecasts were committed late or not at all, all is computed once
 * more with these.
 */
export async function scorePaired<R>(
  task: EvaluationTask<R>,
  paired: Paired,
  history: ReadRows,
  options: EvaluateOptions,
): Promise<ResultOf<R>> {
  const withLate = { ...task, plan: { ...task.plan, lateCounts: true } }
  const second =
    task.isReadTwice && lateForecasts(paired) > 0
      ? await pairRegistered(withLate, history(), () => undefined, options)
      : undefined
  return await task.finish(paired, options, second)
}
