import { join } from 'node:path'
import { finding } from '../../contract/findings/finding.js'
import { briefly, firstDifference } from '../../document/difference.js'
import type { PairingRow } from '../../forecast/row.js'
import { digestOfRows, type RowsDigest } from '../history.js'
import { assertReadable, assertSound, catchBroken, type Link, linkError } from '../links.js'
import type { EvaluateOptions } from '../pair.js'
import type { Result } from '../result/result.js'
import { type ReadEvaluation, type SummedEvaluation, sumSeries } from '../steps.js'
import { FILES } from './folder.js'
import { pairsFileFaults, saysLineEnds } from './open.js'
import { type PairDifference, PairsComparison } from './pairs-comparison.js'

export interface RecomputeOptions extends EvaluateOptions {
  readonly folder: string
}

/** The rows of a window, and their digest after reading. */
export type DigestedReading = AsyncIterable<readonly PairingRow[]> & { digest(): RowsDigest }

/** What is computed again. */
export interface ReadAgain extends ReadEvaluation {
  readonly rows: DigestedReading
  /** The history, in findings. */
  readonly history: string
  /** Whether the pairs are scored, too. */
  readonly isScored: boolean
}

/**
 * Pairs and scores again, and compares the history and the pairs with the stored ones: the history by its digest, the
 * pairs line by line. If the history differs, the pairs show where.
 */
export async function sumAgain<Read extends ReadAgain>(
  request: RecomputeOptions,
  result: Result,
  read: Read,
): Promise<Read & SummedEvaluation> {
  const { rows, history } = read
  const edited = await catchBroken(() =>
    assertReadable('pairs', () => pairsFileFaults(request, result), 'is-a-finding'),
  )
  if (!Array.isArray(edited)) {
    // There is nothing to compare with.
    const digest = await assertReadable('history', () => digestOfRows(rows, request.signal))
    assertHistory(request, result, digest, undefined, history)
    throw linkError('pairs', edited.findings)
  }
  const comparison = new PairsComparison(request.folder)
  try {
    const { compare: pairs } = comparison
    // What differs is not computed.
    const isScored = () => read.isScored && comparison.isEqual
    const to = { pairs, cells: () => undefined, isScored }
    const summed = await assertReadable('history', () => sumSeries(read, to))
    const difference = comparison.difference()
    // The stored pairs are reliable only if their digest is correct.
    const shown = edited.length === 0 ? difference : undefined
    assertHistory(request, result, rows.digest(), shown, history)
    if (difference !== undefined && !edited.some(saysLineEnds)) {
      const position = { line: difference.line, column: 1 }
      const at = { file: join(request.folder, FILES.pairs), position }
      throw linkError('pairs', [finding('pairs-differ', toArguments(difference), at)])
    }
    assertSound('pairs', edited)
    return summed
  } finally {
    comparison.close()
  }
}

const toArguments = ({ line: _, computed, ...args }: PairDifference) => ({
  ...args,
  found: computed,
})

/**
 * Compares the history with the statements of the result.
 * @param shown - if the history differs: the difference in the pairs, if known.
 */
function assertHistory(
  { folder }: RecomputeOptions,
  { inputs: { history } }: Result,
  { sha256, rows: found }: RowsDigest,
  shown: PairDifference | undefined,
  file: string,
): void {
  const { rows: stored } = history
  if (sha256 !== history.sha256) {
    throw linkError('history', [
      shown === undefined
        ? finding('history-changed', { stored, found }, { file })
        : finding('history-differs', toArguments(shown), { file }),
    ])
  }
  assertSame('history', folder, stored, found, '/inputs/history/rows')
}

/** The compared parts of a result. */
export type Comparable = Partial<Record<keyof Result, unknown>>

/**
 * Looks for the first figure of a recomputed result that differs from the stored one.
 * @param comparable - a result without the parts that are not recomputed.
 */
export function compareResults(
  { folder }: RecomputeOptions,
  result: Result,
  made: Result,
  comparable: (result: Result) => Comparable = (whole) => whole,
): void {
  const { result_sha256: _stored, cells: ours, ...stored } = comparable(result)
  const { result_sha256: _computed, cells: theirs, ...computed } = comparable(made)
  assertSame('computation', folder, stored, computed)
  // A digest says less than a figure.
  assertSame('computation', folder, ours, theirs, '/cells')
}

/** Compares a result with what the inputs give. */
export function assertSame(
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
  throw linkError(link, [finding('result-not-recomputed', args, at)])
}
