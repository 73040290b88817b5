import { type Finding, finding } from '../../contract/findings/finding.js'
import { checkedInstant, formatUtc } from '../../contract/instant.js'
import { compareText } from '../../contract/order.js'
import type { Registration } from '../../contract/types.js'
import { sha256Hex } from '../../document/digest.js'
import { leafName } from '../../history/leaf.js'
import type { LogEntry } from '../../log/log-entry.js'
import { liarsNeeded, type Policy } from '../../log/policy.js'
import { compilePolicy } from '../../log/policy-rule.js'
import {
  parseRegistrations,
  REGISTRATIONS_NOTE,
  registrationLeaf,
} from '../../log/registrations.js'
import { entryDigests } from '../../protocol/rules/entry.js'
import { asksForLog } from '../../registration/time-rules.js'
import { isExported } from '../../store/exported.js'
import { readHistory } from '../../store/open.js'
import { type RegistrationTime, timeOrNull } from '../../time/registration-time.js'
import { assertReadable, assertSound, linkError } from '../links.js'
import type { Documents } from '../load.js'
import { registeredModels } from '../plan.js'
import type { Result } from '../result/result.js'
import { asSeenBy, isBefore, readTimedCheckpoints, type TimedCheckpoint } from './checkpoints.js'
import { Commitments, keyedLeaves, type ModelCommitments } from './commitments.js'
import { committedRows } from './committed-rows.js'
import type { ExpectedForecasts } from './expected.js'
import type { LogSource } from './log-source.js'
import { type CheckedLog, firstExpected, leafText, readLog } from './read-log.js'

/** A log that forecasts are compared with, after reading it and recomputing its roots. */
export interface VerifiedLog {
  readonly source: LogSource
  /** Up to the last that counts, with those before. */
  readonly checkpoints: readonly TimedCheckpoint[]
  readonly read: CheckedLog
  readonly findings: readonly Finding[]
}

/** Whether forecasts of the history must be committed. */
export function isCommitted(registration: Documents['registration']): boolean {
  return asksForLog(registration.commitment) && registeredModels(registration, 'history').length > 0
}

/** The proof of when the forecasts of a history were made; empty if it is not required. */
export interface VerifiedForecasts {
  readonly log: VerifiedLog | undefined
  readonly commitments: Commitments | undefined
  /** The member of a result; absent if the registration names no authorities. */
  readonly member: Result['time']
  readonly findings: readonly Finding[]
}

export interface LogOptions {
  /** Receives every entry of the log that counts. */
  readonly onEntries?: (entries: readonly LogEntry[]) => void
  /** How to treat a missing part; default: an error. */
  readonly absent?: 'is-a-finding'
  /** Of a reader: a checkpoint counts from when these had cosigned it, too. */
  readonly witnesses?: Policy | undefined
  /** Whether the end of the log may still be missing: for what scores nothing. */
  readonly isGoingOn?: boolean
  readonly signal?: AbortSignal | undefined
}

/** Compares the forecasts of a history with a log, if the registration requires it. */
export async function verifyForecasts(
  documents: Registered,
  time: RegistrationTime | undefined,
  history: string,
  source: () => LogSource | Promise<LogSource>,
  options: LogOptions = {},
): Promise<VerifiedForecasts> {
  const { registration } = documents
  if (time === undefined || !isCommitted(registration)) return notCommitted(time)
  const log = await verifyRegisteredLog(documents, time, source, options)
  return await forecastsIn(log, documents, time, history, options.signal)
}

/** A registration, and the ledger that it is in. */
type Registered = Pick<Documents, 'registration' | 'registrationEntry' | 'ledger' | 'expected'>

/** The result if no forecast has to be committed. */
export function notCommitted(time: RegistrationTime | undefined): VerifiedForecasts {
  const member = time ? { ...time.member, commitment: null } : null
  return { log: undefined, commitments: undefined, member, findings: [] }
}

/** Reads and verifies the part of a log that counts for a registration. */
export async function verifyRegisteredLog(
  { registration, expected }: Pick<Documents, 'registration' | 'expected'>,
  { anchors }: Pick<RegistrationTime, 'anchors'>,
  open: () => LogSource | Promise<LogSource>,
  { onEntries = () => undefined, absent, isGoingOn = false, witnesses, signal }: LogOptions = {},
): Promise<VerifiedLog> {
  const { lastTarget: end, keyText } = expected
  const read = async () => {
    const source = await open()
    const { checkpoints, findings } = await readTimedCheckpoints(source, {
      anchors,
      min: registration.time?.at_least ?? 1,
      policy: findPolicy(registration),
      isGoingOn,
      firstInputs: expected.firstInputs,
      from: await firstExpected(source, keyText, signal),
      lastTarget: end,
    })
    const log = await readLog(source, checkpoints, keyText, onEntries, signal)
    const seen =
      witnesses === undefined ? checkpoints : asSeenBy(witnesses, checkpoints, source, end)
    return { source, checkpoints: seen, read: log, findings }
  }
  return await assertReadable('log', read, absent)
}

