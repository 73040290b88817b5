import { type Finding, finding, messageOf } from '../contract/findings/finding.js'
import { canonicalize } from '../document/canonical.js'
import { checkSeriesRow, isSeriesAttempt, type SeriesRow } from '../forecast/series-row.js'
import { seriesValues } from './dialect.js'
import { rowIn, seriesEntries } from './series-rows.js'
import type { HistorySnapshot } from './snapshot.js'
import type { SeriesEntry, StoreVerifyResult } from './types.js'

/** Looks at every row of a history of any series; see `HistoryReader.verify`. */
export async function verifySeries(
  snapshot: HistorySnapshot,
  report: (finding: Finding) => void,
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
      for (const fault of faultsOf(each, read)) {
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

function faultsOf(each: SeriesEntry, row: SeriesRow | undefined): string[] {
  if (row === undefined) return ['is not a JSON object']
  const wrong = checkSeriesRow(row).map((found) => `${found.pointer} ${messageOf(found).text}`)
  if (wrong.length > 0) return wrong
  const { series, origin: originAt, horizon: horizonHours, model } = row
  const said = seriesValues({ series, originAt, horizonHours, model }).join()
  const isOfKey = said === seriesValues(each.key).join()
  const isOfKind = isSeriesAttempt(row) === (each.key.kind === 'attempt')
  if (!isOfKey || !isOfKind) return ['differs from its own row']
  return canonicalize(row) === each.entry ? [] : ['is not in canonical form (RFC 8785)']
}
