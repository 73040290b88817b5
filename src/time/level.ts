import { type Finding, finding } from '../contract/findings/finding.js'
import {
  formatUtc,
  type Instant,
  instantOrNaN,
  MICROS_PER_HOUR,
  MICROS_PER_SECOND,
} from '../contract/instant.js'
import { entryTime, isRegistered, type LedgerEntry, placedAt } from '../protocol/rules/entry.js'
import { latestTime, type TimeStamp } from './rfc3161/time-stamp.js'

/** A verified stamp over one entry of a ledger. */
export interface LedgerStamp extends TimeStamp {
  /** Position of the entry in its ledger, from 1. */
  readonly seq: number
  readonly entrySha256: string
  /**
   * The position of the only entry that it covers: it stamps that entry in an earlier place, `seq`, and the entries
   * before that were others.
   */
  readonly alone?: number
  /** The file of the token. */
  readonly file: string
  readonly tokenSha256: string
}

/** A time-stamp authority as a registration pins it. */
export interface Authority {
  readonly name: string
  /**
   * SHA-256 of its anchor's certificate (DER), in hex. Trust is in this digest, not in the name.
   */
  readonly anchor_sha256: string
}

/**
 * Reports a stamp whose time contradicts its entry: one of the two clocks was wrong. No stamp can be older than its
 * entry. A much later stamp is suspicious only for a registration, because a protocol may be stamped later.
 */
export function clockFaults(stamp: LedgerStamp, entry: LedgerEntry): Finding[] {
  const { authority, genTime, file } = stamp
  const args = { authority, entry: entry.seq, at: formatUtc(genTime) }
  const [, statedTime] = entryTime(entry)
  const placed = stamp.alone === undefined ? placedAt(entry) : statedTime
  if (latestTime(stamp) < instantOrNaN(placed) - MICROS_PER_HOUR) {
    return [finding('entry-stamp-far', { fault: 'before', ...args, own: placed }, { file })]
  }
  if (!isRegistered(entry) || !(genTime > instantOrNaN(statedTime) + MICROS_PER_HOUR)) return []
  return [finding('entry-stamp-far', { fault: 'after', ...args, own: statedTime }, { file })]
}

/** Who vouches for the time of a ledger entry: only its writer, or authorities. */
type LevelBy<Stamp> =
  | { readonly kind: 'self_declared' }
  | {
      readonly kind: 'stamped'
      /** The earliest stamp of each authority, in the order of their times; at least one. */
      readonly by: readonly Stamp[]
      /** How many authorities could have stamped it. */
      readonly of: number
      /** How many of them are required; 0 if no stamp is required. */
      readonly atLeast: number
    }

export type TimeLevel = LevelBy<LedgerStamp>

/** The shown part of a stamp: who stamped when. */
type ShownStamp = Pick<
  LedgerStamp,
  'authority' | 'anchorSha256' | 'genTime' | 'accuracy' | 'accuracyGiven'
>

export type ShownLevel = LevelBy<ShownStamp>

/** Whether a stamp shows that an entry existed. */
export const covers = ({ seq, alone }: LedgerStamp, entry: number): boolean =>
  alone === undefined ? seq >= entry : alone === entry

/**
 * The level of one entry. Stamps of later entries count too, because the chain of digests covers all entries before;
 * so the ledger itself must verify.
 * @param authorities - that count: the pinned ones of a registration, or every known anchor.
 */
export function computeLevel(
  seq: number,
  stamps: readonly LedgerStamp[],
  authorities: readonly Authority[],
  atLeast = 0,
): TimeLevel {
  const pinned = new Set(authorities.map(({ anchor_sha256 }) => anchor_sha256))
  const covering = stamps.filter((stamp) => covers(stamp, seq) && pinned.has(stamp.anchorSha256))
  const earliest = new Map<string, LedgerStamp>()
  for (const stamp of covering.sort((a, b) => latestTime(a) - latestTime(b))) {
    if (!earliest.has(stamp.anchorSha256)) earliest.set(stamp.anchorSha256, stamp)
  }
  const by = [...earliest.values()]
  if (by.length === 0) return { kind: 'self_declared' }
  return { kind: 'stamped', by, of: pinned.size, atLeast }
}

/**
 * The time by which an entry existed according to `k` authorities: the k-th smallest of genTime + accuracy. Undefined
 * if fewer than k stamped it.
 * @param k - 1 or more.
 */
