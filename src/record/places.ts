import { type Finding, finding } from '../contract/findings/finding.js'
import { entryDigests, NO_ENTRY } from '../protocol/rules/entry.js'
import type { Ledger } from '../protocol/rules/ledger.js'

/**
 * Earlier places of entries that no rebase gives. A rebase keeps all entries and puts some behind others: so what an
 * entry followed is still here, and its number grew. Where it is not, an entry was taken out, and those behind it were
 * said to have moved so that their stamps still count.
 */
export function placeFindings({ file, lines }: Ledger): Finding[] {
  const known = new Set([NO_ENTRY, ...lines.flatMap(({ entry }) => entryDigests(entry))])
  return lines.flatMap(({ entry: { seq, moved_from = [] }, line }) => {
    const at = { file, pointer: '/moved_from', position: { line, column: 1 } }
    const name = (fault: 'previous' | 'number', found: string | number) =>
      finding('record-place', { fault, entry: seq, found: String(found) }, at)
    const gone = moved_from.find(({ previous }) => !known.has(previous))
    const later = moved_from.find((place) => place.seq > seq)
    return [
      ...(gone ? [name('previous', gone.previous)] : []),
      ...(later ? [name('number', later.seq)] : []),
    ]
  })
}
