import { type Finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { PairLine } from '../../pairing/lines.js'
import { type Broken, broken, guarded, type Held } from '../links.js'
import type { CodeVersion, EvaluationResult } from '../result/types.js'
import { codeFindings } from './audit-links.js'
import { readResult, requireEvidence } from './read-folder.js'
import { pairsFileFaults, readPairs } from './read-pairs.js'

/** A result that is whole. */
export interface OpenedEvidence {
  readonly ok: true
  readonly result: EvaluationResult
  /** A note where other code scored the result. */
  readonly findings: readonly Finding[]
}

/**
 * The result of an evidence folder, held against its digest. Whether it follows from its inputs is for
 * `auditFolder` to say.
 * @param code the code at hand, `codeVersion()`.
 * @throws {ForeproofError} `not-found` when the folder is no evidence.
 */
export async function openEvidence(
  folder: string,
  code: CodeVersion,
): Promise<OpenedEvidence | Broken> {
  requireEvidence(folder)
  const read = await readResult(folder)
  if (!read.ok) return read
  const { result } = read
  const findings = codeFindings(result, code, result.code.sha256, folder)
  return hasNoErrors(findings) ? { ok: true, result, findings } : broken('code', findings)
}

/**
 * The pairs of an evidence folder in order, once they have the digest that its result names.
 * @throws {ForeproofError} `interrupted`, also while the pairs are taken.
 */
export async function openPairs(
  folder: string,
  result: EvaluationResult,
  signal?: AbortSignal,
): Promise<Held<AsyncIterable<readonly PairLine[]>>> {
  const check = () => pairsFileFaults({ folder, signal }, result)
  const faults = await guarded('pairs', check, 'is-a-finding')
  if (!faults.ok) return faults
  if (faults.value.length > 0) return broken('pairs', faults.value)
  return { ok: true, value: readPairs(folder, signal) }
}
