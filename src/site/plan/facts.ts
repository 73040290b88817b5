import { ContractBreach } from '../../contract/breach.js'
import { type HistoryRow, rowKey } from '../../forecast/row.js'
import { forecastSerializer } from '../../forecast/serialize.js'
import type { HistoryReader } from '../../store/types.js'
import { attemptFiles } from '../attempts.js'
import type { BuildRecord } from '../record.js'
import { compareRows, exactRows, recordedKey, rowKeyOf } from '../rows.js'
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
    return { forecasts, mark, ...NO_PAGES }
  }
  const edge = rowKeyOf(before.sealed_through)
  if (marked?.every((key) => compareRows(key, edge) < 0)) {
    const { sealed_pages: intactPages, sealed_through: intactThrough } = before
    return { forecasts, mark, intactPages, intactThrough }
  }
  // Where the row that was written last is another one, this is not the history of before and later rows.
  const isOther = before.mark !== null && !count && marked === undefined
  return { forecasts, mark, ...(await intactPages(reader, site, before, forecasts, isOther)) }
}

/**
 * The forecasts of the build before, by its record; undefined where its pages differ from that: then
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
const NO_PAGES: IntactPages = { intactPages: 0, intactThrough: null }

/**
 * The last page that still has the rows at its end, from the newest down.
 * @param all whether rows below it may be others as well: then all pages are read, and all rows.
 */
async function intactPages(
  reader: HistoryReader,
  site: BuiltSite,
  before: BuildRecord,
  forecasts: number,
  all: boolean,
): Promise<IntactPages> {
  const pages = Math.floor(forecasts / PAGE_SIZE)
  const head = await exactRows(reader, undefined, forecasts - pages * PAGE_SIZE)
  let last = head.at(-1)
  let intact: IntactPages | undefined
  for (let page = pages; page > 0; page--) {
    const rows = await exactRows(reader, last && rowKey(last), PAGE_SIZE)
    last = rows.at(-1)
    if (page > before.sealed_pages) continue
    const text = (await site.page(page))?.toString('latin1')
    if (text === undefined || !holdsInOrder(text, rows)) intact = undefined
    else intact ??= { intactPages: page, intactThrough: recordedKey(rows[0]) }
    if (intact !== undefined && !all) break
  }
  return intact ?? NO_PAGES
}

/** Whether a page has these rows in their order; not where one of them can be shown on none. */
function holdsInOrder(text: string, rows: readonly HistoryRow[]): boolean {
  let at = 0
  try {
    return rows.map(forecastSerializer()).every(({ head }) => {
      at = text.indexOf(head, at)
      if (at < 0) return false
      at += head.length
      return true
    })
  } catch (cause) {
    if (!(cause instanceof ContractBreach)) throw cause
    return false
  }
}
