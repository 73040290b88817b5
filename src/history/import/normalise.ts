import type { Attempt, ForecastResource, Provenance } from '../../contract/types.js'
import { normalTimestamp, type StoredResource } from '../../forecast/resource.js'
import type { ProvenanceRow } from '../../forecast/row.js'
import type { NewAttempt } from '../store/types.js'

const PROVENANCE_TIMES = new Set(['input_available_at', 'selection_data_through'])

/** A forecast in the stored form: timestamps spelt as the tables have them, and no freshness. */
export function normaliseForecast(resource: ForecastResource): StoredResource {
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

/** A recorded attempt as its row has it. */
export function normaliseAttempt(attempt: Attempt): NewAttempt {
  const recordedAt = attempt.recorded_at ?? null
  return {
    originAt: normalOf(attempt.origin_at),
    model: attempt.model_name,
    horizonHours: attempt.horizon_hours,
    status: attempt.status,
    reason: attempt.reason,
    recordedAt: recordedAt === null ? null : normalOf(recordedAt),
    provenance: provenanceRowOf(normaliseProvenance(attempt.provenance ?? {})),
  }
}

/** The row of a provenance in its stored form. */
export function provenanceRowOf(said: Provenance | undefined): ProvenanceRow | undefined {
  return (
    said && {
      inputAvailableAt: said.input_available_at ?? null,
      selectionDataThrough: said.selection_data_through ?? null,
      vintageId: said.vintage_id ?? null,
      vintageSha256: said.vintage_sha256 ?? null,
    }
  )
}

/** The members that say something; undefined where none does. */
function normaliseProvenance(provenance: Provenance): Provenance | undefined {
  const said = Object.entries(provenance).filter(([, value]) => value !== null)
  if (said.length === 0) return undefined
  return Object.fromEntries(
    said.map(([name, value]) => [name, PROVENANCE_TIMES.has(name) ? normalOf(value) : value]),
  )
}

/** The stored form of a timestamp that the contract has accepted. */
function normalOf(text: string): string {
  return normalTimestamp(text) ?? text
}
