import { type Finding, finding } from '../../contract/findings/finding.js'
import { parseTimestamp } from '../../contract/instant.js'
import { isObject } from '../../contract/is-object.js'
import { pointerTo } from '../../contract/pointer.js'
import { canonicalize } from '../../document/canonical.js'
import { digestWithout, isDigest } from '../../document/digest.js'

/** `previous` of the first entry. */
export const NO_ENTRY = '0'.repeat(64)

interface Chained {
  /** Position in the ledger, from 1. */
  readonly seq: number
  /** `entry_sha256` of the entry before; 64 zeros for the first. */
  readonly previous: string
  /** Digests of the last lines of those records of readings that went on since the entry before. */
  readonly readings?: readonly string[]
  /** When the entry came here at the earliest, where that is later than it was made: by `ledger rebase`, or after a wait; RFC 3339. */
  readonly moved_at?: string
  /** SHA-256 of the RFC 8785 form of the entry without this member. */
  readonly entry_sha256: string
}

/** What a freeze records. */
export interface FrozenFields {
  readonly protocol_version: string
  readonly protocol_sha256: string
  /** Name of the file beside the ledger. */
  readonly file: string
  /** RFC 3339 time of freezing. */
  readonly frozen_at: string
  /** The version that this one replaces. */
  readonly supersedes?: string
}

/** What a registration records. */
export interface RegisteredFields {
  readonly registration_sha256: string
  readonly protocol_version: string
  readonly protocol_sha256: string
  /** Path of the registration, relative to the ledger, with forward slashes. */
  readonly file: string
  /** RFC 3339 time of registration. */
  readonly registered_at: string
}

export type FrozenEntry = Chained & FrozenFields
export type RegisteredEntry = Chained & RegisteredFields
export type LedgerEntry = FrozenEntry | RegisteredEntry
export type EntryFields = FrozenFields | RegisteredFields

export function isFrozen(entry: LedgerEntry): entry is FrozenEntry {
  return 'frozen_at' in entry
}

/**
 * Chains new fields behind the last entry of a record of lines.
 * @param first - what the first entry has in the place of the digest of the one before.
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
 * @param place - what else an entry says of its place.
 */
export function chain<F extends EntryFields>(
  fields: F,
  last: LedgerEntry | undefined,
  place: Pick<Chained, 'readings' | 'moved_at'> = {},
): Chained & F {
  return linked({ ...fields, ...place }, last, NO_ENTRY)
}

/** The member that says when an entry was made, and what it says. */
export function timeOf(entry: LedgerEntry): [key: string, time: string] {
  return isFrozen(entry) ? ['frozen_at', entry.frozen_at] : ['registered_at', entry.registered_at]
}

/** When an entry came to its place in the ledger. */
export const placedAt = (entry: LedgerEntry): string => entry.moved_at ?? timeOf(entry)[1]

/** The entry without what ties it to its place. */
export function fieldsOf(entry: LedgerEntry): EntryFields {
  const { seq: _seq, previous: _previous, readings: _readings, moved_at: _moved, ...rest } = entry
  const { entry_sha256: _digest, ...fields } = rest
  return fields
}

/** What an entry says, as a text that is equal exactly for equal fields. */
export function identityOf(entry: LedgerEntry): string {
  return canonicalize(fieldsOf(entry))
}

type Kind =
  | 'count'
  | 'text'
  | 'name of a JSON file'
  | 'relative path of a JSON file'
  | 'digest'
  | 'list of digests'
  | 'timestamp'

type Kinds = Readonly<Record<string, Kind>>

const CHAINED: Kinds = {
  seq: 'count',
  previous: 'digest',
  entry_sha256: 'digest',
  protocol_version: 'text',
  protocol_sha256: 'digest',
}
const FROZEN: Kinds = { ...CHAINED, file: 'name of a JSON file', frozen_at: 'timestamp' }
const REGISTERED: Kinds = {
  ...CHAINED,
  registration_sha256: 'digest',
  file: 'relative path of a JSON file',
  registered_at: 'timestamp',
}
/** What an entry may say of its place. */
const PLACE: Kinds = { readings: 'list of digests', moved_at: 'timestamp' }

/** Whether a value is one of a kind. */
export const FITS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  count: (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  text: (value) => typeof value === 'string' && value !== '',
  // What was frozen lies beside its ledger, where `verify` and `gate` look for it: no path leads out of the folder.
  'name of a JSON file': (value) => typeof value === 'string' && /^[^/\\\0]+\.json$/.test(value),
  // A registration lies beside the folder of its ledger: no path begins at the root, or names a drive.
  'relative path of a JSON file': (value) =>
    typeof value === 'string' && /^(?!\/|[A-Za-z]:)[^\\\0]+\.json$/.test(value),
  digest: isDigest,
  'list of digests': (value) => Array.isArray(value) && value.length > 0 && value.every(isDigest),
  timestamp: (value) => typeof value === 'string' && parseTimestamp(value).ok,
}

/** Every fault in the members of one entry; none means that it is a `LedgerEntry`. */
export function checkEntry(value: unknown): Finding[] {
  const formed = (expected: string, pointer: string) =>
    finding('ledger-entry-form', { fault: 'form', expected }, { pointer })
  if (!isObject(value)) return [formed('an object', '')]
  const entry = value
  const registered = Object.hasOwn(entry, 'registration_sha256')
  const required = registered ? REGISTERED : FROZEN
  const known: Kinds = { ...required, ...PLACE, ...(!registered && { supersedes: 'text' }) }
  const findings: Finding[] = []
  const absent = Object.keys(required).filter((key) => !Object.hasOwn(entry, key))
  if (absent.length > 0) findings.push(finding('missing-key', { keys: absent }, { pointer: '' }))
  const kindOf = (key: string) => (Object.hasOwn(known, key) ? known[key] : undefined)
  const strange = Object.keys(entry).filter((key) => kindOf(key) === undefined)
  if (strange.length > 0) {
    // A program writes ledgers: a name is no slip of the hand.
    const args = { keys: strange, nearest: strange.map(() => null) }
    findings.push(finding('unknown-key', args, { pointer: pointerTo('', strange[0] ?? '') }))
  }
  for (const [key, member] of Object.entries(entry)) {
    const kind = kindOf(key)
    if (kind === undefined || FITS[kind](member)) continue
    findings.push(formed(`a ${kind}`, pointerTo('', key)))
  }
  return findings
}
