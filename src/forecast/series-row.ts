import { type Finding, finding } from '../contract/findings/finding.js'
import { checkSeriesAttempt, checkSeriesForecast } from '../contract/generated/check-payloads.js'
import { isObject } from '../contract/is-object.js'
import { INTERVAL_LEVEL, isValue } from '../contract/limits.js'
import { pointerTo } from '../contract/pointer.js'
import type { SeriesAttempt, SeriesForecast } from '../contract/types.js'
import { MAX_DEPTH } from '../document/canonical.js'
import { iJsonFault } from './i-json.js'
import { quantileLevel } from './levels.js'
import { normalTimestamp, storedProvenance } from './resource.js'
import type { PairingRow } from './row.js'

/** A row of a history of version 2: a forecast or a recorded attempt. */
export type SeriesRow = SeriesForecast | SeriesAttempt

export const isSeriesAttempt = (row: SeriesRow): row is SeriesAttempt => 'status' in row

/** The name of a row in findings. */
export function nameOfSeriesRow(row: Omit<SeriesAttempt, 'status' | 'reason'>): string {
  return `${row.series}, ${row.origin}, ${row.model}, step ${row.horizon}`
}

/** Finds the faults of a value as a row: its form, its levels, its numbers, and what JSON does not allow. */
export function checkSeriesRow(value: unknown): Finding[] {
  const fault = iJsonFault(value, MAX_DEPTH)
  if (fault !== undefined) return [fault]
  if (isObject(value) && 'status' in value) return checkSeriesAttempt(value)
  const findings = checkSeriesForecast(value)
  return findings.length > 0 ? findings : numberFindings(value as SeriesForecast)
}

function numberFindings({ value, quantiles }: SeriesForecast): Finding[] {
  const levels = Object.keys(quantiles).filter((level) => quantileLevel(level) !== level)
  const numbers = [
    ['/value', value] as const,
    ...Object.entries(quantiles).map(([of, at]) => [pointerTo('/quantiles', of), at] as const),
  ]
  return [
    ...levels.map((found) => {
      const args = { fault: 'level', column: 'quantiles', found } as const
      return finding('natural-cell', args, { pointer: pointerTo('/quantiles', found) })
    }),
    ...numbers
      .filter(([, number]) => !isValue(number))
      .map(([pointer, number]) => {
        const args = { fault: 'value', found: String(number) } as const
        return finding('json-number-range', args, { pointer })
      }),
  ]
}

/** The row with timestamps in the stored form, without empty members. */
export function storedSeriesRow<T extends SeriesRow>(row: T): T {
  const time = <K extends string>(name: K, text: string | null | undefined) =>
    text ? { [name]: normalTimestamp(text) ?? text } : {}
  const { provenance, ...rest } = row
  const stored = storedProvenance(provenance ?? {})
  return {
    ...rest,
    ...('generated_at' in row && time('generated_at', row.generated_at)),
    ...('recorded_at' in row && time('recorded_at', row.recorded_at)),
    ...(stored !== undefined && { provenance: stored }),
  } as T
}

/**
 * Returns a function that makes a row for pairing from what is stored under one key: a forecast, an attempt, or both.
 */
export function seriesPairing(): (
  forecast: SeriesForecast | undefined,
  attempt: SeriesAttempt | undefined,
) => PairingRow {
  const byText = new Map<string, readonly string[]>()
  const shared = (levels: readonly string[]) => {
    const text = levels.join()
    if (!byText.has(text)) byText.set(text, levels)
    return byText.get(text) as readonly string[]
  }
  return (forecast, attempt) => {
    const { series, origin, model, horizon, provenance } = (forecast ?? attempt) as SeriesRow
    const quantiles = forecast?.quantiles ?? {}
    return {
      series,
      originAt: origin,
      model,
      horizon,
      targetAt: null,
      generatedAt: forecast?.generated_at ?? null,
      sourcePrice: null,
      forecast: forecast?.value ?? null,
      levels: shared(Object.keys(quantiles)),
      quantiles: Object.values(quantiles),
      level: INTERVAL_LEVEL,
      attempt: attempt?.status ?? null,
      inputAvailableAt: provenance?.input_available_at ?? null,
      selectionDataThrough: provenance?.selection_data_through ?? null,
      vintageId: provenance?.vintage_id ?? null,
      vintageSha256: provenance?.vintage_sha256 ?? null,
    }
  }
}
