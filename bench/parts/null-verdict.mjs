// One made evaluation of verdicts of version 1: candidates and comparators of one law, so that every verdict is wrong.

import { remembering } from '../../dist/contract/remembering.js'
import {
  assignSimultaneousBounds,
  indexWholeTests,
} from '../../dist/evaluation/reading/hypotheses.js'
import { createCosineTables } from '../../dist/inference/cosines.js'
import {
  cumulativeDifference,
  FLUCTUATION_STEPS,
  fluctuationBand,
  hlnTest,
  testWeekMemory,
} from '../../dist/inference/diagnostics.js'
import { ewcFamily } from '../../dist/inference/ewc-family.js'
import { judgedBounds } from '../../dist/inference/ewc-judge.js'
import { createMeanSums } from '../../dist/inference/sums.js'
import { Memberships } from '../../dist/pairing/accounting.js'
import { originsAt } from '../../dist/pairing/make-plan.js'
import { directionError } from '../../dist/scoring/direction.js'
import { emptyPairs } from '../../dist/scoring/panel.js'
import { average, averageMeans } from '../../dist/scoring/sum.js'
import {
  familySeries,
  gapTests,
  hourlyDifferences,
  hypothesesFrom,
  judgeComponents,
  RULES,
} from './family-series.mjs'
import { GAPS, leftOut } from './left-out.mjs'
import { hourlyADay, madeErrors, madeMarket, madeRandom, madeWalk, moveAt } from './made-market.mjs'
import { decidingTests, notRejected } from './power-simulation.mjs'

const BLOCK = 24
const ALPHA = 0.05
const EPSILON = 1e-6
const HORIZONS = [2, 4, 8, 16]
/** As a protocol has them: of a horizon's loss, relative, and of the direction error. */
const LIMITS = { regression: 0.05, direction: 0.02 }
const WEIGHTS = { verdict: 0.6, deciding: 0.3, other: 0.1 }
const DESIGN = { blockLength: BLOCK, alpha: ALPHA, minimumPairs: 100, minimumBlocks: 16 }
/** As much of the rules as a verdict reads. */
const VERDICT_RULES = {
  weights: WEIGHTS,
  limits: { harm: LIMITS.regression, direction: LIMITS.direction },
}
const PERSISTENCE = { name: 'persistence', source: 'built_in', required_as: ['persistence'] }

/**
 * What a verdict of equal forecasters wrongly says: that one of the candidates is better, or worse. Over all origins alone, for no
 * stratum has a say in it. Each of GAPS is asked of the same world: what is left out is the worst of the first candidate for
 * `eligible`, and its best for `negative`.
 *
 * @param line `memory` of errors, or `regimes of 10 days`, or `yearly cycle`, or `days, a limit reached`, or `copy an hour late`, or
 * `copy 6 hours late, t4`; `blocks`; `candidates`
 */
export function evaluateNullVerdict(line, evaluation) {
  const world = madeWorld(line, evaluation)
  return Object.fromEntries(
    GAPS.flatMap((gaps) => {
      const settingAt = (end) => settingOf(world, gapsIn(world, gaps, end))
      const worst = settingAt('worst')
      // Chance has no end.
      const best = gaps.startsWith('worst') ? settingAt('best') : worst
      return [
        [`eligible ${gaps}`, isEligible(worst)],
        [`negative ${gaps}`, isNegative(best)],
      ]
    }),
  )
}

/**
 * What is shown beside the tests of one candidate that is no better: whether its first overall test is flagged
 * for a memory of weeks, whether a verdict is wrong, and whether one is without any flag; whether the statistic of
 * Harvey, Leybourne and Newbold rejects at 2 hours, and the cumulative difference leaves its band.
 */
export function evaluateNullBeside(line, evaluation) {
  const world = madeWorld({ ...line, candidates: 1 }, evaluation)
  const setting = settingOf(world, gapsIn(world, 'none'))
  const { tests, series, judge } = setting
  const wrong = isEligible(setting) || isNegative(setting)
  const tables = createCosineTables()
  const flags = tests.flatMap(({ horizon }, at) => {
    if (horizon !== 'overall') return []
    const { effectiveBlocks } = judge(series[at]).counts
    const centred = createMeanSums(series[at].components, BLOCK).centred()
    const { ratio, limit } = testWeekMemory(centred, effectiveBlocks, tables)
    return [ratio > limit]
  })
  const first = tests.findIndex(({ horizon }) => horizon === HORIZONS[0])
  const sums = cumulativeDifference(createMeanSums(series[0].components, BLOCK))
  const band = fluctuationBand(judge(series[0]).standardError)
  const moves = sums.slice(FLUCTUATION_STEPS).map((sum, at) => Math.abs(sum - sums[at]))
  return {
    flagged: flags[0],
    wrong,
    unflagged: wrong && !flags.includes(true),
    hln:
      hlnTest(createMeanSums(series[first].components, BLOCK).centred(), HORIZONS[0])?.p <= ALPHA,
    band: moves.some((move) => move > band),
  }
}

