// Losses of two forecasters without a difference in skill, under a protocol of version 2: the laws of series-calibration.mjs.

import { autoregression, stepOf } from './made-market.mjs'

export const HORIZONS = [1, 2, 3, 4, 5]

/**
 * How much of a forecaster's errors and widths, and of the size of shocks, is that of the origin before. After a block of five origins 3, 17 and
 * 59 % are left: a block is to be so long that errors further apart are independent.
 */
const MEMORIES = { block: 0.5, longer: 0.7, 'much longer': 0.9 }
/** How much better or worse a forecaster is by turns. */
const BY_TURNS = 0.05
const ORIGINS_A_YEAR = 52
/** Quarters of a day. */
const QUARTERS = 4
/** What is copied, in quarters of a day after the origin, and the share of the comparator's loss that is charged, by step. */
const COPIES = {
  // Persistence sees the origin; the copy is made some hours later.
  '6 h late': { late: 1, seen: 0, left: (h) => 1 - 1 / QUARTERS / h },
  '12 h late': { late: 2, seen: 0, left: (h) => 1 - 2 / QUARTERS / h },
  // A value is public a day after its end: persistence sees that of the period before, the copy is of the origin.
  'a day late': { late: 0, seen: -QUARTERS, left: (h) => h / (h + 1) },
}
/** From which origin on a series has keys. */
const FROM = {
  // A quarter of the series begins late: some a little, some after too much of the window.
  late: (series, length) => (series % 4 === 0 ? length * (series % 8 === 0 ? 0.07 : 0.3) : 0),
  'half way': (series, length) => (series % 2 === 0 ? length / 2 : 0),
}

/**
 * @param line - {law, places, origins, score}. The law is a memory, `regimes of 10`, `yearly cycle`, `late`, `half way`, or a copy such as
 * `copy 6 h late, t4`
 * @returns by cell {series, h, own, other, left}: losses by origin, NaN where there is no key; `left` is what of the other's is charged
 */
export function madeLosses(line, random) {
  const [, copy, steps] = /^copy (.*), (.*)$/.exec(line.law) ?? []
  return copy === undefined ? equalSkill(line, random) : copies(COPIES[copy], steps, line, random)
}

/** Candidate and comparator have the same law, so either order is as likely. */
function equalSkill({ law, places, origins, score }, random) {
  const length = origins + HORIZONS.at(-1)
  const rho = MEMORIES[law] ?? MEMORIES.block
  const path = () => autoregression(length, rho, random)
  const volatility = path().map((value) => Math.exp(0.4 * value))
  const common = Float64Array.from({ length }, () => random.normal())
  const series = Array.from({ length: places }, () => ({
    size: Math.exp(0.5 * random.normal()),
    shocks: Float64Array.from({ length }, () => random.normal()),
  }))
  const forecasters = [0, 1].map(() => ({
    error: path(),
    width: path(),
    own: series.map(() => path()),
    turns: turnsOf(law, length, random),
  }))
  const lossOf = (made, at, origin, h) => {
    let error = 0
    for (let target = origin + 1; target <= origin + h; target++) {
      error += volatility[target] * (0.7 * common[target] + 0.7 * series[at].shocks[target])
    }
    error -= Math.sqrt(h) * (0.4 * made.error[origin] + 0.4 * made.own[at][origin])
    error *= 1 + made.turns[origin]
    const { size } = series[at]
    if (score === 'absolute') return size * Math.abs(error)
    const half = 1.28 * Math.sqrt(h) * Math.exp(0.3 * made.width[origin])
    const outside = Math.max(0, Math.abs(error) - half)
    // The mean over the levels 0.1, 0.5 and 0.9 of twice the pinball loss.
    return (size * (Math.abs(error) + 0.2 * half + 2 * outside)) / 3
  }
  return series.flatMap((_, at) =>
    HORIZONS.map((h) => {
      const isKey = (origin) => origin + h >= (FROM[law]?.(at, length) ?? 0)
      const [own, other] = forecasters.map((made) =>
        Float64Array.from({ length: origins }, (_, origin) =>
          isKey(origin) ? lossOf(made, at, origin, h) : Number.NaN,
        ),
      )
      return { series: at, h, own, other, left: 1 }
    }),
  )
}

/** How much worse a forecaster is at each origin, as a share of its loss: 0 on average. */
function turnsOf(law, length, random) {
  const [, mean] = /^regimes of (\d+)$/.exec(law) ?? []
  if (mean !== undefined) {
    let sign = random.uniform() < 0.5 ? 1 : -1
    return Float64Array.from({ length }, () => {
      if (random.uniform() < 1 / Number(mean)) sign = -sign
      return sign * BY_TURNS
    })
  }
  if (law !== 'yearly cycle') return new Float64Array(length)
  const phase = random.uniform()
  return Float64Array.from(
    { length },
    (_, at) => BY_TURNS * Math.sin(2 * Math.PI * (at / ORIGINS_A_YEAR + phase)),
  )
}

/** A walk of a series without skill in anybody: the newest value when a forecast is due, against persistence. */
function copies({ late, seen, left }, steps, { origins }, random) {
  const walk = new Float64Array((origins + HORIZONS.at(-1) + 1) * QUARTERS + 1)
  for (let at = 1; at < walk.length; at++) walk[at] = walk[at - 1] + stepOf(steps, random)
  const lossOf = (origin, h, from) => {
    const at = (origin + 1) * QUARTERS
    return Math.abs(walk[at + h * QUARTERS] - walk[at + from])
  }
  return HORIZONS.map((h) => {
    const [own, other] = [late, seen].map((from) =>
      Float64Array.from({ length: origins }, (_, origin) => lossOf(origin, h, from)),
    )
    return { series: 0, h, own, other, left: left(h) }
  })
}
