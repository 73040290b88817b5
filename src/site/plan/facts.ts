import type { HistoryReader } from '../../history/store/types.js'
import { attemptFiles } from '../attempts.js'
import type { BuildRecord } from '../record.js'
import { compareRows, rowKeyOf } from '../rows.js'
import type { BuiltSite } from '../writer/types.js'
import { lastIntact, sameAsBefore } from './intact-pages.js'
import type { AttemptFacts, PlanFacts } from './plan.js'

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
