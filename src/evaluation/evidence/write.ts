import { relative, resolve } from 'node:path'
import { fileError } from '../../contract/error.js'
import { instantOrNaN } from '../../contract/instant.js'
import { assertNewFolder, type StagedFolder } from '../../files/new-folder.js'
import { accessText } from '../../protocol/readings.js'
import type { ResultEntry } from '../../protocol/rules/entry.js'
import { historyFiles, historyName } from '../../store/shown.js'
import { appendReading, type EnteredReading, type ReadingOptions } from '../enter-reading.js'
import { enterResult } from '../enter-result.js'
import type { EvaluateOptions } from '../pair.js'
import type { Result } from '../result/result.js'
import { resultForm } from '../result-digest.js'
import { describe, digested, digestedFiles } from './description.js'
import { FILES, type ReportRenderers } from './folder.js'
import { inputsText } from './input-paths.js'

export interface WriteOptions extends ReadingOptions, EvaluateOptions {
  /** The folder to write; it must not exist. */
  readonly out: string
  readonly render: ReportRenderers
  readonly implausible?: boolean | undefined
}

/** What is written of an evaluation. */
export interface DecidedReading extends Omit<EnteredReading, 'options'> {
  readonly options: WriteOptions
  readonly result: Result
}

/**
 * Writes the files of a folder except pairs, cells and proofs, enters the result in the ledger, and renames the folder.
 * @returns the entry of the ledger.
 */
export async function writeEvidence(
  decided: DecidedReading,
  folder: StagedFolder,
): Promise<ResultEntry> {
  const { documents, result, options } = decided
  const { text } = resultForm(result)
  folder.append(FILES.result, `${text}\n`)
  // Render from the file, not the value in memory: its members are in canonical order, and an audit, which only has the
  // file, must get the same bytes.
  const stored = JSON.parse(text) as Result
  folder.append(FILES.html, options.render.html(stored))
  folder.append(FILES.markdown, options.render.markdown(stored))
  folder.append(FILES.inputs, inputsText(recordedInputs(decided)))
  const files = await digestedFiles(folder.staging, stored, options.signal)
  const readings = appendReading(decided, options, result)
  const access = accessText(readings)
  folder.append(FILES.access, access)
  const all = [digested(FILES.access, access), ...files]
  const at = readings.at(-1)?.at ?? ''
  const described = describe(stored, all, at)
  for (const name of [FILES.crate, FILES.statement] as const) folder.append(name, described[name])
  assertNewFolder(options.out)
  const { ledger, registrationEntry } = documents
  const { result_sha256 } = result
  const entry = enterResult(ledger.file, registrationEntry, result_sha256, instantOrNaN(at))
  try {
    folder.commit()
  } catch (cause) {
    throw fileError(cause, resolve(options.out))
  }
  return entry
}

/** The paths of the inputs, relative to the folder, which `audit` tries by default. */
function recordedInputs({ inputs: { paths }, options }: DecidedReading) {
  const seen = (path: string) =>
    relative(resolve(options.out), resolve(path)).replaceAll('\\', '/') || '.'
  return {
    registration: seen(paths.registration),
    protocol: seen(paths.protocol),
    // The address of a history that is not a file does not depend on the folder; its password is not stored.
    history: historyFiles(paths.history).map(seen)[0] ?? historyName(paths.history),
    outcomes: seen(paths.outcomes),
    ...(options.implausible && { implausible: true }),
  }
}
