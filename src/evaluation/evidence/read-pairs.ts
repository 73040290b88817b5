import { join } from 'node:path'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { breathe } from '../../files/breathe.js'
import { digestOfFile } from '../../files/regular.js'
import { type PairLine, readPairLine } from '../../pairing/lines.js'
import type { EvaluationResult } from '../result/types.js'
import { FILES, MAX_BYTES_OF } from './folder.js'
import { faultyLine, linesIn } from './lines.js'

/** Whether the stored pairs have the digest that the result names; read piece by piece. */
export async function pairsFileFaults(
  { folder, signal }: { readonly folder: string; readonly signal?: AbortSignal | undefined },
  result: EvaluationResult,
): Promise<Finding[]> {
  const file = join(folder, FILES.pairs)
  const found = await digestOfFile(file, MAX_BYTES_OF[FILES.pairs], () => breathe(signal))
  const stored = result.inputs.pairs.sha256
  return found === stored ? [] : [finding('pairs-edited', { stored, found }, { file })]
}

/** A model may have a very long name. */
const LONGEST_LINE = 16_777_216

/**
 * The stored pairs in order, some thousand at a time. Hold the file against its digest before.
 * @throws {ForeproofError} `invalid-input` at a line that `score` cannot have written; `interrupted`.
 */
export async function* readPairs(
  folder: string,
  signal?: AbortSignal,
): AsyncGenerator<readonly PairLine[]> {
  const file = join(folder, FILES.pairs)
  let before = 0
  for (const lines of linesIn(file, LONGEST_LINE)) {
    await breathe(signal)
    yield lines.map((line, index) => {
      const pair = readPairLine(line)
      if (pair === undefined) throw faultyLine(file, before + index + 1, 'is no attempt')
      return pair
    })
    before += lines.length
  }
}
