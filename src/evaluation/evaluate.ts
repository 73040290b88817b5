import type { Protocol } from '../contract/types.js'
import type { PairingRow } from '../forecast/row.js'
import { assembleResult, type Circumstances, type Parts } from './assemble.js'
import { cellsOf, inferenceStage, type RunOptions } from './inference.js'
import { type Basis, type Paired, pairStage } from './pairing.js'
import type { Result } from './result.js'

export type Phase = 'pairing' | 'bootstrap'

export interface EvaluateOptions extends Pick<RunOptions, 'workers' | 'signal'> {
  readonly onProgress?: (phase: Phase, completed: number, total: number) => void
}

/** An evaluation with everything computed that needs no knowledge of how it came about. */
export interface Evaluated {
  readonly paired: Paired
  readonly result: (circumstances: Circumstances) => Result
}

/**
 * Pairs, scores and tests, from what was read and verified to the whole content of a result: the
 * same for `score` and for `audit`, and the same for the same inputs whatever the options.
 *
 * @param history rows of the window in origin order, in batches.
 * @param onLine gets the text of pairs.ndjson, piece by piece.
 */
export async function evaluate(
  basis: Basis & { readonly protocol: Protocol },
  history: AsyncIterable<readonly PairingRow[]>,
  onLine: (text: string) => void,
  { onProgress, ...options }: EvaluateOptions = {},
): Promise<Evaluated> {
  const { registration, protocol } = basis
  const paired = await pairStage(basis, history, onLine, (completed, total) =>
    onProgress?.('pairing', completed, total),
  )
  const cellOf = cellsOf(paired, registration.limits.direction_epsilon)
  const inferred = await inferenceStage(registration, protocol, paired, cellOf, {
    ...options,
    onProgress: (completed, total) => onProgress?.('bootstrap', completed, total),
  })
  const parts: Parts = { registration, protocol, paired, cellOf, inferred }
  return { paired, result: (circumstances) => assembleResult(parts, circumstances) }
}
