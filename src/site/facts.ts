import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTimestamp } from '../contract/instant.js'
import { compareKeys } from '../contract/order.js'
import { keyOf } from '../history/pages.js'
import type { HistoryReader, HistoryRow, RowKey } from '../history/types.js'
import { pageFile } from './layout.js'
import { type HistoryFacts, PAGE_SIZE } from './plan.js'
import type { BuildRecord, RecordedKey } from './record.js'

const BATCH = 1000

/** Every row from the newest on, or from the one after a key. */
export function* rowsFrom(reader: HistoryReader, after?: RowKey): Generator<HistoryRow> {
  let last = after
  while (true) {
    const rows = reader.page({ after: last, limit: BATCH })
    yield* rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < BATCH) return
    last = keyOf(end)
  }
}

export function rowKeyOf(key: RecordedKey): RowKey {
  const parsed = parseTimestamp(key.origin_at)
  return {
    origin: parsed.ok ? parsed.instant : Number.NaN,
    horizonHours: key.horizon_hours,
    model: key.model_name,
  }
}

export function compareRows(a: RowKey, b: RowKey): number {
  return compareKeys(
    { origin: a.origin, horizon: a.horizonHours, model: a.model },
    { origin: b.origin, horizon: b.horizonHours, model: b.model },
  )
}

/**
 * Looks at the history as far as the build before needs it: at the rows that are newer than its last
 * sealed page, and at the number of all rows. Only when that number shows that a row has come in
 * late does it read on, to find the first page that is affected.
 */
export function gatherFacts(
  reader: HistoryReader,
  folder: string | undefined,
  before: BuildRecord | undefined,
): HistoryFacts {
  const forecasts = reader.count()
  if (before === undefined || folder === undefined || before.sealed_through === null) {
    return { forecasts, intactPages: 0, intactThrough: null }
  }
  const edge = rowKeyOf(before.sealed_through)
  let newer = 0
  for (const row of rowsFrom(reader)) {
    if (compareRows(keyOf(row), edge) >= 0) break
    newer++
  }
  if (forecasts - newer === before.sealed_pages * PAGE_SIZE) {
    const { sealed_pages: intactPages, sealed_through: intactThrough } = before
    return { forecasts, intactPages, intactThrough }
  }
  return { forecasts, ...lastIntact(reader, folder, before, forecasts) }
}

/**
 * The last page whose newest row is still the row at its end: no row can have come in below it.
 * Reads from the newest row down, and stops there.
 */
function lastIntact(
  reader: HistoryReader,
  folder: string,
  before: BuildRecord,
  forecasts: number,
): Pick<HistoryFacts, 'intactPages' | 'intactThrough'> {
  let below = forecasts
  for (const row of rowsFrom(reader)) {
    const page = below / PAGE_SIZE
    below--
    if (!Number.isInteger(page) || page > before.sealed_pages) continue
    const newest = newestOf(folder, page)
    if (newest !== undefined && compareRows(rowKeyOf(newest), keyOf(row)) === 0) {
      return { intactPages: page, intactThrough: newest }
    }
  }
  return { intactPages: 0, intactThrough: null }
}

function newestOf(folder: string, page: number): RecordedKey | undefined {
  try {
    const body = JSON.parse(readFileSync(join(folder, pageFile(page)), 'utf8'))
    return body.data[0].lineage.history_key as RecordedKey
  } catch {
    return undefined
  }
}
