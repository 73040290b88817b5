import { equal } from '../../contract/equal.js'
import { PAIR } from '../../contract/limits.js'
import type { Attempt, ForecastResource, Provenance } from '../../contract/types.js'
import {
  confidenceOf,
  INTERVAL_LEVEL,
  keepManifest,
  manifestOf,
  NOT_RECORDED,
  normalTimestamp,
  type StoredResource,
  UNKNOWN_SOURCE,
} from '../../forecast/resource.js'
import type { OriginRow } from '../../forecast/row.js'

type Lineage = ForecastResource['lineage']

/** Timestamps in the stored form. Freshness is not part of what is stored: it may be left in. */
export function normalise(resource: ForecastResource): StoredResource {
  if (isNormal(resource)) return resource
  const { freshness, ...stored } = resource
  const { lineage, run, model } = stored
  const originAt = normalOf(stored.origin_at)
  if (originAt !== stored.origin_at || lineage.history_key.origin_at !== originAt) {
    stored.forecast_id = `${originAt}:${model.name}:${stored.horizon_hours}`
    stored.origin_at = originAt
    stored.lineage = { ...lineage, history_key: { ...lineage.history_key, origin_at: originAt } }
  }
  stored.target_at = normalOf(stored.target_at)
  if (run.generated_at !== null) {
    const generatedAt = normalOf(run.generated_at)
    if (generatedAt !== run.generated_at) stored.run = { ...run, generated_at: generatedAt }
  }
  if (lineage.provenance !== undefined) {
    const { provenance, ...rest } = stored.lineage
    const normal = normaliseProvenance(provenance ?? {})
    stored.lineage = normal === undefined ? rest : { ...rest, provenance: normal }
  }
  return stored
}

/** Most are as they should be. The freshness they still have is left out where they are kept whole. */
function isNormal({ origin_at, target_at, run, lineage }: ForecastResource): boolean {
  return (
    isStoredForm(origin_at) &&
    isStoredForm(target_at) &&
    lineage.history_key.origin_at === origin_at &&
    (run.generated_at === null || isStoredForm(run.generated_at)) &&
    lineage.provenance === undefined
  )
}

/** Of a timestamp that the contract has accepted: without a fraction, in UTC. */
function isStoredForm(text: string): boolean {
  return text.length === 25 && text.endsWith('+00:00') && text[10] === 'T'
}

/** The members that say something, timestamps in the stored form; undefined where none does. */
export function normaliseProvenance(provenance: Provenance): Provenance | undefined {
  const said = Object.entries(provenance).filter(([, value]) => value !== null)
  if (said.length === 0) return undefined
  return Object.fromEntries(
    said.map(([name, value]) => [name, PROVENANCE_TIMES.has(name) ? normalOf(value) : value]),
  )
}

export function normaliseAttempt(attempt: Attempt) {
  const recorded = attempt.recorded_at ?? null
  const { provenance } = attempt
  return {
    originAt: normalOf(attempt.origin_at),
    model: attempt.model_name,
    horizonHours: attempt.horizon_hours,
    status: attempt.status,
    reason: attempt.reason,
    recordedAt: recorded === null ? null : normalOf(recorded),
    provenance: provenance === undefined ? undefined : normaliseProvenance(provenance),
  }
}

const PROVENANCE_TIMES = new Set(['input_available_at', 'selection_data_through'])

/** The contract has accepted the timestamp. */
function normalOf(text: string): string {
  return normalTimestamp(text) ?? text
}

/** The agreement a resource records, as the column holds it. */
export function agreementOf({ label, score }: ForecastResource['confidence']): number | null {
  return label === 'model_agreement' ? score : null
}

/** What the row of an origin holds when this resource is the first of it. */
export function originRowOf(resource: StoredResource): OriginRow {
  const { lineage, run, model } = resource
  const { source, manifest } = lineage
  const unnamed = source.name === UNKNOWN_SOURCE && lineage.source_reason === NOT_RECORDED
  const row: OriginRow = {
    originAt: resource.origin_at,
    generatedAt: run.generated_at,
    sourceName: unnamed ? null : source.name,
    pair: source.pair,
    sourcePriceUsd: source.price_usd,
    runId: run.id,
    configurationId: model.configuration_id,
    manifestJson: manifest === null ? null : JSON.stringify(manifest),
  }
  if (manifest !== null) keepManifest(row, manifest)
  return row
}

/**
 * True when the tables alone give back this resource, member for member: `resourceOf` of its row
 * equals it. Anything else (another run or source than its origin's row, a level or evidence of its
 * own, a member that later versions add) is kept whole.
 */
export function isFlat(resource: StoredResource, origin: OriginRow): boolean {
  const { model, estimate, interval, run, lineage, confidence } = resource
  return (
    size(resource) === ('freshness' in resource ? 11 : 10) &&
    size(model) === 2 &&
    size(estimate) === 2 &&
    size(interval) === 4 &&
    size(run) === 2 &&
    interval.level === INTERVAL_LEVEL &&
    model.configuration_id === origin.configurationId &&
    run.id === origin.runId &&
    run.generated_at === origin.generatedAt &&
    equal(confidence, confidenceOf(agreementOf(confidence))) &&
    isFlatLineage(lineage, origin)
  )
}

function isFlatLineage(lineage: Lineage, origin: OriginRow): boolean {
  const { source, history_key: key, provenance } = lineage
  const stored = manifestOf(origin)
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

const PROVENANCE_MEMBERS = new Set([...PROVENANCE_TIMES, 'vintage_id', 'vintage_sha256'])

function isProvenanceMember(name: string): boolean {
  return PROVENANCE_MEMBERS.has(name)
}

function size(value: object): number {
  let members = 0
  for (const _ in value) members++
  return members
}