/** Errors in log returns, by model and horizon, and what registered it all. */
function madeWorld({ memory, blocks, candidates }, evaluation) {
  const random = madeRandom(`verdict ${memory} ${blocks} ${candidates} ${evaluation}`)
  const origins = blocks * BLOCK
  const [, late, steps] = /^copy (an|\d+) hours? late(?:, (.*))?$/.exec(memory) ?? []
  const isCopy = late !== undefined
  const size = { origins, longestHorizon: HORIZONS.at(-1) }
  const market = steps ? madeWalk(size, steps, random) : madeMarket(size, random)
  const names = Array.from({ length: candidates }, (_, at) => `a${at + 1}`)
  const made = isCopy
    ? copies(market, names[0], late === 'an' ? 1 : Number(late))
    : forecasters(market, memory, [names, ['b', 'c']], random)
  const world = {
    ...{ origins, random, ...made },
    moves: HORIZONS.map((horizon) => movesOf(market, horizon)),
    registration: {
      candidates: names.map((name) => ({ name })),
      comparators: isCopy ? [PERSISTENCE] : [{ name: 'b' }, { name: 'c' }],
      horizons_hours: HORIZONS,
      strata: [],
    },
  }
  return { ...world, ...wholeOf(world) }
}

const movesOf = ({ closes, origins }, horizon, since = 0) =>
  Float64Array.from({ length: origins }, (_, i) => moveAt(closes, i, horizon, since))

function forecasters(market, memory, [candidates, comparators], random) {
  const [, regimeDays] = /^regimes of (\d+) days$/.exec(memory) ?? []
  const yearly = memory === 'yearly cycle'
  const remembers =
    regimeDays || yearly
      ? { widthMemory: 'days', ...(regimeDays && { regimeDays: Number(regimeDays) }), yearly }
      : { widthMemory: memory.split(',')[0], errorMemory: memory.split(',')[0] }
  // A fifth better, and at the last horizon worse by just what is allowed.
  const better = (horizon) => (horizon === HORIZONS.at(-1) ? -LIMITS.regression : 0.2)
  const reduction = memory.endsWith('a limit reached') ? better : 0
  const law = { errorCorrelation: 0.9, missing: 0.02, ...remembers }
  const errorsOf = (own) => [...madeErrors(market, HORIZONS, law, random, own).values()]
  return {
    errors: new Map([
      ...candidates.map((name) => [name, errorsOf(reduction)]),
      ...comparators.map((name) => [name, errorsOf(0)]),
    ]),
    charged: () => undefined,
  }
}

/**
 * The newest close when a forecast is due, or the outcome where that is over, against the close of the origin, which is charged the hours
 * since then.
 */
function copies(market, name, hours) {
  const since = (horizon) => Math.min(hours, horizon)
  const errors = (from) =>
    HORIZONS.map((horizon) => movesOf(market, horizon, from(horizon)).map((move) => -move))
  const left = (horizon) => new Float64Array(market.origins).fill(1 - since(horizon) / horizon)
  return {
    errors: new Map([
      [name, errors(since)],
      [PERSISTENCE.name, errors(() => 0)],
    ]),
    charged: () => left,
  }
}

/** Which hours have no close, from the first origin on: as a column of the targets. */
function gapsIn({ errors, origins, random, registration, charged }, gaps, end) {
  const [{ name }] = registration.candidates
  const sums = new Float64Array(origins + HORIZONS.at(-1) + 1)
  HORIZONS.forEach((horizon, at) => {
    const share = charged()?.(horizon)
    for (const other of registration.comparators) {
      const [own, theirs] = [errors.get(name)[at], errors.get(other.name)[at]]
      for (let i = 0; i < origins; i++) {
        const difference = Math.abs(own[i]) - (share?.[i] ?? 1) * Math.abs(theirs[i])
        if (!Number.isNaN(difference)) sums[i + horizon] += difference
      }
    }
  })
  return leftOut(gaps, end, sums, random)
}

/**
 * Everything that a verdict is read from. What nobody leaves out is scored once for a world; a gap takes it out.
 * @param missing - of the hours from the first origin on, 1 without a close
 */
