import type { Finding } from '../contract/findings/finding.js'
import { openEvidence, openPairs, readCells } from '../evaluation/evidence/open.js'
import { type Broken, catchBroken } from '../evaluation/links.js'
import type { CodeVersion, Result } from '../evaluation/result/result.js'
import { readPairLine } from '../pairing/lines.js'
import type { Table } from '../table/table.js'
import { cellsTable } from './cells.js'
import { lossesTable } from './losses.js'
import { longPairsTable, pairsTable } from './pairs.js'
import { scoresTable } from './scores.js'
import { testsTable } from './tests.js'

/** The tables of an evidence folder. */
export const TABLE_NAMES = ['scores', 'tests', 'losses', 'pairs', 'cells'] as const
export type TableName = (typeof TABLE_NAMES)[number]

export interface EvidenceTableOptions {
  /** The folder that `scoreEvaluation` wrote. */
  readonly folder: string
  readonly table: TableName
  /** For `pairs`: one row per quantile of the scored attempts. */
  readonly long?: boolean | undefined
  /** The running code, `readCodeVersion()`: a note is added if other code made the result. */
  readonly code: CodeVersion
  /** Stops reading the pairs, also while rows of the table are read. */
  readonly signal?: AbortSignal | undefined
}

export type EvidenceTableResult =
  | Broken
  | {
      readonly ok: true
      readonly result: Result
      readonly table: Table
      /** A note if other code scored the result. */
      readonly findings: readonly Finding[]
    }

/**
 * Reads an evaluation as a table. The result, and the pairs if the table needs them, are checked against their digests
 * first; `auditFolder` checks that they follow from the inputs. Rows are made on demand, so memory does not grow with
 * the pairs.
 * @throws {ForeproofError} `not-found` if the folder is not evidence; `interrupted`.
 */
export async function evidenceTable(request: EvidenceTableOptions): Promise<EvidenceTableResult> {
  const { folder, table: name, long, code, signal } = request
  return await catchBroken(async () => {
    const { result, findings } = await openEvidence(folder, code)
    const table = await createTables(result, { folder, long, signal })[name]()
    return { ok: true, result, table, findings }
  })
}

type Tables = Readonly<Record<TableName, () => Table | Promise<Table>>>
type Source = Pick<EvidenceTableOptions, 'folder' | 'long' | 'signal'>

function createTables(result: Result, { folder, long, signal }: Source): Tables {
  const pairs = () => openPairs(folder, result, readPairLine, signal)
  return {
    scores: () => scoresTable(result),
    tests: () => testsTable(result),
    losses: async () => lossesTable(result, await readCells(folder, result), await pairs()),
    pairs: async () => (long ? longPairsTable : pairsTable)(result, await pairs()),
    cells: async () => cellsTable(result, await readCells(folder, result)),
  }
}
