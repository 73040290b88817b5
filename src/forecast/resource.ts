import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { formatStored, parseTimestamp } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import { INTERVAL_LEVEL, isValue, PAIR } from '../contract/limits.js'
import type { Attempt, ForecastResource, Provenance } from '../contract/types.js'
import { isIJsonText, storedManifest, storedWhole } from './i-json.js'
import {
  type AttemptRow,
  type ForecastRow,
  type HistoryRow,
  PROVENANCE_COLUMNS,
  type ProvenanceRow,
  type RawValue,
  type SoundAttempt,
} from './row.js'
import {
  historyRowFaults,
  isHorizon,
  nameOfRow,
  originFaults,
  provenanceFaults,
} from './row-faults.js'

/** A forecast resource without its freshness: the part that never changes. */
export type StoredResource = Omit<ForecastResource, 'freshness'>

/** Used by the mapping if a history did not record something. */
export const NOT_RECORDED = 'not_recorded'
const UNREADABLE = 'unreadable'
const UNKNOWN_SOURCE = 'unknown'

/** The manifest in lineage: the object, or null with the reason. */
export type ManifestMembers = Pick<ForecastResource['lineage'], 'manifest' | 'manifest_reason'>

/** Parses the manifest of an origin's row. */
export type ManifestReader = (json: RawValue) => ManifestMembers

/**
 * Maps a row to the part of its resource that never changes.
 * @throws {ForeproofError} `invalid-input`, with findings that name the row and its columns, if no resource can
 * represent the row.
 */
export function toResource(row: HistoryRow): StoredResource {
  return resourceWith(row, readManifest)
}

/** `toResource` with a manifest reader, which may cache. */
export function resourceWith(row: HistoryRow, toManifest: ManifestReader): StoredResource {
  if (row.whole !== null) return wholeResource(row)
  const { origin } = row
  const originAt = normalTimestamp(row.originAt)
  const targetAt = normalTimestamp(row.targetAt)
  const generatedAt = origin?.generatedAt === null ? null : normalTimestamp(origin?.generatedAt)
  const agreement = row.modelAgreement
  if (
    origin === undefined ||
    originAt === undefined ||
    targetAt === undefined ||
    generatedAt === undefined ||
    !isIJsonText(row.model) ||
    !isHorizon(row.horizonHours) ||
    !isValue(row.priceUsd) ||
    !isValue(row.changePct) ||
    !isValue(origin.sourcePriceUsd) ||
    !isNumberOrNull(row.q10Usd) ||
    !isNumberOrNull(row.q50Usd) ||
    !isNumberOrNull(row.q90Usd) ||
    !isTextOrNull(origin.configurationId) ||
    !isTextOrNull(origin.runId) ||
    !isTextOrNull(origin.sourceName) ||
    !(origin.pair === null || origin.pair === PAIR) ||
    !isIJsonProvenance(row.provenance) ||
    !(agreement === null || (isValue(agreement) && agreement >= 0 && agreement <= 1))
  ) {
    throw unrepresentable(row)
  }
  const isSpeltSo =
    originAt === row.originAt && targetAt === row.targetAt && generatedAt === origin.generatedAt
  const sound = isSpeltSo ? row : { ...row, originAt, targetAt, origin: { ...origin, generatedAt } }
  return shownAs(sound as ForecastRow, toManifest(origin.manifestJson))
}

/** The resource of a row whose columns are valid and contain all of it. */
export function shownAs(row: ForecastRow, manifest: ManifestMembers): StoredResource {
  const { originAt, model, horizonHours, origin } = row
  return {
    forecast_id: `${originAt}:${model}:${horizonHours}`,
    origin_at: originAt,
    target_at: row.targetAt,
    horizon_hours: horizonHours,
    model: { name: model, configuration_id: origin.configurationId },
    estimate: { price_usd: row.priceUsd, change_pct: row.changePct },
    interval: {
      level: INTERVAL_LEVEL,
      lower_usd: row.q10Usd,
      median_usd: row.q50Usd,
      upper_usd: row.q90Usd,
    },
    confidence: toConfidence(row.modelAgreement),
    run: { id: origin.runId, generated_at: origin.generatedAt },
    lineage: {
      history_key: { origin_at: originAt, model_name: model, horizon_hours: horizonHours },
      source: {
        name: origin.sourceName ?? UNKNOWN_SOURCE,
        pair: PAIR,
        price_usd: origin.sourcePriceUsd,
      },
      ...manifest,
      ...(origin.sourceName === null && { source_reason: NOT_RECORDED }),
      ...(origin.pair === null && { pair_reason: NOT_RECORDED }),
      ...(row.provenance !== undefined && { provenance: toProvenance(row.provenance) }),
    },
  }
}

