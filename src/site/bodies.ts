import { ContractBreach } from '../contract/breach.js'
import {
  checkFreshness,
  checkStaticLatestBody,
  checkStaticPageBody,
} from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { type Finding, holds } from '../contract/findings/finding.js'
import { formatStored, type Instant } from '../contract/instant.js'
import { API_VERSION } from '../contract/limits.js'
import type { Freshness } from '../contract/types.js'
import { asciiText } from '../forecast/ascii.js'
import { freshnessAt } from '../forecast/freshness.js'
import { type PartName, partOf, writePart } from '../forecast/part.js'
import type { HistoryRow } from '../forecast/row.js'
import { Sheet } from '../forecast/sheet.js'
import { PAGE_SIZE } from './plan.js'
import { compareRows } from './rows.js'

/** The moment a site is a picture of. */
export interface Snapshot {
  readonly now: Instant
  readonly staleAfterSeconds: number
  /** Newest origin of the whole history; undefined when it is empty. */
  readonly newestOrigin: Instant | undefined
}

/** A body as it is written, and whether all its forecasts are stale: then it can be sealed. */
export interface PageBytes {
  readonly bytes: Buffer
  readonly allStale: boolean
}

const sheet = new Sheet()
const NOTHING = Buffer.alloc(0)

/**
 * A page of forecasts, newest first. Each forecast is what the dynamic service sends of its row, byte
 * for byte but for its freshness: checked, and serialised, in the same place.
 * @param memory what the page is made in if it has room there; otherwise it has memory of its own.
 */
export function pageBytes(
  rows: readonly HistoryRow[],
  nextUrl: string | null,
  snapshot: Snapshot,
  memory?: Buffer,
): PageBytes {
  const frame = {
    api_version: API_VERSION,
    snapshot_at: formatStored(snapshot.now),
    data: [],
    freshness: collectionFreshness(snapshot),
    pagination: { page_size: PAGE_SIZE, next_url: nextUrl },
  }
  // The forecasts are checked one by one; this is all that is left, but for their order.
  demand(checkStaticPageBody(frame), 'the page')
  sheet.clear()
  sheet.text(`${opening(frame)},"data":[`)
  let allStale = true
  let before: PartName | undefined
  let freshness = NOTHING
  for (const row of rows) {
    if (before !== undefined) sheet.text(',')
    const part = checked(() => writePart(row, sheet))
    if (before !== undefined) demandOrder(before, part)
    // Forecasts of one origin are as fresh as each other.
    if (part.key.origin !== before?.key.origin) {
      const fresh = freshnessOf(part, snapshot)
      if (fresh.status !== 'stale') allStale = false
      freshness = Buffer.from(`${JSON.stringify(fresh)}}`, 'latin1')
    }
    sheet.copy(freshness)
    before = part
  }
  sheet.text(`],"freshness":${JSON.stringify(frame.freshness)}`)
  sheet.text(`,"pagination":${asciiText(JSON.stringify(frame.pagination))}}\n`)
  const fits = memory !== undefined && sheet.length <= memory.length
  return { bytes: fits ? sheet.takeInto(memory) : sheet.take(), allStale }
}

/** The newest forecast, or null while there is none. */
export function latestBytes(row: HistoryRow | undefined, snapshot: Snapshot): Buffer {
  const frame = {
    api_version: API_VERSION,
    snapshot_at: formatStored(snapshot.now),
    data: null,
    freshness: collectionFreshness(snapshot),
  }
  demand(checkStaticLatestBody(frame), 'the newest forecast')
  let data = 'null'
  if (row !== undefined) {
    const part = checked(() => partOf(row))
    data = `${part.head}${JSON.stringify(freshnessOf(part, snapshot))}}`
  }
  return Buffer.from(
    `${opening(frame)},"data":${data},"freshness":${JSON.stringify(frame.freshness)}}\n`,
  )
}

function opening(frame: { api_version: string; snapshot_at: string }): string {
  return `{"api_version":"${frame.api_version}","snapshot_at":"${frame.snapshot_at}"`
}

function collectionFreshness({ newestOrigin, now, staleAfterSeconds }: Snapshot): Freshness {
  return freshnessAt(newestOrigin, now, staleAfterSeconds)
}

function freshnessOf({ key, id }: PartName, { now, staleAfterSeconds }: Snapshot): Freshness {
  const freshness = freshnessAt(key.origin, now, staleAfterSeconds)
  demand(checkFreshness(freshness), id)
  return freshness
}

function checked<T extends PartName>(make: () => T): T {
  try {
    return make()
  } catch (cause) {
    if (!(cause instanceof ContractBreach)) throw cause
    demand(cause.findings, cause.forecastId ?? 'a row')
    throw cause
  }
}

/** Nothing is published that breaks the contract; which row it is has to be said. */
function demand(findings: readonly Finding[], name: string): void {
  if (holds(findings)) return
  throw new ForeproofError('invalid-input', `${name} would break the contract`, {
    help: '`foreproof history verify` names what is wrong in every row. Nothing was published.',
    findings,
  })
}

function demandOrder(before: PartName, part: PartName): void {
  const order = compareRows(before.key, part.key)
  if (order < 0) return
  const code = order === 0 ? 'forecast-repeated' : 'forecasts-out-of-order'
  const args = { found: JSON.parse(part.id), before: JSON.parse(before.id) }
  demand([{ code, severity: 'error', pointer: '/data', args }], args.found)
}
