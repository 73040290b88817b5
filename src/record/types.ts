import type { CodeVersion } from '../evaluation/result/types.js'
import type { ChangedInput } from '../protocol/readings.js'

/** How a registration ended; of several, the first in this order. */
export const ENDS = [
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
] as const
export type End = (typeof ENDS)[number]

/** Whose word the times of a registration are; never added up. */
export const TABLES = ['shown_by_others', 'own_word', 'backtests'] as const
export type RecordTable = (typeof TABLES)[number]

/** When a closing was made, by proved time; without proof it is the last that it can have been. */
export type ClosingPhase = 'before_window' | 'in_window' | 'after_outcomes'

export interface RecordClosing {
  readonly seq: number
  readonly as: 'void' | 'abandoned'
  readonly reason: string
  readonly closed_at: string
  readonly proved_at: string | null
  readonly phase: ClosingPhase
}

export interface RecordCorrection {
  readonly seq: number
  readonly result_sha256: string
  readonly reason: string
  readonly corrected_at: string
  /** Null if the record of readings lacks one of the two results. */
  readonly changed: readonly ChangedInput[] | null
}

export interface RecordResult {
  readonly result_sha256: string
  readonly at: string
  /** The rest is null if the result is not there. */
  readonly kind: string | null
  readonly dispositions: readonly { readonly candidate: string; readonly disposition: string }[] | null
}

export interface RecordRow {
  readonly seq: number
  readonly entry_sha256: string
  readonly registration_sha256: string
  readonly table: RecordTable
  readonly name: string | null
  readonly protocol: string
  readonly window: { readonly from: string; readonly to: string; readonly origins: number } | null
  readonly registered_at: string
  readonly moved_from: number | null
  /** When others show that it was there. */
  readonly proved_at: string | null
  readonly commitment: 'stamped' | 'witnessed' | null
  readonly candidates: readonly string[] | null
  readonly file: string
  readonly end: End
  readonly closing: RecordClosing | null
  /** What alpha is divided by, and the chance of a false *eligible* that is left; null if it is not known. */
  readonly divisor: number | null
  readonly alpha_share: number | null
  readonly readings: { readonly count: number; readonly first_at: string | null }
  readonly result: RecordResult | null
  readonly corrections: readonly RecordCorrection[]
}

export interface ForeproofRecord {
  readonly record_version: 1
  readonly built_at: string
  readonly code: CodeVersion
  readonly ledger: {
    readonly file_sha256: string
    readonly entries: number
    readonly first_entry_sha256: string
    readonly last_entry_sha256: string
    readonly begins: string
    readonly whole_to: { readonly entry: number; readonly time: string; readonly by: string } | null
  }
  readonly counts: Readonly<Record<RecordTable, Readonly<Record<End, number>>>>
  readonly chance: {
    /** Those of the first table whose outcomes could be read, or that were read or closed before. */
    readonly evaluations: number
    readonly eligible: number
    /** Those whose waiting is not charged: no chance is stated for them. */
    readonly waiting_given_away: number
    readonly expected_at_most: number
  }
  readonly registrations: readonly RecordRow[]
}