/** Compares the forecasts of a history with a log that has been verified. */
export async function forecastsIn(
  log: VerifiedLog,
  documents: Registered,
  time: RegistrationTime,
  history: string,
  signal?: AbortSignal,
): Promise<VerifiedForecasts> {
  const { registration, expected } = documents
  const { read, checkpoints } = log
  let registrations = 0
  const commitments = await assertReadable('history', async () => {
    const rows = committedRows(history)
    const held = await Commitments.of(read, checkpoints, expected, rows, signal)
    for (const digest of await findRegistrations(documents, history)) {
      const name = () => `the registration ${digest}`
      const index = held.entries.explain(leafText(registrationLeaf(digest)), undefined, name)
      if (index !== undefined) registrations++
    }
    return held
  })
  const findings = [
    ...unregistered(log, documents),
    ...unexplainedFindings(log, commitments),
    ...log.findings,
  ]
  assertSound('log', findings)
  const models = commitments.counts()
  const unexplained = commitments.entries.unexplained().count
  const holds = { registrations, models_in_window: commitments.modelsInWindow.size }
  const commitment = {
    ...logMember(log, registration),
    ...(registration.commitment === 'witnessed' && { holds }),
    models,
    unexplained,
  }
  return { log, commitments, member: { ...time.member, commitment }, findings }
}

/** Digests of registrations that the log may hold: those of the ledger, and those in the history. */
async function findRegistrations({ ledger }: Registered, history: string): Promise<Set<string>> {
  const noted = isExported(history)
    ? undefined
    : await readHistory(history, async (reader) => (await reader.notes()).get(REGISTRATIONS_NOTE))
  return new Set([
    ...ledger.lines.flatMap(({ entry }) => entryDigests(entry)),
    ...parseRegistrations(noted),
  ])
}

/** A witnessed log must have held the registration before the first origin. */
function unregistered(
  { source: { file }, read, checkpoints }: VerifiedLog,
  { registration, registrationEntry, expected }: Registered,
): Finding[] {
  if (registration.commitment !== 'witnessed') return []
  const indexes = entryDigests(registrationEntry).flatMap(
    (digest) => read.byLeaf.get(leafText(registrationLeaf(digest))) ?? [],
  )
  const window = { firstInputs: expected.firstInputs }
  const isThere = checkpoints.some(
    (each) => indexes.some((index) => each.size > index) && isBefore(each, window),
  )
  return isThere ? [] : [finding('registration-not-in-log', {}, { file })]
}

/** The log in the form of a result. */
export function logMember(
  { source, checkpoints }: VerifiedLog,
  registration: Pick<Registration, 'commitment' | 'time'>,
) {
  const policy = findPolicy(registration)
  const last = checkpoints.at(-1)
  const stamped = checkpoints.filter(({ at }) => at !== undefined)
  return {
    log: source.name,
    size: last?.size ?? 0,
    root: last === undefined ? NO_ROOT : Buffer.from(last.root).toString('hex'),
    checkpoints: checkpoints.length,
    stamped: stamped.length,
    last_stamped_at: timeOrNull(last?.at),
    stamps_sha256: stampsDigest(checkpoints),
    ...(policy !== undefined && { witnessed: witnessedMember(policy, checkpoints) }),
  }
}

/** The witnesses that count; undefined if forecasts need not be witnessed. */
function findPolicy({ commitment, time }: Pick<Registration, 'commitment' | 'time'>) {
  return commitment === 'witnessed' && time?.witnesses ? compilePolicy(time.witnesses) : undefined
}

function witnessedMember(policy: Policy, checkpoints: readonly TimedCheckpoint[]) {
  const lines = checkpoints.flatMap(({ size, cosigned }) =>
    cosigned.map(({ witness, seconds }) => `${size} ${witness} ${seconds}\n`).sort(compareText),
  )
  return {
    checkpoints: checkpoints.filter((each) => Number.isFinite(each.witnessedAt)).length,
    liars_needed: liarsNeeded(policy),
    cosignatures_sha256: sha256Hex(lines.join('')),
  }
}

/**
 * The digest of the tokens that counted, one per line: size of the checkpoint, authority, digest. So a missing token is
 * noticed.
 */
function stampsDigest(checkpoints: readonly TimedCheckpoint[]): string {
  const lines = checkpoints.flatMap(({ size, stamps }) =>
    stamps
      .map(({ authority, token }) => `${size} ${authority} ${sha256Hex(token)}\n`)
      .sort(compareText),
  )
  return sha256Hex(lines.join(''))
}

