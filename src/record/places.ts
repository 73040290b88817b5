import { type Finding, finding } from '../contract/findings/finding.js'
import { formerEntries, NO_ENTRY } from '../protocol/rules/entry.js'
import type { Ledger } from '../protocol/rules/ledger.js'

/**
 * Earlier places of entries that no rebase gives. A rebase keeps all entries and puts some behind others: so what an
 * entry followed is still here, and its number grew. Where it is not, an entry was taken out, and those behind it were
 * said to have moved so that their stamps still count.
 */
export function placeFindings({ file, lines }: Ledger): Finding[] {
  const every = lines.flatMap(({ entry }) => [...formerEntries(entry), entry])
  const known = new Map(every.map(({ entry_sha256, seq }) => [entry_sha256, seq]))
  known.set(NO_ENTRY, 0)
  return lines.flatMap(({ entry: { seq, moved_from = [] }, line }) => {
    const at = { file, pointer: '/moved_from', position: { line, column: 1 } }
    const name = (fault: 'previous' | 'number', found: string | number) =>
      finding('record-place', { fault, entry: seq, found: String(found) }, at)
    const gone = moved_from.find(({ previous }) => !known.has(previous))
    const other = moved_from.find(
      (place) =>
        place.seq > seq ||
        (known.has(place.previous) && place.seq - 1 !== known.get(place.previous)),
    )
    return [
      ...(gone ? [name('previous', gone.previous)] : []),
      ...(other ? [name('number', other.seq)] : []),
    ]
  })
}
