import type { RuleName } from '../contract/conformance-rules.js'
import { formatStored, instantOrNaN } from '../contract/instant.js'
import type { ForecastResource, HistoryBody, LatestBody } from '../contract/types.js'
import type { Judge } from './judge.js'
import { type JudgedBody, judgeBody, Walk } from './payload.js'
import { codeOf, type ServiceClient } from './service-client.js'
import { unchanging } from './static.js'

const LATEST = '/v1/forecasts/latest'
const HISTORY = '/v1/forecasts'
const NOBODY = 'conformance-check-no-such-name'

type Query = Readonly<Record<string, string | number>>

function pathOf(query: Query): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? HISTORY : `${HISTORY}?${pairs.join('&')}`
}

async function page(
  judge: Judge,
  service: ServiceClient,
  query: Query,
  rule: RuleName,
): Promise<JudgedBody | undefined> {
  const path = pathOf(query)
  const where = service.root + path
  const { status, bytes } = await service.call({ path })
  if (!judge.expect(rule, status === 200, { where }, `answers ${status}`)) return undefined
  const body = judgeBody(judge, 'history', bytes, where)
  return body.sound ? body : undefined
}

const paginationOf = (body: JudgedBody) => (body.value as unknown as HistoryBody).pagination

/** The first page of the history; the newest forecast must be what latest shows. */
export async function judgeLatest(
  judge: Judge,
  service: ServiceClient,
): Promise<JudgedBody | undefined> {
  const first = await page(judge, service, {}, 'envelope')
  if (first === undefined) return undefined
  const { limit } = paginationOf(first)
  judge.expect('limit-default', limit === 50, first.place('/pagination/limit'), `is ${limit}`)
  await service.refuses('latest-parameters', 400, 'invalid_request', { path: `${LATEST}?limit=1` })
  const [newest] = first.rows
  if (newest === undefined) {
    await service.refuses('latest-empty', 404, 'forecast_not_found', { path: LATEST })
    return first
  }
  judge.skip(['latest-empty'], 'the history is not empty')
  const where = service.root + LATEST
  const { status, bytes } = await service.call({ path: LATEST })
  if (!judge.expect('latest-newest', status === 200, { where }, `answers ${status}`)) return first
  const latest = judgeBody(judge, 'latest', bytes, where)
  const data = (latest.value as unknown as LatestBody | undefined)?.data
  if (!latest.sound || data === undefined) return first
  const origin = (row: ForecastResource) => instantOrNaN(row.origin_at)
  const greatest = origin(data) >= origin(newest)
  const detail = `is of ${data.origin_at}, while the history has ${newest.origin_at}`
  judge.expect('latest-newest', greatest, latest.place('/data/origin_at'), detail)
  const listed = first.rows.find((row) => row.forecast_id === data.forecast_id)
  if (listed !== undefined) {
    const same = unchanging(listed) === unchanging(data)
    judge.expect(
      'same-resource',
      same,
      latest.place('/data'),
      `${data.forecast_id} is another there`,
    )
  }
  return first
}

/** Walks by cursor, at most so many pages. */
export async function judgeWalk(
  judge: Judge,
  service: ServiceClient,
  pages: number,
  onPage?: (pages: number) => void,
): Promise<void> {
  const walk = new Walk(judge, 'cursor-walk')
  let query: Query = { limit: 100 }
  for (let count = 1; count <= pages; count++) {
    const body = await page(judge, service, query, 'cursor-walk')
    if (body === undefined) return
    walk.add(body)
    onPage?.(count)
    const { next_cursor } = paginationOf(body)
    const at = body.place('/pagination/next_cursor')
    if (next_cursor === null) {
      judge.look('cursor-end')
      return
    }
    judge.expect('cursor-walk', body.rows.length > 0, at, 'an empty page names a next one')
    if (body.rows.length === 0) return
    query = { limit: 100, cursor: next_cursor }
  }
  judge.skip(['cursor-end'], `only ${pages} pages were looked at; --pages allows more`)
}

export async function judgeCursors(
  judge: Judge,
  service: ServiceClient,
  model: string,
): Promise<void> {
  const first = await page(judge, service, { limit: 1 }, 'envelope')
  const cursor = first === undefined ? null : paginationOf(first).next_cursor
  const invalid = (rule: RuleName, query: Query) =>
    service.refuses(rule, 400, 'invalid_request', { path: pathOf(query) })
  await invalid('cursor-invalid', { cursor: 'made-up' })
  await invalid('cursor-invalid', { cursor: '' })
  if (cursor === null) return
  const middle = cursor.length >> 1
  const swapped = cursor[middle] === 'A' ? 'B' : 'A'
  const edited = cursor.slice(0, middle) + swapped + cursor.slice(middle + 1)
  for (const made of [edited, `${cursor}A`, `${cursor}=`, `${cursor}!`, cursor.slice(0, -1)]) {
    await invalid('cursor-invalid', { limit: 1, cursor: made })
  }
  await invalid('cursor-filters', { cursor, model })
  await invalid('cursor-filters', { cursor, horizon_hours: 1 })
}

