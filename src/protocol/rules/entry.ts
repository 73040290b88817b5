import { type Finding, finding } from '../../contract/findings/finding.js'
import { parseTimestamp } from '../../contract/instant.js'
import { isObject } from '../../contract/is-object.js'
import { pointerTo } from '../../contract/pointer.js'
import { printable } from '../../contract/printable.js'
import { canonicalize } from '../../document/canonical.js'
import { digestWithout, isDigest } from '../../document/digest.js'

/** `previous` of the first entry. */
export const NO_ENTRY = '0'.repeat(64)

/** The place that an entry had in a ledger. */
interface ChainLink {
  readonly seq: number
  readonly previous: string
  /** Its `moved_at` there. */
  readonly moved_at?: string
}

interface Chained {
  /** Position in the ledger, from 1. */
  readonly seq: number
  /** `entry_sha256` of the previous entry; 64 zeros for the first. */
  readonly previous: string
  /** Digests of the last lines of those records of readings that grew since the previous entry. */
  readonly readings?: readonly string[]
  /**
   * The earliest time at which the entry can have been placed here, if that is later than it was made: by `ledger
   * rebase`, or after a wait; RFC 3339.
   */
  readonly moved_at?: string
  /** The earlier places of an entry that `ledger rebase` moved, oldest first: its digest there follows from them. */
  readonly moved_from?: readonly ChainLink[]
  /** SHA-256 of the RFC 8785 form of the entry without this member. */
  readonly entry_sha256: string
}

/** The fields of a freeze. */
export interface FrozenFields {
  readonly protocol_version: string
  readonly protocol_sha256: string
  /** Name of the file, which is beside the ledger. */
  readonly file: string
  /** RFC 3339 time of freezing. */
  readonly frozen_at: string
  /** The version that this one replaces. */
  readonly supersedes?: string
}

/** The common fields of every entry about a registration. */
interface OfRegistration {
  readonly registration_sha256: string
  readonly protocol_version: string
  readonly protocol_sha256: string
}

/** The fields of a registration. */
export interface RegisteredFields extends OfRegistration {
  /** Path of the registration, relative to the ledger, with forward slashes. */
  readonly file: string
  readonly mode: 'prospective' | 'backtest'
  /**
   * When the inputs of the first origin are known, and when the last outcome counts; RFC 3339, null if the list leaves
   * it open.
   */
  readonly first_inputs: string | null
  readonly last_settled: string | null
  /** RFC 3339 time of registration. */
  readonly registered_at: string
}

/** What `score` records once its evidence is complete. */
export interface ResultFields extends OfRegistration {
  readonly result_sha256: string
  readonly result_at: string
}

/** What `close` records: why a registration will never be scored. */
export interface ClosedFields extends OfRegistration {
  /** `void`: it can no longer be scored; `abandoned`: any other reason. */
  readonly as: 'void' | 'abandoned'
  readonly reason: string
  readonly closed_at: string
}

/** What `correct` records: a later result that replaces the first, on the word of the keeper. */
export interface CorrectedFields extends OfRegistration {
  /** Digest of the first result. */
  readonly replaces: string
  readonly result_sha256: string
  readonly reason: string
  readonly corrected_at: string
}

/** The fields of an entry, by its kind. */
interface FieldsByKind {
  readonly frozen: FrozenFields
  readonly registered: RegisteredFields
  readonly result: ResultFields
  readonly closed: ClosedFields
  readonly corrected: CorrectedFields
}

export type EntryKind = keyof FieldsByKind
export type EntryFields = FieldsByKind[EntryKind]
export type EntryOf<K extends EntryKind> = Chained & FieldsByKind[K]
export type FrozenEntry = EntryOf<'frozen'>
export type RegisteredEntry = EntryOf<'registered'>
export type ResultEntry = EntryOf<'result'>
export type ClosedEntry = EntryOf<'closed'>
export type CorrectedEntry = EntryOf<'corrected'>
export type LedgerEntry = { [K in EntryKind]: EntryOf<K> }[EntryKind]

/** The name of the time member determines the kind of an entry. */
const TIME_MEMBER = {
  frozen: 'frozen_at',
  registered: 'registered_at',
  result: 'result_at',
  closed: 'closed_at',
  corrected: 'corrected_at',
} as const satisfies { readonly [K in EntryKind]: keyof FieldsByKind[K] }

const ENTRY_KINDS = Object.keys(TIME_MEMBER) as EntryKind[]

/** Undefined for an object without a known time member. */
const entryKind = (entry: object): EntryKind | undefined =>
  ENTRY_KINDS.find((kind) => Object.hasOwn(entry, TIME_MEMBER[kind]))

