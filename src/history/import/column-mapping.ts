import { equal } from '../../contract/equal.js'
import { PAIR } from '../../contract/limits.js'
import {
  type ManifestMembers,
  NOT_RECORDED,
  resourceWith,
  type StoredResource,
  UNKNOWN_SOURCE,
} from '../../forecast/resource.js'
import type { HistoryRow, OriginRow } from '../../forecast/row.js'
import type { NewForecast } from '../store/types.js'
import { provenanceRowOf } from './normalise.js'

/** The row of an origin, and what its stored manifest reads as. */
export interface KnownOrigin {
  readonly row: OriginRow
  readonly manifest: ManifestMembers
}

/** What the row of an origin holds when this resource is the first of it. */
export function originRowOf(resource: StoredResource): OriginRow {
  const { lineage, run, model } = resource
  const { source, manifest } = lineage
  const unpaired = source.pair === PAIR && lineage.pair_reason === NOT_RECORDED
  const unnamed = source.name === UNKNOWN_SOURCE && lineage.source_reason === NOT_RECORDED
  return {
    originAt: resource.origin_at,
    generatedAt: run.generated_at,
    sourceName: unnamed ? null : source.name,
    pair: unpaired ? null : source.pair,
    sourcePriceUsd: source.price_usd,
    runId: run.id,
    configurationId: model.configuration_id,
    manifestJson: manifest === null ? null : JSON.stringify(manifest),
  }
}

/** The row of a forecast beside that of its origin; kept whole where the two do not say all of it. */
export function forecastColumns(
  resource: StoredResource,
  { row: origin, manifest }: KnownOrigin,
): NewForecast {
  const { estimate, interval, lineage, confidence } = resource
  const columns = {
    originAt: resource.origin_at,
    model: resource.model.name,
    horizonHours: resource.horizon_hours,
    targetAt: resource.target_at,
    priceUsd: estimate.price_usd,
    changePct: estimate.change_pct,
    q10Usd: interval.lower_usd,
    q50Usd: interval.median_usd,
    q90Usd: interval.upper_usd,
    modelAgreement: confidence.label === 'model_agreement' ? confidence.score : null,
    provenance: provenanceRowOf(lineage.provenance),
    whole: null,
  }
  const fits = givesBack({ ...columns, origin }, manifest, resource)
  return { ...columns, whole: fits ? null : JSON.stringify(resource), runId: resource.run.id }
}

/** True when the tables alone give back this resource, member for member. */
function givesBack(row: HistoryRow, manifest: ManifestMembers, resource: StoredResource): boolean {
  try {
    const shown = resourceWith(row, () => manifest)
    return equal(shown, resource)
  } catch {
    // The row of its origin is a producer's, and cannot be shown as a resource.
    return false
  }
}
