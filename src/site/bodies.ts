import { ContractBreach } from '../contract/breach.js'
import { checkPayload } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding, hasNoErrors } from '../contract/findings/finding.js'
import { formatStored, type Instant } from '../contract/instant.js'
import { API_VERSION } from '../contract/limits.js'
import type { Freshness } from '../contract/types.js'
import { asciiJson } from '../forecast/ascii.js'
import { freshnessAt } from '../forecast/freshness.js'
import { countRows, type HistoryRow, type RowCount } from '../forecast/row.js'
import {
  forecastSerializer,
  type SerializedForecast,
  withFreshness,
} from '../forecast/serialize.js'
import { PAGE_SIZE } from './plan/plan.js'
import { compareRows } from './row-keys.js'

/** The moment that a site describes. */
export interface Snapshot {
  readonly now: Instant
  readonly staleAfterSeconds: number
  /** Newest origin of the whole history; undefined if it is empty. */
  readonly newestOrigin: Instant | undefined
}

/** A serialised page. */
interface PageBody {
  readonly text: string
  /** Whether all its forecasts are stale: only then it can be sealed. */
  readonly allStale: boolean
  /** Forecasts that are published although they break a rule of `ROW_RULES`. */
  readonly unsound: RowCount
}

/**
 * Serialises a page of forecasts, newest first. The same code checks and serialises them for the dynamic service, so
 * each forecast has the same bytes there, except for its freshness.
 */
export function pageBody(
  rows: readonly HistoryRow[],
  nextUrl: string | null,
  snapshot: Snapshot,
): PageBody {
  const pagination = { page_size: PAGE_SIZE, next_url: nextUrl }
  const frame = { ...pageFrame(snapshot, []), pagination }
  // The forecasts are checked one by one; this checks the rest, except for their order.
  assertSerialised(checkPayload('static-page', frame), 'the page')
  const serialize = forecastSerializer()
  const data: string[] = []
  const unsound: string[] = []
  let allStale = true
  let freshnessText = ''
  let before: SerializedForecast | undefined
  for (const row of rows) {
    const forecast = checked(() => serialize(row))
    if (before !== undefined) assertPageOrder(before, forecast)
    if (before?.key.origin !== forecast.key.origin) {
      const freshness = computeFreshness(forecast, snapshot)
      if (freshness.status !== 'stale') allStale = false
      freshnessText = JSON.stringify(freshness)
    }
    data.push(withFreshness(forecast, freshnessText))
    if (forecast.faults.length > 0) unsound.push(forecast.id)
    before = forecast
  }
  return { text: bodyText(frame, `[${data.join(',')}]`), allStale, unsound: countRows(unsound) }
}

/** The newest forecast, or null if there is none. */
export function latestBody(row: HistoryRow | undefined, snapshot: Snapshot): string {
  const frame = pageFrame(snapshot, null)
  assertSerialised(checkPayload('static-latest', frame), 'the newest forecast')
  if (row === undefined) return bodyText(frame, 'null')
  const forecast = checked(() => forecastSerializer()(row))
  return bodyText(
    frame,
    withFreshness(forecast, JSON.stringify(computeFreshness(forecast, snapshot))),
  )
}

/** Joins the frame and its data, which is already JSON, in ASCII and on one line. */
function bodyText(frame: { readonly data: unknown }, data: string): string {
  const members = Object.entries(frame).map(
    ([name, value]) => `"${name}":${name === 'data' ? data : asciiJson(value)}`,
  )
  return `{${members.join(',')}}\n`
}

/** The body around the data, with a placeholder for the data. */
function pageFrame<T>({ newestOrigin, now, staleAfterSeconds }: Snapshot, data: T) {
  const freshness = freshnessAt(newestOrigin, now, staleAfterSeconds)
  return { api_version: API_VERSION, snapshot_at: formatStored(now), data, freshness }
}

function computeFreshness(
  { key, id }: SerializedForecast,
  { now, staleAfterSeconds }: Snapshot,
): Freshness {
  const freshness = freshnessAt(key.origin, now, staleAfterSeconds)
  assertSerialised(checkPayload('freshness', freshness), id)
  return freshness
}

function checked(make: () => SerializedForecast): SerializedForecast {
  try {
    return make()
  } catch (cause) {
    if (!(cause instanceof ContractBreach)) throw cause
    assertSerialised(cause.findings, cause.forecastId ?? 'a row')
    throw cause
  }
}

/** A page that breaks the contract is never published; the error names the row. */
function assertSerialised(findings: readonly Finding[], name: string): void {
  if (hasNoErrors(findings)) return
  throw new ForeproofError('invalid-input', `${name} would break the contract`, {
    help: '`foreproof history verify` names what is wrong in every row. Nothing was published.',
    findings,
  })
}

function assertPageOrder(before: SerializedForecast, forecast: SerializedForecast): void {
  const order = compareRows(before.key, forecast.key)
  if (order < 0) return
  const code = order === 0 ? 'forecast-repeated' : 'forecasts-out-of-order'
  const args = { found: forecast.id, before: before.id }
  assertSerialised([finding(code, args, { pointer: '/data' })], args.found)
}
