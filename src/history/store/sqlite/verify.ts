import { checkForecast } from '../../../contract/check-payload.js'
import { type Finding, finding, hasNoErrors } from '../../../contract/findings/finding.js'
import type { Instant } from '../../../contract/instant.js'
import { instantOf } from '../../../contract/instant.js'
import type { StoredResource } from '../../../forecast/resource.js'
import type { HistoryRow } from '../../../forecast/row.js'
import { faultsOf, nameOfRow } from '../../../forecast/row-faults.js'
import { storedWhole } from '../../../forecast/sent-object.js'
import type { StoreVerifyResult } from '../stats-types.js'
import type { Opened } from './connection.js'
import { chooseOrder } from './order.js'
import { scanRows } from './scan.js'
import { READING_ORDER_INDEX } from './tables.js'
import {
  type ReportFinding,
  verifyAttempts,
  verifyOrigins,
  verifyOwnRows,
} from './verify-tables.js'

const INTEGRITY_LINES = 100
const PROGRESS_ROWS = 8192

/**
 * See `HistoryReader.verify`: SQLite's own integrity, keys, timestamps, numbers, quantiles, orphans,
 * and what foreproof keeps beside the producer's tables.
 */
export function verifyAll(
  opened: Opened,
  report: ReportFinding,
  onProgress: ((rows: number) => void) | undefined,
): StoreVerifyResult {
  verifyIntegrity(opened, report)
  const { forecasts, largestOrigin } = verifyRows(opened, report, onProgress)
  const origins = verifyOrigins(opened, report)
  const attempts = verifyAttempts(opened, report)
  verifyOwnRows(opened, report)
  const { orderingIndex } = opened.layout
  if (!orderingIndex) report(indexMissing(largestOrigin, forecasts))
  return { forecasts, attempts, origins, ordering_index: orderingIndex }
}

function verifyIntegrity({ db }: Opened, report: ReportFinding): void {
  const lines = db.pragma(`integrity_check(${INTEGRITY_LINES})`) as { integrity_check: string }[]
  for (const { integrity_check: detail } of lines) {
    if (detail !== 'ok') report(finding('history-integrity', { detail }))
  }
}

function verifyRows(
  opened: Opened,
  report: ReportFinding,
  onProgress: ((rows: number) => void) | undefined,
): { forecasts: number; largestOrigin: number } {
  const order = chooseOrder(opened.db, ['forecast_predictions'])
  let forecasts = 0
  let largestOrigin = 0
  let inOrigin = 0
  let before: { row: HistoryRow; origin: Instant | undefined } | undefined
  let sameKey = 1
  const endKey = () => {
    if (sameKey > 1 && before !== undefined) {
      const args = { row: nameOfRow(before.row), count: sameKey }
      report(finding('history-key-twice', args))
    }
    sameKey = 1
  }
  for (const row of scanRows(opened, order)) {
    for (const fault of faultsOf(row)) report(fault)
    if (row.whole !== null) verifyWhole(row, report)
    const sameText = before?.row.originAt === row.originAt
    const origin = sameText ? before?.origin : instantOf(row.originAt)
    inOrigin = sameText ? inOrigin + 1 : 1
    largestOrigin = Math.max(largestOrigin, inOrigin)
    const repeats =
      before !== undefined &&
      origin !== undefined &&
      before.origin === origin &&
      before.row.model === row.model &&
      before.row.horizonHours === row.horizonHours
    if (repeats) sameKey++
    else endKey()
    before = { row, origin }
    if (++forecasts % PROGRESS_ROWS === 0) onProgress?.(forecasts)
  }
  endKey()
  return { forecasts, largestOrigin }
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

function indexMissing(largestOrigin: number, forecasts: number): Finding {
  return finding('history-index-missing', {
    rows: largestOrigin,
    bytes: forecasts * 60,
    sql: READING_ORDER_INDEX.replace(/\s+/g, ' ').trim(),
  })
}
