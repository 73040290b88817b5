import { relative, resolve } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, hasNoErrors } from '../contract/findings/finding.js'
import { formatUtc, type Instant, instantOrNaN } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { canonicalize } from '../document/canonical.js'
import { refuseExistingFolder } from '../files/new-folder.js'
import type { LogEntry } from '../history/store/log-types.js'
import { historyFiles, shownHistory } from '../history/store/shown.js'
import type { TimeLevel } from '../time/level.js'
import { digestOf, type RowsRead } from './digested-rows.js'
import { type EvaluateOptions, evaluate } from './evaluate.js'
import {
  type AccessEntry,
  type AccessFields,
  accessText,
  earlierReadings,
  type ReadInputs,
} from './evidence/access.js'
import { accessPath, appendAccess } from './evidence/access-file.js'
import { describe, digested } from './evidence/description.js'
import { type DigestedFile, digestedFiles } from './evidence/file-digests.js'
import { EvidenceFolder, FILES, type Renderers } from './evidence/folder.js'
import { inputsText, type RecordedInputs } from './evidence/input-paths.js'
import { entryLine, LOG, writeCheckpoints, writeStamps } from './evidence/time-files.js'
import { readsHistory, strataOf, type WindowRows, windowRows } from './history.js'
import { historyFindings } from './history-findings.js'
import { type Broken, broken } from './links.js'
import { type Documents, type InputPaths, loadDocuments, protocolFolder } from './load.js'
import { loadOutcomes } from './outcomes.js'
import type { Basis } from './pair-registered.js'
import { isCommitted, isOfWindow } from './proof/committed.js'
import { registeredLog } from './proof/log-source.js'
import { type ProvedForecasts, proveForecasts, proveTime } from './proof/prove.js'
import type { RegistrationTime } from './proof/registration-time.js'
import { runMetadata } from './result/run-metadata.js'
import type { CodeVersion, EvaluationResult } from './result/types.js'

export interface ScoreOptions extends InputPaths, EvaluateOptions {
  /** The folder to write; it must not exist. */
  readonly out: string
  /** The time of day: it must not lie before the as-of, and is entered as the time of reading. */
  readonly now: () => Instant
  /** The log that forecasts are held against, by its name; needed only where a history has several. */
  readonly log?: string | undefined
  readonly code: CodeVersion
  readonly render: Renderers
  /** Score candidates whose prices are hardly prices, too; noted beside the inputs. */
  readonly implausible?: boolean | undefined
}

export type ScoreResult =
  | Broken
  | {
      readonly ok: true
      readonly folder: string
      readonly access: string
      readonly result: EvaluationResult
      /** Who says when the registration was made. */
      readonly level: TimeLevel
      /** Warnings of stamps and of the log. */
      readonly findings: readonly Finding[]
    }

/**
 * Scores a registered evaluation once and writes its evidence folder, whole or not at all. Whatever
 * speaks against scoring is found before any score is computed, and tells none. The reading is
 * entered beside the ledger first, so that a run that is broken off is known too.
 *
 * @throws {ForeproofError} `refused` when the folder exists or the record of readings does not hold;
 * `not-found`, `io`, `unavailable` when something cannot be read or written; `interrupted`.
 */
export async function scoreEvaluation(request: ScoreOptions): Promise<ScoreResult> {
  refuseExistingFolder(request.out)
  const documents = await loadDocuments(request, request.now())
  if (!documents.ok) return documents
  const proved = await proveTime(documents, documents.folder)
  if (!proved.ok) return proved
  const outcomes = await loadOutcomes(request.outcomes, documents.registration, request.now())
  if (!outcomes.ok) return outcomes
  const history = await windowRows(request.history, documents.registration)
  const read = await digestOf(history.rows(), request.signal)
  const wrong = historyFindings(documents.registration, read, request)
  if (!hasNoErrors(wrong)) return broken('history', wrong)
  const folder = new EvidenceFolder(request.out)
  try {
    const log = await committed(request, documents, proved.time, folder)
    if (!log.ok) return log
    const basis = { ...documents, vintage: outcomes.vintage, commitments: log.commitments }
    const told = { ...log, findings: [...wrong, ...log.findings] }
    return await run(request, basis, proved.time, told, history, read, folder)
  } finally {
    folder.discard()
  }
}

/** Holds the forecasts against the log of the history, and keeps what bears both out. */
async function committed(
  { history, log, signal }: ScoreOptions,
  documents: Documents,
  time: RegistrationTime | undefined,
  folder: EvidenceFolder,
): Promise<ProvedForecasts | Broken> {
  const { registration } = documents
  if (time !== undefined) writeStamps(folder, time)
  if (isCommitted(registration)) folder.appendTime(LOG.entries, '')
  const onEntries = (entries: readonly LogEntry[]) => {
    const lines = entries.map((entry) => entryLine(entry, isOfWindow(registration, entry)))
    folder.appendTime(LOG.entries, lines.join(''))
  }
  const source = () => registeredLog(registration, history, log)
  const proved = await proveForecasts(documents, time, history, source, { onEntries, signal })
  if (proved.ok && proved.log !== undefined) writeCheckpoints(folder, proved.log.checkpoints)
  return proved
}

