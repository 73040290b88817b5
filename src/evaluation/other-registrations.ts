import { dirname, join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import { type Instant, instantOrNaN } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import type { Document, UnreadableDocument } from '../document/read.js'
import { accessPath, readAccessFile } from '../protocol/readings.js'
import { hasHypotheses } from '../protocol/rules/bind.js'
import type { RegisteredEntry } from '../protocol/rules/entry.js'
import { type Ledger, registeredEntries, registrationEnds } from '../protocol/rules/ledger.js'
import { computeLevel, stampedBy } from '../time/level.js'
import type { Anchor } from '../time/rfc3161/anchors.js'
import { type ReadStampsResult, readStamps } from '../time/token-file.js'
import { type Documents, readRegistration, registrationFormFindings } from './load.js'
import { type Alike, modelsAlike } from './models-alike.js'
import type { Result } from './result/result.js'

type Registrations = NonNullable<Result['registrations']>
/** The alpha of a protocol that earlier registrations leave. */
export type AlphaLeft = Omit<Registrations, 'others'>
type Ended = Registrations['others'][number]
type Other = Omit<Ended, 'end'>
type Cancelled = NonNullable<Other['cancelled']>

/** What counts of another registration: a ledger may have many, each with thousands of series. */
type OtherRegistration = Pick<Registration, 'candidates' | 'window' | 'time'>

/** An entry of a ledger with its registration; undefined if that file is missing or was edited. */
interface Entered {
  readonly entry: RegisteredEntry
  readonly registered: OtherRegistration | undefined
}

export interface OtherRegistrationsOptions {
  /** The anchors of a reader. */
  readonly own?: readonly Anchor[] | undefined
  /** What a result that is audited says. */
  readonly recorded?: Result['registrations'] | undefined
}

/**
 * The documents as an evaluation goes by them: with the other registrations and, where one of its candidates was
 * registered over the same hours before, less alpha. Unchanged where a registration has no verdict hypotheses.
 * @param history - where models that bear other names are compared, in the window; or what such a comparison gave.
 * @param read - says when the outcomes were read: what came later was not known.
 */
export async function withOtherRegistrations(
  documents: Documents,
  history: string | readonly Alike[],
  read: () => Instant,
  { own, recorded }: OtherRegistrationsOptions = {},
): Promise<{ readonly documents: Documents; readonly findings: readonly Finding[] }> {
  const { registration, registrationEntry, ledger, folder } = documents
  if (!hasHypotheses(registration.rules)) return { documents, findings: [] }
  const until = read()
  const entered = enteredIn(ledger, registration).filter(
    ({ entry }) => entry.seq < registrationEntry.seq || instantOrNaN(entry.registered_at) < until,
  )
  const models = entered.flatMap(({ registered }) => registered?.candidates ?? [])
  const { alpha: planned, dependence } = registration.rules
  const alike =
    typeof history === 'string'
      ? await modelsAlike(history, documents, models, dependence.minimum_pairs)
      : history
  const by = { own, recorded }
  const cancelled = await cancelledIn(folder, ledger, registration.window, entered, by)
  const all = findOthers(registration, entered, { alike, cancelled }).map((other) => ({
    ...other,
    end: findEnd(folder, ledger, other.sha256, until, recorded),
  }))
  const left = alphaAfter(registration, planned, all, registrationEntry.seq)
  const [others, unlisted] = recorded ? listedIn(recorded, all, entered) : [all, []]
  return {
    documents: {
      ...withAlpha(documents, left.protocol_alpha / left.divisor),
      registrations: { ...left, others },
    },
    findings: [...unreadableOthers(others), ...unlisted.map(unlistedFinding(ledger))],
  }
}

/**
 * Those that a result lists, by the places that they had then, and those that it does not list. A merge may move
 * entries, and bring some that were registered before outcomes were read.
 */
function listedIn(
  { others: recorded }: Registrations,
  all: readonly Ended[],
  entered: readonly Entered[],
): [listed: Ended[], unlisted: Ended[]] {
  const former = new Map(
    entered.map(({ entry: { registration_sha256, moved_from = [] } }) => [
      registration_sha256,
      moved_from.map(({ seq }) => seq),
    ]),
  )
  const entries = new Map(recorded.map(({ sha256, entry }) => [sha256, entry]))
  const listed = all.flatMap((other) => {
    const entry = entries.get(other.sha256)
    if (entry === undefined) return []
    return former.get(other.sha256)?.includes(entry) ? [{ ...other, entry }] : [other]
  })
  return [
    listed.sort((a, b) => a.entry - b.entry),
    all.filter(({ sha256 }) => !entries.has(sha256)),
  ]
}

const unlistedFinding =
  ({ file: ledger }: Ledger) =>
  ({ entry, file }: Ended) =>
    finding('other-registration-unlisted', { entry, file }, { file: ledger })

/** The documents with less alpha than the protocol's. */
const withAlpha = (documents: Documents, alpha: number): Documents => ({
  ...documents,
  rules: { ...documents.rules, alpha },
})

/** What a registration that is about to be entered has before it in its ledger, as far as names show it. */
export interface EarlierRegistrations {
  /**
   * Registrations that test one of the candidates over hours of the same window. Holm's family ends with a
   * registration: one who registers the same question again and again, and shows the best answer, is outside of it.
   * Allowed, for plans are corrected; but reported, and anyone can count them in the ledger. A registration whose file
   * is gone or edited is reported without its window.
   */
  readonly findings: readonly Finding[]
  /** Absent without verdict hypotheses. */
  readonly alpha: AlphaLeft | undefined
}

export async function findEarlierRegistrations(
  registration: Registration,
  ledger: Ledger,
): Promise<EarlierRegistrations> {
  const entered = enteredIn(ledger, registration)
  const folder = dirname(ledger.file)
  const cancelled = await cancelledIn(folder, ledger, registration.window, entered, {})
  const others = findOthers(registration, entered, { cancelled })
  const { rules } = registration
  return {
    findings: others.flatMap((other): Finding[] => {
      const { entry: seq, file, window, overlaps, same } = other
      if (window === null) return unreadableOthers([other])
      if (!overlaps || same.length === 0 || other.cancelled !== null) return []
      const candidates = same.map(({ candidate }) => candidate)
      const args = { seq, file, candidates, ...window }
      return [finding('candidate-registered-before', args, { pointer: '/candidates' })]
    }),
    alpha: hasHypotheses(rules)
      ? alphaAfter(registration, rules.alpha, others, Number.POSITIVE_INFINITY)
      : undefined,
  }
}

/**
 * Finds registrations that were cancelled: stamps beside the ledger show that they were closed before their first inputs
 * were known. They were never evaluations. The closing must also be earlier than the first inputs of the evaluation at
 * hand, so that nobody can cancel a rival after seeing outcomes. A closing counts from its position in the chain, and
 * never earlier than it states. If the registration names authorities, only their stamps count.
 * @returns the stamps that show each closing; an audit counts only those that the result names.
 */
async function cancelledIn(
  folder: string,
  ledger: Ledger,
  window: Registration['window'],
  entered: readonly Entered[],
  { own, recorded }: OtherRegistrationsOptions,
): Promise<ReadonlyMap<string, Cancelled>> {
  const ends = registrationEnds(ledger)
  const closed = entered.filter(({ entry }) => ends.get(entry.registration_sha256)?.closed)
  const stamps = closed.length === 0 ? undefined : await readStamps(folder, ledger, own)
  return new Map(
    closed.flatMap(({ entry, registered }) => {
      const { registration_sha256: digest } = entry
      const closing = ends.get(digest)?.closed
      const named = recorded ? namedStamps(recorded, digest) : undefined
      if (!closing || !registered || !stamps) return []
      const shown = shownClosed(closing.seq, registered, stamps, named)
      if (shown === undefined) return []
      const at = Math.max(shown.at, instantOrNaN(closing.closed_at))
      const isEarly = (window: Registration['window']) =>
        at < instantOrNaN(window.first_inputs ?? '')
      if (!isEarly(registered.window) || !isEarly(window)) return []
      return [[digest, { entry: closing.seq, stamps_sha256: shown.tokens }] as const]
    }),
  )
}

/** Undefined for one that the result does not list: then all stamps count. */
function namedStamps({ others }: Registrations, digest: string): readonly string[] | undefined {
  const listed = others.find(({ sha256 }) => sha256 === digest)
  return listed && (listed.cancelled?.stamps_sha256 ?? [])
}

/** When a closing was there, by as many authorities as a registration asks for. */
function shownClosed(
  seq: number,
  { time }: OtherRegistration,
  { stamps, authorities }: ReadStampsResult,
  named: readonly string[] | undefined,
) {
  const counted = stamps.filter(
    ({ alone, tokenSha256 }) =>
      alone === undefined && (named === undefined || named.includes(tokenSha256)),
  )
  const needed = Math.max(1, time?.at_least ?? 1)
  const level = computeLevel(seq, counted, time?.authorities ?? authorities)
  const at = stampedBy(level, needed)
  if (at === undefined || level.kind === 'self_declared') return undefined
  return { at, tokens: level.by.slice(0, needed).map(({ tokenSha256 }) => tokenSha256) }
}

/** A warning for each whose entry is in the ledger but whose file is missing or was edited. */
function unreadableOthers(others: readonly Other[]): Finding[] {
  return others
    .filter(({ window }) => window === null)
    .map(({ entry: seq, file }) =>
      finding('earlier-registration-unreadable', { seq, file }, { pointer: '' }),
    )
}

/** The divisor of alpha: 1 for the first registration, j(j + 1) for the j-th. Their shares add up to at most 1.5. */
export const alphaDivisor = (repetition: number): number =>
  repetition === 1 ? 1 : repetition * (repetition + 1)

/**
 * How often a candidate was registered for hours of the window, this registration included. With several candidates,
 * the highest number counts. A registration that cannot be read counts for every candidate, a cancelled one for none.
 * @param seq position in the ledger
 */
function alphaAfter(
  { candidates }: Registration,
  alpha: number,
  others: readonly Other[],
  seq: number,
): AlphaLeft {
  const before = others.filter(
    (other) => other.entry < seq && other.overlaps && other.cancelled === null,
  )
  const counts = candidates.map(
    ({ name }) =>
      before.filter(
        ({ window, same }) => window === null || same.some((each) => each.candidate === name),
      ).length,
  )
  const repetition = 1 + Math.max(...counts)
  return { protocol_alpha: alpha, repetition, divisor: alphaDivisor(repetition) }
}

/** All that is registered in a ledger, under whichever protocol. @param own - is not meant. */
function enteredIn(ledger: Ledger, own: Registration): Entered[] {
  return registeredEntries(ledger).flatMap((entry) => {
    if (entry.registration_sha256 === own.registration_sha256) return []
    const { registration_sha256: sha256 } = entry
    return [{ entry, registered: registrationIn(join(dirname(ledger.file), entry.file), sha256) }]
  })
}

interface OtherFacts {
  readonly alike?: readonly Alike[]
  readonly cancelled: ReadonlyMap<string, Cancelled>
}

/** Those that overlap the window or have a candidate in common; what cannot be read may do both. */
function findOthers(
  { candidates, window: ownWindow }: Registration,
  entered: readonly Entered[],
  { alike = [], cancelled }: OtherFacts,
): Other[] {
  const ownSpan = toDueSpan(ownWindow)
  return entered.flatMap(({ entry, registered }) => {
    const window = registered === undefined ? null : registered.window
    const overlaps = window === null || spansOverlap(toDueSpan(window), ownSpan)
    const names = new Set(registered?.candidates.map(({ name }) => name))
    const same = [
      ...candidates.map(({ name }) => ({ candidate: name, as: name, by: 'name' as const })),
      ...alike,
    ].filter(({ as }) => names.has(as))
    if (!overlaps && same.length === 0) return []
    const { seq, file, registration_sha256: sha256, registered_at } = entry
    const hours = window && { from: window.from, to: window.to }
    const other = { entry: seq, file, sha256, registered_at, window: hours, overlaps, same }
    return [{ ...other, cancelled: cancelled.get(sha256) ?? null }]
  })
}

/** When the first and the last forecast of a window are due; NaN where a list leaves it open. */
export interface DueSpan {
  readonly first: Instant
  readonly last: Instant
}

export const toDueSpan = (
  window: Pick<Registration['window'], 'first_due' | 'last_due'>,
): DueSpan => ({
  first: instantOrNaN(window.first_due ?? ''),
  last: instantOrNaN(window.last_due ?? ''),
})

/** Whether forecasts of two windows are due over the same time; an open end may overlap. */
export const spansOverlap = (a: DueSpan, b: DueSpan): boolean =>
  !(a.first > b.last || b.first > a.last)

type End = Ended['end']

/**
 * By the record of readings, and a closing in the ledger. What is there when outcomes are read came before, even within
 * the same instant. An audit cannot know that of the same instant, nor whether a merge brought the closing: there a
 * result is believed.
 */
function findEnd(
  folder: string,
  ledger: Ledger,
  sha256: string,
  until: Instant,
  recorded: Registrations | null | undefined,
): End {
  const { entries } = readAccessFile(accessPath(folder, sha256), sha256)
  const { closed } = registrationEnds(ledger).get(sha256) ?? {}
  const isClosed = closed !== undefined && instantOrNaN(closed.closed_at) <= until
  const endBy = (isBefore: (at: Instant) => boolean, unread: End): End => {
    const events = entries.filter(({ at }) => isBefore(instantOrNaN(at))).map(({ event }) => event)
    if (events.length === 0) return unread
    return events.includes('result_written') ? 'scored' : 'broken_off'
  }
  const ended = endBy((at) => at <= until, isClosed ? 'closed' : 'not_scored')
  const stated = recorded?.others.find((other) => other.sha256 === sha256)?.end
  return stated === endBy((at) => at < until, 'not_scored') ? stated : ended
}

/** @param sha256 - its digest, by the ledger. */
function registrationIn(path: string, sha256: string): OtherRegistration | undefined {
  let document: Document | UnreadableDocument
  try {
    document = readRegistration(path)
  } catch (error) {
    if (error instanceof ForeproofError) return undefined
    throw error
  }
  if (registrationFormFindings(document).length > 0) return undefined
  const { registration_sha256: hash, ...registered } = (document as Document).value as Registration
  const { candidates, window, time } = registered
  // A copy, because strings that were cut from a text keep all of it in memory.
  return hash === sha256 ? structuredClone({ candidates, window, time }) : undefined
}
