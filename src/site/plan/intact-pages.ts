import { rowKey } from '../../forecast/row.js'
import { forecastSerializer, type SerializedForecast } from '../../forecast/serialize.js'
import type { HistoryReader } from '../../history/store/types.js'
import type { BuildRecord, RecordedKey } from '../record.js'
import { compareRows, exactRows, recordedKey, rowKeyOf, rowsFrom } from '../rows.js'
import type { BuiltSite } from '../writer/types.js'
import { PAGE_SIZE, type PlanFacts } from './plan.js'

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
