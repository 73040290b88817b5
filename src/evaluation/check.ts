import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import type { Instant } from '../contract/instant.js'
import type { StagedFolder } from '../files/new-folder.js'
import type { LogEntry } from '../log/log-entry.js'
import type { RegistrationTime } from '../time/registration-time.js'
import { closedFindings } from './close-registration.js'
import { LOG_FILES } from './evidence/folder.js'
import { entryLine, writeCheckpoints, writeStamps } from './evidence/time-files.js'
import { digestOfRows, historyFindings, type RowsRead, type WindowRows } from './history.js'
import type { Outcomes } from './inputs.js'
import { assertSound } from './links.js'
import { type Documents, isOfSeries } from './load.js'
import type { Inputs } from './open.js'
import { type EvaluateOptions, implausibleCandidates } from './pair.js'
import {
  assertTrusted,
  isCommitted,
  isOfWindow,
  type VerifiedForecasts,
  verifyForecasts,
} from './proof/committed.js'
import { verifyTime } from './proof/time.js'

export interface CheckOptions extends Pick<EvaluateOptions, 'signal'> {
  /** The present: it must not lie before the as-of. */
  readonly now: () => Instant
  /**
   * Also score candidates whose forecasts seem to have another unit than the outcomes; this is recorded beside the
   * inputs.
   */
  readonly implausible?: boolean | undefined
  /** The last origin to score of a window of a backtest of any series, by its label. */
  readonly through?: string | undefined
}

/** Inputs that were read and checked against each other: nothing is left that could refuse a reading. */
export interface CheckedInputs {
  readonly inputs: Inputs
  readonly documents: Documents
  readonly time: RegistrationTime | undefined
  readonly outcomes: Outcomes
  readonly history: WindowRows
  readonly read: RowsRead
  readonly log: VerifiedForecasts
  /** Warnings of stamps, of the history and of the log. */
  readonly findings: readonly Finding[]
}

/**
 * Reads documents, time, outcomes, history and log, and checks each against those before it. No score is computed, so
 * a refusal reveals none.
 * @param folder - gets the proofs of time and log.
 */
export async function check(
  inputs: Inputs,
  folder: StagedFolder,
  options: CheckOptions,
): Promise<CheckedInputs> {
  if (inputs.history.isExported) {
    const message = `${inputs.history.path}: an export of a history is for audits`
    const help = 'Name the history. Of an export one is made with: foreproof history import'
    throw new ForeproofError('usage', message, { help })
  }
  const documents = await inputs.documents(options.now(), options.through)
  assertSound('registration', closedFindings(documents.registration, documents.ledger))
  const time = await verifyTime(documents, documents.folder, { own: inputs.trusted.anchors })
  const outcomes = await inputs.outcomes(documents, options.now())
  const history = await inputs.history.window(documents)
  const { read, findings } = await checkRows(inputs, documents, outcomes, history, options)
  const log = await checkLog(inputs, folder, documents, time, options)
  const allFindings = [...(time?.findings ?? []), ...findings, ...log.findings]
  return { inputs, documents, time, outcomes, history, read, log, findings: allFindings }
}

async function checkRows(
  inputs: Inputs,
  documents: Documents,
  outcomes: Outcomes,
  { rows: readRows, regimes }: WindowRows,
  options: CheckOptions,
): Promise<{ readonly read: RowsRead; readonly findings: readonly Finding[] }> {
  const rows = readRows()
  // Rows of hourly forecasts have the price at their origin: nothing else has to be computed to compare them.
  const compared = isOfSeries(documents) && outcomes.task(documents, regimes, undefined)
  const implausible = compared ? await implausibleCandidates(compared, rows, options.signal) : []
  const read = compared ? rows.digest() : await digestOfRows(rows, options.signal)
  const asked = { history: inputs.history.path, implausible: options.implausible }
  const findings = historyFindings(documents.registration, read, implausible, asked)
  assertSound('history', findings)
  return { read, findings }
}

/** Compares the forecasts with the log of the history, and keeps the proofs of both. */
async function checkLog(
  inputs: Inputs,
  folder: StagedFolder,
  documents: Documents,
  time: RegistrationTime | undefined,
  { signal }: CheckOptions,
): Promise<VerifiedForecasts> {
  const { registration, expected } = documents
  const { path } = inputs.history
  const { witnesses } = inputs.trusted
  if (time !== undefined) writeStamps(folder, time)
  if (isCommitted(registration)) folder.append(LOG_FILES.entries, '')
  const onEntries = (entries: readonly LogEntry[]) => {
    const lines = entries.map((entry) => entryLine(entry, isOfWindow(expected, entry)))
    folder.append(LOG_FILES.entries, lines.join(''))
  }
  const source = () => inputs.log(registration)
  const verified = await verifyForecasts(documents, time, path, source, { onEntries, signal })
  if (verified.log !== undefined) writeCheckpoints(folder, verified.log.checkpoints)
  if (witnesses === undefined) return verified
  const { member, log } = verified
  await assertTrusted(member, documents, time, path, log?.source, { witnesses, signal })
  return verified
}
