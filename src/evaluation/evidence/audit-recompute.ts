import { join } from 'node:path'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { shownHistory } from '../../history/store/shown.js'
import { digestOf } from '../digested-rows.js'
import { type EvaluateOptions, type EvaluateResult, evaluate } from '../evaluate.js'
import type { WindowRows } from '../history.js'
import { type Broken, broken, guarded } from '../links.js'
import type { Documents, InputPaths } from '../load.js'
import { type Basis, pairRegistered } from '../pair-registered.js'
import { runMetadata } from '../result/run-metadata.js'
import type { EvaluationResult } from '../result/types.js'
import { firstDifference } from './differences.js'
import { FILES } from './folder.js'
import { type PairDifference, PairsComparison } from './pairs-comparison.js'
import { pairsFileFaults } from './read-pairs.js'

export interface RecomputeOptions extends EvaluateOptions {
  readonly folder: string
}

type AuditBasis = Documents & Basis

/** The history and the pairs against their digests; where one differs, what differs in it. */
export async function dataFaults(
  request: RecomputeOptions,
  result: EvaluationResult,
  basis: AuditBasis,
  history: WindowRows,
  paths: InputPaths,
): Promise<Broken | undefined> {
  const digested = await guarded('history', () => digestOf(history.rows(), request.signal))
  if (!digested.ok) return digested
  const read = digested.value
  const { sha256: stored, rows } = result.inputs.history
  if (read.sha256 !== stored) {
    const args = { stored: rows, found: read.rows }
    // What differs is told by the stored pairs, which are to be believed only where their digest holds.
    const pairs = await guarded('pairs', () => pairsFileFaults(request, result), 'is-a-finding')
    const comparable = pairs.ok && pairs.value.length === 0
    const what = comparable ? await pairDifference(request, basis, history) : undefined
    if (what === undefined)
      return broken('history', [
        finding('history-changed', args, { file: shownHistory(paths.history) }),
      ])
    const { kind, attempt, member } = what
    const changed = { attempt, member, stored: what.stored, found: what.computed }
    return broken('history', [
      finding(`history-${kind}`, changed, { file: shownHistory(paths.history) }),
    ])
  }
  if (read.rows !== rows) {
    const file = join(request.folder, FILES.result)
    const at = { file, pointer: '/inputs/history/rows' }
    const args = { stored: String(rows), found: String(read.rows) }
    return broken('history', [finding('result-not-recomputed', args, at)])
  }
  const pairs = await guarded('pairs', () => pairsFileFaults(request, result), 'is-a-finding')
  if (!pairs.ok) return pairs
  if (pairs.value.length === 0) return undefined
  const what = await pairDifference(request, basis, history)
  if (what === undefined) return broken('pairs', pairs.value)
  return broken('pairs', [pairsFinding(request.folder, what)])
}

function pairsFinding(
  folder: string,
  { kind, line, attempt, member, stored, computed }: PairDifference,
): Finding {
  const args = { attempt, member, stored, found: computed }
  const at = { file: join(folder, FILES.pairs), position: { line, column: 1 } }
  return finding(`pairs-${kind}`, args, at)
}

/** Pairs anew, without scoring, and looks for the first line that is not the stored one. */
async function pairDifference(
  { folder, onProgress, signal }: RecomputeOptions,
  basis: AuditBasis,
  history: WindowRows,
): Promise<PairDifference | undefined> {
  const comparison = new PairsComparison(join(folder, FILES.pairs))
  try {
    await pairRegistered(basis, history.rows(), comparison.compare, {
      onProgress: (completed, total) => onProgress?.('pairing', completed, total),
      signal,
    })
    return comparison.difference()
  } finally {
    comparison.close()
  }
}

/** Makes the whole result again and looks for the first figure that is not the stored one. */
export async function recomputed(
  request: RecomputeOptions,
  result: EvaluationResult,
  basis: AuditBasis,
  history: WindowRows,
  time: EvaluationResult['time'],
): Promise<Broken | undefined> {
  const rows = history.rows()
  const comparison = new PairsComparison(join(request.folder, FILES.pairs))
  let evaluated: EvaluateResult
  let difference: PairDifference | undefined
  try {
    evaluated = await evaluate(basis, rows, comparison.compare, request)
    difference = comparison.difference()
  } finally {
    comparison.close()
  }
  if (difference) return broken('pairs', [pairsFinding(request.folder, difference)])
  const again = evaluated.result(
    runMetadata(
      basis,
      basis.vintage,
      rows.digest(),
      evaluated.paired.pairs,
      result.code,
      result.earlier_readings,
      time,
    ),
  )
  const { result_sha256: _stored, ...stored } = result
  const { result_sha256: _computed, ...computed } = again
  const found = firstDifference(stored, computed)
  if (found === undefined) return undefined
  const args = { stored: found.stored, found: found.computed }
  return broken('computation', [
    finding('result-not-recomputed', args, {
      file: join(request.folder, FILES.result),
      pointer: found.pointer,
    }),
  ])
}