const MALFORMED: readonly Query[] = [
  { origin_from: 'yesterday' },
  { origin_from: '2026-01-01' },
  { origin_from: '2026-01-01T00:00:00' },
  { origin_to: '2026-02-30T00:00:00Z' },
  { origin_to: '2026-01-01T25:00:00Z' },
  { origin_to: '' },
  { horizon_hours: 0 },
  { horizon_hours: -1 },
  { horizon_hours: '2.0' },
  { horizon_hours: 'two' },
  { horizon_hours: '' },
]

export async function judgeParameters(judge: Judge, service: ServiceClient): Promise<void> {
  const invalid = (rule: RuleName, path: string) =>
    service.refuses(rule, 400, 'invalid_request', { path })
  for (const limit of ['0', '101', '-1', '1.5', 'ten', '']) {
    await invalid('limit-bounds', pathOf({ limit }))
  }
  for (const limit of [1, 100]) {
    const body = await page(judge, service, { limit }, 'limit-bounds')
    if (body === undefined) continue
    const told = paginationOf(body).limit
    judge.expect(
      'limit-bounds',
      told === limit,
      body.place('/pagination/limit'),
      `is ${told}, not ${limit}`,
    )
  }
  await invalid('unknown-parameter', `${HISTORY}?colour=red`)
  await invalid('unknown-parameter', `${HISTORY}?Limit=5`)
  await invalid('repeated-parameter', `${HISTORY}?limit=5&limit=5`)
  await invalid('repeated-parameter', `${HISTORY}?model=a&model=b`)
  for (const query of MALFORMED) await invalid('filter-malformed', pathOf(query))
  for (const query of [
    { model: NOBODY },
    { run_id: NOBODY },
    { origin_from: '2200-01-01T00:00:00Z' },
  ]) {
    const body = await page(judge, service, query, 'filter-nothing')
    if (body === undefined) continue
    const empty = body.rows.length === 0 && paginationOf(body).next_cursor === null
    judge.expect(
      'filter-nothing',
      empty,
      body.place('/data'),
      `holds ${body.rows.length} forecasts`,
    )
  }
}

/** Asks for what one forecast has, and looks whether it comes, and nothing else. */
export async function judgeFilters(
  judge: Judge,
  service: ServiceClient,
  sample: ForecastResource,
): Promise<void> {
  const ask = async (rule: RuleName, query: Query, fits: (row: ForecastResource) => boolean) => {
    const body = await page(judge, service, query, rule)
    if (body === undefined) return
    const odd = body.rows.findIndex((row) => !fits(row))
    const named = body.rows[odd]?.forecast_id
    judge.expect(rule, odd < 0, body.place(`/data/${odd}`), `${named} does not fit the filter`)
    const there = body.rows.some((row) => row.forecast_id === sample.forecast_id)
    const full = body.rows.length === paginationOf(body).limit
    const detail = `${sample.forecast_id} fits the filter and is not there`
    judge.expect(rule, there || full, body.place('/data'), detail)
  }
  const { horizon_hours, model, run } = sample
  await ask('filter-horizon', { horizon_hours }, (row) => row.horizon_hours === horizon_hours)
  await ask('filter-model', { model: model.name }, (row) => row.model.name === model.name)
  if (run.id !== null) {
    const { id } = run
    await ask('filter-run', { run_id: id }, (row) => row.run.id === id)
  } else judge.skip(['filter-run'], 'the newest forecast has no run id')
  const at = instantOrNaN(sample.origin_at)
  const east = `${formatStored(at + 7_200_000_000).slice(0, -6)}+02:00`
  for (const spelling of [sample.origin_at, east]) {
    const query = { origin_from: spelling, origin_to: spelling, limit: 100 }
    await ask('filter-origin', query, (row) => instantOrNaN(row.origin_at) === at)
  }
  const path = `${HISTORY}?origin_from=${sample.origin_at.replace('-', '%2D')}`
  if (sample.origin_at.includes('+')) {
    const answer = await service.call({ path })
    const sound = answer.status === 400 && codeOf(answer) === 'invalid_request'
    const detail = `a + that stands for a space: answers ${answer.status}`
    judge.expect('filter-malformed', sound, { where: service.root + path }, detail)
  }
}
