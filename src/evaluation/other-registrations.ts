import { dirname, join } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'
import { type Instant, instantOrNaN } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import type { Document, UnreadableDocument } from '../document/read.js'
import { accessPath, readAccessFile } from '../protocol/readings.js'
import { hasHypotheses } from '../protocol/rules/bind.js'
import type { RegisteredEntry } from '../protocol/rules/entry.js'
import { type Ledger, registeredEntries } from '../protocol/rules/ledger.js'
import { type Documents, readRegistration, registrationFormFindings } from './load.js'
import { type Alike, modelsAlike } from './models-alike.js'
import type { Result } from './result/types.js'

type Registrations = NonNullable<Result['registrations']>
/** The alpha of a protocol that earlier registrations leave. */
export type AlphaLeft = Omit<Registrations, 'others'>
type Other = Omit<Registrations['others'][number], 'end'>

/** An entry of a ledger with its registration; undefined if that file is missing or was edited. */
interface Entered {
  readonly entry: RegisteredEntry
  readonly registered: Registration | undefined
}

/**
 * The documents as an evaluation goes by them: with the other registrations and, where one of its candidates was
 * registered over the same hours before, less alpha. Unchanged where a registration has no verdict hypotheses.
 * @param history - where models that bear other names are compared, in the window; or what such a comparison gave.
 * @param read - says when the outcomes were read: what came later was not known.
 */
export async function besideOthers(
  documents: Documents,
  history: string | readonly Alike[],
  read: () => Instant,
): Promise<Documents> {
  const { registration, registrationEntry, ledger, folder } = documents
  if (!hasHypotheses(registration.rules)) return documents
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
  const others = othersOf(registration, entered, alike)
  const left = alphaAfter(registration, planned, others, registrationEntry.seq)
  const ended = others.map((other) => ({ ...other, end: endOf(folder, other.sha256, until) }))
  const registrations = { ...left, others: ended }
  return { ...withAlpha(documents, left.protocol_alpha / left.divisor), registrations }
}

/** The documents with less alpha than the protocol's. */
const withAlpha = (documents: Documents, alpha: number): Documents => ({
  ...documents,
  rules: { ...documents.rules, alpha },
})

/**
 * Registrations of a ledger that test one of the candidates over hours of the same window. Holm's family ends
 * with a registration: one who registers the same question again and again, and shows the best answer, is
 * outside of it. Allowed, for plans are corrected; but reported, and anyone can count them in the ledger. A
 * registration whose file is gone or edited is reported without its window.
 */
export function earlierFindings(registration: Registration, ledger: Ledger): Finding[] {
  const others = othersOf(registration, enteredIn(ledger, registration))
  return others.flatMap((other): Finding[] => {
    const { entry: seq, file, window, overlaps, same } = other
    if (window === null) return unreadableOthers([other])
    if (!overlaps || same.length === 0) return []
    const candidates = same.map(({ candidate }) => candidate)
    const args = { seq, file, candidates, ...window }
    return [finding('candidate-registered-before', args, { pointer: '/candidates' })]
  })
}

/** A warning for each whose entry is in the ledger but whose file is missing or was edited. */
export function unreadableOthers(others: readonly Other[] = []): Finding[] {
  return others
    .filter(({ window }) => window === null)
    .map(({ entry: seq, file }) =>
      finding('earlier-registration-unreadable', { seq, file }, { pointer: '' }),
    )
}

/** The remaining alpha of a registration that is about to be entered, as far as names show it. */
export function alphaLeft(registration: Registration, ledger: Ledger): AlphaLeft | undefined {
  if (!hasHypotheses(registration.rules)) return undefined
  const others = othersOf(registration, enteredIn(ledger, registration))
  const { alpha } = registration.rules
  return alphaAfter(registration, alpha, others, Number.POSITIVE_INFINITY)
}

/**
 * How many times a candidate was registered over hours of the window, this time included, and what alpha is
 * divided by: 1 the first time, j(j + 1) the j-th. So the alphas of any number of repetitions add up to one and a
 * half of the protocol's. Of several candidates the one with the most counts; what cannot be read may be any.
 * @param seq the place in the ledger
 */
function alphaAfter(
  { candidates }: Registration,
  alpha: number,
  others: readonly Other[],
  seq: number,
): AlphaLeft {
  const before = others.filter((other) => other.entry < seq && other.overlaps)
  const counts = candidates.map(
    ({ name }) =>
      before.filter(
        ({ window, same }) => window === null || same.some((each) => each.candidate === name),
      ).length,
  )
  const repetition = 1 + Math.max(...counts)
  const divisor = repetition === 1 ? 1 : repetition * (repetition + 1)
  return { protocol_alpha: alpha, repetition, divisor }
}

/** All that is registered in a ledger, under whichever protocol. @param own - is not meant. */
function enteredIn(ledger: Ledger, own: Registration): Entered[] {
  return registeredEntries(ledger).flatMap((entry) => {
    if (entry.registration_sha256 === own.registration_sha256) return []
    const registered = registrationIn(join(dirname(ledger.file), entry.file))
    const isIt = registered?.registration_sha256 === entry.registration_sha256
    return [{ entry, registered: isIt ? registered : undefined }]
  })
}

/** Those that overlap the window or have a candidate in common; what cannot be read may do both. */
function othersOf(
  { candidates, window: own }: Registration,
  entered: readonly Entered[],
  alike: readonly Alike[] = [],
): Other[] {
  return entered.flatMap(({ entry, registered }) => {
    const window = registered === undefined ? null : registered.window
    const overlaps = window === null || overlap(window, own)
    const names = new Set(registered?.candidates.map(({ name }) => name))
    const same = [
      ...candidates.map(({ name }) => ({ candidate: name, as: name, by: 'name' as const })),
      ...alike,
    ].filter(({ as }) => names.has(as))
    if (!overlaps && same.length === 0) return []
    const { seq, file, registration_sha256: sha256, registered_at } = entry
    const hours = window && { from: window.from, to: window.to }
    return [{ entry: seq, file, sha256, registered_at, window: hours, overlaps, same }]
  })
}

/** Whether forecasts of two windows are due over the same time; an open end may overlap. */
function overlap(a: Registration['window'], b: Registration['window']): boolean {
  const after = (first: string | null, last: string | null) =>
    instantOrNaN(first ?? '') > instantOrNaN(last ?? '')
  return !(after(a.first_due, b.last_due) || after(b.first_due, a.last_due))
}

/** According to the record of readings, which does not contain the results. */
function endOf(
  folder: string,
  sha256: string,
  until: Instant,
): Registrations['others'][number]['end'] {
  const { entries } = readAccessFile(accessPath(folder, sha256), sha256)
  const events = entries.filter(({ at }) => instantOrNaN(at) < until).map(({ event }) => event)
  if (events.length === 0) return 'not_scored'
  return events.includes('result_written') ? 'scored' : 'broken_off'
}

function registrationIn(path: string): Registration | undefined {
  let document: Document | UnreadableDocument
  try {
    document = readRegistration(path)
  } catch (error) {
    if (error instanceof ForeproofError) return undefined
    throw error
  }
  const isSound = registrationFormFindings(document).length === 0
  return isSound ? ((document as Document).value as Registration) : undefined
}
