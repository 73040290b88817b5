import { ContractBreach } from '../contract/breach.js'
import { type Finding, finding, formatMessage } from '../contract/findings/finding.js'
import { isHistoryRule } from '../contract/findings/history.js'
import { canonicalize } from '../document/canonical.js'
import { shownText, storedManifest } from '../forecast/i-json.js'
import { saysItsColumns } from '../forecast/resource.js'
import type { AttemptRow, HistoryRow } from '../forecast/row.js'
import {
  attemptFaults,
  historyRowFaults,
  nameOfRow,
  originFaults,
  RowFaults,
} from '../forecast/row-faults.js'
import { checkForecast, createManifestReader, type JudgedForecast } from '../forecast/serialize.js'
import { checkSeriesRow, isSeriesAttempt, type SeriesRow } from '../forecast/series-row.js'
import { sameKey, seriesValues } from './dialect.js'
import type { SeriesEntry, StoreVerifyResult } from './history-reader.js'
import { toKeyAsStored, toOriginRow } from './hourly-rows.js'
import { rowIn, seriesEntries } from './series-rows.js'
import {
  eachRow,
  type HistorySnapshot,
  type ReportFinding,
  scanAttempts,
  scanForecasts,
} from './snapshot.js'

/** See `HistoryReader.verify`. */
export async function verifyStore(
  snapshot: HistorySnapshot,
  report: ReportFinding,
  onProgress?: (rows: number) => void,
): Promise<StoreVerifyResult> {
  if (snapshot.dialect.version === 2) return await verifySeries(snapshot, report, onProgress)
  const { checks, run, facts } = snapshot
  checks.first?.(report)
  const rows = new RowVerifier(report, onProgress)
  for await (const batch of scanForecasts(snapshot)) {
    for (const row of batch) rows.check(row)
  }
  const origins = await verifyOrigins(snapshot, report)
  const attempts = await verifyAttempts(snapshot, report)
  await checks.last(snapshot, report)
  const { ordering_index } = await run(facts())
  if (!ordering_index) report(rows.indexMissing(checks.orderingIndex))
  return { forecasts: rows.forecasts, attempts, origins, ordering_index }
}

/** Checks every origin, with or without forecasts. */
async function verifyOrigins(snapshot: HistorySnapshot, report: ReportFinding): Promise<number> {
  const { dialect } = snapshot
  let count = 0
  const sql = `SELECT ${dialect.origins.columns} FROM ${dialect.table('origins')} o ORDER BY o.origin_at`
  for await (const values of eachRow(snapshot, sql)) {
    count++
    const origin = toOriginRow(dialect, values)
    originFaults(origin).forEach(report)
    if (origin.manifestJson !== null && storedManifest(origin.manifestJson) === undefined) {
      report(finding('history-manifest', { row: shownText(String(origin.originAt)) }))
    }
  }
  return count
}

/** Checks every recorded attempt, and whether its key has a forecast as well. */
async function verifyAttempts(snapshot: HistorySnapshot, report: ReportFinding): Promise<number> {
  const { dialect } = snapshot
  const { model } = dialect
  let count = 0
  for await (const batch of scanAttempts(snapshot)) {
    count += batch.length
    for (const row of batch) {
      attemptFaults(row).forEach(report)
      verifyProvenance(row, report)
    }
  }
  const sql = `SELECT s.origin_at, s.${model}, s.horizon_hours, s.status FROM ${dialect.table('attempts')} s
    WHERE EXISTS (SELECT 1 FROM ${dialect.table('forecasts')} p WHERE ${sameKey('p', 's', model)})
    ORDER BY 1, 3, 2`
  for await (const values of eachRow(snapshot, sql)) {
    const args = { row: nameOfRow(toKeyAsStored(dialect, values)), status: String(values[3]) }
    report(finding('history-attempt-and-forecast', args))
  }
  return count
}

const PROGRESS_ROWS = 8192
/** Bytes of the reading-order index per forecast. */
const INDEX_BYTES = 60

/** Checks forecasts one by one, in the order of their origins. */
class RowVerifier {
  forecasts = 0
  /** The largest number of forecasts of one origin. */
  #largestOrigin = 0
  #inOrigin = 0
  #origin: HistoryRow['originAt'] | undefined
  readonly #toManifest = createManifestReader()

  constructor(
    private readonly report: ReportFinding,
    private readonly onProgress: ((rows: number) => void) | undefined,
  ) {}

  check(row: HistoryRow): void {
    for (const fault of historyRowFaults(row)) this.report(fault)
    const judged = this.#judged(row)
    if (judged !== undefined) verifyRules(row, judged, this.report)
    if (row.whole !== null) verifyResource(row, judged, this.report)
    verifyProvenance(row, this.report)
    this.#inOrigin = this.#origin === row.originAt ? this.#inOrigin + 1 : 1
    this.#origin = row.originAt
    this.#largestOrigin = Math.max(this.#largestOrigin, this.#inOrigin)
    if (++this.forecasts % PROGRESS_ROWS === 0) this.onProgress?.(this.forecasts)
  }

