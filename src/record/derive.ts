import { formatUtc, type Instant, instantOrNaN, MICROS_PER_HOUR } from '../contract/instant.js'
import type { CodeVersion } from '../evaluation/result/types.js'
import { sha256Hex } from '../document/digest.js'
import { type AccessEntry, changedInputs } from '../protocol/readings.js'
import {
  type ClosedEntry,
  isCorrected,
  isRegistered,
  placedAt,
  type RegisteredEntry,
} from '../protocol/rules/entry.js'
import { type Ledger, registrationEnds } from '../protocol/rules/ledger.js'
import type { AnyRegistration } from '../registration/types.js'
import { type Authority, computeLevel, type LedgerStamp, stampedBy } from '../time/level.js'
import { latestTime } from '../time/rfc3161/types.js'
import {
  type ClosingPhase,
  type End,
  ENDS,
  type ForeproofRecord,
  type RecordCorrection,
  type RecordResult,
  type RecordRow,
  type RecordTable,
  TABLES,
} from './types.js'

/** What a record reads of a result. */
export interface ReadableResult {
  readonly result_sha256: string
  readonly kind: string
  readonly registrations: { readonly protocol_alpha: number; readonly divisor: number } | null
  readonly dispositions: readonly { readonly candidate: string; readonly disposition: string }[]
}

/** Everything that a record is derived from, read already. */
export interface RecordInputs {
  readonly ledger: Ledger
  readonly bytes: Uint8Array
  /** By digest, as the results. */
  readonly registrations: ReadonlyMap<string, AnyRegistration>
  readonly results: ReadonlyMap<string, ReadableResult>
  /** The records of readings, by the digest of the registration. */
  readonly readings: ReadonlyMap<string, readonly AccessEntry[]>
  readonly stamps: readonly LedgerStamp[]
  readonly authorities: readonly Authority[]
  /** Alpha of a protocol by its digest, and whether its rules are too lax to be judged by. */
  readonly protocols: ReadonlyMap<string, { readonly alpha: number; readonly lax: boolean }>
  readonly now: Instant
  readonly code: CodeVersion
}

const OVERDUE_AFTER: Instant = 30 * 24 * MICROS_PER_HOUR

/** Derives the record of a ledger. The same inputs give the same record. */
export function deriveRecord(inputs: RecordInputs): ForeproofRecord {
  const { ledger, bytes, now, code } = inputs
  const entries = ledger.lines.map(({ entry }) => entry)
  const begun = new Map<string, RegisteredEntry>()
  const cancelled = new Set<string>()
  const rows = entries.filter(isRegistered).map((entry) => {
    const row = rowOf(entry, inputs, [...begun.values()].filter((of) => !cancelled.has(of.registration_sha256)))
    begun.set(entry.registration_sha256, entry)
    if (row.end === 'cancelled') cancelled.add(entry.registration_sha256)
    return row
  })
  const [first, last] = [entries[0], entries.at(-1)]
  return {
    record_version: 1,
    built_at: formatUtc(now),
    code,
    ledger: {
      file_sha256: sha256Hex(bytes),
      entries: entries.length,
      first_entry_sha256: first?.entry_sha256 ?? '',
      last_entry_sha256: last?.entry_sha256 ?? '',
      begins: first === undefined ? '' : placedAt(first),
      whole_to: wholeTo(inputs.stamps),
    },
    counts: countEnds(rows),
    chance: chanceOf(rows, inputs),
    registrations: rows,
  }
}

/** The last entry that a stamp of others covers with all entries before it. */
function wholeTo(stamps: readonly LedgerStamp[]): ForeproofRecord['ledger']['whole_to'] {
  const whole = stamps.filter(({ alone }) => alone === undefined)
  const entry = Math.max(0, ...whole.map(({ seq }) => seq))
  const [first] = whole
    .filter(({ seq }) => seq === entry)
    .sort((a, b) => latestTime(a) - latestTime(b))
  return first ? { entry, time: formatUtc(latestTime(first)), by: first.authority } : null
}

function countEnds(rows: readonly RecordRow[]): ForeproofRecord['counts'] {
  const count = (table: RecordTable, end: End) =>
    rows.filter((row) => row.table === table && row.end === end).length
  const of = (table: RecordTable) => Object.fromEntries(ENDS.map((end) => [end, count(table, end)]))
  return Object.fromEntries(TABLES.map((table) => [table, of(table)])) as ForeproofRecord['counts']
}

