import type { StoredResource } from '../history/resource.js'
import type { HistoryRow, OriginRow } from '../history/types.js'
import { asciiJson, asciiText } from './ascii.js'

/** What all forecasts of one origin say alike, as JSON members. */
interface Shared {
  readonly run: string
  /** Members of `lineage` after its key and before its provenance. */
  readonly lineage: string
}

const sharedByOrigin = new WeakMap<OriginRow, Shared>()

/**
 * The JSON text of a row's resource, in ASCII, up to the value of `freshness`: what JSON.stringify would
 * write, several times faster, for the shape is known and what an origin's forecasts share is written
 * once. A test holds the two against each other.
 */
export function headOf(stored: StoredResource, { whole, origin }: HistoryRow): string {
  // A resource that was kept whole may have members of its own anywhere.
  if (whole !== null || origin === undefined) {
    return `${asciiText(JSON.stringify(stored)).slice(0, -1)},"freshness":`
  }
  const { model, estimate, interval, confidence, lineage } = stored
  const { evidence } = confidence
  const shared = sharedOf(stored, origin)
  const name = asciiJson(model.name)
  const { origin_at, target_at, horizon_hours } = stored
  const { level, lower_usd, median_usd, upper_usd } = interval
  const provenance =
    lineage.provenance === undefined ? '' : `,${member('provenance', lineage.provenance)}`
  const reason = 'reason' in evidence ? `,"reason":${asciiJson(String(evidence.reason))}` : ''
  return (
    `{"forecast_id":${asciiJson(stored.forecast_id)},"origin_at":"${origin_at}",` +
    `"target_at":"${target_at}","horizon_hours":${horizon_hours},"model":{"name":${name},` +
    `"configuration_id":${textOrNull(model.configuration_id)}},` +
    `"estimate":{"price_usd":${estimate.price_usd},"change_pct":${estimate.change_pct}},` +
    `"interval":{"level":${level},"lower_usd":${lower_usd},"median_usd":${median_usd},` +
    `"upper_usd":${upper_usd}},"confidence":{"score":${confidence.score},` +
    `"label":${asciiJson(confidence.label)},"evidence":{` +
    `"model_agreement":${String(evidence.model_agreement)}${reason}}},${shared.run},` +
    `"lineage":{"history_key":{"origin_at":"${origin_at}","model_name":${name},` +
    `"horizon_hours":${horizon_hours}},${shared.lineage}${provenance}},"freshness":`
  )
}

function sharedOf({ run, lineage }: StoredResource, origin: OriginRow): Shared {
  const known = sharedByOrigin.get(origin)
  if (known !== undefined) return known
  const { history_key, provenance, ...rest } = lineage
  const shared = {
    run: member('run', run),
    lineage: asciiText(JSON.stringify(rest)).slice(1, -1),
  }
  sharedByOrigin.set(origin, shared)
  return shared
}

function member(name: string, value: unknown): string {
  return `"${name}":${asciiText(JSON.stringify(value))}`
}

function textOrNull(text: string | null): string {
  return text === null ? 'null' : asciiJson(text)
}
