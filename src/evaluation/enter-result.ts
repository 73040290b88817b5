import { ForeproofError } from '../contract/error.js'
import { formatUtc, type Instant, instantOrNaN } from '../contract/instant.js'
import { appendToLedger } from '../protocol/ledger-file.js'
import { placedAt, type RegisteredEntry, type ResultEntry } from '../protocol/rules/entry.js'
import { registrationEnds, resultEntry } from '../protocol/rules/ledger.js'

/**
 * Enters a result in the ledger of its registration, unless it is there already: a run that was broken off gives the
 * same result when it is repeated. A clock that is behind costs no result: it takes the time of the entry before it.
 * @param at - when the result was written, according to the record of readings.
 * @throws {ForeproofError} `refused` if the registration was closed while it was scored; as `appendToLedger`.
 */
export function enterResult(
  ledgerPath: string,
  { registration_sha256, protocol_version, protocol_sha256 }: RegisteredEntry,
  result_sha256: string,
  at: Instant,
): ResultEntry {
  const entry = appendToLedger(ledgerPath, (ledger) => {
    const known = resultEntry(ledger, { registration_sha256, result_sha256 })
    if (known !== undefined) return { entry: known }
    const { closed } = registrationEnds(ledger).get(registration_sha256) ?? {}
    if (closed !== undefined) {
      throw new ForeproofError(
        'refused',
        `${ledger.file}: entry ${closed.seq} closed the registration while it was scored`,
        { file: ledger.file, help: 'Nothing is scored under a closed registration.' },
      )
    }
    const last = ledger.lines.at(-1)?.entry
    const result_at = formatUtc(Math.max(at, last ? instantOrNaN(placedAt(last)) : at))
    const of = { registration_sha256, protocol_version, protocol_sha256 }
    return { append: { ...of, result_sha256, result_at } }
  })
  return entry as ResultEntry
}