/** When others show that an entry was there; undefined if nobody does. */
function provedAt(
  seq: number,
  { stamps, authorities }: RecordInputs,
  registered?: AnyRegistration,
): Instant | undefined {
  const { time } = registered ?? {}
  const counting = time?.authorities ?? authorities
  const least = Math.max(1, time?.at_least ?? 1)
  return stampedBy(computeLevel(seq, stamps, counting), least)
}

function rowOf(
  entry: RegisteredEntry,
  inputs: RecordInputs,
  before: readonly RegisteredEntry[],
): RecordRow {
  const { seq, entry_sha256, registration_sha256: digest } = entry
  const registered = inputs.registrations.get(digest)
  const { closed, result } = registrationEnds(inputs.ledger).get(digest) ?? {}
  const readings = inputs.readings.get(digest) ?? []
  const proved = provedAt(seq, inputs, registered)
  const closing = closed === undefined ? null : closingOf(closed, entry, inputs)
  const shown = result && inputs.results.get(result.result_sha256)
  const end = endOf(entry, registered, { closing, result: result && { isHere: shown !== undefined }, readings, now: inputs.now })
  const known = shown?.registrations?.divisor
  const divisor = known ?? (registered ? divisorOf(registered, before, inputs) : null)
  const table = tableOf(entry, registered, proved)
  return {
    seq,
    entry_sha256,
    registration_sha256: digest,
    table,
    name: registered?.name ?? null,
    protocol: entry.protocol_version,
    window: registered
      ? { from: registered.window.from, to: registered.window.to, origins: registered.window.origins }
      : null,
    registered_at: entry.registered_at,
    moved_from: entry.moved_from?.[0]?.seq ?? null,
    proved_at: proved === undefined ? null : formatUtc(proved),
    commitment: commitmentIn(registered),
    candidates: registered?.candidates.map(({ name }) => name) ?? null,
    file: entry.file,
    end,
    closing,
    divisor,
    alpha_share: shareOf(entry, end, divisor, inputs),
    readings: {
      count: readings.filter(({ event }) => event === 'outcomes_read').length,
      first_at: readings[0]?.at ?? null,
    },
    result: result ? resultOf(result, shown) : null,
    corrections: correctionsOf(digest, inputs),
  }
}

const resultOf = (
  { result_sha256, result_at }: { readonly result_sha256: string; readonly result_at: string },
  shown: ReadableResult | undefined,
): RecordResult => ({
  result_sha256,
  at: result_at,
  kind: shown?.kind ?? null,
  dispositions: shown?.dispositions.map(({ candidate, disposition }) => ({ candidate, disposition })) ?? null,
})

/** A registration is shown by others if a proof is before its first inputs, and its forecasts are committed. */
function tableOf(
  { mode, first_inputs }: RegisteredEntry,
  registered: AnyRegistration | undefined,
  proved: Instant | undefined,
): RecordTable {
  if (mode === 'backtest') return 'backtests'
  const isEarly = proved !== undefined && proved < instantOrNaN(first_inputs ?? '')
  return isEarly && commitmentIn(registered) !== null ? 'shown_by_others' : 'own_word'
}

/** Who besides the keeper shows when its forecasts were there. */
function commitmentIn(registered: AnyRegistration | undefined): RecordRow['commitment'] {
  const { commitment = 'self_declared' } = registered ?? {}
  return commitment === 'self_declared' ? null : commitment
}

function closingOf(
  { seq, as, reason, closed_at }: ClosedEntry,
  { first_inputs, last_settled }: RegisteredEntry,
  inputs: RecordInputs,
) {
  const proved = provedAt(seq, inputs)
  // Without proof, the closing may be as late as the record.
  const at = proved ?? inputs.now
  const phase: ClosingPhase =
    at < instantOrNaN(first_inputs ?? '')
      ? 'before_window'
      : at < instantOrNaN(last_settled ?? '')
        ? 'in_window'
        : 'after_outcomes'
  return { seq, as, reason, closed_at, proved_at: proved === undefined ? null : formatUtc(proved), phase }
}

interface EndFacts {
  readonly closing: RecordRow['closing']
  readonly result: { readonly isHere: boolean } | undefined
  readonly readings: readonly AccessEntry[]
  readonly now: Instant
}

