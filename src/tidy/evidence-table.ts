import type { Finding } from '../contract/findings/finding.js'
import { openEvidence, openPairs } from '../evaluation/evidence/open.js'
import { type Broken, orBroken } from '../evaluation/links.js'
import {
  type CodeVersion,
  type EvaluationResult,
  hourlyResult,
} from '../evaluation/result/types.js'
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
  return await orBroken(async () => {
    const { result: any, findings } = await openEvidence(folder, code)
    const result = hourlyResult(any)
    const pairs = () => openPairs(folder, result, signal)
    const tables: Readonly<Record<TableName, () => Table | Promise<Table>>> = {
      scores: () => scoresTable(result),
      tests: () => testsTable(result),
      losses: async () => lossesTable(result, await pairs()),
      pairs: async () => pairsTable(await pairs()),
    }
    return { ok: true, result, table: await tables[name](), findings }
  })
}
