import type { Attempt, Provenance } from '../../contract/types.js'
import { NOT_RECORDED, normalTimestamp, type StoredResource } from '../../forecast/resource.js'
import type { Cell, Row } from '../../table/types.js'
import { NATURAL_COLUMNS, type NaturalColumn } from './columns.js'

/** What a row says, by column. */
export type NaturalCells = Readonly<Record<NaturalColumn, Cell>>

const NOTHING = Object.fromEntries(NATURAL_COLUMNS.map(({ name }) => [name, null])) as NaturalCells

/** A row of cells, in the order of the columns. */
export function naturalRow(cells: NaturalCells): Row {
  return NATURAL_COLUMNS.map(({ name }) => cells[name])
}

/** A forecast as cells. They need not say all of it. */
export function forecastCells(forecast: StoredResource): NaturalCells {
  const { estimate, interval, lineage, confidence, run, model } = forecast
  const { model_agreement: agreement } = confidence.evidence
  return {
    ...NOTHING,
    origin_at: forecast.origin_at,
    horizon_hours: forecast.horizon_hours,
    model: model.name,
    price_usd: number(estimate.price_usd),
    q10_usd: number(interval.lower_usd),
    q50_usd: number(interval.median_usd),
    q90_usd: number(interval.upper_usd),
    change_pct: number(estimate.change_pct),
    generated_at: run.generated_at,
    run_id: run.id,
    configuration_id: model.configuration_id,
    source_price_usd: number(lineage.source.price_usd),
    source_name: lineage.source_reason === NOT_RECORDED ? null : lineage.source.name,
    model_agreement: typeof agreement === 'number' ? number(agreement) : null,
    ...provenanceCells(lineage.provenance),
  }
}

/** A recorded attempt as cells. */
export function attemptCells(attempt: Attempt): NaturalCells {
  return {
    ...NOTHING,
    origin_at: instant(attempt.origin_at),
    horizon_hours: attempt.horizon_hours,
    model: attempt.model_name,
    generated_at: instant(attempt.recorded_at),
    status: attempt.status,
    reason: attempt.reason,
    ...provenanceCells(attempt.provenance),
  }
}

function provenanceCells(provenance: Provenance = {}) {
  return {
    input_available_at: instant(provenance.input_available_at),
    selection_data_through: instant(provenance.selection_data_through),
    vintage_id: provenance.vintage_id ?? null,
    vintage_sha256: provenance.vintage_sha256 ?? null,
  }
}

/** The stored form of a timestamp; a file that was edited by hand may hold any text. */
function instant(text: string | null | undefined): string | null {
  return normalTimestamp(text) ?? null
}

/** JSON has one zero. */
function number(value: number | null): number | null {
  return value === 0 ? 0 : value
}