function endOf(
  entry: RegisteredEntry,
  registered: AnyRegistration | undefined,
  { closing, result, readings, now }: EndFacts,
): End {
  if (result !== undefined) return result.isHere ? 'scored' : 'result_withheld'
  // A result that was written and is not in the ledger is withheld, too.
  if (readings.some(({ event }) => event === 'result_written')) return 'result_withheld'
  if (readings.length > 0) return 'broken_off'
  if (closing !== null) {
    return closing.proved_at !== null && closing.phase === 'before_window' ? 'cancelled' : 'closed'
  }
  if (registered === undefined) return 'file_missing'
  const settled = instantOrNaN(entry.last_settled ?? '')
  if (now > Math.max(settled, instantOrNaN(placedAt(entry))) + OVERDUE_AFTER) return 'overdue'
  if (now >= instantOrNaN(registered.window.last_due ?? '')) return 'awaiting_outcomes'
  return now >= instantOrNaN(entry.first_inputs ?? '') ? 'running' : 'announced'
}

/** What alpha is divided by: a candidate that was registered over the same time before has less. */
function divisorOf(
  own: AnyRegistration,
  before: readonly RegisteredEntry[],
  { registrations }: RecordInputs,
): number {
  const others = before.map((entry) => registrations.get(entry.registration_sha256))
  const counts = own.candidates.map(
    ({ name }) =>
      others.filter(
        (other) =>
          other === undefined ||
          (overlap(other.window, own.window) && other.candidates.some((each) => each.name === name)),
      ).length,
  )
  const repetition = 1 + Math.max(0, ...counts)
  return repetition === 1 ? 1 : repetition * (repetition + 1)
}

type Window = Pick<AnyRegistration['window'], 'first_due' | 'last_due'>

/** An open end may overlap. */
function overlap(a: Window, b: Window): boolean {
  const after = (first: string | null, last: string | null) =>
    instantOrNaN(first ?? '') > instantOrNaN(last ?? '')
  return !(after(a.first_due, b.last_due) || after(b.first_due, a.last_due))
}

/** The chance that a model without skill is called eligible; null if it is not known. */
function shareOf(
  { protocol_sha256 }: RegisteredEntry,
  end: End,
  divisor: number | null,
  { protocols }: RecordInputs,
): number | null {
  const rules = protocols.get(protocol_sha256)
  if (rules === undefined) return null
  if (end === 'cancelled' || rules.lax) return 0
  // What cannot be read may be the first of its kind.
  return rules.alpha / (2 * (divisor ?? 1))
}

function correctionsOf(
  digest: string,
  { ledger, readings }: RecordInputs,
): readonly RecordCorrection[] {
  const own = ledger.lines
    .map(({ entry }) => entry)
    .filter(isCorrected)
    .filter((entry) => entry.registration_sha256 === digest)
  const inputsOf = (result: string) =>
    readings.get(digest)?.find(({ result_sha256 }) => result_sha256 === result)
  return own.map(({ seq, replaces, result_sha256, reason, corrected_at }) => {
    const [a, b] = [inputsOf(replaces), inputsOf(result_sha256)]
    return { seq, result_sha256, reason, corrected_at, changed: a && b ? changedInputs(a, b) : null }
  })
}

/** Over all of the first table whose outcomes could be read, whatever their end: so that hiding one hides no chance. */
function chanceOf(rows: readonly RecordRow[], { now, ledger }: RecordInputs): ForeproofRecord['chance'] {
  const settled = new Map(
    ledger.lines.flatMap(({ entry }) =>
      isRegistered(entry) ? [[entry.seq, instantOrNaN(entry.last_settled ?? '')] as const] : [],
    ),
  )
  const counted = rows.filter(
    (row) =>
      row.table === 'shown_by_others' &&
      row.end !== 'cancelled' &&
      (now >= (settled.get(row.seq) ?? Number.NaN) || row.closing !== null || row.readings.count > 0 || row.result !== null),
  )
  const isEligible = ({ end, result }: RecordRow) =>
    end === 'scored' &&
    result?.dispositions?.some(({ disposition }) => disposition === 'eligible_for_human_review')
  return {
    evaluations: counted.length,
    eligible: counted.filter(isEligible).length,
    waiting_given_away: 0,
    expected_at_most: counted.reduce((sum, { alpha_share }) => sum + (alpha_share ?? 0), 0),
  }
}
