import { INTERVAL_LEVEL } from '../contract/limits.js'
import {
  type HistoryRow,
  HOURLY_LEVELS,
  NO_FORECAST,
  type PairingRow,
  type RawValue,
} from '../forecast/row.js'
import type { HistoryEntry } from './types.js'

/** What pairing takes of an entry. */
export function pairingRowOf({ forecast, attempt }: HistoryEntry): PairingRow {
  const key = forecast ?? attempt
  const provenance = key?.provenance
  return {
    series: '',
    originAt: spelled(key?.originAt),
    model: spelled(key?.model),
    horizon: numeric(key?.horizonHours),
    ...(forecast === undefined ? NO_FORECAST : forecastOf(forecast)),
    attempt: attempt === undefined ? null : attempt.status === 'abstained' ? 'abstained' : 'failed',
    inputAvailableAt: textOrNull(provenance?.inputAvailableAt),
    selectionDataThrough: textOrNull(provenance?.selectionDataThrough),
    vintageId: textOrNull(provenance?.vintageId),
    vintageSha256: textOrNull(provenance?.vintageSha256),
  }
}

function forecastOf(row: HistoryRow) {
  return {
    targetAt: spelled(row.targetAt),
    forecast: numeric(row.priceUsd),
    levels: HOURLY_LEVELS,
    quantiles: [numericOrNull(row.q10Usd), numericOrNull(row.q50Usd), numericOrNull(row.q90Usd)],
    ...(wholeOf(row.whole) ?? {
      generatedAt: textOrNull(row.origin?.generatedAt),
      sourcePrice: numeric(row.origin?.sourcePriceUsd),
      level: INTERVAL_LEVEL,
    }),
  }
}

/** What a resource that is kept whole says otherwise than its origin's row. */
function wholeOf(json: RawValue) {
  if (json === null) return undefined
  try {
    const resource = JSON.parse(String(json))
    return {
      level: numeric(resource.interval.level),
      sourcePrice: numeric(resource.lineage.source.price_usd),
      generatedAt: textOrNull(resource.run.generated_at),
    }
  } catch {
    return { level: Number.NaN, sourcePrice: Number.NaN, generatedAt: null }
  }
}

function numeric(value: RawValue | undefined): number {
  return typeof value === 'number' ? value : Number.NaN
}

function numericOrNull(value: RawValue | undefined): number | null {
  return value === null || value === undefined ? null : numeric(value)
}

function textOrNull(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : spelled(value)
}

function spelled(value: RawValue | undefined): string {
  return typeof value === 'string' ? value : String(value ?? '')
}
