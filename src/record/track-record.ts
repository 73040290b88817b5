import type { ReadonlyDeep } from '../contract/readonly-deep.js'
import type { TrackRecord } from '../contract/types.js'

/** Every registration of a ledger and how it ended: the content of record.json. */
export type ForeproofRecord = ReadonlyDeep<TrackRecord>
export type RecordRow = ForeproofRecord['registrations'][number]
export type RecordClosing = NonNullable<RecordRow['closing']>
export type RecordCorrection = RecordRow['corrections'][number]
export type RecordProof = RecordRow['proofs'][number]
export type RecordResult = NonNullable<RecordRow['result']>
/** What a result says of a candidate. */
export type RecordCandidate = NonNullable<RecordResult['candidates']>[number]

/** How a registration ended: the first of these that applies. */
export type End = RecordRow['end']
export const ENDS: readonly End[] = [
  'scored',
  'result_withheld',
  'broken_off',
  'cancelled',
  'closed',
  'file_missing',
  'overdue',
  'awaiting_outcomes',
  'running',
  'announced',
]

/** Who shows when a registration was made. Counts of two tables are never added. */
export type RecordTable = RecordRow['table']
export const TABLES: readonly RecordTable[] = ['shown_by_others', 'own_word', 'backtests']
