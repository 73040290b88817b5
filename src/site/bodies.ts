import { checkStaticLatestBody, checkStaticPageBody } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { type Finding, holds } from '../contract/finding.js'
import { formatStored, type Instant } from '../contract/instant.js'
import { API_VERSION } from '../contract/limits.js'
import type { Freshness } from '../contract/types.js'
import { freshnessAt } from '../history/freshness.js'
import { resourceOf, rowFreshness, withFreshness } from '../history/resource.js'
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
  const parts = rows.map((row) => {
    const resource = resourceOf(row)
    return { resource, freshness: rowFreshness(row, snapshot) }
  })
  const envelope = { api_version: API_VERSION, snapshot_at: formatStored(snapshot.now) } as const
  const freshness = collectionFreshness(snapshot)
  const pagination = { page_size: PAGE_SIZE, next_url: nextUrl }
  const data = parts.map((part) => ({ ...part.resource, freshness: part.freshness }))
  const body = { ...envelope, data, freshness, pagination }
  demand(checkStaticPageBody(body), body)
  // Put together from the same pieces of text as the dynamic service sends.
  const items = parts.map((part) => withFreshness(JSON.stringify(part.resource), part.freshness))
  const { api_version, snapshot_at } = envelope
  const text = `{"api_version":"${api_version}","snapshot_at":"${snapshot_at}","data":[${items.join(',')}],"freshness":${JSON.stringify(freshness)},"pagination":${JSON.stringify(pagination)}}\n`
  return { text, allStale: parts.every((part) => part.freshness.status === 'stale') }
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
