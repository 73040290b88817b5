import { type Finding, finding } from '../../contract/findings/finding.js'
import { formatStored, formatUtc, instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import { INTERVAL_LEVEL, PAIR } from '../../contract/limits.js'
import type { Attempt, Provenance } from '../../contract/types.js'
import {
  confidenceOf,
  NOT_RECORDED,
  readManifest,
  type StoredResource,
  UNKNOWN_SOURCE,
} from '../../forecast/resource.js'
import type { Vintage } from '../../outcomes/types.js'
import type { Cell } from '../../table/types.js'
import { isNothing } from './parse.js'
import { type RowReader, shownCell } from './row-reader.js'

/** A row as a forecast or a recorded attempt, or what is wrong with it. */
export type NaturalValue =
  | { readonly value: ForecastValue | Attempt; readonly unkept: Finding | undefined }
  | { readonly findings: readonly Finding[] }

/** A forecast resource as an import takes it. */
export type ForecastValue = StoredResource & {
  readonly freshness: { observed_at: string; age_seconds: number; status: 'unknown' }
}

const OF_ATTEMPTS = ['reason'] as const
const OF_FORECASTS = [
  'q10_usd',
  'q50_usd',
  'q90_usd',
  'change_pct',
  'run_id',
  'configuration_id',
  'source_price_usd',
  'source_name',
  'model_agreement',
] as const

/**
 * The value of a row.
 * @param outcomes - has the price at the origin, where the row does not say it.
 * @param target - the time of the target, in place of the horizon or beside it.
 */
export function naturalValue(
  row: RowReader,
  outcomes: Vintage | undefined,
  target: Cell = null,
): NaturalValue {
  const origin = row.needed('origin_at', row.instant('origin_at'))
  const said = row.hours('horizon_hours')
  const isTargeted = !isNothing(target)
  const found = isTargeted ? row.hoursTo(target, origin) : said
  if (said !== null && found !== null && found !== said) {
    row.findings.push(finding('target-mismatch', { horizon: said, found }))
  }
  const key: Key = {
    origin,
    hours: isTargeted ? (found as number) : row.needed('horizon_hours', said),
    model: row.needed('model', row.name('model')),
  }
  const status = row.text('status')
  const value = status === null ? forecastOf(row, key, outcomes) : attemptOf(row, key, status)
  if (row.findings.length > 0 || value === undefined) return { findings: row.findings }
  return { value, unkept: unkeptIn(row, status === null ? 'forecast' : 'attempt') }
}

/** What a history has no place for; nothing is lost silently. */
function unkeptIn(row: RowReader, of: 'forecast' | 'attempt'): Finding | undefined {
  const columns = row.given(of === 'forecast' ? OF_ATTEMPTS : OF_FORECASTS)
  return columns.length === 0 ? undefined : finding('natural-unkept', { columns, of })
}

/** Null where the cell has a fault: then the value is not used. */
interface Key {
  readonly origin: string
  readonly hours: number
  readonly model: string
}

function attemptOf(row: RowReader, { origin, hours, model }: Key, status: string) {
  if (status !== 'failed' && status !== 'abstained') {
    row.findings.push(finding('natural-status', { found: shownCell(status) }))
    return undefined
  }
  if (row.number('price_usd') !== null) {
    row.findings.push(finding('natural-status-price', { status }))
  }
  const recorded = row.instant('generated_at')
  const provenance = provenanceIn(row)
  return {
    origin_at: origin,
    model_name: model,
    horizon_hours: hours,
    status,
    reason: row.text('reason') ?? NOT_RECORDED,
    ...(recorded !== null && { recorded_at: recorded }),
    ...(provenance !== undefined && { provenance }),
  } satisfies Attempt
}

function forecastOf(
  row: RowReader,
  { origin, hours, model }: Key,
  outcomes: Vintage | undefined,
): ForecastValue | undefined {
  const price = row.number('price_usd')
  const source = sourceOf(row, origin, outcomes)
  const change = row.number('change_pct')
  const provenance = provenanceIn(row)
  const values = {
    interval: {
      level: INTERVAL_LEVEL,
      lower_usd: row.number('q10_usd'),
      median_usd: row.number('q50_usd'),
      upper_usd: row.number('q90_usd'),
    },
    confidence: confidenceOf(row.number('model_agreement')),
    run: { id: row.name('run_id'), generated_at: row.instant('generated_at') },
    model: { name: model, configuration_id: row.name('configuration_id') },
  }
  if (row.findings.length > 0) return undefined
  if (price === null) row.findings.push(finding('natural-missing', { column: 'price_usd' }))
  if (price === null || source === undefined) return undefined
  return {
    forecast_id: `${origin}:${model}:${hours}`,
    origin_at: origin,
    target_at: formatStored(instantOrNaN(origin) + hours * MICROS_PER_HOUR),
    horizon_hours: hours,
    estimate: {
      price_usd: price,
      change_pct: change ?? (100 * (price - source.price)) / source.price,
    },
    ...values,
    lineage: {
      history_key: { origin_at: origin, model_name: model, horizon_hours: hours },
      source: { name: source.name ?? UNKNOWN_SOURCE, pair: PAIR, price_usd: source.price },
      ...readManifest(null),
      ...(source.name === null && { source_reason: NOT_RECORDED }),
      // The table does not say it: by what is imported here it is the only one there is.
      pair_reason: NOT_RECORDED,
      ...(provenance !== undefined && { provenance }),
    },
    freshness: { observed_at: origin, age_seconds: 0, status: 'unknown' },
  }
}

/** The price at the origin, and where it is from; undefined where nothing says it. */
function sourceOf(row: RowReader, origin: string, outcomes: Vintage | undefined) {
  const price = row.number('source_price_usd')
  const name = row.name('source_name')
  if (price !== null) return { price, name }
  if (row.findings.length > 0) return undefined
  if (outcomes === undefined) {
    row.findings.push(finding('natural-missing', { column: 'source_price_usd' }))
    return undefined
  }
  const instant = instantOrNaN(origin)
  const close = outcomes.closeAt(instant)
  if (close !== undefined) return { price: close, name: name ?? outcomes.manifest.source }
  const args = { origin: formatUtc(instant), vintage: outcomes.manifest.vintage_id }
  row.findings.push(finding('natural-no-close', args))
  return undefined
}

function provenanceIn(row: RowReader): Provenance | undefined {
  const said = Object.entries({
    input_available_at: row.instant('input_available_at'),
    selection_data_through: row.instant('selection_data_through'),
    vintage_id: row.text('vintage_id'),
    vintage_sha256: row.text('vintage_sha256'),
  }).filter(([, value]) => value !== null)
  return said.length === 0 ? undefined : Object.fromEntries(said)
}
