import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RowKey, rowKey } from '../forecast/row.js'
import type { HistoryReader } from '../history/store/types.js'
import { monthFile } from '../remote/attempts.js'
import { attemptFiles } from './attempts-index.js'
import { pageFile } from './layout.js'
import { type AttemptFacts, type HistoryFacts, PAGE_SIZE } from './plan.js'
import type { BuildRecord, RecordedKey } from './record.js'
import { compareRows, rowKeyOf, rowsFrom } from './rows.js'
import { sameAsBefore } from './same-rows.js'

/** What is new among the recorded attempts since the build before, which lies in a folder. */
export async function attemptFacts(
  reader: HistoryReader,
  folder: string | undefined,
  before: BuildRecord | undefined,
): Promise<AttemptFacts | null> {
  const mark = await reader.attemptMark()
  if (mark === undefined) return null
  const whole = folder !== undefined && before?.building !== true
  const published = whole ? attemptFiles(folder) : undefined
  const months = await reader.attemptMonths(before?.attempts ?? undefined)
  const fresh = months.filter(
    ({ month, attempts, changed }) =>
      changed || published?.get(monthFile(month))?.attempts !== attempts,
  )
  const names = (some: typeof months) => some.map(({ month }) => month)
  return { mark, months: names(months), newMonths: names(fresh) }
}

/**
 * Looks at the history as far as the build before needs it: at what was written after its mark. Where
 * there is no mark to go by, all rows are counted, and those newer than the last sealed page: unless
 * the numbers agree, a row has come in late. Only then are pages compared, from the newest down.
 * @param count whether to count all rows though there is a mark, for it has misled.
 */
export async function gatherFacts(
  reader: HistoryReader,
  folder: string | undefined,
  before: BuildRecord | undefined,
  count: boolean,
): Promise<HistoryFacts> {
  const marked = before?.mark && !count ? await reader.rowsSince(before.mark) : undefined
  const mark = (await reader.mark()) ?? null
  const forecasts =
    marked === undefined ? await reader.count() : (before?.forecasts ?? 0) + marked.length
  if (before === undefined || folder === undefined || before.sealed_through === null) {
    return { forecasts, mark, intactPages: 0, intactThrough: null }
  }
  if (before.mark !== null && !count && marked === undefined) {
    // The row that was written last is another one: this is not the history of before and later rows.
    return { forecasts, mark, ...(await sameAsBefore(reader, folder, before, forecasts)) }
  }
  const edge = rowKeyOf(before.sealed_through)
  const intact =
    marked === undefined
      ? forecasts - (await newerThan(reader, edge)) === before.sealed_pages * PAGE_SIZE
      : marked.every((key) => compareRows(key, edge) < 0)
  if (intact) {
    const { sealed_pages: intactPages, sealed_through: intactThrough } = before
    return { forecasts, mark, intactPages, intactThrough }
  }
  return { forecasts, mark, ...(await lastIntact(reader, folder, before, forecasts)) }
}

async function newerThan(reader: HistoryReader, edge: RowKey): Promise<number> {
  let newer = 0
  for await (const row of rowsFrom(reader)) {
    if (compareRows(rowKey(row), edge) >= 0) break
    newer++
  }
  return newer
}

/**
 * The last page whose newest row is still the row at its end: no row can have come in below it.
 * Reads from the newest row down, and stops there.
 */
async function lastIntact(
  reader: HistoryReader,
  folder: string,
  before: BuildRecord,
  forecasts: number,
): Promise<Pick<HistoryFacts, 'intactPages' | 'intactThrough'>> {
  let below = forecasts
  for await (const row of rowsFrom(reader)) {
    const page = below / PAGE_SIZE
    below--
    if (!Number.isInteger(page) || page > before.sealed_pages) continue
    const newest = newestOf(folder, page)
    if (newest !== undefined && compareRows(rowKeyOf(newest), rowKey(row)) === 0) {
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
