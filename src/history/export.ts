import { ContractBreach } from '../contract/breach.js'
import { ForeproofError } from '../contract/error.js'
import type { Attempt, ForecastResource } from '../contract/types.js'
import { canonicalize } from '../document/canonical.js'
import { yieldToEventLoop } from '../files/waiting.js'
import { type ManifestReader, toAttempt, unrepresentable } from '../forecast/resource.js'
import type { AttemptRow, HistoryRow } from '../forecast/row.js'
import { nameOfRow, shownAttemptFaults } from '../forecast/row-faults.js'
import { checkedForecast, createManifestReader } from '../forecast/serialize.js'
import type { EntryWindow } from '../store/history-reader.js'
import { streamHistory } from '../store/open.js'

export interface HistoryExportOptions extends EntryWindow {
  /** Ends the export between two batches of rows. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called with a row or attempt that cannot be exported; without it, such a row ends the export with an error.
   */
  readonly onFaultyRow?: ((row: HistoryRow | AttemptRow, cause: unknown) => void) | undefined
}

/**
 * Every forecast and recorded attempt as a line of NDJSON, oldest origin first, then by horizon and model, each line
 * in canonical form (RFC 8785): equal histories give equal bytes, and importing the lines gives an equal history.
 * Freshness is always `unknown` with age 0. One snapshot of the history; streams.
 * @throws {ForeproofError} if the history cannot be read, and at a row that cannot be exported, unless the options
 * handle it.
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

/** The export of a key: a forecast resource without freshness, a recorded attempt, or both. */
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
  const toManifest = createManifestReader()
  for await (const entries of streamHistory(path, (reader) => reader.entries(options))) {
    await yieldToEventLoop(options.signal)
    yield entries.map(({ forecast, attempt }) => ({
      forecast:
        forecast && tryExport(forecast, (row) => exportedForecast(row, toManifest), options),
      attempt: attempt && tryExport(attempt, exportedAttempt, options),
    }))
  }
}

function tryExport<Row extends HistoryRow | AttemptRow, Shown>(
  row: Row,
  show: (row: Row) => Shown,
  { onFaultyRow }: HistoryExportOptions,
): Shown | undefined {
  try {
    return show(row)
  } catch (cause) {
    if (onFaultyRow === undefined) throw cause
    onFaultyRow(row, cause)
    return undefined
  }
}

function exportedForecast(row: HistoryRow, toManifest: ManifestReader): ForecastResource {
  try {
    return checkedForecast(row, toManifest).forecast
  } catch (fault) {
    throw fault instanceof ContractBreach ? unrepresentable(row, fault.findings) : fault
  }
}

function exportedAttempt(row: AttemptRow): Attempt {
  const findings = shownAttemptFaults(row)
  if (findings.length === 0) return toAttempt(row)
  throw new ForeproofError(
    'invalid-input',
    `the attempt ${nameOfRow(row)} cannot be shown as an attempt`,
    { help: '`foreproof history verify` names what is wrong in every row.', findings },
  )
}
