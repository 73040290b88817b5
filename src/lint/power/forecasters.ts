import type { ScoredPairs } from '../../scoring/types.js'
import { LEAD_IN, type Market } from './market.js'
import { autoregression, type Random } from './random.js'

/** How long the widths of a forecaster's intervals remember: what is left of a deviation an hour later. */
export const WIDTH_MEMORY = { hours: 0.9, days: 0.98, week: 0.994 } as const
export type WidthMemory = keyof typeof WIDTH_MEMORY

/** How a made forecaster forecasts. Two of one law are equal: every expected difference is 0. */
export interface ForecasterLaw {
  /** Correlation of the errors of two forecasters of this law, in (0, 1]: most of an error is the market's. */
  readonly errorCorrelation: number
  readonly widthMemory: WidthMemory
  /** Share of origins without a forecast. */
  readonly missing: number
}

/** Point errors live for hours, as those of a model that is fed overlapping windows do. */
const ERROR_MEMORY = 0.9
/** 0.9 quantile of the standard normal distribution. */
const Z90 = 1.2815515655446004
/** Spread of the logarithm of a width. */
const WIDTH_SPREAD = 0.2

/**
 * A made forecaster's forecasts at every origin of a market, by horizon. It knows the volatility
 * and nothing of the direction: its point is noise of its own, half of it common to all horizons.
 *
 * @param reduction share by which every point and quantile is moved towards the outcome: the
 * expected point loss is that much below one of the same law
 */
export function madeForecasts(
  market: Market,
  horizons: readonly number[],
  law: ForecasterLaw,
  random: Random,
  reduction = 0,
): Map<number, ScoredPairs> {
  const { origins } = market
  const common = autoregression(origins, ERROR_MEMORY, random)
  const width = autoregression(origins, WIDTH_MEMORY[law.widthMemory], random)
  const made = Uint8Array.from({ length: origins }, () => Number(random.uniform() >= law.missing))
  return new Map(
    horizons.map((horizon) => {
      const own = autoregression(origins, ERROR_MEMORY, random)
      return [horizon, pairsAt(market, horizon, { ...law, reduction, common, own, width, made })]
    }),
  )
}

interface Drawn extends ForecasterLaw {
  readonly reduction: number
  readonly common: Float64Array
  readonly own: Float64Array
  readonly width: Float64Array
  /** 1 where there is a forecast. */
  readonly made: Uint8Array
}

function pairsAt({ closes, origins, volatility }: Market, horizon: number, drawn: Drawn) {
  const noise = Math.sqrt((1 / drawn.errorCorrelation - 1) / 2)
  const pairs = emptyPairs(origins)
  for (let i = 0; i < origins; i++) {
    if (drawn.made[i] === 0) continue
    const p0 = closes.values[LEAD_IN + i]!
    const p1 = closes.values[LEAD_IN + i + horizon]!
    const spread = volatility[i]! * Math.sqrt(horizon)
    const point = noise * spread * (drawn.common[i]! + drawn.own[i]!)
    const half = Z90 * spread * Math.exp(WIDTH_SPREAD * drawn.width[i]!)
    const move = drawn.reduction * Math.log(p1 / p0)
    const price = (predicted: number) => p0 * Math.exp(move + (1 - drawn.reduction) * predicted)
    pairs.p0[i] = p0
    pairs.p1[i] = p1
    pairs.forecast[i] = price(point)
    pairs.q10[i] = price(point - half)
    pairs.q50[i] = pairs.forecast[i]!
    pairs.q90[i] = price(point + half)
  }
  return pairs
}

/** Nobody recorded a vintage. */
function emptyPairs(origins: number): ScoredPairs {
  const empty = () => new Float64Array(origins).fill(Number.NaN)
  const [p0, p1, forecast, q10, q50, q90] = [empty(), empty(), empty(), empty(), empty(), empty()]
  return { p0, p1, forecast, q10, q50, q90, vintage: new Uint32Array(origins) }
}
