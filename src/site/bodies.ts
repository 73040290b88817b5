import { checkStaticLatestBody, checkStaticPageBody } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { type Finding, holds } from '../contract/finding.js'
import { formatStored, type Instant } from '../contract/instant.js'
import { API_VERSION } from '../contract/limits.js'
import type { Freshness } from '../contract/types.js'
import { freshnessAt } from '../history/freshness.js'
import { resourceOf, rowFreshness } from '../history/resource.js'
import type { HistoryRow } from '../history/types.js'
import { PAGE_SIZE } from './plan.js'

/** The moment a site is a picture of. */
export interface Snapshot {
  readonly now: Instant
  readonly staleAfterSeconds: number
  /** Newest origin of the whole history; undefined when it is empty. */
  readonly newestOrigin: Instant | undefined
}

/** A body as it is written, and whether all its forecasts are stale: then it can be sealed. */
export interface PageText {
  readonly text: string
  readonly allStale: boolean
}

function collectionFreshness({ newestOrigin, now, staleAfterSeconds }: Snapshot): Freshness {
  return freshnessAt(newestOrigin, now, staleAfterSeconds)
}

/** Nothing is published that breaks the contract; which row it is has to be said. */
function demand(findings: readonly Finding[], body: { readonly data: unknown }): void {
  if (holds(findings)) return
  const fault = findings.find(({ severity }) => severity === 'error')
  const index = /^\/data\/(\d+)/.exec(fault?.pointer ?? '')?.[1]
  const row = Array.isArray(body.data) ? body.data[Number(index ?? 0)] : body.data
  const name = (row as { forecast_id?: unknown } | null)?.forecast_id ?? 'the page'
  throw new ForeproofError('invalid-input', `${String(name)} would break the contract`, {
    help: '`foreproof history verify` names what is wrong in every row. Nothing was published.',
    findings,
  })
}

/** A page of forecasts, newest first. */
export function pageText(
  rows: readonly HistoryRow[],
  nextUrl: string | null,
  snapshot: Snapshot,
): PageText {
  let allStale = true
  let last: { readonly origin: unknown; readonly freshness: Freshness } | undefined
  const data = rows.map((row) => {
    // Forecasts of one origin are as fresh as each other.
    if (last?.origin !== row.originAt) {
      last = { origin: row.originAt, freshness: rowFreshness(row, snapshot) }
    }
    const { freshness } = last
    if (freshness.status !== 'stale') allStale = false
    // Freshness comes last, as in what the dynamic service sends: the bytes are the same.
    return Object.assign({}, resourceOf(row), { freshness })
  })
  const body = {
    api_version: API_VERSION,
    snapshot_at: formatStored(snapshot.now),
    data,
    freshness: collectionFreshness(snapshot),
    pagination: { page_size: PAGE_SIZE, next_url: nextUrl },
  }
  demand(checkStaticPageBody(body), body)
  return { text: `${JSON.stringify(body)}\n`, allStale }
}

/** The newest forecast, or null while there is none. */
export function latestText(row: HistoryRow | undefined, snapshot: Snapshot): string {
  const data =
    row === undefined ? null : { ...resourceOf(row), freshness: rowFreshness(row, snapshot) }
  const body = {
    api_version: API_VERSION,
    snapshot_at: formatStored(snapshot.now),
    data,
    freshness: collectionFreshness(snapshot),
  }
  demand(checkStaticLatestBody(body), body)
  return `${JSON.stringify(body)}\n`
}
