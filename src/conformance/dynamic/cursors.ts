import type { RuleName } from '../../contract/conformance-rules.js'
import { formatStored, instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import type { ForecastResource } from '../../contract/types.js'
import type { ServiceClient } from './client.js'
import type { HistoryPages } from './reader.js'
import { HISTORY, NO_SUCH_NAME, pathOf, type Query } from './routes.js'

/** Cursors open only as they were given, and only with the filters that they were given with. */
export async function judgeCursors(pages: HistoryPages, sample: ForecastResource): Promise<void> {
  const { judge, service } = pages
  const cursor = (await pages.page('envelope', { limit: 1 }))?.next ?? null
  if (cursor === null) {
    judge.skip(['cursor-filters'], 'the history is too short to have a cursor')
    return
  }
  const invalid = (rule: RuleName, path: string) =>
    service.refuses(rule, 400, 'invalid_request', { path })
  for (const made of edited(cursor)) {
    await invalid('cursor-invalid', pathOf({ limit: 1, cursor: made }))
  }
  const token = encodeURIComponent(cursor)
  await invalid('repeated-parameter', `${HISTORY}?limit=1&cursor=${token}&cursor=${token}`)
  for (const [filter, other] of filtersOf(sample)) {
    await judgeBinding(pages, service, cursor, filter, other)
  }
}

function edited(cursor: string): string[] {
  const middle = cursor.length >> 1
  const swapped = cursor[middle] === 'A' ? 'B' : 'A'
  const inside = cursor.slice(0, middle) + swapped + cursor.slice(middle + 1)
  return [inside, `${cursor}A`, `${cursor}=`, `${cursor}!`, cursor.slice(0, -1)]
}

/** Each filter with the value of a forecast, and with another one. */
function filtersOf(sample: ForecastResource): (readonly [Query, Query])[] {
  const at = instantOrNaN(sample.origin_at)
  const earlier = formatStored(at - MICROS_PER_HOUR)
  const later = formatStored(at + MICROS_PER_HOUR)
  const { horizon_hours, model, run } = sample
  return [
    [{ origin_from: formatStored(at) }, { origin_from: earlier }],
    [{ origin_to: formatStored(at) }, { origin_to: later }],
    [{ horizon_hours }, { horizon_hours: horizon_hours + 1 }],
    [{ model: model.name }, { model: NO_SUCH_NAME }],
    ...(run.id === null ? [] : [[{ run_id: run.id }, { run_id: NO_SUCH_NAME }] as const]),
  ]
}

/** A filter may be neither added to a cursor, nor taken from it, nor changed. */
async function judgeBinding(
  pages: HistoryPages,
  service: ServiceClient,
  plain: string,
  filter: Query,
  other: Query,
): Promise<void> {
  const refuses = (query: Query) =>
    service.refuses('cursor-filters', 400, 'invalid_request', {
      path: pathOf({ ...query, limit: 1 }),
    })
  await refuses({ ...filter, cursor: plain })
  const cursor = (await pages.page('envelope', { ...filter, limit: 1 }))?.next ?? null
  if (cursor === null) return
  await refuses({ cursor })
  await refuses({ ...other, cursor })
}
