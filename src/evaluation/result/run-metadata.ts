import type { Vintage } from '../../outcomes/types.js'
import type { RowsDigest } from '../digested-rows.js'
import type { Documents } from '../load.js'
import type { CodeVersion, EvaluationResult } from './types.js'

/** What a result says of the run and its inputs; the computation does not know it. */
export type RunMetadata = Pick<
  EvaluationResult,
  'code' | 'exploratory' | 'earlier_readings' | 'inputs' | 'time'
>

/** The same for `score` and for `audit`. */
export function runMetadata(
  { registration, registrationEntry, protocol, protocolEntry }: Documents,
  { manifest }: Vintage,
  { sha256, rows }: RowsDigest,
  pairs: { readonly sha256: string; readonly rows: number },
  code: CodeVersion,
  earlier: number,
  time?: EvaluationResult['time'],
): RunMetadata {
  return {
    code,
    exploratory: earlier > 0,
    earlier_readings: earlier,
    ...(time && { time }),
    inputs: {
      protocol: {
        version: protocol.protocol_version,
        sha256: protocol.protocol_sha256,
        ledger_entry_sha256: protocolEntry.entry_sha256,
      },
      registration: {
        name: registration.name,
        sha256: registration.registration_sha256,
        registered_at: registration.registered_at,
        family_sha256: registration.family_sha256,
        ledger_entry_sha256: registrationEntry.entry_sha256,
      },
      history: { sha256, rows },
      vintage: {
        id: manifest.vintage_id,
        sha256: manifest.sha256,
        source: manifest.source,
        first: manifest.first,
        last: manifest.last,
        closes: manifest.count,
      },
      pairs,
    },
  }
}
