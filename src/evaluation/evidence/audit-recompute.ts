import { join } from 'node:path'
import { finding } from '../../contract/findings/finding.js'
import { briefly, firstDifference } from '../../document/difference.js'
import type { PairingRow } from '../../forecast/row.js'
import { digestOfRows, type RowsDigest } from '../history.js'
import { broken, demand, guarded, type Link, orBroken } from '../links.js'
import type { Documents } from '../load.js'
import {
  type EvaluateOptions,
  type OnSeries,
  type Paired,
  type PairingTask,
  pairRegistered,
} from '../pair.js'
import type { Evaluation } from '../reading/result.js'
import { runMetadata } from '../result/shared.js'
import type { Result } from '../result/types.js'
import { FILES } from './folder.js'
import { pairsFileFaults, saysLineEnds } from './open.js'
import { type PairDifference, PairsComparison } from './pairs-comparison.js'

export interface RecomputeOptions extends EvaluateOptions {
  readonly folder: string
}

/** The rows of a window, and their digest after reading. */
type DigestedReading = AsyncIterable<readonly PairingRow[]> & { digest(): RowsDigest }

/**
 * Pairs again and compares the history and the pairs with the stored ones: the history by its digest, the pairs line by
 * line. If the history differs, the pairs show where.
 * @param history - its name in findings. @param onSeries - gets the series whose pairs are equal.
 */
export async function demandData(
  request: RecomputeOptions,
  result: Result,
  task: PairingTask,
  rows: DigestedReading,
  history: string,
  onSeries: OnSeries,
): Promise<Paired> {
  const edited = await orBroken(() =>
    guarded('pairs', () => pairsFileFaults(request, result), 'is-a-finding'),
  )
  if (!Array.isArray(edited)) {
    // There is nothing to compare with.
    const read = await guarded('history', () => digestOfRows(rows, request.signal))
    demandHistory(request, result, read, undefined, history)
    throw broken('pairs', edited.findings)
  }
  const comparison = new PairsComparison(request.folder)
  try {
    // What differs is not computed.
    const onEqual: OnSeries = (...series) => comparison.isEqual && onSeries(...series)
    const pairing = () => pairRegistered(task, rows, comparison.compare, request, onEqual)
    const paired = await guarded('history', pairing)
    const difference = comparison.difference()
    // The stored pairs are reliable only if their digest is correct.
    const shown = edited.length === 0 ? difference : undefined
    demandHistory(request, result, rows.digest(), shown, history)
    if (difference !== undefined && !edited.some(saysLineEnds)) {
      const position = { line: difference.line, column: 1 }
      const at = { file: join(request.folder, FILES.pairs), position }
      throw broken('pairs', [finding('pairs-differ', argsOf(difference), at)])
    }
    demand('pairs', edited)
    return paired
  } finally {
    comparison.close()
  }
}

const argsOf = ({ line: _, computed, ...args }: PairDifference) => ({ ...args, found: computed })

/**
 * Compares the history with the statements of the result.
 * @param shown - if the history differs: the difference in the pairs, if known.
 */
function demandHistory(
  { folder }: RecomputeOptions,
  { inputs: { history } }: Result,
  { sha256, rows: found }: RowsDigest,
  shown: PairDifference | undefined,
  file: string,
): void {
  const { rows: stored } = history
  if (sha256 !== history.sha256) {
    throw broken('history', [
      shown === undefined
        ? finding('history-changed', { stored, found }, { file })
        : finding('history-differs', argsOf(shown), { file }),
    ])
  }
  demandSame('history', folder, stored, found, '/inputs/history/rows')
}

/** The documents and pairs from which the result is recomputed. */
export interface AuditBasis {
  readonly documents: Documents
  readonly evaluation: Evaluation
  readonly paired: Paired
}

/** The compared parts of a result. */
export type Comparable = Partial<Record<keyof Result, unknown>>

/**
 * Recomputes the whole result, looks for the first figure that differs from the stored one, and returns it.
 * @param comparable - a result without the parts that are not recomputed.
 */
export async function demandRecomputed(
  request: RecomputeOptions,
  result: Result,
  { documents, evaluation, paired }: AuditBasis,
  time: Result['time'],
  comparable: (result: Result) => Comparable = (whole) => whole,
): Promise<Result> {
  const { code, earlier_readings: earlier, inputs } = result
  const metadata = runMetadata(documents, inputs.history, paired.pairs, code, earlier, time)
  const made = await evaluation.finish(paired, metadata, request)
  const { result_sha256: _stored, cells: ours, ...stored } = comparable(result)
  const { result_sha256: _computed, cells: theirs, ...computed } = comparable(made)
  demandSame('computation', request.folder, stored, computed)
  // A digest says less than a figure.
  demandSame('computation', request.folder, ours, theirs, '/cells')
  return made
}

/** Compares a result with what the inputs give. */
export function demandSame(
  link: Link,
  folder: string,
  stored: unknown,
  computed: unknown,
  pointer = '',
): void {
  const other = firstDifference(stored, computed, pointer)
  if (other === undefined) return
  const at = { file: join(folder, FILES.result), pointer: other.pointer }
  const args = { stored: briefly(other.stored), found: briefly(other.computed) }
  throw broken(link, [finding('result-not-recomputed', args, at)])
}
