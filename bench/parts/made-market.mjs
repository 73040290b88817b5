// Made markets and forecasters, whose laws are known: what the calibrations simulate.

import { HOURLY_LEVELS } from '../../dist/forecast/row.js'
import { countOriginsADay } from '../../dist/inference/days.js'
import { seededRandom } from '../../dist/lint/power/random.js'
import { Memberships } from '../../dist/pairing/accounting.js'
import { originsAt } from '../../dist/pairing/make-plan.js'
import { compileStrata } from '../../dist/registration/strata.js'
import { computeMeasures } from '../../dist/scoring/cells.js'
import { listMeasures } from '../../dist/scoring/measures.js'
import { emptyPairs } from '../../dist/scoring/panel.js'
import { familySeries, RULES } from './family-series.mjs'

const MEASURES = listMeasures(RULES, [])

const MICROS_PER_HOUR = 3_600_000_000

/** Hours before the first origin: forecasters and strata look back, never so far. */
export const LEAD_IN = 168

/** A Monday, so that strata of hours and weekdays begin alike each time. */
const MONDAY = Date.UTC(2024, 0, 1) * 1000
const START_PRICE = 40_000
const HOURLY_SPREAD = 0.006

/**
 * GARCH(1, 1) of hourly log returns with jumps: volatility that lasts for days, fat tails. One hour
 * in 200 has a jump on top, four times as wide as the hour's own return, and volatility follows it.
 */
const GARCH = { shock: 0.08, persistence: 0.9 }
const JUMP = { rate: 1 / 200, size: 4 }
const PERSISTENCE = GARCH.shock * (1 + JUMP.rate * JUMP.size ** 2) + GARCH.persistence

/** Random numbers that a seed fixes: uniform ones in [0, 1), and standard normal ones. */
export function madeRandom(seed) {
  const { uniform } = seededRandom(seed)
  let spare
  // Polar method: two at a time. Marsaglia & Bray (1964), A convenient method for generating
  // normal variables.
  const normal = () => {
    if (spare !== undefined) {
      const value = spare
      spare = undefined
      return value
    }
    for (;;) {
      const [u, v] = [2 * uniform() - 1, 2 * uniform() - 1]
      const square = u * u + v * v
      if (square >= 1 || square === 0) continue
      const factor = Math.sqrt((-2 * Math.log(square)) / square)
      spare = v * factor
      return u * factor
    }
  }
  return { uniform, normal }
}

/** A made market; no close of it says anything of the next return's sign. */
export function madeMarket(size, random) {
  const length = hoursOf(size)
  const values = new Float64Array(length)
  const long = HOURLY_SPREAD ** 2
  let variance = long
  let logPrice = Math.log(START_PRICE)
  // As many hours again as the lead-in let the volatility forget where it began.
  for (let hour = -LEAD_IN; hour < length; hour++) {
    if (hour >= 0) values[hour] = Math.exp(logPrice)
    const spread = Math.sqrt(variance)
    const jump = random.uniform() < JUMP.rate ? JUMP.size * random.normal() : 0
    const change = spread * (random.normal() + jump)
    if (hour >= 0) logPrice += change
    variance = (1 - PERSISTENCE) * long + GARCH.shock * change ** 2 + GARCH.persistence * variance
  }
  return marketOf({ first: MONDAY, values }, size)
}

/**
 * A window of real closes that begins at a random hour.
 * @param closes - more than the window and its lead-in need.
 */
export function randomWindow(closes, size, random) {
  const length = hoursOf(size)
  const start = Math.floor(random.uniform() * (closes.values.length - length + 1))
  const values = closes.values.subarray(start, start + length)
  return marketOf({ first: closes.first + start * MICROS_PER_HOUR, values }, size)
}

/** The close of the bar that ends at the instant, where the market has it. */
export function closeAt({ first, values }, instant) {
  return values[(instant - first) / MICROS_PER_HOUR]
}

function hoursOf({ origins, longestHorizon }) {
  return LEAD_IN + origins + longestHorizon
}

function marketOf(closes, { origins }) {
  const firstOrigin = closes.first + LEAD_IN * MICROS_PER_HOUR
  return { firstOrigin, origins, closes, volatility: volatilityOf(closes.values, origins) }
}

/** Root of the exponentially weighted mean of squared returns, an hour weighing 3 % of what is known. */
const NEWEST = 0.03

function volatilityOf(values, origins) {
  const volatility = new Float64Array(origins)
  let variance = HOURLY_SPREAD ** 2
  for (let hour = 1; hour < LEAD_IN + origins; hour++) {
    const change = Math.log(values[hour] / values[hour - 1])
    variance += NEWEST * (change ** 2 - variance)
    if (hour >= LEAD_IN) volatility[hour - LEAD_IN] = Math.sqrt(variance)
  }
  return volatility
}

/** How long a forecaster's errors or widths remember: what is left of a deviation an hour later. */
const MEMORY = { hours: 0.9, days: 0.98, week: 0.994, 'two weeks': 0.997 }

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
 * @param law {errorCorrelation: of the errors of two forecasters of this law, in (0, 1]; widthMemory and
 * errorMemory: a name of MEMORY; regimeDays: mean length of regimes, or absent; yearly: whether skill goes by the time of the year;
 * missing: share without a forecast}
 * @param reduction share by which every point and quantile is moved towards the outcome: the
 * expected point loss is that much below one of the same law
 */
export function madeForecasts(market, horizons, law, random, reduction = 0) {
  const drawn = drawnLaw(market.origins, horizons, law, random, reduction)
  return new Map([...drawn].map(([horizon, of]) => [horizon, pairsAt(market, horizon, of)]))
}