function settingOf(world, missing) {
  const { whole, tests, design, origins } = world
  const gaps = HORIZONS.map((horizon) => ({
    ...{ id: horizon, horizon, mostlyMissing: false },
    missing: missing.slice(horizon, horizon + origins),
  }))
  const isWhole = !missing.includes(1)
  const kept = (values, horizon) => {
    if (isWhole) return values
    const own = values.slice()
    for (let i = 0; i < origins; i++) if (missing[i + horizon] === 1) own[i] = Number.NaN
    return own
  }
  const scored = remembering((measure, comparator, horizon) =>
    kept(whole.cellIn(comparator, horizon).columns[measure], horizon),
  )
  // Tests ask a cell for the columns of comparators alone: differences are made from whole ones.
  const cellIn = (model, horizon) => ({
    columns: {
      get point_loss() {
        return scored('point_loss', model, horizon)
      },
      get direction_error() {
        return scored('direction_error', model, horizon)
      },
    },
  })
  const pairs = remembering((candidate, comparator, measure, horizon) =>
    kept(whole.differences({ candidate, comparator, measure }, horizon), horizon),
  )
  const differences = (test, horizon, share) =>
    share === undefined
      ? pairs(test.candidate, test.comparator, test.measure, horizon)
      : kept(whole.differences(test, horizon, share), horizon)
  const filled = gapTests(HORIZONS, cellIn, differences, gaps)
  const testOf = (test, ...of) => ({ ...filled(test, ...of), memory: test.memory })
  const tables = createCosineTables()
  const judge = (test) => judgeComponents(test, design, tables)
  const all = familySeries(tests, HORIZONS, cellIn, whole.members, differences)
  const series = all.map((own, at) => ({
    ...own,
    memory: tests[at].memory,
  }))
  return { ...world, series, testOf, judge }
}

/** What every setting of a world is made from. */
function wholeOf({ errors, moves, origins, registration }) {
  const cellIn = remembering((model, horizon) => {
    const at = HORIZONS.indexOf(horizon)
    return createCell(errors.get(model)[at], moves[at])
  })
  const members = new Memberships([], originsAt(Array.from({ length: origins }, (_, at) => at)))
  return {
    whole: { cellIn, members, differences: hourlyDifferences(cellIn) },
    tests: decidingTests(RULES, registration),
    design: { ...DESIGN, originsADay: hourlyADay(origins) },
  }
}

/** Whether a verdict hypothesis is rejected. The ladder is asked only where the overall losses alone would do. */
function isEligible({ registration, tests, series, testOf, design, judge, charged }) {
  const { candidates, comparators } = registration
  const find = indexWholeTests(tests)
  const isLower = (candidate) => (comparator) => {
    const at = find({ candidate, comparator, role: 'point_loss', step: 'overall' })
    const test = tests[at]
    // What is filled or charged makes no mean lower than that of pairs.
    if (!(meanIn(series[at]) < 0)) return false
    const { p, counts } = judge(testOf(test, 'worst', charged(comparator)))
    return p !== null && p <= ALPHA && counts.observed < 0
  }
  if (!candidates.some(({ name }) => comparators.every((of) => isLower(name)(of.name))))
    return false
  const hypotheses = hypothesesFrom({
    ...{ find, testOf, judge, steps: HORIZONS, charged },
    registered: { candidates, comparators, tests, rules: VERDICT_RULES },
    isAsked: (test) => series[tests.indexOf(test)].comparatorValues >= DESIGN.minimumPairs,
  })
  const weight = WEIGHTS.deciding / tests.length
  const family = series.map((own) => ({ judged: judge(own), weight }))
  const others = notRejected(judge, WEIGHTS.other)
  const { verdicts } = ewcFamily([...family, others], design.alpha, hypotheses)
  return verdicts.some(({ holm }) => holm?.rejected)
}

/** Whether a simultaneous bound is beyond its limit. What is filled is the best, so no mean is larger than that of pairs. */
function isNegative({ tests, series, testOf, judge }) {
  const boundsOf = assignSimultaneousBounds(tests, ALPHA)
  return tests.some((test, at) => {
    const limit = limitOf(test, series[at].comparatorMean)
    if (!(meanIn(series[at]) > limit)) return false
    const best = { judged: judge(testOf(test, 'best')) }
    const { judged, level } = boundsOf(test, { filled: { best } })
    return judgedBounds(judged, level)?.lower > limit
  })
}

const meanIn = ({ components }) =>
  averageMeans(components.map(({ values }) => average(values).mean))

function limitOf({ measure, horizon }, comparatorMean) {
  if (measure === 'direction_error') return LIMITS.direction
  return horizon === 'overall' ? 0 : LIMITS.regression * comparatorMean
}

/** What the deciding tests take of a model. */
const createCell = (errors, moves) => ({
  pairs: { ...emptyPairs(0, 1), forecast: errors, vintage: new Uint32Array(errors.length) },
  columns: {
    point_loss: errors.map(Math.abs),
    direction_error: errors.map((error, i) => directionError(moves[i] + error, moves[i], EPSILON)),
  },
})