/** Returns a check of whether an entry is of a kind: a checked entry has one time member. */
const isOfKind =
  <K extends EntryKind>(kind: K) =>
  (entry: LedgerEntry): entry is LedgerEntry & EntryOf<K> =>
    Object.hasOwn(entry, TIME_MEMBER[kind])

export const isFrozen = isOfKind('frozen')
export const isRegistered = isOfKind('registered')
export const isResult = isOfKind('result')
export const isClosed = isOfKind('closed')
export const isCorrected = isOfKind('corrected')

/**
 * Chains new fields to the last entry of a record of lines.
 * @param first - for the first entry: the value used as the digest of the previous one.
 */
export function linked<F extends object>(
  fields: F,
  last: Pick<Chained, 'seq' | 'entry_sha256'> | undefined,
  first: string,
): F & Pick<Chained, 'seq' | 'previous' | 'entry_sha256'> {
  const entry = {
    seq: (last?.seq ?? 0) + 1,
    ...fields,
    previous: last?.entry_sha256 ?? first,
  }
  return { ...entry, entry_sha256: digestWithout(entry, 'entry_sha256') }
}

/**
 * The same for a ledger.
 * @param link - further members about the position of the entry.
 */
export function chain<F extends EntryFields>(
  fields: F,
  last: LedgerEntry | undefined,
  link: Pick<Chained, 'readings' | 'moved_at' | 'moved_from'> = {},
): Chained & F {
  return linked({ ...fields, ...link }, last, NO_ENTRY)
}

/** The name and the value of the time member of an entry. */
export function entryTime(entry: LedgerEntry): [key: string, time: string] {
  const key = TIME_MEMBER[entryKind(entry) as EntryKind]
  return [key, (entry as unknown as Record<string, string>)[key] as string]
}

/** When an entry was placed at its position in the ledger. */
export const placedAt = (entry: LedgerEntry): string => entry.moved_at ?? entryTime(entry)[1]

/** The entry without the members that depend on its position. */
export function withoutPosition(entry: LedgerEntry): EntryFields {
  const { seq: _seq, previous: _previous, readings: _readings, moved_at: _moved, ...rest } = entry
  const { moved_from: _from, entry_sha256: _digest, ...fields } = rest
  return fields
}

/**
 * An entry as it was in its earlier places, oldest first. Its digests there follow from its fields and the places, so
 * what names one of them is about this entry, and about no other: the entries around it were others.
 */
export function formerEntries(entry: LedgerEntry): LedgerEntry[] {
  const { readings, moved_from = [] } = entry
  return moved_from.map(({ seq, previous, moved_at }, index) => {
    const before = { seq: seq - 1, entry_sha256: previous } as LedgerEntry
    return chain(withoutPosition(entry), before, {
      ...(readings && { readings }),
      ...(moved_at !== undefined && { moved_at }),
      ...(index > 0 && { moved_from: moved_from.slice(0, index) }),
    }) as LedgerEntry
  })
}

/** Every digest that an entry has, or had in an earlier place. */
export const entryDigests = (entry: LedgerEntry): string[] =>
  [...formerEntries(entry), entry].map(({ entry_sha256 }) => entry_sha256)

/** A text of the fields of an entry, equal exactly for equal fields. */
export function entryIdentity(entry: LedgerEntry): string {
  return canonicalize(withoutPosition(entry))
}

type MemberKind =
  | 'count'
  | 'text'
  | 'name of a JSON file'
  | 'relative path of a JSON file'
  | 'digest'
  | 'list of digests'
  | 'list of places'
  | 'timestamp'
  | 'timestamp or null'
  | '"prospective" or "backtest"'
  | '"void" or "abandoned"'
  | 'text of 1 to 500 printable characters'

type Members = Readonly<Record<string, MemberKind>>

const CHAINED: Members = {
  seq: 'count',
  previous: 'digest',
  entry_sha256: 'digest',
  protocol_version: 'text',
  protocol_sha256: 'digest',
}
const OF_REGISTRATION: Members = { ...CHAINED, registration_sha256: 'digest' }
/** The required members of an entry of each kind. */
const REQUIRED: Readonly<Record<EntryKind, Members>> = {
  frozen: { ...CHAINED, file: 'name of a JSON file', frozen_at: 'timestamp' },
  registered: {
    ...OF_REGISTRATION,
    file: 'relative path of a JSON file',
    mode: '"prospective" or "backtest"',
    first_inputs: 'timestamp or null',
    last_settled: 'timestamp or null',
    registered_at: 'timestamp',
  },
  result: { ...OF_REGISTRATION, result_sha256: 'digest', result_at: 'timestamp' },
  closed: {
    ...OF_REGISTRATION,
    as: '"void" or "abandoned"',
    reason: 'text of 1 to 500 printable characters',
    closed_at: 'timestamp',
  },
  corrected: {
    ...OF_REGISTRATION,
    replaces: 'digest',
    result_sha256: 'digest',
    reason: 'text of 1 to 500 printable characters',
    corrected_at: 'timestamp',
  },
}
/** The optional members about the position of an entry. */
const PLACE: Members = {
  readings: 'list of digests',
  moved_at: 'timestamp',
  moved_from: 'list of places',
}

