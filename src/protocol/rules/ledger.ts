import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { FindingList } from '../../contract/findings/finding-list.js'
import { formatUtc, type Instant, instantOrNaN, MICROS_PER_SECOND } from '../../contract/instant.js'
import { digestWithout } from '../../document/digest.js'
import { moveFindings } from '../../document/moved.js'
import { readDocument } from '../../document/read.js'
import { locateFindings } from './check.js'
import {
  type ClosedEntry,
  type CorrectedEntry,
  checkEntry,
  entryTime,
  type FrozenEntry,
  formerEntries,
  isClosed,
  isFrozen,
  isRegistered,
  isResult,
  type LedgerEntry,
  NO_ENTRY,
  placedAt,
  type RegisteredEntry,
  type ResultEntry,
} from './entry.js'

export interface LedgerLine {
  /** The line without its line end. */
  readonly text: string
  readonly line: number
  readonly entry: LedgerEntry
}

export interface Ledger {
  readonly file: string
  /** The readable entries, in the order of the file. */
  readonly lines: readonly LedgerLine[]
  readonly findings: readonly Finding[]
}

/** The frozen protocols, in the order of the ledger. */
export function frozenEntries({ lines }: Ledger): FrozenEntry[] {
  return lines.map(({ entry }) => entry).filter(isFrozen)
}

/** The entry that froze a version of a protocol; undefined if the ledger has none. */
export const findFrozenEntry = (ledger: Ledger, version: string): FrozenEntry | undefined =>
  frozenEntries(ledger).find((entry) => entry.protocol_version === version)

/** The registrations, in the order of the ledger. */
export function registeredEntries({ lines }: Ledger): RegisteredEntry[] {
  return lines.map(({ entry }) => entry).filter(isRegistered)
}

/** The entry of a result; undefined if the ledger does not have it. */
export function findResultEntry(
  { lines }: Ledger,
  of: Pick<ResultEntry, 'registration_sha256' | 'result_sha256'>,
): ResultEntry | undefined {
  return lines
    .map(({ entry }) => entry)
    .filter(isResult)
    .find(
      (entry) =>
        entry.registration_sha256 === of.registration_sha256 &&
        entry.result_sha256 === of.result_sha256,
    )
}

/** A ledger has one entry per line; this limits the line, not the ledger. */
const MAX_LINE_BYTES = 65_536

/** The marks that git leaves in a file that two branches changed in the same lines. */
export const CONFLICT_MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/

/**
 * Parses a ledger and checks every entry, the chain, earlier places, and that no version has two contents. If there are merge conflict
 * markers, only these are reported.
 */
export function readLedger(bytes: Uint8Array, file: string): Ledger {
  const lines: LedgerLine[] = []
  const list = new FindingList()
  for (const { line, text, bytes: part } of splitLines(bytes)) {
    if (CONFLICT_MARKER.test(text)) {
      const at = { file, pointer: '', position: { line, column: 1 } }
      return { file, lines, findings: [finding('ledger-conflict', {}, at)] }
    }
    const parsed = readLine(part, file, line)
    if (parsed.entry !== undefined) lines.push({ text, line, entry: parsed.entry })
    else for (const each of parsed.findings) list.add(each)
  }
  if (list.all().length === 0) for (const each of checkChain(lines, file)) list.add(each)
  if (list.all().length === 0) for (const each of checkSequence(lines, file)) list.add(each)
  for (const each of checkVersions(lines, file)) list.add(each)
  return { file, lines, findings: list.all() }
}

/** How far another clock may be ahead before its times count as the future: 5 minutes. */
export const CLOCK_TOLERANCE: Instant = 5 * 60 * MICROS_PER_SECOND

/**
 * Entries dated in the future, or before the entry above: such a time proves no order. For an entry that was moved
 * behind others, the position does not show when it was made.
 */
export function checkTimes({ file, lines }: Ledger, now: Instant): Finding[] {
  return lines.flatMap(({ entry, line }, index): Finding[] => {
    const [key, time] = entryTime(entry)
    const placed = placedAt(entry)
    const named = { entry: entry.seq, version: entry.protocol_version }
    const at = (member: string) =>
      ({ file, pointer: `/${member}`, position: { line, column: 1 } }) as const
    const future = (
      [
        ['made', key, time],
        ['moved', 'moved_at', placed],
      ] as const
    ).find(([, , dated]) => instantOrNaN(dated) > now + CLOCK_TOLERANCE)
    if (future !== undefined) {
      const [fault, member, dated] = future
      const args = { fault, ...named, time: dated, now: formatUtc(now) }
      return [finding('ledger-time-future', args, at(member))]
    }
    if (entry.moved_at !== undefined && instantOrNaN(placed) <= instantOrNaN(time)) {
      const args = { fault: 'moved', ...named, time: placed, before: time } as const
      return [finding('ledger-time-backwards', args, at('moved_at'))]
    }
    const before = lines[index - 1]?.entry
    if (before !== undefined && instantOrNaN(placed) < instantOrNaN(placedAt(before))) {
      const args = { fault: 'made', ...named, time: placed, before: placedAt(before) } as const
      return [finding('ledger-time-backwards', args, at(key))]
    }
    return placed === time
      ? []
      : [finding('ledger-entry-moved', { ...named, time, placed }, at(key))]
  })
}