async function run(
  request: ScoreOptions,
  documents: Documents & Omit<Basis, 'strata'>,
  time: RegistrationTime | undefined,
  proved: ProvedForecasts,
  history: WindowRows,
  read: RowsRead,
  folder: EvidenceFolder,
): Promise<ScoreResult> {
  const { registration, vintage } = documents
  const sha256 = registration.registration_sha256
  const access = accessPath(protocolFolder(request.protocol), sha256)
  const inputs: ReadInputs = {
    vintage_sha256: vintage.manifest.sha256,
    history_sha256: read.sha256,
    code_sha256: request.code.sha256,
  }
  let earlier = 0
  const enter = (event: AccessFields['event'], resultSha256: string | null) =>
    appendAccess(access, sha256, (before) => {
      if (event === 'outcomes_read') earlier = earlierReadings(before, inputs)
      return {
        event,
        at: formatUtc(timeOfEntry(event, request.now(), registration, before.at(-1), access)),
        registration_sha256: sha256,
        ...inputs,
        exploratory: earlier > 0,
        result_sha256: resultSha256,
      }
    })
  enter('outcomes_read', null)
  const rows = history.rows()
  const strata = strataOf(registration, vintage, history.regimes)
  const basis = { ...documents, strata }
  const evaluated = await evaluate(basis, rows, folder.addPairs, request)
  if (rows.digest().sha256 !== read.sha256) throw changedMeanwhile(shownHistory(request.history))
  const { pairs } = evaluated.paired
  const metadata = runMetadata(
    ...([documents, vintage, read, pairs, request.code, earlier, proved.member] as const),
  )
  const result = evaluated.result(metadata)
  const text = canonicalize(result)
  folder.write(FILES.result, `${text}\n`)
  // The reports show the file, not the value in memory: members lie in canonical order there, and
  // an audit, which has the file alone, must come to the same bytes.
  const stored = JSON.parse(text) as EvaluationResult
  folder.write(FILES.html, request.render.html(stored))
  folder.write(FILES.markdown, request.render.markdown(stored))
  folder.write(FILES.inputs, inputsText(recordedInputs(request, readsHistory(registration))))
  const digests = await digestedFiles(folder.staging, stored, request.signal)
  const readings = enter('result_written', result.result_sha256)
  folder.write(FILES.access, accessText(readings))
  writeDescription(folder, stored, digests, readings)
  folder.finish()
  return {
    ok: true,
    folder: request.out,
    access,
    result,
    level: time?.level ?? { kind: 'self_declared' },
    findings: [...(time?.findings ?? []), ...proved.findings],
  }
}

/** Says what the folder holds, the record of readings included, which is written last. */
function writeDescription(
  folder: EvidenceFolder,
  result: EvaluationResult,
  files: readonly DigestedFile[],
  readings: readonly AccessEntry[],
): void {
  const all = [digested(FILES.access, accessText(readings)), ...files]
  const described = describe(result, all, readings.at(-1)?.at ?? '')
  for (const name of [FILES.crate, FILES.statement] as const) folder.write(name, described[name])
}

/**
 * The record must not run backwards: a clock that does so is refused before anything is read. One that
 * was set back meanwhile, or runs behind that of another machine, costs no result.
 */
function timeOfEntry(
  event: AccessFields['event'],
  now: Instant,
  { registered_at }: Registration,
  last: AccessEntry | undefined,
  access: string,
): Instant {
  const before = Math.max(instantOrNaN(registered_at), last ? instantOrNaN(last.at) : -Infinity)
  if (now >= before) return now
  if (event === 'result_written') return before
  throw new ForeproofError(
    'refused',
    `this machine's clock says ${formatUtc(now)}, but the record of readings is at ${formatUtc(before)}`,
    { file: access, help: 'Correct the clock. Nothing was scored.' },
  )
}

/** Where the inputs were, seen from the folder: what `audit` tries when it is not told. */
function recordedInputs(request: ScoreOptions, withHistory: boolean): RecordedInputs {
  const seen = (path: string) =>
    relative(resolve(request.out), resolve(path)).replaceAll('\\', '/') || '.'
  return {
    registration: seen(request.registration),
    protocol: seen(request.protocol),
    history: withHistory ? recordedHistory(request.history, seen) : null,
    outcomes: seen(request.outcomes),
    ...(request.implausible && { implausible: true }),
  }
}

/** A history that is no file is where it is, seen from any folder; its password is not kept. */
function recordedHistory(history: string, seen: (path: string) => string): string {
  return historyFiles(history).map(seen)[0] ?? shownHistory(history)
}

function changedMeanwhile(history: string): ForeproofError {
  return new ForeproofError('unavailable', `${history}: changed while it was read`, {
    file: history,
    help: 'Nothing was written. Run again while nothing writes to the history, or use a copy of it.',
  })
}
