import { instantOf } from '../contract/instant.js'
import type { PairLine } from '../pairing/lines.js'
import type { ExchangedForecast, Omissions, Quantiles } from './forecasts.js'

/**
 * The scored forecasts of an evaluation, baselines included, with both closes.
 * @param pairs the lines of pairs.ndjson, in order.
 * @param leftOut is told of expected attempts that were not scored.
 */
export async function* evidenceForecasts(
  pairs: AsyncIterable<readonly PairLine[]>,
  leftOut: Omissions,
): AsyncGenerator<readonly ExchangedForecast[]> {
  for await (const lines of pairs) {
    yield lines.flatMap((line) => {
      if (!line.expected) return []
      const forecast = exchangedOf(line)
      if (forecast === undefined) leftOut.add('unscored')
      else if (line.vintage_id !== null || line.vintage_sha256 !== null) leftOut.add('provenance')
      return forecast ?? []
    })
  }
}

function exchangedOf(line: PairLine): ExchangedForecast | undefined {
  const { origin_close_usd: originClose, target_close_usd: targetClose } = line
  const { predicted_price_usd: price, horizon_hours: horizonHours, model } = line
  const origin = instantOf(line.origin_at)
  if (line.status !== 'scored' || origin === undefined) return undefined
  if (price === null || originClose === null || targetClose === null || horizonHours === null) {
    return undefined
  }
  const closes = { sourcePrice: originClose, originClose, targetClose }
  return { origin, horizonHours, model, price, quantiles: quantilesOf(line), ...closes }
}

function quantilesOf(line: PairLine): Quantiles | undefined {
  const { q10_usd: q10, q50_usd: q50, q90_usd: q90 } = line
  if (line.interval_status !== 'scored') return undefined
  return q10 === null || q50 === null || q90 === null ? undefined : { q10, q50, q90 }
}