/** The errors of its points alone, in log returns: the same draws give the same forecaster. NaN without a forecast. */
export function madeErrors(market, horizons, law, random, reduction = 0) {
  const drawn = drawnLaw(market.origins, horizons, law, random, reduction)
  return new Map([...drawn].map(([horizon, of]) => [horizon, errorsAt(market, horizon, of)]))
}

function drawnLaw(origins, horizons, law, random, reduction) {
  const remembered = MEMORY[law.errorMemory ?? 'hours']
  const common = autoregression(origins, remembered, random)
  const width = autoregression(origins, MEMORY[law.widthMemory], random)
  const made = Uint8Array.from({ length: origins }, () => Number(random.uniform() >= law.missing))
  const regime = law.yearly ? yearlyOf(origins, random) : regimesOf(origins, law.regimeDays, random)
  const reductionAt = typeof reduction === 'number' ? () => reduction : reduction
  return new Map(
    horizons.map((horizon) => {
      const own = autoregression(origins, remembered, random)
      const skill = regime.map((extra) => reductionAt(horizon) + extra)
      return [horizon, { ...law, skill, common, own, width, made }]
    }),
  )
}

function errorsAt({ closes, origins, volatility }, horizon, drawn) {
  const noise = noiseOf(drawn)
  return Float64Array.from({ length: origins }, (_, i) => {
    if (drawn.made[i] === 0) return Number.NaN
    const point = noise * volatility[i] * Math.sqrt(horizon) * (drawn.common[i] + drawn.own[i])
    return (1 - drawn.skill[i]) * (point - moveAt(closes, i, horizon))
  })
}

const noiseOf = ({ errorCorrelation }) => Math.sqrt((1 / errorCorrelation - 1) / 2)

/** The log return from an origin on. */
export function moveAt({ values }, origin, hours, since = 0) {
  return Math.log(values[LEAD_IN + origin + hours] / values[LEAD_IN + origin + since])
}

/** What regimes add to the reduction of the loss at each origin: 0 on average. */
function regimesOf(origins, days, random) {
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

const HOURS_A_YEAR = 24 * 365.25

function yearlyOf(length, random) {
  const phase = random.uniform()
  const turn = (at) => Math.sin(2 * Math.PI * (at / HOURS_A_YEAR + phase))
  return Float64Array.from({ length }, (_, at) => REGIME_SKILL * turn(at))
}

function pairsAt({ closes, origins, volatility }, horizon, drawn) {
  const noise = noiseOf(drawn)
  const pairs = emptyPairs(origins, HOURLY_LEVELS.length)
  for (let i = 0; i < origins; i++) {
    if (drawn.made[i] === 0) continue
    const p0 = closes.values[LEAD_IN + i]
    const p1 = closes.values[LEAD_IN + i + horizon]
    const spread = volatility[i] * Math.sqrt(horizon)
    const point = noise * spread * (drawn.common[i] + drawn.own[i])
    const half = Z90 * spread * Math.exp(WIDTH_SPREAD * drawn.width[i])
    const skill = drawn.skill[i]
    const move = skill * Math.log(p1 / p0)
    const price = (predicted) => p0 * Math.exp(move + (1 - skill) * predicted)
    pairs.p0[i] = p0
    pairs.p1[i] = p1
    pairs.forecast[i] = price(point)
    const own = [price(point - half), pairs.forecast[i], price(point + half)]
    for (const [at, value] of own.entries()) pairs.quantiles[at][i] = value
  }
  return pairs
}

/** One step of a walk, by its law. */
export function stepOf(law, random) {
  const normal = random.normal()
  if (law === 'normal') return normal
  // Student's t with four degrees of freedom.
  const square = Array.from({ length: 4 }, () => random.normal() ** 2)
  return normal / Math.sqrt(square.reduce((sum, one) => sum + one, 0) / 4)
}

/** A market whose log price is a walk of such steps. */
export function madeWalk(size, law, random) {
  const values = new Float64Array(hoursOf(size))
  let logPrice = Math.log(START_PRICE)
  for (let hour = 0; hour < values.length; hour++) {
    values[hour] = Math.exp(logPrice)
    logPrice += HOURLY_SPREAD * stepOf(law, random)
  }
  return marketOf({ first: MONDAY, values }, size)
}

/** A stationary first-order autoregression with mean 0 and standard deviation 1. */
export function autoregression(length, rho, { normal }) {
  const values = new Float64Array(length)
  const innovation = Math.sqrt(1 - rho * rho)
  let value = normal()
  for (let i = 0; i < length; i++) {
    values[i] = value
    value = rho * value + innovation * normal()
  }
  return values
}

/**
 * The series of a registered family over made forecasts: from the forecasts on, everything is
 * scored as in an evaluation.
 *
 * @param models forecasts by horizon, for every candidate and comparator that a test names
 */
export function madeFamily(market, models, { tests, horizons, strata }) {
  const cells = new Map()
  for (const [model, forecasts] of models) {
    for (const [horizon, pairs] of forecasts) {
      const columns = computeMeasures(pairs, MEASURES, 0, (index) => pairs.p1[index])
      cells.set(`${horizon} ${model}`, { pairs, columns })
    }
  }
  const sources = { closeAt: (instant) => closeAt(market.closes, instant) }
  const memberships = new Memberships(
    compileStrata(strata, sources),
    originsAt(
      Array.from(
        { length: market.origins },
        (_, hour) => market.firstOrigin / MICROS_PER_HOUR + hour,
      ),
    ),
  )
  const getCell = (model, horizon) => cells.get(`${horizon} ${model}`)
  return familySeries(tests, horizons, getCell, memberships)
}

/** The largest number of origins in one day, where there is one every hour. */
export const hourlyADay = (origins) =>
  countOriginsADay(Float64Array.from({ length: origins }, (_, at) => at * 3_600_000_000))
