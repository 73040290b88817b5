import type {
  AttemptRow,
  HistoryRow,
  OriginRow,
  ProvenanceRow,
  RawValue,
} from '../../../forecast/row.js'
import type { Database } from './driver.js'
import { columnOrNull, type HistoryLayout } from './layout.js'

const KEY_MATCHES = (alias: string) =>
  `${alias}.origin_at = p.origin_at AND ${alias}.model_name = p.model_name AND ${alias}.horizon_hours = p.horizon_hours`

export const PROVENANCE_COLUMNS = [
  'input_available_at',
  'selection_data_through',
  'vintage_id',
  'vintage_sha256',
] as const

/**
 * Columns of a prediction, in the order `historyRow` expects; NULL for what the file lacks, and nothing
 * at all for foreproof's own tables at the end, which a producer's file has none of.
 */
export function predictionColumns(layout: HistoryLayout): string {
  const p = (name: string) => columnOrNull(layout.predictions, 'p', name)
  return [
    'p.origin_at',
    'p.model_name',
    'p.horizon_hours',
    'p.target_at',
    'p.predicted_price_usd',
    'p.predicted_change_pct',
    p('q10_usd'),
    p('q50_usd'),
    p('q90_usd'),
    p('model_agreement'),
    ...(layout.resources || layout.provenance
      ? [layout.resources ? 'w.resource_json' : 'NULL', ...provenanceColumns(layout)]
      : []),
  ].join(', ')
}

/** Columns of an attempt; those of its provenance come after them. */
export const ATTEMPT_COLUMNS = [
  'p.origin_at',
  'p.model_name',
  'p.horizon_hours',
  'p.status',
  'p.reason',
  'p.recorded_at',
]

export function provenanceColumns(layout: HistoryLayout): string[] {
  if (!layout.provenance) return ['NULL', 'NULL', 'NULL', 'NULL', 'NULL']
  return ['v.origin_at', ...PROVENANCE_COLUMNS.map((name) => `v.${name}`)]
}

/** Joins foreproof's own tables to `p`, as far as the file has them. */
export function sideJoins(layout: HistoryLayout): string {
  const resources = layout.resources ? `LEFT JOIN foreproof_resources w ON ${KEY_MATCHES('w')}` : ''
  return `${resources} ${provenanceJoin(layout)}`
}

export function provenanceJoin(layout: HistoryLayout): string {
  return layout.provenance ? `LEFT JOIN foreproof_provenance v ON ${KEY_MATCHES('v')}` : ''
}

export function originColumns(layout: HistoryLayout, alias = 'o'): string {
  const o = (name: string) => columnOrNull(layout.origins, alias, name)
  return [
    `${alias}.origin_at`,
    o('generated_at'),
    o('source_name'),
    o('pair'),
    o('source_price_usd'),
    o('experiment_run_id'),
    o('configuration_id'),
    o('experiment_manifest_json'),
  ].join(', ')
}

/** Reads the row of an origin by its name; undefined where there is none (a broken file). */
export function originLookup(db: Database, layout: HistoryLayout) {
  const statement = db
    .prepare<[RawValue], readonly RawValue[]>(
      `SELECT ${originColumns(layout)} FROM forecast_origins o WHERE o.origin_at = ?`,
    )
    .raw()
  return (name: RawValue): OriginRow | undefined => {
    const values = statement.get(name)
    return values && originRow(values)
  }
}

export function originRow(values: readonly RawValue[]): OriginRow {
  return {
    originAt: values[0] ?? null,
    generatedAt: values[1] ?? null,
    sourceName: values[2] ?? null,
    pair: values[3] ?? null,
    sourcePriceUsd: values[4] ?? null,
    runId: values[5] ?? null,
    configurationId: values[6] ?? null,
    manifestJson: values[7] ?? null,
  }
}

export function historyRow(values: readonly RawValue[], origin: OriginRow | undefined): HistoryRow {
  return {
    originAt: values[0] ?? null,
    model: values[1] ?? null,
    horizonHours: values[2] ?? null,
    targetAt: values[3] ?? null,
    priceUsd: values[4] ?? null,
    changePct: values[5] ?? null,
    q10Usd: values[6] ?? null,
    q50Usd: values[7] ?? null,
    q90Usd: values[8] ?? null,
    modelAgreement: values[9] ?? null,
    whole: values[10] ?? null,
    provenance: provenanceRow(values, 11),
    origin,
  }
}

export function attemptRow(values: readonly RawValue[]): AttemptRow {
  return {
    originAt: values[0] ?? null,
    model: values[1] ?? null,
    horizonHours: values[2] ?? null,
    status: values[3] ?? null,
    reason: values[4] ?? null,
    recordedAt: values[5] ?? null,
    provenance: provenanceRow(values, 6),
  }
}

/** From five columns: the key of the provenance row (null when there is none), then its values. */
export function provenanceRow(values: readonly RawValue[], at: number): ProvenanceRow | undefined {
  if ((values[at] ?? null) === null) return undefined
  return {
    inputAvailableAt: values[at + 1] ?? null,
    selectionDataThrough: values[at + 2] ?? null,
    vintageId: values[at + 3] ?? null,
    vintageSha256: values[at + 4] ?? null,
  }
}