/** A forecast in the stored form: timestamps spelled as in rows, and no freshness. The contract has accepted it. */
export function storedForm(resource: ForecastResource): StoredResource {
  const { freshness, ...stored } = resource
  const { lineage, run, model } = stored
  const originAt = normalizeTimestamp(stored.origin_at)
  if (originAt !== stored.origin_at || lineage.history_key.origin_at !== originAt) {
    stored.forecast_id = `${originAt}:${model.name}:${stored.horizon_hours}`
    stored.origin_at = originAt
    stored.lineage = { ...lineage, history_key: { ...lineage.history_key, origin_at: originAt } }
  }
  stored.target_at = normalizeTimestamp(stored.target_at)
  if (run.generated_at !== null) {
    const generatedAt = normalizeTimestamp(run.generated_at)
    if (generatedAt !== run.generated_at) stored.run = { ...run, generated_at: generatedAt }
  }
  if (lineage.provenance !== undefined) {
    const { provenance, ...rest } = stored.lineage
    const normal = storedProvenance(provenance ?? {})
    stored.lineage = normal === undefined ? rest : { ...rest, provenance: normal }
  }
  return stored
}

/** The resource with a freshness that is not judged: `unknown`, age 0. */
export function unjudged(stored: StoredResource): ForecastResource {
  const freshness = { observed_at: stored.origin_at, age_seconds: 0, status: 'unknown' } as const
  return Object.assign(stored, { freshness })
}

/** The row of a resource in its stored form, as far as columns can represent it. */
export function toForecastRow(resource: StoredResource): ForecastRow {
  const { origin_at: originAt, model, estimate, interval, confidence, run, lineage } = resource
  const { source, manifest } = lineage
  const unpaired = source.pair === PAIR && lineage.pair_reason === NOT_RECORDED
  const unnamed = source.name === UNKNOWN_SOURCE && lineage.source_reason === NOT_RECORDED
  return {
    originAt,
    model: model.name,
    horizonHours: resource.horizon_hours,
    targetAt: resource.target_at,
    priceUsd: estimate.price_usd,
    changePct: estimate.change_pct,
    q10Usd: interval.lower_usd,
    q50Usd: interval.median_usd,
    q90Usd: interval.upper_usd,
    modelAgreement: confidence.label === 'model_agreement' ? confidence.score : null,
    provenance: toProvenanceRow(lineage.provenance),
    whole: null,
    origin: {
      originAt,
      generatedAt: run.generated_at,
      sourceName: unnamed ? null : source.name,
      pair: unpaired ? null : source.pair,
      sourcePriceUsd: source.price_usd,
      runId: run.id,
      configurationId: model.configuration_id,
      manifestJson: manifest === null ? null : JSON.stringify(manifest),
    },
  }
}

/** Agreement of the models, or the reason why it is missing; never a probability. */
export function toConfidence(agreement: number | null): ForecastResource['confidence'] {
  return agreement === null
    ? { score: 0, label: 'unknown', evidence: { model_agreement: null, reason: NOT_RECORDED } }
    : { score: agreement, label: 'model_agreement', evidence: { model_agreement: agreement } }
}

/** The members of lineage for the stored text of a manifest. */
export function readManifest(json: RawValue): ManifestMembers {
  if (json === null) return { manifest: null, manifest_reason: NOT_RECORDED }
  const manifest = storedManifest(json)
  return manifest === undefined ? { manifest: null, manifest_reason: UNREADABLE } : { manifest }
}

/** The provenance of a row, in the form of the API. */
export function toProvenance(row: ProvenanceRow): Provenance {
  const recorded: Record<string, unknown> = {}
  for (const [name, column] of PROVENANCE) {
    if (row[column] !== null) recorded[name] = row[column]
  }
  return recorded
}

/** The row of a provenance in its stored form. */
function toProvenanceRow(provenance: Provenance | undefined): ProvenanceRow | undefined {
  return (
    provenance && {
      inputAvailableAt: provenance.input_available_at ?? null,
      selectionDataThrough: provenance.selection_data_through ?? null,
      vintageId: provenance.vintage_id ?? null,
      vintageSha256: provenance.vintage_sha256 ?? null,
    }
  )
}

/** The members that have a value, in the stored form; undefined if there are none. */
export function storedProvenance(provenance: Provenance): Provenance | undefined {
  let members: Record<string, string> | undefined
  for (const [name, value] of Object.entries(provenance)) {
    if (value === null) continue
    members ??= {}
    members[name] = PROVENANCE_TIMES.has(name) ? normalizeTimestamp(value) : value
  }
  return members
}

/** The stored form of a timestamp that the contract has accepted. */
function normalizeTimestamp(text: string): string {
  return normalTimestamp(text) ?? text
}

