import type { RuleName } from '../../contract/conformance-rules.js'
import {
  formatStored,
  instantOrNaN,
  MICROS_PER_HOUR,
  MICROS_PER_SECOND,
} from '../../contract/instant.js'
import { LIMITS } from '../../contract/limits.js'
import type { ForecastResource } from '../../contract/types.js'
import { codeOf, HISTORY, NO_SUCH_NAME, pathOf, type Query } from './client.js'
import type { HistoryPages, Known } from './pages.js'

const LIMIT = LIMITS.pageMaximum

/**
 * The forecast in the middle: there are others on both sides. Rather one near it that has a run, and another model
 * and horizon than the newest, which a filter that is ignored then shows.
 */
export function sampleOf({ rows }: Known): ForecastResource | undefined {
  const [newest] = rows
  const later = rows.slice(rows.length >> 1)
  const inRun = later.filter(({ run }) => run.id !== null)
  const isOther = ({ model, horizon_hours }: ForecastResource) =>
    model.name !== newest?.model.name && horizon_hours !== newest?.horizon_hours
  return inRun.find(isOther) ?? inRun[0] ?? later[0]
}

/** Asks for what one forecast has, and looks whether all that fits comes, and nothing else. */
export async function judgeFilters(
  pages: HistoryPages,
  known: Known,
  sample: ForecastResource,
): Promise<void> {
  const ask = async (rule: RuleName, query: Query, fits: (row: ForecastResource) => boolean) => {
    const page = await pages.page(rule, query)
    if (page !== undefined) known.judgePage(rule, page, fits)
  }
  const { horizon_hours, model, run } = sample
  await ask(
    'filter-horizon',
    { horizon_hours, limit: LIMIT },
    (row) => row.horizon_hours === horizon_hours,
  )
  for (const name of namesLike(model.name)) {
    await ask('filter-model', { model: name, limit: LIMIT }, (row) => row.model.name === name)
  }
  for (const id of run.id === null ? [] : namesLike(run.id)) {
    await ask('filter-run', { run_id: id, limit: LIMIT }, (row) => row.run.id === id)
  }
  if (run.id === null) pages.judge.skip(['filter-run'], 'no forecast near the middle has a run id')
  await judgeOrigins(pages, sample, ask)
  await judgeNothing(pages)
}

/** A name, its beginning, the name in another case, and patterns that match it: filters are exact. */
function namesLike(name: string): string[] {
  const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
  const start = [...name].slice(0, -1).join('')
  return [...new Set([name, start, swapped, `${start}_`, '%'])].filter((text) => text !== '')
}

async function judgeOrigins(
  { judge, service }: HistoryPages,
  sample: ForecastResource,
  ask: (rule: RuleName, query: Query, fits: (row: ForecastResource) => boolean) => Promise<void>,
): Promise<void> {
  const at = instantOrNaN(sample.origin_at)
  const origin = (row: ForecastResource) => instantOrNaN(row.origin_at)
  const own = sample.origin_at
  const earlier = formatStored(at - MICROS_PER_HOUR)
  const near = (seconds: number) => formatStored(at + seconds * MICROS_PER_SECOND)
  const bounds: readonly Query[] = [
    ...[own, spelt(at, 2), spelt(at, -5)].map((both) => ({ origin_from: both, origin_to: both })),
    { origin_from: own },
    { origin_to: own },
    // The origin lies outside by a part of a second.
    { origin_from: near(0.25), origin_to: near(0.75) },
    { origin_from: near(-0.75), origin_to: near(-0.25) },
    { origin_from: own, origin_to: earlier },
    { origin_from: '2024-02-29T00:00:00Z' },
  ]
  for (const query of bounds) {
    // NaN where there is none.
    const [first, last] = [query.origin_from, query.origin_to].map((end) => instantOrNaN(`${end}`))
    const fits = (row: ForecastResource) => !(origin(row) < first!) && !(origin(row) > last!)
    await ask('filter-origin', { ...query, limit: LIMIT }, fits)
  }
  const path = `${HISTORY}?origin_from=${spelt(at, 2)}`
  const answer = await service.call({ path })
  const sound = answer.status === 400 && codeOf(answer) === 'invalid_request'
  const detail = `a + that means a space: answers ${answer.status}`
  judge.expect('filter-malformed', sound, { where: service.root + path }, detail)
}

/** An instant as it is written so many hours off UTC. */
function spelt(at: number, hours: number): string {
  const offset = `${hours < 0 ? '-' : '+'}0${Math.abs(hours)}:00`
  return formatStored(at + hours * MICROS_PER_HOUR).slice(0, -6) + offset
}

/** Filters that nothing matches are no error. */
export async function judgeNothing(pages: HistoryPages): Promise<void> {
  const queries = [
    { model: NO_SUCH_NAME },
    { run_id: NO_SUCH_NAME },
    { origin_from: '2200-01-01T00:00:00Z' },
  ]
  for (const query of queries) {
    const page = await pages.page('filter-nothing', query)
    if (page === undefined) continue
    const empty = page.rows.length === 0 && page.next === null
    const detail = `holds ${page.rows.length} forecasts`
    page.expect('filter-nothing', empty, '/data', detail)
  }
}

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
    await judgeBinding(pages, cursor, filter, other)
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
  plain: string,
  filter: Query,
  other: Query,
): Promise<void> {
  const refuses = (query: Query) =>
    pages.service.refuses('cursor-filters', 400, 'invalid_request', {
      path: pathOf({ ...query, limit: 1 }),
    })
  await refuses({ ...filter, cursor: plain })
  const cursor = (await pages.page('envelope', { ...filter, limit: 1 }))?.next ?? null
  if (cursor === null) return
  await refuses({ cursor })
  await refuses({ ...other, cursor })
}
