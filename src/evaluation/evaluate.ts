import type { PairingRow } from '../forecast/row.js'
import { cellsOf, inferenceStage, type RunOptions } from './infer.js'
import { type Basis, type Paired, pairRegistered } from './pair-registered.js'
import { assembleResult, type RunMetadata } from './result/assemble.js'
import type { ComputedParts } from './result/cells.js'
import type { EvaluationResult } from './result/types.js'

export type Phase = 'pairing' | 'bootstrap'

export interface EvaluateOptions extends Pick<RunOptions, 'workers' | 'signal'> {
  readonly onProgress?: (phase: Phase, completed: number, total: number) => void
}

/** An evaluation with everything computed that needs no knowledge of how it came about. */
export interface EvaluateResult {
  readonly paired: Paired
  readonly result: (metadata: RunMetadata) => EvaluationResult
}

/**
 * Pairs, scores and tests, from what was read and verified to the whole content of a result: the
 * same for `score` and for `audit`, and the same for the same inputs with any options.
 *
 * @param history rows of the window in origin order.
 * @param onLines gets the text of pairs.ndjson, piece by piece.
 */
export async function evaluate(
  basis: Basis,
  history: AsyncIterable<readonly PairingRow[]>,
  onLines: (text: string) => void,
  { onProgress, ...options }: EvaluateOptions = {},
): Promise<EvaluateResult> {
  const { registration, protocol } = basis
  const paired = await pairRegistered(basis, history, onLines, {
    onProgress: (completed, total) => onProgress?.('pairing', completed, total),
    signal: options.signal,
  })
  const cellOf = cellsOf(paired, registration)
  const inferred = await inferenceStage(registration, protocol, paired, cellOf, {
    ...options,
    onProgress: (completed, total) => onProgress?.('bootstrap', completed, total),
  })
  const parts: ComputedParts = { registration, protocol, paired, cellOf, inferred }
  return { paired, result: (metadata) => assembleResult(parts, metadata) }
}