/** SHA-256 of nothing: the root of a log without entries. */
const NO_ROOT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * Entries that no row explains. One that could be a forecast of the window is an error: one who commits to two
 * forecasts of a key could choose after the outcome which of them has a row.
 */
function unexplainedFindings({ source }: VerifiedLog, commitments: Commitments): Finding[] {
  const { file } = source
  const findings: Finding[] = []
  const { relabelled } = commitments.entries
  if (relabelled !== undefined) {
    findings.push(finding('log-rewritten', { ...relabelled, change: 'relabelled' }, { file }))
  }
  const hidden = commitments.hidden()
  if (hidden !== undefined) {
    const { count, first, at } = hidden
    findings.push(
      finding('log-forecasts-hidden', { count, first, at: timeOrNull(at) ?? '' }, { file }),
    )
  }
  const withdrawn = commitments.withdrawn()
  if (withdrawn !== undefined) {
    const { count, fault, originAt, series } = withdrawn
    const row = leafName({ kind: 'forecast', ...withdrawn })
    const origin = series === undefined ? formatUtc(checkedInstant(originAt)) : originAt
    const args = { fault, row, count, origin, history: file }
    findings.push(finding('log-forecast-withdrawn', args, { file }))
  }
  const surplus = commitments.claimedInExcess()
  if (surplus !== undefined) findings.push(finding('log-withdrawn-unsure', surplus, { file }))
  const { count, first } = commitments.entries.unexplained()
  if (findings.length > 0 || first === undefined) return findings
  return [finding('log-unexplained', { count, first }, { file })]
}

/** Whether an entry says that it is of the window: then the evidence says its key too. */
export function isOfWindow(
  { isOfWindow: isInWindow }: ExpectedForecasts,
  { key }: LogEntry,
): boolean {
  return key !== undefined && isInWindow(key)
}

/**
 * The commitments of a result by those alone whom a reader trusts: as many forecasts in time as the result says.
 * Fewer of them never make a time earlier, so the same numbers are the same forecasts.
 * @param time - that of the registration by the anchors of the reader, where there are any.
 */
export async function assertTrusted(
  recorded: Result['time'],
  documents: Documents,
  time: RegistrationTime | undefined,
  history: string,
  source: LogSource | undefined,
  options: Pick<LogOptions, 'witnesses' | 'signal'>,
): Promise<void> {
  if (source === undefined) return assertUsed(options)
  const { member } = await verifyForecasts(documents, time, history, () => source, options)
  assertCounted(recorded, member?.commitment?.models ?? [], source)
}

/**
 * The same without the history, from the entries of the log: every forecast that is in time by the writer's anchors must
 * also be in time by the reader's.
 * @param time - of the registration, by the writer's anchors; `trusted` is by the reader's.
 */
export async function assertTrustedLog(
  recorded: Result['time'],
  documents: Documents,
  { time, trusted }: Readonly<Record<'time' | 'trusted', RegistrationTime | undefined>>,
  source: LogSource | undefined,
  options: Pick<LogOptions, 'witnesses' | 'signal'>,
): Promise<void> {
  if (source === undefined) return assertUsed(options)
  if (time === undefined || trusted === undefined) return
  const { signal } = options
  const all = await countedInLog(documents, time, source, { signal })
  const trustedCounts = await countedInLog(documents, trusted, source, options)
  const models = (recorded?.commitment?.models ?? []).map(({ model, committed }, at) => {
    const lost = (all[at]?.committed ?? 0) - (trustedCounts[at]?.committed ?? 0)
    return { model, committed: committed - lost }
  })
  assertCounted(recorded, models, source)
}

/** How many forecasts of each model were in time by a log alone, which says the keys of its entries. */
async function countedInLog(
  documents: Documents,
  time: RegistrationTime,
  source: LogSource,
  options: LogOptions,
): Promise<readonly ModelCommitments[]> {
  const { expected } = documents
  const { read, checkpoints } = await verifyRegisteredLog(documents, time, () => source, options)
  const rows = keyedLeaves(read, expected)
  return (await Commitments.of(read, checkpoints, expected, rows, options.signal)).counts()
}

function assertCounted(
  recorded: Result['time'],
  models: readonly Pick<ModelCommitments, 'model' | 'committed'>[],
  { file }: LogSource,
): void {
  const counted = new Map(models.map(({ model, committed }) => [model, committed]))
  const findings = (recorded?.commitment?.models ?? []).flatMap(({ model, committed: stored }) => {
    const committed = counted.get(model) ?? 0
    const args = { model, committed, stored }
    return committed === stored ? [] : [finding('commitment-of-writer', args, { file })]
  })
  assertSound('log', findings)
}

/** Witnesses of a reader, but no log that they could have seen. */
function assertUsed({ witnesses }: Pick<LogOptions, 'witnesses'>): void {
  if (witnesses !== undefined)
    throw linkError('log', [finding('trusted-unused', { fault: 'witnesses' })])
}