function* splitLines(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let start = 0
  for (let line = 1; start < buffer.length; line++) {
    const newline = buffer.indexOf(0x0a, start)
    const end = newline === -1 ? buffer.length : newline
    const stop = end > start && buffer[end - 1] === 0x0d ? end - 1 : end
    const part = buffer.subarray(start, stop)
    yield { line, bytes: part, text: part.toString('utf8') }
    start = end + 1
  }
}

function readLine(bytes: Uint8Array, file: string, line: number) {
  const document = readDocument(bytes, file, { maxBytes: MAX_LINE_BYTES })
  if (!document.ok) return { findings: document.findings.map((each) => onLine(each, line)) }
  const findings = locateFindings(checkEntry(document.value), document).map((each) =>
    onLine(each, line),
  )
  if (findings.length > 0) return { findings }
  return { entry: document.value as LedgerEntry, findings }
}

/** Moves a finding from the first line of its own text to a line of the ledger. */
function onLine(lineFinding: Finding, line: number): Finding {
  if (lineFinding.code !== 'document-empty')
    return moveFindings(lineFinding, { line, column: 1, pointer: '' })
  const at = { file: lineFinding.file, pointer: '', position: { line, column: 1 } }
  return finding('ledger-entry-form', { fault: 'empty', expected: '' }, at)
}

/** A fault of the chain, at a member of the entry in this line. */
function unchained(
  { entry, line }: LedgerLine,
  file: string,
  [key, fault]: readonly [key: string, fault: ArgsOf<'ledger-chain'>['fault']],
  found: string | number = '',
  expected: string | number = '',
): Finding {
  const named = { entry: entry.seq, version: entry.protocol_version }
  const args = { fault, ...named, found: String(found), expected: String(expected) }
  return finding('ledger-chain', args, { file, pointer: `/${key}`, position: { line, column: 1 } })
}

/** Checks sequence, links and digests, which show inserted, removed, edited or reordered entries. */
function checkChain(lines: readonly LedgerLine[], file: string): Finding[] {
  let previous = NO_ENTRY
  let next = 1
  return lines.flatMap((each) => {
    const { entry } = each
    const computed = digestWithout(entry, 'entry_sha256')
    const compared = [
      [['seq', 'sequence'], entry.seq, next],
      [['previous', 'link'], entry.previous, previous],
      [['entry_sha256', 'digest'], entry.entry_sha256, computed],
    ] as const
    previous = entry.entry_sha256
    // Continue from the found number, so that a removed line is reported once and not for every later line.
    next = entry.seq + 1
    return compared.flatMap(([at, found, expected]) =>
      found === expected ? [] : [unchained(each, file, at, found, expected)],
    )
  })
}

/**
 * Finds `moved_from` members that no rebase can produce. A rebase keeps all entries and moves some behind others, so the
 * entry that a moved one followed still exists, and its number grew. Otherwise somebody removed an entry and marked the
 * later ones as moved, so that their stamps would still count.
 */
function checkSequence(lines: readonly LedgerLine[], file: string): Finding[] {
  const every = lines.flatMap(({ entry }) => [...formerEntries(entry), entry])
  const positions = new Map(every.map(({ entry_sha256, seq }) => [entry_sha256, seq]))
  positions.set(NO_ENTRY, 0)
  return lines.flatMap((each) => {
    const { seq, moved_from = [] } = each.entry
    const gone = moved_from.find(({ previous }) => !positions.has(previous))
    const other = moved_from.find(
      (place) =>
        place.seq > seq ||
        (positions.has(place.previous) && place.seq - 1 !== positions.get(place.previous)),
    )
    const name = (fault: 'followed' | 'place', found: string | number) =>
      unchained(each, file, ['moved_from', fault], found)
    return [
      ...(gone ? [name('followed', gone.previous)] : []),
      ...(other ? [name('place', other.seq)] : []),
    ]
  })
}

/**
 * Checks entries against each other: a version has one content and one file. A registration is entered once, under a
 * protocol that was frozen before it; its results, closing and corrections come after it.
 */
function checkVersions(lines: readonly LedgerLine[], file: string): Finding[] {
  const earlier: KnownEntries = { frozen: new Map(), files: new Map(), registered: new Map() }
  return lines.flatMap((each) => {
    const { entry } = each
    const faults = isFrozen(entry)
      ? frozenFaults(entry, earlier)
      : isRegistered(entry)
        ? registeredFaults(entry, earlier)
        : laterFaults(entry, earlier)
    return faults.map(({ member, fault, found }) => unchained(each, file, [member, fault], found))
  })
}

