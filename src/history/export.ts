import { ContractBreach } from '../contract/breach.js'
import { ForeproofError } from '../contract/error.js'
import type { Attempt, ForecastResource } from '../contract/types.js'
import { canonicalize } from '../document/canonical.js'
import { yieldToEventLoop } from '../files/waiting.js'
import { attemptOf, type ManifestReader, unrepresentable } from '../forecast/resource.js'
import type { AttemptRow, HistoryRow } from '../forecast/row.js'
import { attemptTextFaults, nameOfRow, provenanceFaults } from '../forecast/row-faults.js'
import { checkedForecast, manifestReader } from '../forecast/serialize.js'
import { streamed } from '../store/open.js'
import type { EntryWindow, HistoryEntry } from '../store/types.js'

export interface HistoryExportOptions extends EntryWindow {
  /** Ends the export between two batches of rows. */
  readonly signal?: AbortSignal | undefined
  /** Called with a row that no resource can say; without it such a row ends the export by its error. */
  readonly onFaultyRow?: ((row: HistoryRow, cause: unknown) => void) | undefined
  /** The same of a recorded attempt. */
  readonly onFaultyAttempt?: ((row: AttemptRow, cause: unknown) => void) | undefined
}

/**
 * Every forecast and recorded attempt as a line of NDJSON, oldest origin first, then by horizon and
 * model, each line in canonical form (RFC 8785): equal histories give equal bytes, and importing
 * the lines gives an equal history. An export does not judge freshness: it says `unknown`, age 0.
 * One snapshot of the history; streams.
 * @throws {ForeproofError} when the history cannot be read, and at a row that no resource can say,
 * unless the options take it.
 */
export async function* exportLines(
  path: string,
  options: HistoryExportOptions = {},
): AsyncGenerator<string, void, undefined> {
  for await (const rows of exportedRows(path, options)) {
    for (const { forecast, attempt } of rows) {
      if (forecast !== undefined) yield `${canonicalize(forecast)}\n`
      if (attempt !== undefined) yield `${canonicalize(attempt)}\n`
    }
  }
}

/** What a history exports of a key: a forecast resource, its freshness not judged, a recorded attempt, or both. */
export interface ExportedRow {
  readonly forecast?: ForecastResource | undefined
  readonly attempt?: Attempt | undefined
}

/**
 * Every forecast and recorded attempt in the order of `exportLines`, in batches.
 * @throws {ForeproofError} as `exportLines`.
 */
export async function* exportedRows(
  path: string,
  options: HistoryExportOptions = {},
): AsyncGenerator<readonly ExportedRow[], void, undefined> {
  const manifestOf = manifestReader()
  for await (const entries of streamed(path, (reader) => reader.entries(options))) {
    await yieldToEventLoop(options.signal)
    yield entries.map((entry) => rowOf(entry, manifestOf, options))
  }
}

function rowOf(
  { forecast, attempt }: HistoryEntry,
  manifestOf: ManifestReader,
  options: HistoryExportOptions,
): ExportedRow {
  return {
    forecast: forecast && exportedForecast(forecast, manifestOf, options),
    attempt: attempt && exportedAttempt(attempt, options),
  }
}

function exportedForecast(
  row: HistoryRow,
  manifestOf: ManifestReader,
  options: HistoryExportOptions,
): ForecastResource | undefined {
  try {
    return checkedForecast(row, manifestOf).forecast
  } catch (fault) {
    const cause = fault instanceof ContractBreach ? unrepresentable(row, fault.findings) : fault
    if (options.onFaultyRow === undefined) throw cause
    options.onFaultyRow(row, cause)
    return undefined
  }
}

function exportedAttempt(row: AttemptRow, options: HistoryExportOptions): Attempt | undefined {
  const findings = attemptTextFaults(row)
  if (row.provenance !== undefined) findings.push(...provenanceFaults(row, row.provenance))
  if (findings.length === 0) return attemptOf(row)
  const cause = new ForeproofError(
    'invalid-input',
    `the attempt ${nameOfRow(row)} cannot be shown as an attempt`,
    { help: '`foreproof history verify` names what is wrong in every row.', findings },
  )
  if (options.onFaultyAttempt === undefined) throw cause
  options.onFaultyAttempt(row, cause)
  return undefined
}
