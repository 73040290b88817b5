import { formatUtc, type Instant, instantOrNaN, MICROS_PER_DAY } from '../contract/instant.js'
import {
  alphaDivisor,
  type DueSpan,
  spansOverlap,
  toDueSpan,
} from '../evaluation/other-registrations.js'
import type { AccessEntry } from '../protocol/readings.js'
import {
  type ClosedEntry,
  type CorrectedEntry,
  isCorrected,
  type LedgerEntry,
  placedAt,
  type RegisteredEntry,
} from '../protocol/rules/entry.js'
import {
  type RegistrationEnd,
  registeredEntries,
  registrationEnds,
} from '../protocol/rules/ledger.js'
import type { LedgerStamp } from '../time/level.js'
import { timeOrNull } from '../time/registration-time.js'
import { latestTime } from '../time/rfc3161/time-stamp.js'
import { computeChance } from './chance.js'
import { changedBy } from './corrections.js'
import type { ProtocolRules, RecordedRegistration, RecordInputs } from './inputs.js'
import { createLedgerProof, type Proved } from './proofs.js'
import {
  ENDS,
  type End,
  type ForeproofRecord,
  type RecordClosing,
  type RecordCorrection,
  type RecordResult,
  type RecordRow,
  type RecordTable,
  TABLES,
} from './track-record.js'

/** How long after its last outcome counted a registration may stay without a result. */
const OVERDUE_AFTER: Instant = 30 * MICROS_PER_DAY

/** Derives the record of a ledger. The same inputs give the same record. */
export function deriveRecord(inputs: RecordInputs): ForeproofRecord {
  const { ledger, now, code } = inputs
  const entries = ledger.lines.map(({ entry }) => entry)
  const context: Context = {
    ...inputs,
    ends: registrationEnds(ledger),
    corrected: entries.filter(isCorrected),
    repetitions: new Repetitions(),
  }
  const rows = registeredEntries(ledger).map((entry) => toRow(entry, context))
  const [first, last] = [entries[0], entries.at(-1)]
  return {
    record_version: 1,
    built_at: formatUtc(now),
    code,
    evidence_url: inputs.evidenceUrl,
    ledger: {
      file_sha256: inputs.ledgerSha256,
      entries: entries.length,
      first_entry_sha256: first?.entry_sha256 ?? null,
      last_entry_sha256: last?.entry_sha256 ?? null,
      begins: first === undefined ? null : placedAt(first),
      first_seen: earliest(wholeStamps(inputs)),
      whole_to: wholeTo(inputs),
    },
    counts: countEnds(rows),
    chance: computeChance(rows, now),
    foreign_evidence: foreignEvidence(context),
    registrations: rows,
  }
}

interface Context extends RecordInputs {
  readonly ends: ReadonlyMap<string, RegistrationEnd>
  readonly corrected: readonly CorrectedEntry[]
  /** The registrations before the one at hand. */
  readonly repetitions: Repetitions
}

/** Stamps that cover all entries before theirs. */
const wholeStamps = ({ stamps }: RecordInputs): readonly LedgerStamp[] =>
  stamps.filter(({ alone }) => alone === undefined)

function wholeTo(inputs: RecordInputs): ForeproofRecord['ledger']['whole_to'] {
  const stamps = wholeStamps(inputs)
  const last = stamps.reduce((most, { seq }) => Math.max(most, seq), 0)
  return earliest(stamps.filter(({ seq }) => seq === last))
}

function earliest(stamps: readonly LedgerStamp[]): ForeproofRecord['ledger']['whole_to'] {
  const [first] = stamps.toSorted((a, b) => latestTime(a) - latestTime(b))
  if (first === undefined) return null
  return { entry: first.seq, time: formatUtc(latestTime(first)), by: first.authority }
}

function countEnds(rows: readonly RecordRow[]): ForeproofRecord['counts'] {
  const countIn = (table: RecordTable) => {
    const ofTable = rows.filter((row) => row.table === table)
    return Object.fromEntries(
      ENDS.map((end) => [end, ofTable.filter((row) => row.end === end).length]),
    )
  }
  const counts = Object.fromEntries(TABLES.map((table) => [table, countIn(table)]))
  return counts as unknown as ForeproofRecord['counts']
}

/** Results that no registration counts: a second reading that nobody called a correction. */
function foreignEvidence({ ends, corrected, results }: Context): string[] {
  const recorded = new Set([
    ...[...ends.values()].map(({ result }) => result?.result_sha256),
    ...corrected.map(({ result_sha256 }) => result_sha256),
  ])
  return [...results.keys()].filter((digest) => !recorded.has(digest)).sort()
}

