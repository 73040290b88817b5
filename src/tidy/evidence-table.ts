import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { openEvidence, openPairs } from '../evaluation/evidence/open.js'
import { type Broken, orBroken } from '../evaluation/links.js'
import type {
  AnyResult,
  CodeVersion,
  EvaluationResult,
  SeriesEvaluationResult,
} from '../evaluation/result/types.js'
import { readPairLine } from '../pairing/lines.js'
import type { Table } from '../table/types.js'
import { lossesTable } from './losses.js'
import { longPairsTable, pairsTable } from './pairs.js'
import { scoresTable } from './scores.js'
import {
  cellsTable,
  seriesLongPairsTable,
  seriesLossesTable,
  seriesPairsTable,
  seriesScoresTable,
  seriesTestsTable,
} from './series.js'
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
  /** The running code, `codeVersion()`: a note is added if other code made the result. */
  readonly code: CodeVersion
  /** Stops reading the pairs, also while rows of the table are read. */
  readonly signal?: AbortSignal | undefined
}

export type EvidenceTableResult =
  | Broken
  | {
      readonly ok: true
      readonly result: AnyResult
      readonly table: Table
      /** A note if other code scored the result. */
      readonly findings: readonly Finding[]
    }

/**
 * Reads an evaluation as a table. The result, and the pairs if the table needs them, are checked against their digests
 * first; `auditFolder` checks that they follow from the inputs. Rows are made on demand, so memory does not grow with
 * the pairs.
 * @throws {ForeproofError} `not-found` if the folder is not evidence; `usage` for `cells` of hourly closes;
 * `interrupted`.
 */
export async function evidenceTable(request: EvidenceTableOptions): Promise<EvidenceTableResult> {
  const { folder, table: name, long, code, signal } = request
  return await orBroken(async () => {
    const { result, findings } = await openEvidence(folder, code)
    const of = { folder, long, signal }
    const tables = result.result_version === 1 ? hourlyTables(result, of) : seriesTables(result, of)
    return { ok: true, result, table: await tables[name](), findings }
  })
}

type Tables = Readonly<Record<TableName, () => Table | Promise<Table>>>
type Source = Pick<EvidenceTableOptions, 'folder' | 'long' | 'signal'>

function hourlyTables(result: EvaluationResult, { folder, long, signal }: Source): Tables {
  const pairs = () => openPairs(folder, result, readPairLine, signal)
  return {
    scores: () => scoresTable(result),
    tests: () => testsTable(result),
    losses: async () => lossesTable(result, await pairs()),
    pairs: async () => (long ? longPairsTable(await pairs()) : pairsTable(await pairs())),
    cells: () => {
      throw new ForeproofError('usage', 'an evaluation of hourly closes has no table cells', {
        help: 'Its figures by horizon and stratum are in scores.',
      })
    },
  }
}

function seriesTables(result: SeriesEvaluationResult, { folder, long, signal }: Source): Tables {
  const pairs = () => openPairs(folder, result, readPairLine, signal)
  return {
    scores: () => seriesScoresTable(result),
    tests: () => seriesTestsTable(result),
    losses: async () => seriesLossesTable(result, await pairs()),
    pairs: async () =>
      long ? seriesLongPairsTable(result, await pairs()) : seriesPairsTable(result, await pairs()),
    cells: () => cellsTable(result),
  }
}
