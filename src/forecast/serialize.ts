import { ContractBreach } from '../contract/breach.js'
import { checkPayload } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { isUnsendable } from '../contract/row-rules.js'
import type { ForecastResource } from '../contract/types.js'
import { asciiJson } from './ascii.js'
import { shownText } from './i-json.js'
import {
  confidenceOf,
  type ManifestMembers,
  type ManifestReader,
  readManifest,
  resourceWith,
  type StoredResource,
  unjudged,
} from './resource.js'
import { type HistoryRow, type OriginRow, type RawValue, type RowKey, rowKey } from './row.js'
import { faultsOf, originFaults } from './row-faults.js'

const LAST_MEMBER = '"freshness":'

/** One forecast, checked and serialised, except for how old it is. */
export interface SerializedForecast {
  readonly key: RowKey
  /** Its forecast_id. */
  readonly id: string
  /** Its JSON in ASCII, up to the value of its last member, `freshness`. */
  readonly head: string
  /** What is wrong with its row, errors all: it is sent all the same. */
  readonly faults: readonly Finding[]
}

/**
 * The one way from a row to the bytes that every reader gets: mapped to a resource, checked against the
 * contract, written as JSON in ASCII. For rows in reading order: what an origin says is read and written once for
 * its rows. The function throws a `ContractBreach` where no forecast resource can say what the row holds.
 */
export function forecastSerializer(): (row: HistoryRow) => SerializedForecast {
  const manifestOf = manifestReader()
  let last: OriginRow | undefined
  let shared: OriginTemplate | undefined
  return (row) => {
    const { forecast, findings } = checkedForecast(row, manifestOf)
    const { origin } = row
    let head: string
    if (row.whole !== null) head = wholeText(forecast)
    else {
      if (shared === undefined || origin !== last) shared = originTemplate(forecast)
      last = origin
      head = mappedText(forecast, shared)
    }
    const broken = findings.filter(({ severity }) => severity === 'error')
    const faults = [...broken, ...spellingFaults(row, forecast)]
    return { key: rowKey(row), id: forecast.forecast_id, head, faults }
  }
}

/** Of times that a row spells otherwise than in the stored form; its forecast has them in that form. */
function spellingFaults(row: HistoryRow, { target_at, run }: ForecastResource): readonly Finding[] {
  const { origin, targetAt, whole } = row
  if (whole !== null || origin === undefined) return NONE
  if (targetAt === target_at && origin.generatedAt === run.generated_at) return NONE
  return [...faultsOf(row), ...originFaults(origin)]
}
const NONE: readonly Finding[] = []

/** A forecast that is kept whole may have members of its own. */
function wholeText(forecast: ForecastResource): string {
  const text = asciiJson(forecast)
  return text.slice(0, text.lastIndexOf(LAST_MEMBER) + LAST_MEMBER.length)
}

/** The whole JSON of a forecast. @param freshness - as JSON: forecasts of one origin are as fresh as each other. */
export function withFreshness({ head }: SerializedForecast, freshness: string): string {
  return `${head}${freshness}}`
}

/** A forecast, and what the contract says of it. */
export interface JudgedForecast {
  readonly forecast: ForecastResource
  readonly findings: readonly Finding[]
}

/**
 * The resource of a row as the contract lets it be sent.
 * @throws {ContractBreach} when no forecast resource can say what the row holds.
 */
export function checkedForecast(row: HistoryRow, manifestOf: ManifestReader): JudgedForecast {
  const judged = judgedForecast(row, manifestOf)
  const { forecast, findings } = judged
  if (isUnsendable(findings)) throw new ContractBreach(findings, forecast.forecast_id)
  return judged
}

/**
 * The resource of a row, sound or not. Its freshness is not judged: `unknown`, age 0.
 * @throws {ContractBreach} when its columns say none.
 */
export function judgedForecast(row: HistoryRow, manifestOf: ManifestReader): JudgedForecast {
  const forecast = unjudged(mappedResource(row, manifestOf))
  return { forecast, findings: checkPayload('forecast', forecast) }
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

/** What the forecasts of one origin share of their texts. */
interface OriginTemplate {
  readonly configuration: string
  readonly run: string
  /** Members of the lineage: the source, the manifest, and why one of them is not there. */
  readonly lineage: string
}

const NO_CONFIDENCE = asciiJson(confidenceOf(null))

/** @param forecast - any of the origin, as `resourceOf` maps it from the columns of its row. */
function originTemplate({ model, run, lineage }: StoredResource): OriginTemplate {
  const { history_key, provenance, ...shared } = lineage
  return {
    configuration: asciiJson(model.configuration_id),
    run: asciiJson(run),
    lineage: asciiJson(shared).slice(1, -1),
  }
}

/**
 * The JSON of a forecast that `resourceOf` has mapped from columns, in ASCII, up to the value of its
 * last member, `freshness`: byte for byte what `asciiJson` makes of it. A forecast mapped, checked, written
 * and laid in a body of 50 takes 3.4 µs so, 5.8 by `asciiJson` (CPU time, in turn, November 2026).
 */
function mappedText(forecast: StoredResource, shared: OriginTemplate): string {
  const { origin_at, target_at, horizon_hours, estimate, interval, confidence, lineage } = forecast
  const { level, lower_usd, median_usd, upper_usd } = interval
  const { provenance } = lineage
  const model = asciiJson(forecast.model.name)
  return (
    `{"forecast_id":"${origin_at}:${model.slice(1, -1)}:${horizon_hours}",` +
    `"origin_at":"${origin_at}","target_at":"${target_at}","horizon_hours":${horizon_hours},` +
    `"model":{"name":${model},"configuration_id":${shared.configuration}},` +
    `"estimate":{"price_usd":${estimate.price_usd},"change_pct":${estimate.change_pct}},` +
    `"interval":{"level":${level},"lower_usd":${lower_usd},"median_usd":${median_usd},"upper_usd":${upper_usd}},` +
    `"confidence":${confidenceText(confidence)},"run":${shared.run},"lineage":{"history_key":` +
    `{"origin_at":"${origin_at}","model_name":${model},"horizon_hours":${horizon_hours}},` +
    `${shared.lineage}${provenance ? `,"provenance":${asciiJson(provenance)}` : ''}},"freshness":`
  )
}

function confidenceText({ score, label }: ForecastResource['confidence']): string {
  if (label === 'unknown') return NO_CONFIDENCE
  return `{"score":${score},"label":"model_agreement","evidence":{"model_agreement":${score}}}`
}
