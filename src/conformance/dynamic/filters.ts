import type { RuleName } from '../../contract/conformance-rules.js'
import {
  formatStored,
  instantOrNaN,
  MICROS_PER_HOUR,
  MICROS_PER_SECOND,
} from '../../contract/instant.js'
import { LIMITS } from '../../contract/limits.js'
import type { ForecastResource } from '../../contract/types.js'
import { codeOf } from './answer.js'
import type { Known } from './known.js'
import type { HistoryPages } from './reader.js'
import { HISTORY, NO_SUCH_NAME, type Query } from './routes.js'

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
    if (page !== undefined) known.judgePage(pages.judge, rule, page, fits)
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
  const detail = `a + that stands for a space: answers ${answer.status}`
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
    pages.judge.expect('filter-nothing', empty, () => page.place('/data'), detail)
  }
}
