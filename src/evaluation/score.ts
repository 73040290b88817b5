import { relative, resolve } from 'node:path'
import { ForeproofError, fileError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant, instantOrNaN } from '../contract/instant.js'
import type { Registration } from '../contract/types.js'
import { canonicalize } from '../document/canonical.js'
import { gzipWriter } from '../files/gzip.js'
import { assertNewFolder, StagedFolder } from '../files/new-folder.js'
import type { LogEntry } from '../log/log-entry.js'
import type { Policy } from '../log/policy.js'
import { readTrusted, type Trusted } from '../log/trusted.js'
import {
  type AccessEntry,
  type AccessFields,
  accessPath,
  accessText,
  appendAccess,
  earlierReadings,
} from '../protocol/readings.js'
import type { ResultEntry } from '../protocol/rules/entry.js'
import { isExported } from '../store/exported.js'
import { historyFiles, historyName } from '../store/shown.js'
import type { TimeLevel } from '../time/level.js'
import type { Anchor } from '../time/rfc3161/anchors.js'
import { closedFindings } from './close-registration.js'
import { enterResult } from './enter-result.js'
import { describe, digested, digestedFiles } from './evidence/description.js'
import { FILES, LOG_FILES, type Renderers } from './evidence/folder.js'
import { inputsText, type RecordedInputs } from './evidence/input-paths.js'
import { entryLine, writeCheckpoints, writeStamps } from './evidence/time-files.js'
import {
  digestOfRows,
  historyFindings,
  type RowsRead,
  type WindowRows,
  windowRows,
} from './history.js'
import { loadOutcomes, type Outcomes } from './inputs.js'
import { type Broken, demand, orBroken } from './links.js'
import { type Documents, type InputPaths, isOfSeries, loadDocuments } from './load.js'
import { besideOthers } from './other-registrations.js'
import { type EvaluateOptions, implausibleCandidates, pairRegistered } from './pair.js'
import {
  demandTrusted,
  isCommitted,
  isOfWindow,
  type ProvedForecasts,
  proveForecasts,
} from './proof/committed.js'
import { registeredLog } from './proof/log-source.js'
import { proveTime, type RegistrationTime } from './proof/registration-time.js'
import { runMetadata } from './result/shared.js'
import type { CodeVersion, Result } from './result/types.js'

export interface ScoreOptions extends InputPaths, EvaluateOptions, Trusted {
  /** The folder to write; it must not exist. */
  readonly out: string
  /** The present: it must not lie before the as-of, and is recorded as the time of reading. */
  readonly now: () => Instant
  /** The log that forecasts are compared with, by its name; only needed if a history has several. */
  readonly log?: string | undefined
  readonly code: CodeVersion
  readonly render: Renderers
  /**
   * Also score candidates whose forecasts seem to have another unit than the outcomes; this is recorded beside the
   * inputs.
   */
  readonly implausible?: boolean | undefined
  /** The last origin to score of a window of a backtest of any series, by its label. */
  readonly through?: string | undefined
}

export type ScoreResult =
  | Broken
  | {
      readonly ok: true
      readonly folder: string
      readonly access: string
      /** That of the result in the ledger. */
      readonly entry: ResultEntry
      readonly result: Result
      /** Who vouches for the time of the registration. */
      readonly level: TimeLevel
      /** Warnings of stamps and of the log. */
      readonly findings: readonly Finding[]
    }

/**
 * Scores a registered evaluation once and writes its evidence folder, atomically. All reasons not to score are found
 * before any score is computed, so a refusal reveals none. The reading is recorded beside the ledger first, so that an
 * aborted run is known, too.
 *
 * @throws {ForeproofError} `refused` if the folder exists or the record of readings does not verify; `not-found`, `io`,
 * `unavailable` if something cannot be read or written; `interrupted`.
 */
export async function scoreEvaluation(request: ScoreOptions): Promise<ScoreResult> {
  assertNewFolder(request.out)
  return await orBroken(async () => {
    const inputs = await readInputs(request)
    const folder = new StagedFolder(request.out)
    try {
      return await scoreInto(folder, request, inputs)
    } finally {
      folder.discard()
    }
  })
}

