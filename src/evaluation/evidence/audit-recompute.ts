import { join } from 'node:path'
import { finding } from '../../contract/findings/finding.js'
import { briefly, firstDifference } from '../../document/difference.js'
import type { PairingRow } from '../../forecast/row.js'
import { shownHistory } from '../../store/shown.js'
import {
  type EvaluateOptions,
  type EvaluateResult,
  type EvaluationTask,
  evaluate,
} from '../evaluate.js'
import { digestOfRows, type RowsDigest, type WindowRows } from '../history.js'
import { broken, guarded, type Link, orBroken } from '../links.js'
import type { Documents, InputPaths } from '../load.js'
import { pairRegistered } from '../pair.js'
import { runMetadata } from '../result/shared.js'
import type { AnyResult, EvaluationResult, SeriesEvaluationResult } from '../result/types.js'
import { FILES } from './folder.js'
import { pairsFileFaults } from './open.js'
import { type PairDifference, PairsComparison } from './pairs-comparison.js'

export interface RecomputeOptions extends EvaluateOptions {
  readonly folder: string
}

/** What is computed, and from which documents. */
export interface AuditBasis {
  readonly documents: Documents
  readonly task: EvaluationTask<AnyResult>
}

/** The history and the pairs against their digests; where one differs, what differs in it. */
export async function demandData(
  request: RecomputeOptions,
  result: AnyResult,
  basis: AuditBasis,
  history: WindowRows,
  paths: InputPaths,
): Promise<void> {
  const read = await guarded('history', () => digestOfRows(history.rows(), request.signal))
  const pairsFaults = () => guarded('pairs', () => pairsFileFaults(request, result), 'is-a-finding')
  const { sha256, rows: stored } = result.inputs.history
  const { rows: found } = read
  if (read.sha256 !== sha256) {
    const at = { file: shownHistory(paths.history) }
    // The stored pairs show what differs, and can be believed only where their digest holds.
    const pairs = await orBroken(pairsFaults)
    const comparable = Array.isArray(pairs) && pairs.length === 0
    const what = comparable ? await pairDifference(request, basis, history.rows()) : undefined
    throw broken('history', [
      what === undefined
        ? finding('history-changed', { stored, found }, at)
        : finding('history-differs', argsOf(what), at),
    ])
  }
  if (found !== stored) {
    const at = { file: join(request.folder, FILES.result), pointer: '/inputs/history/rows' }
    const args = { stored: String(stored), found: String(found) }
    throw broken('history', [finding('result-not-recomputed', args, at)])
  }
  await demandPairs(request, result, basis, history.rows())
}

/** The pairs against their digest; where it differs, what differs in them. */
export async function demandPairs(
  request: RecomputeOptions,
  result: AnyResult,
  basis: AuditBasis,
  rows: DigestedReading,
): Promise<void> {
  const faults = () => pairsFileFaults(request, result)
  const edited = await guarded('pairs', faults, 'is-a-finding')
  if (edited.length === 0) return
  demandNone(request.folder, await pairDifference(request, basis, rows))
  throw broken('pairs', edited)
}

/** The rows of a window, and their digest once they were read. */
export type DigestedReading = AsyncIterable<readonly PairingRow[]> & { digest(): RowsDigest }

const argsOf = ({ line: _, computed, ...args }: PairDifference) => ({ ...args, found: computed })

function demandNone(folder: string, difference: PairDifference | undefined): void {
  if (difference === undefined) return
  const position = { line: difference.line, column: 1 }
  const at = { file: join(folder, FILES.pairs), position }
  throw broken('pairs', [finding('pairs-differ', argsOf(difference), at)])
}

/** Pairs anew, without scoring, and looks for the first line that is not the stored one. */
async function pairDifference(
  { folder, onProgress, signal }: RecomputeOptions,
  basis: AuditBasis,
  rows: DigestedReading,
): Promise<PairDifference | undefined> {
  const comparison = new PairsComparison(join(folder, FILES.pairs))
  try {
    await pairRegistered(basis.task, rows, comparison.compare, {
      onProgress: (completed, total) => onProgress?.('pairing', completed, total),
      signal,
    })
    return comparison.difference()
  } finally {
    comparison.close()
  }
}

/** What of a result is compared. */
export type Comparable = Partial<
  Record<keyof SeriesEvaluationResult | keyof EvaluationResult, unknown>
>

/**
 * Makes the whole result again, looks for the first figure that is not the stored one, and gives it.
 * @param comparable - a result without what is not made again.
 */
export async function demandRecomputed(
  request: RecomputeOptions,
  result: AnyResult,
  basis: AuditBasis,
  read: () => DigestedReading,
  time: AnyResult['time'],
  comparable: (result: AnyResult) => Comparable = (whole) => whole,
): Promise<AnyResult> {
  let rows = read()
  const again = () => {
    rows = read()
    return rows
  }
  const comparison = new PairsComparison(join(request.folder, FILES.pairs))
  let evaluated: EvaluateResult<AnyResult>
  try {
    evaluated = await evaluate(basis.task, again, comparison.compare, request)
    demandNone(request.folder, comparison.difference())
  } finally {
    comparison.close()
  }
  const { pairs } = evaluated.paired
  const made = evaluated.result(
    runMetadata(basis.documents, rows.digest(), pairs, result.code, result.earlier_readings, time),
  )
  const { result_sha256: _stored, ...stored } = comparable(result)
  const { result_sha256: _computed, ...computed } = comparable(made)
  demandSame('computation', request.folder, stored, computed)
  return made
}

/** What a result says, against what the inputs give. */
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
