// One evaluation of the null calibration: a candidate and its comparators, made of one law, so that
// every expected difference is 0. Each rejection is wrong.

import { simultaneousTests, verdictHypotheses } from '../../dist/evaluation/verdict-hypotheses.js'
import {
  cumulativeDifference,
  FLUCTUATION_STEPS,
  fluctuationBand,
  hlnTest,
  weekMemory,
} from '../../dist/inference/beside.js'
import { cosineTables } from '../../dist/inference/cosines.js'
import { ewcFamily } from '../../dist/inference/ewc-family.js'
import { holm } from '../../dist/inference/holm.js'
import { runFamily } from '../../dist/inference/run-family.js'
import { enumerateFamily, sharingTests, testWeights } from '../../dist/registration/family.js'
import { hourlyADay } from '../../dist/registration/settings.js'
import { cutPoints } from '../../dist/registration/template.js'
import { MEASURE_MEMORY } from '../../dist/registration/types.js'
import {
  closeAt,
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
/** As a protocol has them: of a horizon's loss, relative, and of the direction error. */
const LIMITS = { regression: 0.05, direction: 0.02 }
const COMPARATORS = ['b', 'c']
const WEIGHTS = { deciding: 0.8, other: 0.2 }
const VERDICT_WEIGHTS = { verdict: 0.6, deciding: 0.3, other: 0.1 }
const DESIGN = { blockLength: BLOCK, alpha: ALPHA, minimumPairs: 100, minimumBlocks: 16 }
/** As much of a protocol as a verdict reads. */
const PROTOCOL = {
  sampling: { minimum_effective_sample: { paired_origins_per_horizon: DESIGN.minimumPairs } },
}
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
  const tests = enumerateFamily({
    candidates: [{ name: 'a' }],
    comparators: COMPARATORS.map((name) => ({ name })),
    horizons_hours: HORIZONS,
    strata,
  })
  const family = madeFamily(drawn, models, { tests, horizons: HORIZONS, strata, epsilon: 1e-6 })
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

/**
 * What a verdict of equal forecasters wrongly says: that one of the candidates is better, or worse.
 * Over all origins alone, for no stratum has a say in it.
 *
 * @param line `memory` of errors and widths, or `regimes of 10 days`, or `days, a limit reached`; `blocks`; `candidates`, how many there are
 */
export function evaluateNullVerdict(line, evaluation) {
  const { eligible, negative, any } = verdictsOf(...nullVerdict(line, evaluation))
  return { eligible, negative, any }
}

/**
 * What is shown beside the tests of one candidate that is no better: whether its first overall test is flagged
 * for a memory of weeks, whether a verdict is wrong, and whether one is without any flag; whether the statistic of
 * Harvey, Leybourne and Newbold rejects at 2 hours, and the cumulative difference leaves its band.
 */
export function evaluateNullBeside(line, evaluation) {
  const [registration, tests, family] = nullVerdict({ ...line, candidates: 1 }, evaluation)
  const { eligible, negative, results } = verdictsOf(registration, tests, family)
  const tables = cosineTables()
  const flags = tests.flatMap(({ horizon }, at) => {
    if (horizon !== 'overall') return []
    const { ratio, limit } = weekMemory(family[at].components, results[at].effectiveBlocks, tables)
    return [ratio > limit]
  })
  const [overall, first] = [results[0], tests.findIndex(({ horizon }) => horizon === HORIZONS[0])]
  const sums = cumulativeDifference(family[0].components)
  const band = fluctuationBand(overall.standardError)
  const moves = sums.slice(FLUCTUATION_STEPS).map((sum, at) => Math.abs(sum - sums[at]))
  return {
    flagged: flags[0],
    wrong: eligible || negative,
    unflagged: (eligible || negative) && !flags.includes(true),
    hln: hlnTest(family[first].components[0], HORIZONS[0])?.p <= ALPHA,
    band: moves.some((move) => move > band),
  }
}

function nullVerdict({ memory, blocks, candidates }, evaluation) {
  const random = madeRandom(`verdict ${memory} ${blocks} ${candidates} ${evaluation}`)
  const market = madeMarket({ origins: blocks * BLOCK, longestHorizon: HORIZONS.at(-1) }, random)
  const [, regimeDays] = /^regimes of (\d+) days$/.exec(memory) ?? []
  const remembers = regimeDays
    ? { widthMemory: 'days', regimeDays: Number(regimeDays) }
    : { widthMemory: memory.split(',')[0], errorMemory: memory.split(',')[0] }
  // A fifth better, and at the last horizon worse by just what is allowed.
  const better = (horizon) => (horizon === HORIZONS.at(-1) ? -LIMITS.regression : 0.2)
  const reduction = memory.endsWith('a limit reached') ? better : 0
  const law = { errorCorrelation: 0.9, missing: 0.02, ...remembers }
  const names = Array.from({ length: candidates }, (_, at) => `a${at + 1}`)
  const models = new Map(
    [...names, ...COMPARATORS].map((name) => {
      const own = names.includes(name) ? reduction : 0
      return [name, madeForecasts(market, HORIZONS, law, random, own)]
    }),
  )
  const registration = {
    candidates: names.map((name) => ({ name })),
    comparators: COMPARATORS.map((name) => ({ name })),
    horizons_hours: HORIZONS,
    strata: [],
    limits: { per_horizon_regression: LIMITS.regression, directional_loss: LIMITS.direction },
  }
  const tests = enumerateFamily(registration)
  const design = { tests, horizons: HORIZONS, strata: [], epsilon: 1e-6 }
  return [registration, tests, madeFamily(market, models, design)]
}

function verdictsOf(registration, tests, family) {
  const { verdict } = VERDICT_WEIGHTS
  // No outcome is missing here.
  const testOf = (test) => ({
    ...family[tests.indexOf(test)],
    memory: MEASURE_MEMORY[test.measure],
  })
  // Nor does anybody wait.
  const of = [registration, PROTOCOL, tests, family, testOf, verdict, () => undefined]
  const hypotheses = verdictHypotheses(...of)
  const sharing = sharingTests(tests, VERDICT_WEIGHTS, registration.comparators)
  const beside = simultaneousTests(sharing, ALPHA, testOf)
  const { tests: results, verdicts } = ladder(tests, family, VERDICT_WEIGHTS, hypotheses, beside)
  const limitOf = ({ measure, horizon }, { comparatorMean }) => {
    if (measure === 'direction_error') return LIMITS.direction
    return horizon === 'overall' ? 0 : LIMITS.regression * comparatorMean
  }
  return {
    results,
    any: [...results, ...verdicts].some((each) => each.holm?.rejected),
    eligible: verdicts.some((each) => each.holm?.rejected),
    negative: results.some(
      ({ simultaneousBounds: bounds }, at) => bounds?.lower > limitOf(tests[at], family[at]),
    ),
  }
}

const byCosines = (tests, family) => ladder(tests, family, WEIGHTS).tests

function ladder(tests, family, shares, hypotheses, simultaneousOf = () => undefined) {
  const weights = testWeights(tests, shares, [])
  return ewcFamily(
    family.map((series, index) => ({
      ...series,
      memory: MEASURE_MEMORY[tests[index].measure],
      weight: weights[index],
      simultaneous: simultaneousOf(tests[index]),
    })),
    { ...DESIGN, originsADay: hourlyADay(family[0].components[0].values.length) },
    hypotheses,
  )
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
