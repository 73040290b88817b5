import type { Instant } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import type { CodeVersion } from '../evaluation/result/result.js'
import type { AccessEntry } from '../protocol/readings.js'
import type { Rules } from '../protocol/rules/compile.js'
import type { Ledger } from '../protocol/rules/ledger.js'
import type { Authority, LedgerStamp } from '../time/level.js'
import type { RecordCandidate, RecordResult } from './track-record.js'

/** The content of a result that a record shows. */
export interface SummarizedResult {
  readonly kind: RecordResult['kind']
  /** By which alpha was divided; undefined where no hypothesis gives a verdict. */
  readonly divisor?: number | undefined
  readonly candidates: readonly RecordCandidate[]
}

/** The rules of a protocol, and whether they are too lax for any eligible candidate. */
export interface ProtocolRules {
  readonly rules: Rules
  readonly isLax: boolean
}

/** When a quorum of witnesses had cosigned a log that has a registration. */
export interface WitnessedEntry {
  readonly log: string
  readonly time: Instant
}

/** The members of a registration from which a record is derived; the rest may be large. */
export type RecordedRegistration = Pick<
  Registration,
  'registration_sha256' | 'name' | 'window' | 'candidates' | 'commitment' | 'time'
>

/** Everything from which a record is derived. Only verified content belongs here. */
export interface RecordInputs {
  readonly ledger: Ledger
  readonly ledgerSha256: string
  /** By digest. One that is not here is `file_missing`. */
  readonly registrations: ReadonlyMap<string, RecordedRegistration>
  /** By digest of the result. */
  readonly results: ReadonlyMap<string, SummarizedResult>
  /** The records of readings, by digest of the registration. */
  readonly readings: ReadonlyMap<string, readonly AccessEntry[]>
  readonly stamps: readonly LedgerStamp[]
  /** All authorities whose stamps count. */
  readonly authorities: readonly Authority[]
  /** By digest of the registration. */
  readonly witnessed: ReadonlyMap<string, WitnessedEntry>
  /** By digest of the protocol; every protocol of the ledger. */
  readonly protocols: ReadonlyMap<string, ProtocolRules>
  readonly evidenceUrl: string | null
  readonly now: Instant
  readonly code: CodeVersion
}