/**
 * Reasons are shown in terminals and on pages, so control characters are not allowed, nor characters that change the
 * direction of text.
 */
const LONGEST_REASON = 500
const isTimestamp = (value: unknown) => typeof value === 'string' && parseTimestamp(value).ok

/** Whether a value is of a kind. */
export const FITS: Readonly<Record<MemberKind, (value: unknown) => boolean>> = {
  count: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  text: (value) => typeof value === 'string' && value !== '',
  // Frozen files are beside their ledger, where `verify` and `gate` look for them: a path must not lead out of the
  // folder.
  'name of a JSON file': (value) => typeof value === 'string' && /^[^/\\\0]+\.json$/.test(value),
  // A registration has a path relative to the folder of its ledger: it must not start at the root or name a drive.
  'relative path of a JSON file': (value) =>
    typeof value === 'string' && /^(?!\/|[A-Za-z]:)[^\\\0]+\.json$/.test(value),
  digest: isDigest,
  'list of digests': (value) => Array.isArray(value) && value.length > 0 && value.every(isDigest),
  'list of places': (value) =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MOST_PLACES &&
    value.every(isChainLink),
  timestamp: isTimestamp,
  'timestamp or null': (value) => value === null || isTimestamp(value),
  '"prospective" or "backtest"': (value) => value === 'prospective' || value === 'backtest',
  '"void" or "abandoned"': (value) => value === 'void' || value === 'abandoned',
  'text of 1 to 500 printable characters': isReason,
}

/** An entry is moved once for each merge that it was part of. */
const MOST_PLACES = 100

function isChainLink(value: unknown): boolean {
  if (!isObject(value)) return false
  const { seq, previous, moved_at, ...others } = value
  return (
    FITS.count(seq) &&
    isDigest(previous) &&
    (moved_at === undefined || isTimestamp(moved_at)) &&
    Object.keys(others).length === 0
  )
}

export function isReason(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    [...value].length <= LONGEST_REASON &&
    printable(value) === value
  )
}

/** Every fault in the members of one entry; if there are none, it is a `LedgerEntry`. */
export function checkEntry(value: unknown): Finding[] {
  const malformed = (expected: string, pointer: string) =>
    finding('ledger-entry-form', { fault: 'form', expected }, { pointer })
  if (!isObject(value)) return [malformed('an object', '')]
  const entry = value
  const kind = entryKind(entry)
  if (kind === undefined && isSoundLink(entry))
    return [finding('ledger-entry-newer', {}, { pointer: '' })]
  const guessed = Object.hasOwn(entry, 'registration_sha256') ? 'registered' : 'frozen'
  const required = REQUIRED[kind ?? guessed]
  const allowed: Members = {
    ...required,
    ...PLACE,
    ...(required === REQUIRED.frozen && { supersedes: 'text' }),
  }
  const findings: Finding[] = []
  const absent = Object.keys(required).filter((key) => !Object.hasOwn(entry, key))
  if (absent.length > 0) findings.push(finding('missing-key', { keys: absent }, { pointer: '' }))
  const kindAt = (key: string) => (Object.hasOwn(allowed, key) ? allowed[key] : undefined)
  const unknown = Object.keys(entry).filter((key) => kindAt(key) === undefined)
  if (unknown.length > 0) {
    // A program writes ledgers, so an unknown name is not a typo.
    const args = { keys: unknown, nearest: unknown.map(() => null) }
    findings.push(finding('unknown-key', args, { pointer: pointerTo('', unknown[0] ?? '') }))
  }
  for (const [key, member] of Object.entries(entry)) {
    const expected = kindAt(key)
    if (expected === undefined || FITS[expected](member)) continue
    const article = expected.startsWith('"') ? '' : 'a '
    findings.push(malformed(`${article}${expected}`, pointerTo('', key)))
  }
  return findings
}

/** Whether an object has a sound position and digest in a chain, whatever else it contains. */
function isSoundLink(entry: Record<string, unknown>): boolean {
  return (
    FITS.count(entry.seq) &&
    isDigest(entry.previous) &&
    entry.entry_sha256 === digestWithout(entry, 'entry_sha256')
  )
}
