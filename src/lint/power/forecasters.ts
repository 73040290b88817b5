import { HOURLY_LEVELS } from '../../forecast/row.js'
import { emptyPairs } from '../../scoring/panel.js'
import type { ScoredPairs } from '../../scoring/types.js'
import { LEAD_IN, type Market } from './market.js'
import { autoregression, type Random } from './random.js'

/** How long a forecaster's errors or widths remember: what is left of a deviation an hour later. */
const MEMORY = { hours: 0.9, days: 0.98, week: 0.994, 'two weeks': 0.997 } as const
export type ForecasterMemory = keyof typeof MEMORY

/**
 * How a made forecaster forecasts. Two of one law are equal: every expected difference is 0. Those that remember for long,
 * or by regimes, are of `bench/null-calibration.mjs`.
 */
export interface ForecasterLaw {
  /** Correlation of the errors of two forecasters of this law, in (0, 1]: most of an error is the market's. */
  readonly errorCorrelation: number
  /** Of the widths of intervals. */
  readonly widthMemory: ForecasterMemory
  /** Of the point errors; hours, as those of a model that is fed overlapping windows, where it is absent. */
  readonly errorMemory?: ForecasterMemory
  /** Mean length of the regimes in which it is by turns better and worse than on average; absent without. */
  readonly regimeDays?: number
  /** Share of origins without a forecast. */
  readonly missing: number
}

/** How much better or worse a forecaster is in its regimes, as a share of its loss. */
const REGIME_SKILL = 0.05
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
  reduction: number | ((horizon: number) => number) = 0,
): Map<number, ScoredPairs> {
  const { origins } = market
  const remembered = MEMORY[law.errorMemory ?? 'hours']
  const common = autoregression(origins, remembered, random)
  const width = autoregression(origins, MEMORY[law.widthMemory], random)
  const made = Uint8Array.from({ length: origins }, () => Number(random.uniform() >= law.missing))
  const regime = regimesOf(origins, law.regimeDays, random)
  const reductionAt = typeof reduction === 'number' ? () => reduction : reduction
  return new Map(
    horizons.map((horizon) => {
      const own = autoregression(origins, remembered, random)
      const skill = regime.map((extra) => reductionAt(horizon) + extra)
      return [horizon, pairsAt(market, horizon, { ...law, skill, common, own, width, made })]
    }),
  )
}

/** What regimes add to the reduction of the loss at each origin: 0 on average. */
function regimesOf(origins: number, days: number | undefined, random: Random): Float64Array {
  const regime = new Float64Array(origins)
  if (days === undefined) return regime
  const change = 1 / (24 * days)
  let sign = random.uniform() < 0.5 ? 1 : -1
  for (let i = 0; i < origins; i++) {
    if (random.uniform() < change) sign = -sign
    regime[i] = sign * REGIME_SKILL
  }
  return regime
}

interface Drawn extends ForecasterLaw {
  /** By how much the loss is reduced at each origin. */
  readonly skill: Float64Array
  readonly common: Float64Array
  readonly own: Float64Array
  readonly width: Float64Array
  /** 1 where there is a forecast. */
  readonly made: Uint8Array
}

function pairsAt({ closes, origins, volatility }: Market, horizon: number, drawn: Drawn) {
  const noise = Math.sqrt((1 / drawn.errorCorrelation - 1) / 2)
  const pairs = emptyPairs(origins, HOURLY_LEVELS.length)
  for (let i = 0; i < origins; i++) {
    if (drawn.made[i] === 0) continue
    const p0 = closes.values[LEAD_IN + i]!
    const p1 = closes.values[LEAD_IN + i + horizon]!
    const spread = volatility[i]! * Math.sqrt(horizon)
    const point = noise * spread * (drawn.common[i]! + drawn.own[i]!)
    const half = Z90 * spread * Math.exp(WIDTH_SPREAD * drawn.width[i]!)
    const skill = drawn.skill[i]!
    const move = skill * Math.log(p1 / p0)
    const price = (predicted: number) => p0 * Math.exp(move + (1 - skill) * predicted)
    pairs.p0[i] = p0
    pairs.p1[i] = p1
    pairs.forecast[i] = price(point)
    const own = [price(point - half), pairs.forecast[i]!, price(point + half)]
    for (const [at, value] of own.entries()) pairs.quantiles[at]![i] = value
  }
  return pairs
}