function toRow(entry: RegisteredEntry, context: Context): RecordRow {
  const { registration_sha256: digest, first_inputs, last_settled } = entry
  const registration = context.registrations.get(digest)
  const readings = context.readings.get(digest) ?? []
  const proved = createLedgerProof(entry, context, registration)
  const closing = findClosing(entry, context, registration)
  const result = toResult(digest, readings, context)
  const facts = { closing, result, readings, registration, proved }
  const end = findEnd(entry, facts, context.now)
  const divisor = registration ? findDivisor(registration, entry, result, context) : null
  const cancelledAt = end === 'cancelled' ? instantOrNaN(closing?.proved_at ?? '') : undefined
  if (registration) context.repetitions.add(registration, cancelledAt)
  return {
    seq: entry.seq,
    entry_sha256: entry.entry_sha256,
    registration_sha256: digest,
    table: tableRow(entry, registration, proved),
    name: registration?.name ?? null,
    protocol: entry.protocol_version,
    file: entry.file,
    window: registration ? toWindow(registration) : null,
    first_inputs,
    last_settled,
    registered_at: entry.registered_at,
    moved_from: entry.moved_from?.[0]?.seq ?? null,
    proofs: proved.proofs,
    proved_at: timeOrNull(proved.at),
    commitment: commitmentIn(registration),
    candidates: registration?.candidates.map(({ name }) => name) ?? null,
    end,
    closing,
    divisor,
    waiting_given_away: isGivenAway(context.protocols.get(entry.protocol_sha256)),
    alpha_share: alphaShare(entry, end, divisor, context),
    readings: {
      count: readings.filter(({ event }) => event === 'outcomes_read').length,
      first_at: readings[0]?.at ?? null,
    },
    result,
    corrections: findCorrections(digest, readings, context),
  }
}

/** By the order of the ledger, as in `score`; a move of the entry makes it no larger than the one of its result. */
function findDivisor(
  registration: RecordedRegistration,
  { first_inputs }: RegisteredEntry,
  result: RecordResult | null,
  { repetitions, results }: Context,
): number {
  const counted = repetitions.divisorFor(registration, instantOrNaN(first_inputs ?? ''))
  const used = results.get(result?.result_sha256 ?? '')?.divisor
  return Math.min(counted, used ?? Number.POSITIVE_INFINITY)
}

const toWindow = ({ window: { from, to, origins } }: RecordedRegistration) => ({
  from,
  to,
  origins,
})

/** Who has to show when the forecasts of a registration were made. */
function commitmentIn(registration: RecordedRegistration | undefined): RecordRow['commitment'] {
  const { commitment } = registration ?? {}
  return commitment === 'stamped' || commitment === 'witnessed' ? commitment : null
}

/**
 * A registration is shown by others if a proof lies before its first inputs, and its forecasts have to be committed. One
 * whose file is missing may have asked for that: so hiding a file takes no registration out of the first table.
 */
function tableRow(
  { mode, first_inputs }: RegisteredEntry,
  registration: RecordedRegistration | undefined,
  { at }: Proved,
): RecordTable {
  if (mode === 'backtest') return 'backtests'
  const isEarly = at !== undefined && at < instantOrNaN(first_inputs ?? '')
  const isCommitted = registration === undefined || commitmentIn(registration) !== null
  return isEarly && isCommitted ? 'shown_by_others' : 'own_word'
}

/** The first result: of the ledger, or else one that the record of readings has. */
function toResult(
  digest: string,
  readings: readonly AccessEntry[],
  { ends, results }: Context,
): RecordResult | null {
  const entered = ends.get(digest)?.result
  const written = readings.filter(({ event }) => event === 'result_written')
  const result_sha256 = entered?.result_sha256 ?? written[0]?.result_sha256
  if (result_sha256 == null) return null
  const reading = written.find((each) => each.result_sha256 === result_sha256)
  // What the ledger lacks is not shown.
  const shown = entered && results.get(result_sha256)
  return {
    result_sha256,
    at: entered?.result_at ?? null,
    kind: shown?.kind ?? null,
    exploratory: reading?.exploratory ?? null,
    candidates: shown?.candidates ?? null,
  }
}

interface EndFacts {
  readonly registration: RecordedRegistration | undefined
  readonly closing: RecordClosing | null
  readonly result: RecordResult | null
  readonly readings: readonly AccessEntry[]
  readonly proved: Proved
}

function findEnd(
  entry: RegisteredEntry,
  { registration, closing, result, readings, proved }: EndFacts,
  now: Instant,
): End {
  if (result !== null) return result.candidates === null ? 'result_withheld' : 'scored'
  if (readings.length > 0) return 'broken_off'
  if (closing !== null) {
    // Without its file, nothing says whose stamps count; as in `score`.
    const isShown = registration !== undefined && closing.proved_at !== null
    return isShown && closing.phase === 'before_window' ? 'cancelled' : 'closed'
  }
  if (registration === undefined) return 'file_missing'
  const lastDue = instantOrNaN(registration.window.last_due ?? '')
  const settled = entry.last_settled === null ? lastDue : instantOrNaN(entry.last_settled)
  // Whoever moves an entry does not put off its end.
  const shown = entry.moved_from ? proved.proofs.map(({ time }) => time) : []
  const times = [placedAt(entry), ...shown].map(instantOrNaN)
  if (now > Math.max(settled, Math.min(...times)) + OVERDUE_AFTER) return 'overdue'
  if (now >= lastDue) return 'awaiting_outcomes'
  return now >= instantOrNaN(entry.first_inputs ?? '') ? 'running' : 'announced'
}

