import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import { codeFindings } from '../evaluation/evidence/audit-links.js'
import { readResult, requireEvidence } from '../evaluation/evidence/read-folder.js'
import { pairsFileFaults, readPairs } from '../evaluation/evidence/read-pairs.js'
import { type Broken, broken, guarded } from '../evaluation/links.js'
import type { CodeVersion, EvaluationResult } from '../evaluation/result/types.js'
import type { Table } from '../table/types.js'
import { lossesTable } from './losses.js'
import { pairsTable } from './pairs.js'
import { scoresTable } from './scores.js'
import { testsTable } from './tests.js'

/** What an evidence folder can be had as. */
export const TABLE_NAMES = ['scores', 'tests', 'losses', 'pairs'] as const
export type TableName = (typeof TABLE_NAMES)[number]

export interface EvidenceTableOptions {
  /** The folder that `scoreEvaluation` wrote. */
  readonly folder: string
  readonly table: TableName
  /** The code at hand, `codeVersion()`: a result of other code gives a note. */
  readonly code: CodeVersion
  /** Ends the reading of the pairs, also while the rows of the table are taken. */
  readonly signal?: AbortSignal | undefined
}

export type EvidenceTableResult =
  | Broken
  | {
      readonly ok: true
      readonly result: EvaluationResult
      readonly table: Table
      /** A note where other code scored the result. */
      readonly findings: readonly Finding[]
    }

/**
 * An evaluation as a table. The result, and the pairs where the table is made from them, are held against
 * their digests first; whether they follow from the inputs is for `auditFolder` to say. Rows are made as they
 * are taken: memory does not grow with the pairs.
 * @throws {ForeproofError} `not-found` when the folder is no evidence; `interrupted`.
 */
export async function evidenceTable(request: EvidenceTableOptions): Promise<EvidenceTableResult> {
  const { folder, table: name, code, signal } = request
  requireEvidence(folder)
  const read = await readResult(folder)
  if (!read.ok) return read
  const { result } = read
  const findings = codeFindings(result, code, result.code.sha256, folder)
  if (!hasNoErrors(findings)) return broken('code', findings)
  const made = { ok: true, result, findings } as const
  if (name === 'scores') return { ...made, table: scoresTable(result) }
  if (name === 'tests') return { ...made, table: testsTable(result) }
  const faults = await guarded('pairs', () => pairsFileFaults(request, result), 'is-a-finding')
  if (!faults.ok) return faults
  if (faults.value.length > 0) return broken('pairs', faults.value)
  const pairs = readPairs(folder, signal)
  return { ...made, table: name === 'pairs' ? pairsTable(pairs) : lossesTable(result, pairs) }
}
