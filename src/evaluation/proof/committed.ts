import { type Finding, finding } from '../../contract/findings/finding.js'
import { checkedInstant, MICROS_PER_MINUTE } from '../../contract/instant.js'
import { compareText } from '../../contract/order.js'
import type { ProofOfTime, Registration } from '../../contract/types.js'
import { sha256Hex } from '../../document/digest.js'
import type { LogEntry } from '../../history/store/log-types.js'
import { lastTarget } from '../../registration/time-rules.js'
import { type Broken, broken, guarded } from '../links.js'
import { modelsOf } from '../plan.js'
import { type TimedCheckpoint, timedCheckpoints } from './checkpoints.js'
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
  /** What becomes of a part that is not there: by default an error. */
  readonly absent?: 'is-a-finding'
  readonly signal?: AbortSignal | undefined
}

/** Reads a log as far as it counts for a registration, and verifies it; or says what of it does not hold. */
export async function provedLog(
  registration: Registration,
  time: Pick<RegistrationTime, 'anchors'>,
  source: () => LogSource | Promise<LogSource>,
  options: LogOptions = {},
): Promise<ProvedLog | Broken> {
  const proved = await guarded(
    'log',
    async () => verifiedLog(registration, time, await source(), options),
    options.absent,
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
  const expected = expectedOf(registration)
  const keyOf = expectedKeys(expected)
  const found = await timedCheckpoints(source, {
    anchors,
    least,
    firstOrigin: expected.from,
    from: await firstExpected(source, keyOf, signal),
    lastTarget: lastTarget(registration.window.to, registration.horizons_hours),
  })
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
  const expected = expectedOf(registration)
  return await Commitments.of(read, checkpoints, expected, committedRows(history), signal)
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
    stamps_sha256: stampsDigest(checkpoints),
  }
}

/** Of the tokens that counted, one a line: size of the checkpoint, authority, digest. None can go missing unseen. */
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

export function commitmentMember(
  log: ProvedLog,
  commitments: Commitments,
): NonNullable<ProofOfTime['commitment']> {
  const { count } = commitments.unexplained()
  return { ...logMember(log), models: commitments.counts(), unexplained: count }
}

/**
 * Entries that no row explains. One that could be a forecast of the window is an error: whoever commits to two
 * forecasts of a key could choose after the outcome which of them has a row.
 */
export function unexplainedFindings({ source }: ProvedLog, commitments: Commitments): Finding[] {
  const { file } = source
  const found: Finding[] = []
  const relabelled = commitments.relabelled()
  if (relabelled !== undefined) {
    found.push(finding('log-rewritten', { ...relabelled, change: 'relabelled' }, { file }))
  }
  const hidden = commitments.hidden()
  if (hidden !== undefined) {
    const { count, first, at } = hidden
    found.push(
      finding('log-forecasts-hidden', { count, first, at: timeOrNull(at) ?? '' }, { file }),
    )
  }
  const surplus = commitments.claimedInExcess()
  if (surplus !== undefined) found.push(finding('log-withdrawn-unsure', surplus, { file }))
  const { count, first } = commitments.unexplained()
  if (found.length > 0 || first === undefined) return found
  return [finding('log-unexplained', { count, first }, { file })]
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
    leftOut: registration.limits.availability_limit ?? 0,
  }
}

/** Whether an entry says that it is of the window: then the evidence says its key too. */
export function isOfWindow({ window }: Registration, { key }: LogEntry): boolean {
  if (key === undefined) return false
  const origin = instantIn(key.originAt)
  return origin >= checkedInstant(window.from) && origin <= checkedInstant(window.to)
}
