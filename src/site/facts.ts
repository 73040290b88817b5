import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTimestamp } from '../contract/instant.js'
import { compareKeys } from '../contract/order.js'
import { keyOf } from '../history/pages.js'
import type { HistoryReader, HistoryRow, RowKey } from '../history/types.js'
import { pageFile } from './layout.js'
import { type AttemptFacts, type HistoryFacts, PAGE_SIZE } from './plan.js'
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

/** What is new among the recorded attempts since the build before. */
export function attemptFacts(
  reader: HistoryReader,
  before: BuildRecord | undefined,
): AttemptFacts | null {
  const mark = reader.attemptMark()
  if (mark === undefined) return null
  return { mark, newMonths: reader.attemptMonths(before?.attempts ?? undefined) }
}

/**
 * Looks at the history as far as the build before needs it: at what was written after its mark. Where
 * there is no mark to go by, all rows are counted, and those newer than the last sealed page: unless
 * the numbers agree, a row has come in late. Only then are pages compared, from the newest down.
 * @param count whether to count all rows though there is a mark, for it has misled.
 */
export function gatherFacts(
  reader: HistoryReader,
  folder: string | undefined,
  before: BuildRecord | undefined,
  count: boolean,
): HistoryFacts {
  const marked = before?.mark && !count ? reader.rowsSince(before.mark) : undefined
  const mark = reader.mark() ?? null
  const forecasts = marked === undefined ? reader.count() : (before?.forecasts ?? 0) + marked.length
  if (before === undefined || folder === undefined || before.sealed_through === null) {
    return { forecasts, mark, intactPages: 0, intactThrough: null }
  }
  const edge = rowKeyOf(before.sealed_through)
  const intact =
    marked === undefined
      ? forecasts - newerThan(reader, edge) === before.sealed_pages * PAGE_SIZE
      : marked.every((key) => compareRows(key, edge) < 0)
  if (intact) {
    const { sealed_pages: intactPages, sealed_through: intactThrough } = before
    return { forecasts, mark, intactPages, intactThrough }
  }
  return { forecasts, mark, ...lastIntact(reader, folder, before, forecasts) }
}

function newerThan(reader: HistoryReader, edge: RowKey): number {
  let newer = 0
  for (const row of rowsFrom(reader)) {
    if (compareRows(keyOf(row), edge) >= 0) break
    newer++
  }
  return newer
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
