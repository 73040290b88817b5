import { checkForecast } from '../../contract/check-payload.js'
import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import { instantOf } from '../../contract/instant.js'
import { shownText } from '../../forecast/i-json.js'
import type { StoredResource } from '../../forecast/resource.js'
import type { AttemptRow, HistoryRow, OriginRow } from '../../forecast/row.js'
import {
  attemptTextFaults,
  faultsOf,
  nameOfRow,
  originFaults,
  RowFaults,
} from '../../forecast/row-faults.js'
import { storedManifest, storedWhole } from '../../forecast/sent-object.js'

const PROGRESS_ROWS = 8192
/** Of the index of the reading order, for each forecast. */
const INDEX_BYTES = 60

/** Told of every finding. */
export type ReportFinding = (finding: Finding) => void

/** Looks at forecasts, which come in order of origin, horizon and model: each for itself, and for keys that come twice. */
export class RowVerifier {
  forecasts = 0
  /** Forecasts of the origin that has the most. */
  #largestOrigin = 0
  #inOrigin = 0
  #before: { row: HistoryRow; origin: Instant | undefined } | undefined
  #sameKey = 1

  constructor(
    private readonly report: ReportFinding,
    private readonly onProgress: ((rows: number) => void) | undefined,
  ) {}

  look(row: HistoryRow): void {
    for (const fault of faultsOf(row)) this.report(fault)
    if (row.whole !== null) verifyWhole(row, this.report)
    const before = this.#before
    const sameText = before?.row.originAt === row.originAt
    const origin = sameText ? before?.origin : instantOf(row.originAt)
    this.#inOrigin = sameText ? this.#inOrigin + 1 : 1
    this.#largestOrigin = Math.max(this.#largestOrigin, this.#inOrigin)
    const repeats =
      before !== undefined &&
      origin !== undefined &&
      before.origin === origin &&
      before.row.model === row.model &&
      before.row.horizonHours === row.horizonHours
    if (repeats) this.#sameKey++
    else this.end()
    this.#before = { row, origin }
    if (++this.forecasts % PROGRESS_ROWS === 0) this.onProgress?.(this.forecasts)
  }

  /** To be called after the last row. */
  end(): void {
    if (this.#sameKey > 1 && this.#before !== undefined) {
      const args = { row: nameOfRow(this.#before.row), count: this.#sameKey }
      this.report(finding('history-key-twice', args))
    }
    this.#sameKey = 1
  }

  /** What pages cost without the index of the reading order. @param sql - makes it. */
  indexMissing(sql: string): Finding {
    const bytes = this.forecasts * INDEX_BYTES
    return finding('history-index-missing', { rows: this.#largestOrigin, bytes, sql })
  }
}

/** A row of an origin, whether it has forecasts or not. */
export function verifyOrigin(origin: OriginRow, report: ReportFinding): void {
  originFaults(origin).forEach(report)
  if (origin.manifestJson !== null && storedManifest(origin.manifestJson) === undefined) {
    report(finding('history-manifest', { row: shownText(String(origin.originAt)) }))
  }
}

/** A recorded attempt. */
export function verifyAttempt(row: AttemptRow, report: ReportFinding): void {
  const faults = new RowFaults(() => nameOfRow(row))
  faults.timestamp('origin_at', row.originAt)
  if (row.recordedAt !== null) faults.timestamp('recorded_at', row.recordedAt)
  if (row.status !== 'failed' && row.status !== 'abstained') {
    faults.add('history-attempt', 'status', row.status)
  }
  faults.list.forEach(report)
  attemptTextFaults(row).forEach(report)
}

/** The resource kept whole is one of the contract, and says what the columns say. */
function verifyWhole(row: HistoryRow, report: ReportFinding): void {
  const say = (fault: string) => {
    const args = { row: nameOfRow(row), column: 'resource_json', fault }
    report(finding('history-resource', args))
  }
  const resource = storedWhole(row.whole)
  const freshness = { observed_at: row.originAt, age_seconds: 0, status: 'unknown' }
  if (resource === undefined) say('is not a JSON object (RFC 7493)')
  else if (!hasNoErrors(checkForecast({ ...resource, freshness }))) say('breaks the contract')
  else {
    const { origin_at, model, horizon_hours, target_at, estimate, interval } =
      resource as unknown as StoredResource
    const said = [
      origin_at,
      model.name,
      horizon_hours,
      target_at,
      estimate.price_usd,
      estimate.change_pct,
      interval.lower_usd,
      interval.median_usd,
      interval.upper_usd,
    ]
    const columns = [
      row.originAt,
      row.model,
      row.horizonHours,
      row.targetAt,
      row.priceUsd,
      row.changePct,
      row.q10Usd,
      row.q50Usd,
      row.q90Usd,
    ]
    if (said.some((value, index) => value !== columns[index])) say('differs from its own row')
  }
}
