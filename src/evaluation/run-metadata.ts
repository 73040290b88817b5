import type { Vintage } from '../outcomes/types.js'
import type { Circumstances } from './assemble.js'
import type { Documents } from './documents.js'
import type { CodeVersion } from './result.js'
import type { RowsDigest } from './rows.js'

/** What a result says of its inputs; the same for `score` and for `audit`. */
export function circumstancesOf(
  { registration, registrationEntry, protocol, protocolEntry }: Documents,
  { manifest }: Vintage,
  history: RowsDigest,
  pairs: { readonly sha256: string; readonly rows: number },
  code: CodeVersion,
  earlier: number,
): Circumstances {
  return {
    code,
    exploratory: earlier > 0,
    earlier_readings: earlier,
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
      history,
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
