import { canonicalize } from '../../document/canonical.js'
import { readDocument } from '../../document/read.js'
import { checkEntry, fieldsOf, type LedgerEntry } from '../../protocol/rules/entry.js'

/** A ledger as text, without line ends: a chain can be made anew, its bytes cannot. */
export type Lines = readonly string[]

/** The first line of a ledger that another state of it does not have in its place. */
export interface Loss {
  readonly change: 'moved' | 'edited' | 'removed'
  readonly line: number
}

export function linesOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** How many lines two ledgers begin with in common. */
export function prefixLength(a: Lines, b: Lines): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

export function beginsWith(lines: Lines, start: Lines): boolean {
  return prefixLength(lines, start) === start.length
}

/** The ledgers among some that none of the others goes on from: one, unless histories criss-crossed. */
export function furthest(ledgers: readonly Lines[]): Lines[] {
  return ledgers.filter((lines, index) =>
    ledgers.every((other, at) => {
      const goesOn = other.length > lines.length || (other.length === lines.length && at < index)
      return !(goesOn && beginsWith(other, lines))
    }),
  )
}

/**
 * What a state of a ledger lacks of the ledgers that it has to go on from. Of two that went on from
 * each other's start, it begins with one and has the entries of the other behind, chained anew.
 * @param bases - none of them begins with another.
 * @param before - the state that this one came from; what that one lacked may be lacking still.
 */
export function firstLoss(bases: readonly Lines[], state: Lines, before?: Lines): Loss | undefined {
  const known =
    before === undefined ? bases : bases.map((base) => base.slice(0, prefixLength(base, before)))
  if (!bases.some((base) => beginsWith(state, base))) {
    const [longest = []] = known.toSorted((a, b) => b.length - a.length)
    const loss = departure(longest, state)
    if (loss !== undefined) return loss
  }
  return bases.length < 2 ? undefined : missingEntry(bases, state, before)
}

function departure(base: Lines, state: Lines): Loss | undefined {
  const kept = prefixLength(base, state)
  const lost = base[kept]
  if (lost === undefined) return undefined
  const edited = state[kept] !== undefined && member(state[kept], 'seq') === member(lost, 'seq')
  const change = state.includes(lost) ? 'moved' : edited ? 'edited' : 'removed'
  return { change, line: kept + 1 }
}

function missingEntry(
  bases: readonly Lines[],
  state: Lines,
  before: Lines | undefined,
): Loss | undefined {
  const present = new Set(state.map(identity))
  const earlier = before && new Set(before.map(identity))
  for (const base of bases) {
    for (const [index, line] of base.entries()) {
      const entry = identity(line)
      if (present.has(entry) || earlier?.has(entry) === false) continue
      const version = member(line, 'protocol_version')
      const edited = state.some((each) => member(each, 'protocol_version') === version)
      return { change: edited ? 'edited' : 'removed', line: index + 1 }
    }
  }
  return undefined
}

/** What an entry says, wherever it stands in a chain; of a line that is no entry, its text. */
function identity(line: string): string {
  const document = readDocument(Buffer.from(line), '')
  return document.ok && checkEntry(document.value).length === 0
    ? canonicalize(fieldsOf(document.value as LedgerEntry))
    : line
}

function member(line: string, name: string): unknown {
  try {
    return (JSON.parse(line) as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}