/** A recorded attempt that the contract has accepted, in its internal form. */
export function toSoundAttempt(attempt: Attempt): SoundAttempt {
  const recordedAt = attempt.recorded_at ?? null
  return {
    originAt: normalizeTimestamp(attempt.origin_at),
    model: attempt.model_name,
    horizonHours: attempt.horizon_hours,
    status: attempt.status,
    reason: attempt.reason,
    recordedAt: recordedAt === null ? null : normalizeTimestamp(recordedAt),
    provenance: toProvenanceRow(storedProvenance(attempt.provenance ?? {})),
  }
}

/** A recorded attempt in its exported form; the caller must reject rows with faults first. */
export function toAttempt(row: AttemptRow): Attempt {
  return {
    origin_at: String(row.originAt),
    model_name: String(row.model),
    horizon_hours: Number(row.horizonHours),
    status: row.status === 'abstained' ? 'abstained' : 'failed',
    reason: String(row.reason),
    ...(row.recordedAt !== null && { recorded_at: String(row.recordedAt) }),
    ...(row.provenance !== undefined && { provenance: toProvenance(row.provenance) }),
  }
}

function wholeResource(row: HistoryRow): StoredResource {
  const resource = storedWhole(row.whole)
  if (resource === undefined || !hasKey(resource) || !hasIJsonColumns(row)) {
    throw unrepresentable(row)
  }
  const { freshness, ...stored } = resource as unknown as ForecastResource
  return stored
}

/**
 * Whether the columns of a row agree with the forecast that is stored as a whole. They can differ, because both are
 * stored: pairing reads the columns, and the log contains the forecast.
 * @param resource - valid or not.
 */
export function saysItsColumns(resource: Partial<StoredResource>, row: HistoryRow): boolean {
  const { model, estimate, interval, lineage } = resource
  const kept: Readonly<Record<string, unknown>> = { ...lineage?.provenance }
  const pairs = [
    [normalTimestamp(resource.origin_at), normalTimestamp(row.originAt)],
    [model?.name, row.model],
    [resource.horizon_hours, row.horizonHours],
    [resource.target_at, row.targetAt],
    [estimate?.price_usd, row.priceUsd],
    [estimate?.change_pct, row.changePct],
    [interval?.lower_usd, row.q10Usd],
    [interval?.median_usd, row.q50Usd],
    [interval?.upper_usd, row.q90Usd],
    ...PROVENANCE.map(([name, column]) => [kept[name], row.provenance?.[column]]),
  ]
  return pairs.every(([member, column]) => (member ?? null) === (column ?? null))
}

/** Converts a timestamp in any spelling to the stored form; undefined if it is invalid. */
export function normalTimestamp(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const parsed = parseTimestamp(value)
  if (!parsed.ok) return undefined
  const already = value.length === 25 && value.endsWith('+00:00') && value[10] === 'T'
  return already ? value : formatStored(parsed.instant)
}

/**
 * The error for a row that no resource can represent; `findings` name its columns.
 * @param breach the contract's findings about the resource, used if no single column is at fault.
 */
export function unrepresentable(row: HistoryRow, breach: readonly Finding[] = []): ForeproofError {
  const columns = [
    ...historyRowFaults(row),
    ...(row.origin ? originFaults(row.origin) : []),
    ...(row.provenance ? provenanceFaults(row, row.provenance) : []),
  ]
  const message = `row ${nameOfRow(row)} cannot be shown as a forecast`
  const help = '`foreproof history verify` names what is wrong in every row.'
  const findings = columns.length > 0 ? columns : breach
  return new ForeproofError('invalid-input', message, { help, findings })
}

const PROVENANCE = Object.entries(PROVENANCE_COLUMNS)
const PROVENANCE_TIMES = new Set(['input_available_at', 'selection_data_through'])

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || isValue(value)
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isIJsonText(value)
}

/** Whether an object has the key of a forecast; the contract checks the rest. */
function hasKey({ origin_at, horizon_hours, model }: Record<string, unknown>): boolean {
  const isNamed = isObject(model) && typeof model.name === 'string'
  return typeof origin_at === 'string' && isHorizon(horizon_hours) && isNamed
}

/** For a forecast that is stored as a whole: its columns repeat the same numbers. */
function hasIJsonColumns({ priceUsd, changePct, q10Usd, q50Usd, q90Usd }: HistoryRow): boolean {
  const numbers = [priceUsd, changePct, q10Usd, q50Usd, q90Usd]
  return numbers.every((value) => typeof value !== 'number' || isValue(value))
}

/** Values that are not text are left to the contract. */
function isIJsonProvenance(row: ProvenanceRow | undefined): boolean {
  return Object.values(row ?? {}).every((value) => typeof value !== 'string' || isIJsonText(value))
}