/** The inputs of scoring, read and verified against each other. */
interface ScoredInputs {
  readonly documents: Documents
  readonly time: RegistrationTime | undefined
  /** Those of the one who scores. */
  readonly witnesses: Policy | undefined
  readonly anchors: readonly Anchor[] | undefined
  readonly outcomes: Outcomes
  readonly history: WindowRows
  readonly read: RowsRead
  readonly findings: readonly Finding[]
}

async function readInputs(request: ScoreOptions): Promise<ScoredInputs> {
  if (isExported(request.history)) {
    throw new ForeproofError('usage', `${request.history}: an export of a history is for audits`, {
      help: 'Name the history. Of an export one is made with: foreproof history import',
    })
  }
  const documents = await loadDocuments(request, request.now(), request.through)
  const { registration, folder, ledger } = documents
  demand('registration', closedFindings(registration, ledger))
  const { anchors, witnesses } = readTrusted(request)
  const time = await proveTime(documents, folder, { own: anchors })
  const outcomes = await loadOutcomes(request.outcomes, documents, request.now())
  const history = await windowRows(request.history, documents)
  const rows = history.rows()
  // Rows of hourly forecasts have the price at their origin: nothing else has to be computed to compare them.
  const compared = isOfSeries(documents) && outcomes.task(documents, history.regimes, undefined)
  const implausible = compared ? await implausibleCandidates(compared, rows, request.signal) : []
  const read = compared ? rows.digest() : await digestOfRows(rows, request.signal)
  const findings = historyFindings(registration, read, implausible, request)
  demand('history', findings)
  return { documents, time, witnesses, anchors, outcomes, history, read, findings }
}

async function scoreInto(
  folder: StagedFolder,
  request: ScoreOptions,
  inputs: ScoredInputs,
): Promise<ScoreResult> {
  const { time, outcomes, history, read } = inputs
  const log = await committed(folder, request, inputs)
  const record = new ReadingRecord(request, inputs)
  const readings = record.enter('outcomes_read', null)
  const readAt = () => instantOrNaN(readings.at(-1)?.at ?? '')
  const others = await besideOthers(inputs.documents, request.history, readAt, {
    own: inputs.anchors,
  })
  const { documents } = others
  const task = outcomes.task(documents, history.regimes, log.commitments)
  const addPairs = gzipWriter((bytes) => folder.append(FILES.pairs, bytes))
  const evaluation = task.evaluation((text) => folder.append(FILES.cells, text))
  const rows = history.rows()
  const paired = await pairRegistered(task, rows, addPairs, request, evaluation.add)
  addPairs()
  if (rows.digest().sha256 !== read.sha256) throw changedMeanwhile(historyName(request.history))
  const { code } = request
  const { earlier } = record
  const metadata = runMetadata(documents, read, paired.pairs, code, earlier, log.member)
  const result = await evaluation.finish(paired, metadata, request)
  const entry = await writeEvidence(folder, request, documents, result, record)
  return {
    ok: true,
    folder: request.out,
    access: record.path,
    entry,
    result,
    level: time?.level ?? { kind: 'self_declared' },
    findings: [...(time?.findings ?? []), ...inputs.findings, ...log.findings, ...others.findings],
  }
}

/** Compares the forecasts with the log of the history, and keeps the proofs of both. */
async function committed(
  folder: StagedFolder,
  { history, log, signal }: ScoreOptions,
  { documents, time, witnesses }: ScoredInputs,
): Promise<ProvedForecasts> {
  const { registration, expected } = documents
  if (time !== undefined) writeStamps(folder, time)
  if (isCommitted(registration)) folder.append(LOG_FILES.entries, '')
  const onEntries = (entries: readonly LogEntry[]) => {
    const lines = entries.map((entry) => entryLine(entry, isOfWindow(expected, entry)))
    folder.append(LOG_FILES.entries, lines.join(''))
  }
  const source = () => registeredLog(registration, history, log)
  const proved = await proveForecasts(documents, time, history, source, { onEntries, signal })
  if (proved.log !== undefined) writeCheckpoints(folder, proved.log.checkpoints)
  if (witnesses === undefined) return proved
  const by = { witnesses, signal }
  const { member, log: of } = proved
  await demandTrusted(member, documents, time, history, of?.source, by)
  return proved
}