  /** Undefined if the columns are not a forecast; each fault has a finding then. */
  #judged(row: HistoryRow): JudgedForecast | undefined {
    try {
      return checkForecast(row, this.#toManifest)
    } catch (cause) {
      if (!(cause instanceof ContractBreach)) throw cause
      return undefined
    }
  }

  /**
   * The finding for a missing index in reading order: what pages cost without it.
   * @param sql - creates the index.
   */
  indexMissing(sql: string): Finding {
    const bytes = this.forecasts * INDEX_BYTES
    return finding('history-index-missing', { rows: this.#largestOrigin, bytes, sql })
  }
}

/** The columns by pointer into a forecast. */
const COLUMNS: Readonly<Record<string, string>> = {
  '/target_at': 'target_at',
  '/estimate/price_usd': 'predicted_price_usd',
  '/estimate/change_pct': 'predicted_change_pct',
  '/lineage/source/price_usd': 'source_price_usd',
  '/interval': 'q10_usd, q50_usd, q90_usd',
}

/** Checks the forecast of a row against the contract. */
function verifyRules(row: HistoryRow, { findings }: JudgedForecast, report: ReportFinding): void {
  for (const each of findings) {
    const { pointer = '', code, severity } = each
    // A time of the provenance: see `verifyProvenance`.
    if (code === 'invalid-timestamp') continue
    const column = COLUMNS[pointer] ?? (row.whole === null ? pointer : 'resource_json')
    const args = { row: nameOfRow(row), column, fault: formatMessage(each).text }
    const isRule = isHistoryRule(code)
    report(
      isRule
        ? finding('history-rule', { ...args, rule: code }, { severity })
        : finding('history-resource', args),
    )
  }
}

/** Checks times and texts of the provenance of a row. */
function verifyProvenance(row: HistoryRow | AttemptRow, report: ReportFinding): void {
  if (row.provenance === undefined) return
  const { inputAvailableAt, selectionDataThrough, vintageId, vintageSha256 } = row.provenance
  const faults = new RowFaults(() => nameOfRow(row))
  if (inputAvailableAt !== null) faults.timestamp('input_available_at', inputAvailableAt)
  if (selectionDataThrough !== null)
    faults.timestamp('selection_data_through', selectionDataThrough)
  faults.text('vintage_id', vintageId)
  faults.text('vintage_sha256', vintageSha256)
  faults.list.forEach(report)
}

/** Checks that the stored resource agrees with the columns. */
function verifyResource(
  row: HistoryRow,
  judged: JudgedForecast | undefined,
  report: ReportFinding,
): void {
  const addFault = (fault: string) => {
    const args = { row: nameOfRow(row), column: 'resource_json', fault }
    report(finding('history-resource', args))
  }
  if (judged === undefined) {
    addFault('is not a JSON object (RFC 7493) that names its forecast')
    return
  }
  // Report the origin as the resource spells it, because an export uses that spelling.
  const { forecast } = judged
  const isSame = forecast.origin_at === row.originAt && saysItsColumns(forecast, row)
  if (!isSame) addFault('differs from its own row')
}

/** Checks every row of a history of any series; see `HistoryReader.verify`. */
async function verifySeries(
  snapshot: HistorySnapshot,
  report: ReportFinding,
  onProgress?: (rows: number) => void,
): Promise<StoreVerifyResult> {
  snapshot.checks.first?.(report)
  const origins = new Set<string>()
  const counts = { forecast: 0, attempt: 0 }
  let before: { readonly of: string; readonly status: string } | undefined
  for await (const entries of seriesEntries(snapshot)) {
    for (const each of entries) {
      const row = seriesValues(each.key).join(', ')
      const read = rowIn(each)
      for (const fault of seriesFaults(each, read)) {
        report(finding('history-resource', { row, column: 'entry', fault }))
      }
      if (before?.of === row) {
        report(finding('history-attempt-and-forecast', { row, status: before.status }))
      }
      const status = read && isSeriesAttempt(read) ? read.status : undefined
      before = each.key.kind === 'attempt' ? { of: row, status: String(status) } : undefined
      origins.add(each.key.originAt)
      counts[each.key.kind]++
    }
    onProgress?.(counts.forecast + counts.attempt)
  }
  const { forecast: forecasts, attempt: attempts } = counts
  return { forecasts, attempts, origins: origins.size, ordering_index: true }
}

function seriesFaults(each: SeriesEntry, row: SeriesRow | undefined): string[] {
  if (row === undefined) return ['is not a JSON object']
  const wrong = checkSeriesRow(row).map((found) => `${found.pointer} ${formatMessage(found).text}`)
  if (wrong.length > 0) return wrong
  const { series, origin: originAt, horizon: horizonHours, model } = row
  const key = seriesValues({ series, originAt, horizonHours, model }).join()
  const isOfKey = key === seriesValues(each.key).join()
  const isOfKind = isSeriesAttempt(row) === (each.key.kind === 'attempt')
  if (!isOfKey || !isOfKind) return ['differs from its own row']
  return canonicalize(row) === each.entry ? [] : ['is not in canonical form (RFC 8785)']
}
