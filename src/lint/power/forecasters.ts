import { HOURLY_LEVELS } from '../../forecast/row.js'
import { emptyPairs } from '../../scoring/panel.js'
import type { ScoredPairs } from '../../scoring/types.js'
import { LEAD_IN, type Market } from './market.js'
import { autoregression, type Random } from './random.js'

/** Correlation of the errors of two made forecasters: most of an error is the market's. */
const ERROR_CORRELATION = 0.9
/** What is left of a deviation of errors an hour later, as in a model that is fed overlapping windows; of widths. */
const MEMORY = { errors: 0.9, widths: 0.98 } as const
/** Share of origins without a forecast. */
const MISSING = 0.01
/** 0.9 quantile of the standard normal distribution. */
const Z90 = 1.2815515655446004
/** Spread of the logarithm of a width. */
const WIDTH_SPREAD = 0.2

/**
 * A made forecaster's forecasts at every origin of a market, by horizon. It knows the volatility
 * and nothing of the direction: its point is noise of its own, half of it common to all horizons. Two of them are
 * equal: every expected difference is 0.
 */
export function madeForecasts(
  market: Market,
  horizons: readonly number[],
  random: Random,
): Map<number, ScoredPairs> {
  const { origins } = market
  const common = autoregression(origins, MEMORY.errors, random)
  const width = autoregression(origins, MEMORY.widths, random)
  const made = Uint8Array.from({ length: origins }, () => Number(random.uniform() >= MISSING))
  return new Map(
    horizons.map((horizon) => {
      const own = autoregression(origins, MEMORY.errors, random)
      return [horizon, pairsAt(market, horizon, { common, own, width, made })]
    }),
  )
}

interface Drawn {
  readonly common: Float64Array
  readonly own: Float64Array
  readonly width: Float64Array
  /** 1 where there is a forecast. */
  readonly made: Uint8Array
}

function pairsAt({ closes, origins, volatility }: Market, horizon: number, drawn: Drawn) {
  const noise = Math.sqrt((1 / ERROR_CORRELATION - 1) / 2)
  const pairs = emptyPairs(origins, HOURLY_LEVELS.length)
  for (let i = 0; i < origins; i++) {
    if (drawn.made[i] === 0) continue
    const p0 = closes.values[LEAD_IN + i]!
    const spread = volatility[i]! * Math.sqrt(horizon)
    const point = noise * spread * (drawn.common[i]! + drawn.own[i]!)
    const half = Z90 * spread * Math.exp(WIDTH_SPREAD * drawn.width[i]!)
    const price = (predicted: number) => p0 * Math.exp(predicted)
    pairs.p0[i] = p0
    pairs.p1[i] = closes.values[LEAD_IN + i + horizon]!
    pairs.forecast[i] = price(point)
    const own = [price(point - half), pairs.forecast[i]!, price(point + half)]
    for (const [at, value] of own.entries()) pairs.quantiles[at]![i] = value
  }
  return pairs
}
