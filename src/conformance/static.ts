import { instantOrNaN } from '../contract/instant.js'
import type { ForecastResource, StaticLatestBody, StaticPageBody } from '../contract/types.js'
import type { Deployment } from '../remote/deployment.js'
import type { Judge } from './judge.js'
import { type JudgedBody, judgeBody, Walk } from './payload.js'

export interface StaticOptions {
  readonly deployment: Deployment
  /** Where latest.json is read. */
  readonly latest: string
  /** Follow no more pages than this. */
  readonly pages?: number | undefined
  readonly onPage?: ((pages: number) => void) | undefined
}

/** Places of all pages that were reached, in order from the head. */
export async function judgeStatic(judge: Judge, options: StaticOptions): Promise<string[]> {
  const { deployment } = options
  const head = await deployment.read(deployment.head)
  judge.expect('head-file', head !== undefined, { where: deployment.head }, 'is not there')
  const latest = await deployment.read(options.latest)
  judge.expect('latest-file', latest !== undefined, { where: options.latest }, 'is not there')
  const reached: string[] = []
  if (head === undefined) {
    judge.skip(['chain-complete', 'chain-ends', 'page-order'], 'there is no first page')
    return reached
  }
  const first = judgeBody(judge, 'static-page', head.bytes, head.where)
  if (latest !== undefined) {
    judgeLatest(judge, judgeBody(judge, 'static-latest', latest.bytes, latest.where), first)
  }
  judgeHead(judge, first)
  const walk = new Walk(judge)
  let body = first
  let place = deployment.head
  const visited = new Set<string>()
  for (let pages = 1; ; pages++) {
    reached.push(place)
    visited.add(place)
    walk.add(body)
    judgeAges(judge, body, first)
    options.onPage?.(pages)
    if (body.value === undefined) return reached
    const next = deployment.next(body.value, place)
    const at = body.place('/pagination/next_url')
    if (next === null) {
      judge.look('chain-ends')
      return reached
    }
    if (!judge.expect('chain-ends', !visited.has(next), at, `leads back to ${next}`)) return reached
    if (pages === options.pages) {
      judge.skip(['chain-ends', 'pages-reachable'], `only ${pages} pages were looked at`)
      return reached
    }
    const page = await deployment.read(next)
    judge.expect('chain-complete', page !== undefined, at, `${next} is not there`)
    if (page === undefined) return reached
    place = next
    body = judgeBody(judge, 'static-page', page.bytes, page.where)
  }
}

function judgeLatest(judge: Judge, latest: JudgedBody, head: JudgedBody): void {
  const body = latest.value as StaticLatestBody | undefined
  if (!latest.sound || !head.sound || body === undefined) return
  const newest = head.rows[0]
  const at = latest.place('/data')
  const empty = newest === undefined
  const detail = empty
    ? 'data is not null, but the history is empty'
    : 'data is null, but the history is not empty'
  if (!judge.expect('latest-null', (body.data === null) === empty, at, detail) || empty) return
  const same = body.data !== null && unchanging(body.data) === unchanging(newest)
  judge.expect(
    'latest-is-newest',
    same,
    at,
    `is not the forecast ${newest.forecast_id} as forecasts.json has it`,
  )
  const snapshot = (head.value as unknown as StaticPageBody).snapshot_at
  const detailOf = `latest.json is of ${body.snapshot_at}, forecasts.json of ${snapshot}`
  judge.expect(
    'snapshot',
    instantOrNaN(body.snapshot_at) === instantOrNaN(snapshot),
    latest.place('/snapshot_at'),
    detailOf,
  )
}

function judgeHead(judge: Judge, head: JudgedBody): void {
  const [newest] = head.rows
  if (!head.sound || newest === undefined) return
  const { observed_at } = (head.value as unknown as StaticPageBody).freshness
  const same = instantOrNaN(observed_at) === instantOrNaN(newest.origin_at)
  const detail = `observed_at is ${observed_at}, the newest origin ${newest.origin_at}`
  judge.expect('page-freshness', same, head.place('/freshness/observed_at'), detail)
}

const SECOND = 1_000_000

function judgeAges(judge: Judge, body: JudgedBody, head: JudgedBody): void {
  if (!body.sound || !head.sound) return
  const page = body.value as unknown as StaticPageBody
  const snapshot = instantOrNaN(page.snapshot_at)
  const newest = (head.value as unknown as StaticPageBody).snapshot_at
  const later = `is of ${page.snapshot_at}, after the head's ${newest}`
  judge.expect('snapshot', snapshot <= instantOrNaN(newest), body.place('/snapshot_at'), later)
  for (const [index, row] of body.rows.entries()) {
    const { observed_at, age_seconds } = row.freshness
    const age = Math.max(0, (snapshot - instantOrNaN(observed_at)) / SECOND)
    const near = Math.abs(age - age_seconds) <= 60
    const detail = `age_seconds is ${age_seconds}; the snapshot was ${age} s after ${observed_at}`
    judge.expect('freshness-age', near, body.place(`/data/${index}/freshness/age_seconds`), detail)
  }
}

/** A forecast without what may differ between two readings of it. */
export function unchanging({ freshness, ...rest }: ForecastResource): string {
  return JSON.stringify(sorted(rest))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}
