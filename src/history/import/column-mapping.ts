import { equal } from '../../contract/equal.js'
import { PAIR } from '../../contract/limits.js'
import type { ForecastResource } from '../../contract/types.js'
import {
  confidenceOf,
  INTERVAL_LEVEL,
  type ManifestMembers,
  NOT_RECORDED,
  type StoredResource,
  UNKNOWN_SOURCE,
} from '../../forecast/resource.js'
import type { OriginRow } from '../../forecast/row.js'
import type { NewForecast } from '../store/types.js'
import { provenanceColumns } from './normalise.js'

type Lineage = ForecastResource['lineage']

/** The row of an origin, and what its stored manifest reads as. */
export interface KnownOrigin {
  readonly row: OriginRow
  readonly manifest: ManifestMembers
}

/** What the row of an origin holds when this resource is the first of it. */
export function originColumns(resource: StoredResource): OriginRow {
  const { lineage, run, model } = resource
  const { source, manifest } = lineage
  const unnamed = source.name === UNKNOWN_SOURCE && lineage.source_reason === NOT_RECORDED
  return {
    originAt: resource.origin_at,
    generatedAt: run.generated_at,
    sourceName: unnamed ? null : source.name,
    pair: source.pair,
    sourcePriceUsd: source.price_usd,
    runId: run.id,
    configurationId: model.configuration_id,
    manifestJson: manifest === null ? null : JSON.stringify(manifest),
  }
}

/** The row of a forecast beside that of its origin; kept whole where the two do not say all of it. */
export function forecastColumns(resource: StoredResource, origin: KnownOrigin): NewForecast {
  const { estimate, interval, lineage } = resource
  return {
    originAt: resource.origin_at,
    model: resource.model.name,
    horizonHours: resource.horizon_hours,
    targetAt: resource.target_at,
    priceUsd: estimate.price_usd,
    changePct: estimate.change_pct,
    q10Usd: interval.lower_usd,
    q50Usd: interval.median_usd,
    q90Usd: interval.upper_usd,
    modelAgreement: agreementOf(resource.confidence),
    provenance: provenanceColumns(lineage.provenance),
    whole: fitsColumns(resource, origin) ? null : JSON.stringify(resource),
    runId: resource.run.id,
  }
}

/** The agreement a resource records, as the column holds it. */
function agreementOf({ label, score }: ForecastResource['confidence']): number | null {
  return label === 'model_agreement' ? score : null
}

/**
 * True when the tables alone give back this resource, member for member: `resourceOf` of its row
 * equals it. Anything else (another run or source than its origin's row, a level or evidence of its
 * own, a member that later versions add) is kept whole.
 */
function fitsColumns(resource: StoredResource, { row, manifest }: KnownOrigin): boolean {
  const { model, estimate, interval, run, lineage, confidence } = resource
  return (
    size(resource) === 10 &&
    size(model) === 2 &&
    size(estimate) === 2 &&
    size(interval) === 4 &&
    size(run) === 2 &&
    interval.level === INTERVAL_LEVEL &&
    model.configuration_id === row.configurationId &&
    run.id === row.runId &&
    run.generated_at === row.generatedAt &&
    equal(confidence, confidenceOf(agreementOf(confidence))) &&
    lineageFits(lineage, row, manifest)
  )
}

function lineageFits(lineage: Lineage, origin: OriginRow, stored: ManifestMembers): boolean {
  const { source, history_key: key, provenance } = lineage
  const unnamed = origin.sourceName === null
  const expected =
    3 +
    (stored.manifest_reason === undefined ? 0 : 1) +
    (unnamed ? 1 : 0) +
    (provenance === undefined ? 0 : 1)
  return (
    size(lineage) === expected &&
    size(key) === 3 &&
    size(source) === 3 &&
    source.name === (origin.sourceName ?? UNKNOWN_SOURCE) &&
    lineage.source_reason === (unnamed ? NOT_RECORDED : undefined) &&
    source.pair === (origin.pair ?? PAIR) &&
    source.price_usd === origin.sourcePriceUsd &&
    lineage.manifest_reason === stored.manifest_reason &&
    equal(lineage.manifest, stored.manifest) &&
    (provenance === undefined || Object.keys(provenance).every(isProvenanceMember))
  )
}

const PROVENANCE_MEMBERS = new Set([
  'input_available_at',
  'selection_data_through',
  'vintage_id',
  'vintage_sha256',
])

function isProvenanceMember(name: string): boolean {
  return PROVENANCE_MEMBERS.has(name)
}

function size(value: object): number {
  return Object.keys(value).length
}
