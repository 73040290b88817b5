// One evaluation of the null calibration: a candidate and its comparators, made of one law, so that
// every expected difference is 0. Each rejection is wrong.

import { createCosineTables } from '../../dist/inference/cosines.js'
import { ewcFamily } from '../../dist/inference/ewc-family.js'
import { computeTest } from '../../dist/inference/ewc-judge.js'
import { holm } from '../../dist/inference/holm.js'
import { runFamily } from '../../dist/inference/run-family.js'
import { createMeanSums } from '../../dist/inference/sums.js'
import { enumerateFamily, testWeights } from '../../dist/registration/family.js'
import { cutPoints } from '../../dist/registration/template.js'
import { RULES } from './family-series.mjs'
import {
  closeAt,
  hourlyADay,
  madeFamily,
  madeForecasts,
  madeMarket,
  madeRandom,
  randomWindow,
} from './made-market.mjs'

const HOUR = 3_600_000_000
const BLOCK = 24
const ALPHA = 0.05
const HORIZONS = [2, 4, 8, 16]
const COMPARATORS = ['b', 'c']
const WEIGHTS = { deciding: 0.8, other: 0.2 }
const DESIGN = { blockLength: BLOCK, alpha: ALPHA, minimumPairs: 100, minimumBlocks: 16 }
/** The smallest p has to be reachable: 2 / (R + 1) at most alpha over 522 tests. */
export const REPLICATES = 24_999

/**
 * What one evaluation wrongly found: of all its tests, of those that decide, and of those that
 * decide where Holm's procedure is given only them.
 *
 * @param line market ('made' or 'real'), memory of widths, blocks, method
 * @param evaluation number of the evaluation, from 0: it fixes every random number
 * @param real hourly closes, for the real market
 */
export async function evaluateNull({ market, memory, blocks, method }, evaluation, real) {
  const random = madeRandom(`${market} ${memory} ${blocks} ${evaluation}`)
  const size = { origins: blocks * BLOCK, longestHorizon: HORIZONS.at(-1) }
  const drawn = market === 'made' ? madeMarket(size, random) : randomWindow(real, size, random)
  const law = { errorCorrelation: 0.9, widthMemory: memory, missing: 0.02 }
  const models = new Map(
    ['a', ...COMPARATORS].map((name) => [name, madeForecasts(drawn, HORIZONS, law, random)]),
  )
  const strata = strataOf(drawn)
  const tests = enumerateFamily(
    { ...RULES, strata },
    {
      candidates: [{ name: 'a' }],
      comparators: COMPARATORS.map((name) => ({ name })),
    },
  )
  const family = madeFamily(drawn, models, { tests, horizons: HORIZONS, strata })
  const results =
    method === 'ewc-t' ? byCosines(tests, family) : await byBootstrap(family, size, evaluation)
  const rejected = results.map((result) => result.status === 'tested' && result.holm.rejected)
  const deciding = tests.flatMap(({ decides }, index) => (decides ? [index] : []))
  const own = holm(
    deciding.map((index) => (results[index].status === 'tested' ? results[index].p : null)),
    ALPHA,
  )
  return {
    any: rejected.includes(true),
    deciding: deciding.some((index) => rejected[index]),
    alone: own.some((step) => step?.rejected),
  }
}

function byCosines(tests, family) {
  const weights = testWeights(tests, WEIGHTS, [])
  const { length } = family[0].components[0].values
  const design = { ...DESIGN, originsADay: hourlyADay(length) }
  const tables = createCosineTables()
  const weighted = family.map(({ name, components }, index) => {
    const sums = createMeanSums(components, design.blockLength)
    const judged = computeTest({ name, sums, memory: tests[index].memory }, design, tables)
    return { judged, weight: weights[index] }
  })
  return ewcFamily(weighted, design.alpha).tests
}

async function byBootstrap(family, { origins }, seed) {
  const input = { ...DESIGN, origins, replicates: REPLICATES, seed, tests: family }
  return (await runFamily(input)).tests
}

/** As a template has them: volatility in thirds, whose hours lie in clusters, session, part of the week. */
function strataOf({ closes, firstOrigin, origins }) {
  const known = { first: closes.first, closeAt: (instant) => closeAt(closes, instant) }
  const until = firstOrigin + (origins - 1) * HOUR
  const [low, middle] = cutPoints(known, { from: closes.first, to: until })
  const hours = (from) => Array.from({ length: 8 }, (_, index) => from + index)
  return [
    {
      ...{ name: 'volatility', by: 'volatility', lookback_hours: 24 },
      levels: [{ level: 'low', below: low }, { level: 'middle', below: middle }, { level: 'high' }],
    },
    {
      ...{ name: 'session', by: 'hour_of_day' },
      levels: [0, 8, 16].map((from) => ({ level: `from_${from}`, hours: hours(from) })),
    },
    {
      ...{ name: 'week_part', by: 'weekday' },
      levels: [
        { level: 'week', days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
        { level: 'weekend', days: ['sat', 'sun'] },
      ],
    },
  ]
}
