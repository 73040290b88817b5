import { rowKey } from '../../forecast/row.js'
import { forecastSerializer, type SerializedForecast } from '../../forecast/serialize.js'
import type { HistoryReader } from '../../history/store/types.js'
import { attemptFiles } from '../attempts.js'
import type { BuildRecord, RecordedKey } from '../record.js'
import { compareRows, exactRows, recordedKey, rowKeyOf, rowsFrom } from '../rows.js'
import type { BuiltSite } from '../writer/types.js'
import { type AttemptFacts, PAGE_SIZE, type PlanFacts } from './plan.js'

/** What is new among the recorded attempts since the build before. */
export async function attemptFacts(
  reader: HistoryReader,
  site: BuiltSite | undefined,
  before: BuildRecord | undefined,
): Promise<AttemptFacts | null> {
  const mark = await reader.attemptMark()
  if (mark === undefined) return null
  const published = await attemptFiles(before?.building === true ? undefined : site)
  const months = await reader.attemptMonths(before?.attempts ?? undefined)
  const fresh = months.filter(
    ({ month, attempts, changed }) => changed || published.get(month)?.attempts !== attempts,
  )
  const names = (some: typeof months) => some.map(({ month }) => month)
  return { mark, months: names(months), newMonths: names(fresh) }
}

/**
 * Looks at the history as far as the build before needs it: at what was written after its mark. Where
 * there is no mark to go by, or a row has come in late, pages are compared, from the newest down.
 * @param count whether to count all rows though there is a mark, for it has misled.
 */
export async function gatherFacts(
  reader: HistoryReader,
  site: BuiltSite | undefined,
  before: BuildRecord | undefined,
  count: boolean,
): Promise<PlanFacts> {
  const marked = before?.mark && !count ? await reader.rowsSince(before.mark) : undefined
  const mark = (await reader.mark()) ?? null
  const counted =
    marked !== undefined && site !== undefined && before !== undefined
      ? await forecastsIn(site, before)
      : undefined
  const forecasts =
    marked === undefined || counted === undefined ? await reader.count() : counted + marked.length
  if (before === undefined || site === undefined || before.sealed_through === null) {
    return { forecasts, mark, intactPages: 0, intactThrough: null }
  }
  if (before.mark !== null && !count && marked === undefined) {
    // The row that was written last is another one: this is not the history of before and later rows.
    return { forecasts, mark, ...(await sameAsBefore(reader, site, before, forecasts)) }
  }
  const edge = rowKeyOf(before.sealed_through)
  if (marked?.every((key) => compareRows(key, edge) < 0)) {
    const { sealed_pages: intactPages, sealed_through: intactThrough } = before
    return { forecasts, mark, intactPages, intactThrough }
  }
  return { forecasts, mark, ...(await lastIntact(reader, site, before, forecasts)) }
}

/**
 * The forecasts that the build before tells of; undefined where its pages do not bear that out: then
 * the history has to be counted. A build at work may have more pages or fewer.
 */
async function forecastsIn(site: BuiltSite, before: BuildRecord): Promise<number | undefined> {
  const { building, pages, forecasts } = before
  const isLast =
    (pages === 0 || (await site.page(pages)) !== undefined) &&
    (await site.page(pages + 1)) === undefined
  return building !== true && isLast ? forecasts : undefined
}

type IntactPages = Pick<PlanFacts, 'intactPages' | 'intactThrough'>

/**
 * The last page whose newest row is still the row at its end: no row can have come in below it.
 * Reads from the newest row down, and stops there.
 */
export async function lastIntact(
  reader: HistoryReader,
  site: BuiltSite,
  before: BuildRecord,
  forecasts: number,
): Promise<IntactPages> {
  let below = forecasts
  for await (const rows of rowsFrom(reader)) {
    for (const row of rows) {
      const page = below / PAGE_SIZE
      below--
      if (!Number.isInteger(page) || page > before.sealed_pages) continue
      const newest = await newestOf(site, page)
      if (newest !== undefined && compareRows(rowKeyOf(newest), rowKey(row)) === 0) {
        return { intactPages: page, intactThrough: newest }
      }
    }
  }
  return { intactPages: 0, intactThrough: null }
}

async function newestOf(site: BuiltSite, page: number): Promise<RecordedKey | undefined> {
  try {
    const body = JSON.parse(String(await site.page(page)))
    return body.data[0].lineage.history_key as RecordedKey
  } catch {
    return undefined
  }
}

/** The pages, from the first on, whose forecasts are those of the history. Reads all of both. */
export async function sameAsBefore(
  reader: HistoryReader,
  site: BuiltSite,
  before: BuildRecord,
  forecasts: number,
): Promise<IntactPages> {
  const pages = Math.floor(forecasts / PAGE_SIZE)
  const head = await exactRows(reader, undefined, forecasts - pages * PAGE_SIZE)
  const serialize = forecastSerializer()
  let last = head.at(-1)
  let intactPages = Math.min(before.sealed_pages, pages)
  let intactThrough: RecordedKey | null = null
  for (let page = pages; page > 0; page--) {
    const rows = await exactRows(reader, last && rowKey(last), PAGE_SIZE)
    last = rows.at(-1)
    if (page > before.sealed_pages) continue
    intactThrough ??= recordedKey(rows[0])
    const text = (await site.page(page))?.toString('latin1')
    if (text !== undefined && holdsInOrder(text, rows.map(serialize))) continue
    intactPages = page - 1
    intactThrough = null
  }
  return { intactPages, intactThrough }
}

function holdsInOrder(text: string, forecasts: readonly SerializedForecast[]): boolean {
  let at = 0
  return forecasts.every(({ head }) => {
    at = text.indexOf(head, at)
    if (at < 0) return false
    at += head.length
    return true
  })
}
