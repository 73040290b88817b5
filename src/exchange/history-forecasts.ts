import { checkedInstant, MICROS_PER_HOUR } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'
import type { ForecastResource } from '../contract/types.js'
import { exportedRows } from '../history/export.js'
import type { Vintage } from '../outcomes/types.js'
import type { ExchangedForecast, Omissions, Quantiles } from './forecasts.js'

export interface HistoryForecastsOptions {
  /** The outcomes, where targets are to be had too. */
  readonly outcomes?: Vintage | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * The forecasts of a history, oldest origin first, then by horizon and model.
 * @param leftOut is told of what forecasts of other formats have no place for.
 * @throws {ForeproofError} when the history cannot be read, and at a row that is no forecast; `interrupted`.
 */
export async function* historyForecasts(
  path: string,
  { outcomes, signal }: HistoryForecastsOptions,
  leftOut: Omissions,
): AsyncGenerator<readonly ExchangedForecast[]> {
  for await (const rows of exportedRows(path, { signal })) {
    yield rows.flatMap(({ forecast, attempt }) => {
      if (attempt !== undefined && forecast === undefined) leftOut.add('attempts')
      if (forecast === undefined) return []
      countLeftOut(forecast, leftOut)
      return [exchangedOf(forecast, outcomes)]
    })
  }
}

function exchangedOf(resource: ForecastResource, outcomes: Vintage | undefined): ExchangedForecast {
  const origin = checkedInstant(resource.origin_at)
  const horizonHours = resource.horizon_hours
  return {
    origin,
    horizonHours,
    model: resource.model.name,
    price: resource.estimate.price_usd,
    quantiles: quantilesOf(resource),
    sourcePrice: resource.lineage.source.price_usd,
    originClose: outcomes?.closeAt(origin),
    targetClose: outcomes?.closeAt(origin + horizonHours * MICROS_PER_HOUR),
  }
}

/** An interval of another level has other quantiles, which no column of ours names. */
function quantilesOf({ interval }: ForecastResource): Quantiles | undefined {
  const { level, lower_usd: q10, median_usd: q50, upper_usd: q90 } = interval
  if (level !== INTERVAL_LEVEL || q10 === null || q50 === null || q90 === null) return undefined
  return { q10, q50, q90 }
}

function countLeftOut(resource: ForecastResource, leftOut: Omissions): void {
  const { interval, lineage, model, run } = resource
  const known = [model.configuration_id, run.id, run.generated_at, lineage.manifest]
  if (known.some((value) => value !== null)) leftOut.add('lineage')
  if (lineage.provenance !== undefined) leftOut.add('provenance')
  if (interval.level !== INTERVAL_LEVEL && interval.lower_usd !== null) leftOut.add('levels')
}