function findClosing(
  registered: RegisteredEntry,
  context: Context,
  registration: RecordedRegistration | undefined,
): RecordClosing | null {
  const { closed } = context.ends.get(registered.registration_sha256) ?? {}
  if (closed === undefined) return null
  const { at: stamped } = createLedgerProof(closed, context, registration)
  // No proof shows it earlier than it says of itself.
  const proved = stamped && Math.max(stamped, instantOrNaN(closed.closed_at))
  // Without proof, it may have been closed as late as now.
  const at = proved ?? context.now
  return {
    seq: closed.seq,
    as: closed.as,
    reason: closed.reason,
    closed_at: closed.closed_at,
    proved_at: timeOrNull(proved),
    phase: phaseAt(at, registered),
    after_origins: registration ? originsDue(registration, closed, at, context) : null,
  }
}

function phaseAt(
  at: Instant,
  { first_inputs, last_settled }: RegisteredEntry,
): RecordClosing['phase'] {
  if (at < instantOrNaN(first_inputs ?? '')) return 'before_window'
  return at < instantOrNaN(last_settled ?? '') ? 'in_window' : 'after_outcomes'
}

/** How many origins of a window had been due at a time. */
function originsDue(
  { window: { from, to, origins } }: RecordedRegistration,
  { protocol_sha256 }: ClosedEntry,
  at: Instant,
  { protocols }: RecordInputs,
): number | null {
  const { rules } = protocols.get(protocol_sha256) ?? {}
  if (rules === undefined) return null
  const [first, last] = [rules.calendar.position(from), rules.calendar.position(to)]
  let due = 0
  for (let origin = first; origin <= last && rules.due(origin) <= at; origin++) due += 1
  // Some periods of a list have no target, so they are no origins.
  return Math.min(due, origins)
}

const isGivenAway = (protocol: ProtocolRules | undefined): boolean =>
  protocol?.rules.origins.waiting === 'part_of_the_task'

/** The chance of a false *eligible*; 0 where none is possible. */
function alphaShare(
  { protocol_sha256, mode }: LedgerEntry & RegisteredEntry,
  end: End,
  divisor: number | null,
  { protocols }: RecordInputs,
): number {
  const protocol = protocols.get(protocol_sha256)
  if (protocol === undefined || protocol.isLax || isGivenAway(protocol)) return 0
  const { rules } = protocol
  if (rules.test.method !== 'ewc-t' || end === 'cancelled' || mode === 'backtest') return 0
  // One whose file is missing may be the first of its candidates.
  return rules.alpha / (2 * (divisor ?? 1))
}

function findCorrections(
  digest: string,
  readings: readonly AccessEntry[],
  { corrected, results }: Context,
): RecordCorrection[] {
  return corrected
    .filter(({ registration_sha256 }) => registration_sha256 === digest)
    .map((entry) => {
      const { seq, result_sha256, reason, corrected_at } = entry
      const here = results.has(result_sha256)
      return { seq, result_sha256, reason, corrected_at, here, changed: changedBy(entry, readings) }
    })
}

/** The window of an earlier registration. */
interface Earlier extends DueSpan {
  /** When it was cancelled, if it was: later windows do not count it. */
  readonly cancelledAt: Instant
}

/** The windows of registrations so far, by the names of their candidates. */
class Repetitions {
  readonly #byCandidate = new Map<string, Earlier[]>()

  /** @param cancelledAt - when its closing was shown, if that cancels it. */
  add(registration: RecordedRegistration, cancelledAt = Number.POSITIVE_INFINITY): void {
    const due = { ...toDueSpan(registration.window), cancelledAt }
    for (const { name } of registration.candidates) {
      const earlier = this.#byCandidate.get(name)
      if (earlier === undefined) this.#byCandidate.set(name, [due])
      else earlier.push(due)
    }
  }

  /**
   * The divisor of alpha: 1 for the first registration of a candidate, j(j + 1) for the j-th whose windows overlap. The
   * candidate registered most often counts. Two models with the same forecasts count as two here, which leaves more of
   * alpha and so never makes the stated chance smaller.
   * @param firstInputs - of the registration; what was cancelled before them does not count, as in `score`.
   */
  divisorFor(registration: RecordedRegistration, firstInputs: Instant): number {
    const span = toDueSpan(registration.window)
    const before = registration.candidates.map(({ name }) => {
      const windows = this.#byCandidate.get(name) ?? []
      const counts = (window: Earlier) =>
        spansOverlap(window, span) && !(window.cancelledAt < firstInputs)
      return windows.filter(counts).length
    })
    return alphaDivisor(1 + Math.max(0, ...before))
  }
}