/** The entries so far, indexed by what must be unique. */
interface KnownEntries {
  readonly frozen: Map<string, LedgerEntry>
  readonly files: Map<string, LedgerEntry>
  readonly registered: Map<string, RegisteredEntry>
}

interface EntryFault {
  readonly member: string
  readonly fault: ArgsOf<'ledger-chain'>['fault']
  readonly found?: string | number
}

function frozenFaults(entry: FrozenEntry, { frozen, files }: KnownEntries): EntryFault[] {
  const { protocol_version: version, file, supersedes } = entry
  const faults: EntryFault[] = []
  const earlier = frozen.get(version)
  const sameFile = files.get(file)
  if (earlier === undefined) frozen.set(version, entry)
  else {
    faults.push({ member: 'protocol_version', fault: 'version-twice', found: earlier.seq })
  }
  if (sameFile === undefined) files.set(file, entry)
  else if (earlier === undefined) {
    faults.push({ member: 'file', fault: 'file-twice', found: sameFile.seq })
  }
  if (supersedes !== undefined && (supersedes === version || !frozen.has(supersedes))) {
    faults.push({ member: 'supersedes', fault: 'supersedes', found: supersedes })
  }
  return faults
}

function registeredFaults(entry: RegisteredEntry, earlier: KnownEntries): EntryFault[] {
  const { registration_sha256: digest, protocol_version: version } = entry
  const faults: EntryFault[] = []
  const before = earlier.registered.get(digest)
  if (before === undefined) earlier.registered.set(digest, entry)
  else {
    faults.push({
      member: 'registration_sha256',
      fault: 'registration-twice',
      found: before.seq,
    })
  }
  if (earlier.frozen.get(version)?.protocol_sha256 !== entry.protocol_sha256) {
    faults.push({ member: 'protocol_sha256', fault: 'registration' })
  }
  return faults
}

function laterFaults(
  entry: ResultEntry | ClosedEntry | CorrectedEntry,
  { registered }: KnownEntries,
): EntryFault[] {
  const of = registered.get(entry.registration_sha256)
  const isUnder =
    of?.protocol_sha256 === entry.protocol_sha256 && of.protocol_version === entry.protocol_version
  return isUnder ? [] : [{ member: 'registration_sha256', fault: 'no-registration' }]
}

/**
 * How a registration ended, according to its ledger. If two branches ended it twice, the first in the ledger counts.
 */
export interface RegistrationEnd {
  readonly closed?: ClosedEntry
  /** Its first result. */
  readonly result?: ResultEntry
}

/** A time at which a ledger takes an entry: that of its last one for a clock that is behind. */
export function nextEntryAt({ lines }: Ledger, now: Instant): Instant {
  const last = lines.at(-1)?.entry
  return last === undefined ? now : Math.max(now, instantOrNaN(placedAt(last)))
}

/** The ends of all ended registrations of a ledger, by digest. */
export function registrationEnds({ lines }: Ledger): ReadonlyMap<string, RegistrationEnd> {
  return endsWithFaults(lines).ends
}

/**
 * Entries without effect, because an earlier entry ended their registration in another way. No command writes one, but
 * a merge of two branches may.
 */
export function checkEnds({ file, lines }: Ledger): Finding[] {
  return endsWithFaults(lines).faults.map(({ line, entry, member, fault, found }) => {
    const args = { fault, entry: entry.seq, version: entry.protocol_version, found: String(found) }
    const at = { file, pointer: `/${member}`, position: { line, column: 1 } }
    return finding('ledger-entry-void', args, at)
  })
}

interface EndFault extends LedgerLine {
  readonly member: string
  readonly fault: ArgsOf<'ledger-entry-void'>['fault']
  readonly found: string | number
}

function endsWithFaults(lines: readonly LedgerLine[]) {
  const ends = new Map<string, RegistrationEnd>()
  const faults: EndFault[] = []
  for (const each of lines) {
    const { entry } = each
    if (isFrozen(entry) || isRegistered(entry)) continue
    const { registration_sha256: digest } = entry
    const { closed, result } = ends.get(digest) ?? {}
    const add = (fault: EndFault['fault'], found: string | number, member: string) =>
      faults.push({ ...each, member, fault, found })
    if (closed !== undefined) {
      const fault = isClosed(entry) ? 'closed-twice' : 'closed-before'
      add(fault, closed.seq, 'registration_sha256')
    } else if (isClosed(entry)) {
      if (result === undefined) ends.set(digest, { closed: entry })
      else add('closed-scored', result.seq, 'registration_sha256')
    } else if (isResult(entry)) {
      if (result === undefined) ends.set(digest, { result: entry })
    } else if (result?.result_sha256 !== entry.replaces) {
      add('replaces', entry.replaces, 'replaces')
    }
  }
  return { ends, faults }
}
