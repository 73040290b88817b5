import { ContractBreach, mustHold } from '../contract/breach.js'
import { checkForecast } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import type { ForecastResource, Freshness } from '../contract/types.js'
import { asciiJson } from './ascii.js'
import { shownText } from './i-json.js'
import { mappedText, type OriginTemplate, originTemplate } from './mapped-text.js'
import {
  type ManifestMembers,
  type ManifestReader,
  readManifest,
  resourceWith,
  type StoredResource,
} from './resource.js'
import { type HistoryRow, type OriginRow, type RawValue, type RowKey, rowKey } from './row.js'

const LAST_MEMBER = '"freshness":'

/** One forecast, checked and serialised, except for how old it is. */
export interface SerializedForecast {
  readonly key: RowKey
  /** Its forecast_id. */
  readonly id: string
  /** Its JSON in ASCII, up to the value of its last member, `freshness`. */
  readonly head: string
}

/**
 * The one way from a row to the bytes that every reader gets: mapped to a resource, checked against the
 * contract, written as JSON in ASCII. For many rows, see `forecastSerializer`.
 * @throws {ContractBreach} when no forecast resource can say what the row holds.
 */
export function serializeForecast(row: HistoryRow): SerializedForecast {
  return forecastSerializer()(row)
}

/** `serializeForecast` for rows in reading order: what an origin says is read and written once for its rows. */
export function forecastSerializer(): (row: HistoryRow) => SerializedForecast {
  const manifestOf = manifestReader()
  let last: OriginRow | undefined
  let shared: OriginTemplate | undefined
  return (row) => {
    const forecast = checkedForecast(row, manifestOf)
    const { origin } = row
    let head: string
    if (row.whole !== null) head = wholeText(forecast)
    else {
      if (shared === undefined || origin !== last) shared = originTemplate(forecast)
      last = origin
      head = mappedText(forecast, shared)
    }
    return { key: rowKey(row), id: forecast.forecast_id, head }
  }
}

/** A forecast that is kept whole may have members of its own. */
function wholeText(forecast: ForecastResource): string {
  const text = asciiJson(forecast)
  return text.slice(0, text.lastIndexOf(LAST_MEMBER) + LAST_MEMBER.length)
}

/** The whole JSON of a forecast. @param freshness - as JSON: forecasts of one origin are as fresh as each other. */
export function withFreshness({ head }: SerializedForecast, freshness: string): string {
  return `${head}${freshness}}`
}

/**
 * The resource of a row as the contract accepts it. Its freshness is not judged: `unknown`, age 0.
 * @throws {ContractBreach} when no forecast resource can say what the row holds.
 */
export function checkedForecast(row: HistoryRow, manifestOf: ManifestReader): ForecastResource {
  const stored = mappedResource(row, manifestOf)
  const forecast = Object.assign(stored, { freshness: unjudged(stored.origin_at) })
  mustHold(checkForecast(forecast), forecast.forecast_id)
  return forecast
}

function unjudged(originAt: string): Freshness {
  return { observed_at: originAt, age_seconds: 0, status: 'unknown' }
}

function mappedResource(row: HistoryRow, manifestOf: ManifestReader): StoredResource {
  try {
    return resourceWith(row, manifestOf)
  } catch (cause) {
    if (!(cause instanceof ForeproofError)) throw cause
    const name = `${String(row.originAt)}:${String(row.model)}:${String(row.horizonHours)}`
    throw new ContractBreach(cause.findings, shownText(name))
  }
}

/** Reads manifests; what comes again and again, as in reading order, is read once. */
export function manifestReader(): ManifestReader {
  let last: { readonly json: RawValue; readonly manifest: ManifestMembers } | undefined
  return (json) => {
    if (last?.json !== json) last = { json, manifest: readManifest(json) }
    return last.manifest
  }
}
