import { finding } from '../../../contract/findings/finding.js'
import type { StoreVerifyResult } from '../stats-types.js'
import { type ReportFinding, RowVerifier } from '../verify-rows.js'
import type { Opened } from './connection.js'
import { chooseOrder } from './order.js'
import { scanRows } from './scan.js'
import { READING_ORDER_INDEX } from './tables.js'
import { verifyAttempts, verifyOrigins, verifyOwnRows } from './verify-tables.js'

const INTEGRITY_LINES = 100

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
  const rows = verifyRows(opened, report, onProgress)
  const origins = verifyOrigins(opened, report)
  const attempts = verifyAttempts(opened, report)
  verifyOwnRows(opened, report)
  const { orderingIndex } = opened.layout
  if (!orderingIndex) report(rows.indexMissing(READING_ORDER_INDEX.replace(/\s+/g, ' ').trim()))
  return { forecasts: rows.forecasts, attempts, origins, ordering_index: orderingIndex }
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
): RowVerifier {
  const order = chooseOrder(opened.db, ['forecast_predictions'])
  const verifier = new RowVerifier(report, onProgress)
  for (const row of scanRows(opened, order)) verifier.look(row)
  verifier.end()
  return verifier
}
