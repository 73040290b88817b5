import { type Finding, finding } from '../../contract/findings/finding.js'
import { checkedInstant, MICROS_PER_MINUTE } from '../../contract/instant.js'
import type { ProofOfTime, Registration } from '../../contract/types.js'
import type { LogEntry } from '../../history/store/log-types.js'
import { lastTarget } from '../../registration/time-rules.js'
import { type Broken, broken, guarded } from '../links.js'
import { modelsOf } from '../plan.js'
import { CommittedTimes, type TimedCheckpoint, timedCheckpoints } from './checkpoints.js'
import { Commitments, type ExpectedWithin } from './commitments.js'
import { committedRows } from './committed-rows.js'
import type { LogSource } from './log-source.js'
import { expectedKeys, firstExpected, instantIn, type ReadLog, readLog } from './read-log.js'
import type { RegistrationTime } from './registration-time.js'
import { timeOrNull } from './registration-time.js'

/** A log that forecasts are held against: read, and its roots made again. */
export interface ProvedLog {
  readonly ok: true
  readonly source: LogSource
  /** Up to the last that counts, with those before. */
  readonly checkpoints: readonly TimedCheckpoint[]
  readonly read: ReadLog
  readonly findings: readonly Finding[]
}

/** Whether forecasts of the history have to be committed. */
export function isCommitted(registration: Registration): boolean {
  return registration.commitment === 'stamped' && modelsOf(registration, 'history').length > 0
}

export interface LogOptions {
  /** Gets every entry of the log that counts. */
  readonly onEntries?: (entries: readonly LogEntry[]) => void
  readonly signal?: AbortSignal | undefined
}

/** Reads a log as far as it counts for a registration, and verifies it; or says what of it does not hold. */
export async function provedLog(
  registration: Registration,
  time: Pick<RegistrationTime, 'anchors'>,
  source: () => LogSource | Promise<LogSource>,
  options: LogOptions = {},
): Promise<ProvedLog | Broken> {
  const proved = await guarded('log', async () =>
    verifiedLog(registration, time, await source(), options),
  )
  return proved.ok ? proved.value : proved
}

async function verifiedLog(
  registration: Registration,
  { anchors }: Pick<RegistrationTime, 'anchors'>,
  source: LogSource,
  { onEntries = () => undefined, signal }: LogOptions,
): Promise<ProvedLog | Broken> {
  const least = registration.time?.at_least ?? 1
  const keyOf = expectedKeys(expectedOf(registration))
  const first = await firstExpected(source, keyOf, signal)
  const last = lastTarget(registration.window.to, registration.horizons_hours)
  const found = await timedCheckpoints(source, anchors, least, first, last)
  const { checkpoints, findings } = found
  if (findings.some(({ severity }) => severity === 'error')) return broken('log', findings)
  const read = await readLog(source, checkpoints, keyOf, onEntries, signal)
  if (!read.ok) return read
  return { ok: true, source, checkpoints, read: read.value, findings }
}

/** What a log shows of the forecasts of a history. */
export async function commitmentsIn(
  registration: Registration,
  { read, checkpoints }: ProvedLog,
  history: string,
  signal?: AbortSignal,
): Promise<Commitments> {
  const times = new CommittedTimes(checkpoints)
  return await Commitments.of(read, times, expectedOf(registration), committedRows(history), signal)
}

/** What a result says of the log. */
export function logMember({ source, checkpoints }: ProvedLog) {
  const last = checkpoints.at(-1)
  const stamped = checkpoints.filter(({ at }) => at !== undefined)
  return {
    log: source.name,
    size: last?.size ?? 0,
    root: last === undefined ? NO_ROOT : Buffer.from(last.root).toString('hex'),
    checkpoints: checkpoints.length,
    stamped: stamped.length,
    last_stamped_at: timeOrNull(last?.at),
  }
}

/** SHA-256 of nothing: the root of a log without entries. */
const NO_ROOT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export function commitmentMember(
  log: ProvedLog,
  commitments: Commitments,
): NonNullable<ProofOfTime['commitment']> {
  const { count } = commitments.unexplained()
  return { ...logMember(log), models: commitments.counts(), unexplained: count }
}

/** Entries that no row explains are no fault of an evaluation, but nobody can say what they were. */
export function unexplainedFindings({ source }: ProvedLog, commitments: Commitments): Finding[] {
  const { count, first } = commitments.unexplained()
  if (first === undefined) return []
  return [finding('log-unexplained', { count, first }, { file: source.file })]
}

function expectedOf(registration: Registration): ExpectedWithin {
  const { window, horizons_hours: horizons, publication_lag_minutes: lag } = registration
  return {
    from: checkedInstant(window.from),
    to: checkedInstant(window.to),
    origins: window.origins,
    horizons,
    models: modelsOf(registration, 'history'),
    lag: lag === undefined ? undefined : lag * MICROS_PER_MINUTE,
  }
}

/** Whether an entry says that it is of the window: then the evidence says its key too. */
export function isOfWindow({ window }: Registration, { key }: LogEntry): boolean {
  if (key === undefined) return false
  const origin = instantIn(key.originAt)
  return origin >= checkedInstant(window.from) && origin <= checkedInstant(window.to)
}