export function stampedBy(level: TimeLevel, k: number): Instant | undefined {
  const stamp = level.kind === 'stamped' ? level.by[k - 1] : undefined
  return stamp && latestTime(stamp)
}

/** Maximum number of names shown; more end in an ellipsis. */
const SHOWN = 3

/** Shown digits of an anchor's digest: 128 bits, for which nobody can make a second certificate. */
const DIGITS = 32

/** Who chose the trusted parties. Those that came with the evidence were chosen by its writer. */
type ChosenBy = 'writer' | 'reader'
type Chosen = 'anchors' | 'witnesses'
export type TrustChoice = Readonly<Record<Chosen, ChosenBy>>

const chosenBy = (own: unknown): ChosenBy => (own === undefined ? 'writer' : 'reader')

/** @param own - the reader's own choice, if any. */
export function toTrustChoice(own: { readonly [What in Chosen]?: unknown }): TrustChoice {
  return { anchors: chosenBy(own.anchors), witnesses: chosenBy(own.witnesses) }
}

/** The default, without a reader's choice. */
export const WRITER_CHOSE = toTrustChoice({})

const CHOSEN: Readonly<Record<Chosen, Readonly<Record<ChosenBy, string>>>> = {
  anchors: { writer: 'anchors chosen by the writer', reader: 'your anchors' },
  witnesses: { writer: 'witnesses chosen by the writer', reader: 'held against your witnesses' },
}

/** `anchors chosen by the writer`, or `your anchors`. */
export const chosenText = (what: Chosen, who: TrustChoice): string => CHOSEN[what][who[what]]

/**
 * `self-declared`, or `stamped by 2 of 3 (freetsa 0d5e…, digicert 6c1f…), 2026-11-22T10:00:03Z ± 1 s; anchors chosen by
 * the writer`. A name is a file's name only: the digest of the anchor says whose stamp it is.
 */
export function levelText(level: ShownLevel, who: TrustChoice = WRITER_CHOSE): string {
  if (level.kind === 'self_declared') return 'self-declared'
  const { by: stamps, of, atLeast } = level
  const names = stamps
    .slice(0, SHOWN)
    .map(({ authority, anchorSha256 }) => `${authority} ${anchorSha256.slice(0, DIGITS)}…`)
  if (stamps.length > SHOWN) names.push('…')
  // The time at which the required number of authorities had stamped it.
  const decisive = stamps[Math.max(atLeast, 1) - 1] ?? stamps.at(-1)
  const missing = stamps.length < atLeast ? `; ${atLeast} are needed` : ''
  return `stamped by ${stamps.length} of ${of} (${names.join(', ')}), ${stampTimeText(decisive as ShownStamp)}${missing}; ${chosenText('anchors', who)}`
}

/** `2026-11-22T10:00:03Z ± 1 s`; without accuracy if the token has none. */
export function stampTimeText({ genTime, accuracy, accuracyGiven }: ShownStamp): string {
  const time = formatUtc(genTime)
  return accuracyGiven ? `${time} ± ${accuracy / MICROS_PER_SECOND} s` : time
}

/** Consecutive ledger entries with the same level. */
export interface EntriesLevel {
  readonly from: number
  readonly to: number
  readonly level: TimeLevel
}

/**
 * The levels of all entries of a ledger. A stamp covers all entries before it, so a level ends only after a stamped
 * entry.
 */
export function ledgerLevels(
  entries: number,
  stamps: readonly LedgerStamp[],
  authorities: readonly Authority[],
): EntriesLevel[] {
  // What stamps an entry alone ends a level before it, too.
  const ends = stamps.flatMap(({ seq, alone }) =>
    alone === undefined ? [seq] : [alone - 1, alone],
  )
  const stamped = ends.filter((seq) => seq > 0).sort((a, b) => a - b)
  const levels: EntriesLevel[] = []
  for (const to of new Set([...stamped, entries])) {
    const last = levels.at(-1)
    const level = computeLevel(to, stamps, authorities)
    if (last !== undefined && isSame(last.level, level)) {
      levels.splice(-1, 1, { ...last, to })
    } else if (to > (last?.to ?? 0)) levels.push({ from: (last?.to ?? 0) + 1, to, level })
  }
  return levels
}

/** Whether two levels rest on the same stamps. */
function isSame(a: TimeLevel, b: TimeLevel): boolean {
  const listFiles = (level: TimeLevel) =>
    level.kind === 'stamped' ? level.by.map(({ file }) => file) : []
  return listFiles(a).join('\0') === listFiles(b).join('\0')
}