/** The record of readings beside the ledger, which this run continues. */
class ReadingRecord {
  readonly path: string
  /** Readings before this one that make it exploratory. */
  earlier = 0
  readonly #inputs
  readonly #registration: Registration

  constructor(
    private readonly request: ScoreOptions,
    { documents, outcomes, read }: ScoredInputs,
  ) {
    this.#registration = documents.registration
    this.path = accessPath(documents.folder, documents.registration.registration_sha256)
    this.#inputs = {
      vintage_sha256: outcomes.manifest.sha256,
      history_sha256: read.sha256,
      code_sha256: request.code.sha256,
    }
  }

  /** @returns all entries, the new one last. */
  enter(event: AccessFields['event'], resultSha256: string | null): readonly AccessEntry[] {
    const { registration_sha256 } = this.#registration
    return appendAccess(this.path, registration_sha256, (before) => {
      if (event === 'outcomes_read') this.earlier = earlierReadings(before, this.#inputs)
      return {
        event,
        at: formatUtc(this.#timeOf(event, before.at(-1))),
        registration_sha256,
        ...this.#inputs,
        exploratory: this.earlier > 0,
        result_sha256: resultSha256,
      }
    })
  }

  /**
   * The times of the record must not decrease, so a clock that is behind is refused before anything is read. A clock
   * that was set back during the run, or is behind another machine's, costs no result.
   */
  #timeOf(event: AccessFields['event'], last: AccessEntry | undefined): Instant {
    const now = this.request.now()
    const { registered_at } = this.#registration
    const before = Math.max(instantOrNaN(registered_at), last ? instantOrNaN(last.at) : -Infinity)
    if (now >= before) return now
    if (event === 'result_written') return before
    throw new ForeproofError(
      'refused',
      `this machine's clock says ${formatUtc(now)}, but the record of readings is at ${formatUtc(before)}`,
      { file: this.path, help: 'Correct the clock. Nothing was scored.' },
    )
  }
}

/** Writes the files of a folder except pairs and stamps, enters the result in the ledger, and renames the folder. */
async function writeEvidence(
  folder: StagedFolder,
  request: ScoreOptions,
  { registrationEntry, ledger }: Documents,
  result: Result,
  record: ReadingRecord,
): Promise<ResultEntry> {
  const text = canonicalize(result)
  folder.append(FILES.result, `${text}\n`)
  // Render from the file, not the value in memory: its members are in canonical order, and an audit, which only has the
  // file, must get the same bytes.
  const stored = JSON.parse(text) as Result
  folder.append(FILES.html, request.render.html(stored))
  folder.append(FILES.markdown, request.render.markdown(stored))
  folder.append(FILES.inputs, inputsText(recordedInputs(request)))
  const files = await digestedFiles(folder.staging, stored, request.signal)
  const readings = record.enter('result_written', result.result_sha256)
  const access = accessText(readings)
  folder.append(FILES.access, access)
  const all = [digested(FILES.access, access), ...files]
  const at = readings.at(-1)?.at ?? ''
  const described = describe(stored, all, at)
  for (const name of [FILES.crate, FILES.statement] as const) folder.append(name, described[name])
  assertNewFolder(request.out)
  const { file } = ledger
  const entry = enterResult(file, registrationEntry, result.result_sha256, instantOrNaN(at))
  try {
    folder.commit()
  } catch (cause) {
    throw fileError(cause, resolve(request.out))
  }
  return entry
}

/** The paths of the inputs, relative to the folder, which `audit` tries by default. */
function recordedInputs(request: ScoreOptions): RecordedInputs {
  const seen = (path: string) =>
    relative(resolve(request.out), resolve(path)).replaceAll('\\', '/') || '.'
  return {
    registration: seen(request.registration),
    protocol: seen(request.protocol),
    history: recordedHistory(request.history, seen),
    outcomes: seen(request.outcomes),
    ...(request.implausible && { implausible: true }),
  }
}

/** The address of a history that is not a file does not depend on the folder; its password is not stored. */
function recordedHistory(history: string, seen: (path: string) => string): string {
  return historyFiles(history).map(seen)[0] ?? historyName(history)
}

function changedMeanwhile(history: string): ForeproofError {
  return new ForeproofError('unavailable', `${history}: changed while it was read`, {
    file: history,
    help: 'Nothing was written. Run again while nothing writes to the history, or use a copy of it.',
  })
}
