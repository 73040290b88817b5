import type { PairingRow } from '../forecast/row.js'
import { type EvaluateOptions, type OnSeries, type Paired, pairRegistered } from './pair.js'
import {
  type EvaluationTask,
  type InferredReadings,
  sealedResult,
} from './reading/sealed-result.js'
import { SeriesSums } from './reading/series-sums.js'
import type { Result } from './result/result.js'
import type { RunMetadata } from './result/shared.js'

/** What is scored: the same for `score` and for `audit`, whose steps take it and return it with a member more. */
export interface ReadEvaluation {
  readonly task: EvaluationTask
  /** Those of the window. */
  readonly rows: AsyncIterable<readonly PairingRow[]>
  readonly run: RunMetadata
  readonly options: EvaluateOptions
}

/** Where the lines of pairs and of cells go, in order and in pieces. */
export interface EvaluationLines {
  readonly pairs: (text: string) => void
  readonly cells: (text: string) => void
  /** Whether the next series is scored, or only paired; by default it is. */
  readonly isScored?: () => boolean
}

/** Every attempt paired and scored, a series at a time. */
export interface SummedEvaluation extends ReadEvaluation {
  readonly summed: { readonly paired: Paired; readonly sums: SeriesSums }
}

/** Pairs, scores and adds up, a series at a time. */
export async function sumSeries<Read extends ReadEvaluation>(
  read: Read,
  { pairs, cells, isScored = () => true }: EvaluationLines,
): Promise<Read & SummedEvaluation> {
  const { task, rows, options } = read
  const sums = new SeriesSums(task.input(), cells)
  const onSeries: OnSeries = (...series) => isScored() && sums.add(...series)
  const paired = await pairRegistered(task, rows, pairs, options, onSeries)
  return { ...read, summed: { paired, sums } }
}

interface InferredEvaluation extends SummedEvaluation {
  readonly inferred: InferredReadings
}

/** Tests the family of both readings. */
export async function infer<Summed extends SummedEvaluation>(
  summed: Summed,
): Promise<Summed & InferredEvaluation> {
  const { options } = summed
  const { first, second } = summed.summed.sums.readings
  const inferred = { first: await first.infer(options), second: await second?.infer(options) }
  return { ...summed, inferred }
}

/** Gives every candidate its disposition, and seals the result. */
export function decide<Inferred extends InferredEvaluation>(
  inferred: Inferred,
): Inferred & { readonly result: Result } {
  const { summed, run } = inferred
  return { ...inferred, result: sealedResult(summed.sums, inferred.inferred, summed.paired, run) }
}
