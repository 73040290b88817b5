// One simulated evaluation of a plan: whether a candidate that is better by a share is found.

import { indexWholeTests } from '../../dist/evaluation/reading/hypotheses.js'
import { runEwcTest } from '../../dist/inference/ewc.js'
import { ewcFamily } from '../../dist/inference/ewc-family.js'
import { createMeanSums } from '../../dist/inference/sums.js'
import { overallRung } from '../../dist/lint/power/design.js'
import { REDUCTIONS } from '../../dist/lint/power/predict.js'
import { seededRandom } from '../../dist/lint/power/random.js'
import { errorsIn } from '../../dist/lint/power/surrogate.js'
import { Memberships } from '../../dist/pairing/accounting.js'
import { originsAt } from '../../dist/pairing/make-plan.js'
import { rulesOver } from '../../dist/protocol/rules/compile.js'
import { enumerateFamily } from '../../dist/registration/family.js'
import { directedOrigins } from '../../dist/registration/limits.js'
import { directionError } from '../../dist/scoring/direction.js'
import { emptyPairs } from '../../dist/scoring/panel.js'
import {
  familySeries,
  gapTests,
  hourlyDifferences,
  hypothesesFrom,
  judgeComponents,
} from './family-series.mjs'
import { hourlyADay } from './made-market.mjs'

/**
 * Found: rejected on the better side at the level of its first step of Holm's ladder; with a verdict
 * hypothesis, all that *eligible* asks for.
 */
export function powerOnce(simulation, index) {
  const { design, surrogates, laws, seed, tables } = simulation
  if (design.verdict !== undefined) return eligibleOnce(simulation, design.verdict, index)
  const { level, degrees } = overallRung(design, design.origins)
  const window = surrogates.draw(design.origins, seededRandom(`${seed}/power/${index}`))
  const comparator = surrogates.comparator(window)
  return laws.map((law) => {
    const candidate = surrogates.candidate(window, law, 1)
    return REDUCTIONS.map((reduction) => {
      const components = candidate.map((errors, at) => ({
        values: errors.map((error, i) => (1 - reduction) * error - comparator[at][i]),
      }))
      const sums = createMeanSums(components, design.blockLength ?? 1)
      const { estimate, p } = runEwcTest(sums.centred(), degrees, tables)
      return estimate < 0 && p !== null && p <= level
    })
  })
}

/**
 * Whether the first candidate of the plan, which is better by a reduction, is found by the whole ladder:
 * from the losses on, everything is as in an evaluation. Its other candidates are as good as the reference.
 */
function eligibleOnce(
  { design, surrogates, laws, comparators, seed, tables },
  { registration: planned, floor, waiting },
  index,
) {
  const { horizons, origins, epsilon } = design
  const random = seededRandom(`${seed}/power/${index}`)
  const windows = [surrogates.draw(origins, random)]
  const [window] = windows
  while (windows.length < planned.candidates.length) windows.push(surrogates.again(window, random))
  const builtIns = comparators.map(({ name }) => {
    return { source: 'built_in', name, required_as: [name] }
  })
  const registration = { ...planned, comparators: builtIns }
  const rules = rulesOver({ ...planned.rules, strata: [] }, [])
  const { weights } = rules
  const tests = decidingTests(rules, registration)
  const find = indexWholeTests(tests)
  const enoughCalls = directedOrigins(design.minimumPairs)
  const realised = surrogates.realised(window)
  const createCells = (errors) =>
    errors.map((column, at) => createCell(column, realised[at], epsilon))
  const cells = new Map(comparators.map((each) => [each.name, createCells(errorsIn(each, window))]))
  const none = new Memberships([], originsAt(Array.from({ length: origins }, (_, at) => at)))
  // No outcome is missing here.
  const gaps = horizons.map((id) => ({
    ...{ id, horizon: id, missing: new Uint8Array(origins), mostlyMissing: false },
  }))
  const daily = { ...design, originsADay: hourlyADay(origins) }
  const judge = (test) => judgeComponents(test, daily, tables)
  const hours = rules.origins.due.minutes / 60
  const left = (horizon) => new Float64Array(origins).fill(1 - hours / horizon)
  return laws.map((law) => {
    const made = windows.map((each) => surrogates.errors(each, law, 1))
    registration.candidates.forEach(({ name }, at) => {
      cells.set(name, createCells(made[at]))
    })
    const [first] = registration.candidates
    return REDUCTIONS.map((reduction) => {
      const better = made[0].map((column) => column.map((error) => (1 - reduction) * error))
      cells.set(first.name, createCells(better))
      const cellIn = (model, horizon) => cells.get(model)[horizons.indexOf(horizon)]
      const differences = hourlyDifferences(cellIn)
      const series = familySeries(tests, horizons, cellIn, none, differences)
      const filled = gapTests(horizons, cellIn, differences, gaps)
      const testOf = (...of) => ({ ...filled(...of), memory: 'hours' })
      const hypotheses = hypothesesFrom({
        ...{ find, testOf, judge, steps: horizons, charged: () => left },
        registered: { ...registration, tests, rules },
        isAsked: (test) => series[tests.indexOf(test)].comparatorValues >= enoughCalls,
      })
      const share = weights.deciding / tests.length
      const judged = series.map((each) => {
        return { judged: judge({ ...each, memory: 'hours' }), weight: share }
      })
      const family = [...judged, notRejected(judge, weights.other)]
      const { tests: results, verdicts } = ewcFamily(family, design.alpha, hypotheses)
      const enough = hypotheses[0].implies.every(
        (at) => -results[at].observed >= (floor + waiting) * series[at].comparatorMean,
      )
      return enough && verdicts[0].holm?.rejected === true
    })
  })
}

/** The tests of a registration that decide: persistence calls no direction. */
export function decidingTests(rules, registration) {
  return enumerateFamily(rules, registration).flatMap((test) => {
    const isRuledOut = test.role === 'direction_error' && test.comparator === 'persistence'
    return test.decides && !isRuledOut ? [{ ...test, step: test.horizon }] : []
  })
}

/** The tests that do not decide: they keep their weight, and are taken as not rejected. */
export function notRejected(judge, weight) {
  const components = [{ values: new Float64Array(1).fill(Number.NaN) }]
  return { judged: judge({ name: 'others', memory: 'hours', components }), weight }
}

/** What the deciding tests take of a model: its losses and direction errors, with no price, interval or vintage. */
function createCell(errors, realised, epsilon) {
  const pairs = { ...emptyPairs(errors.length, 1), forecast: errors }
  const direction = errors.map((error, i) =>
    directionError(realised[i] + error, realised[i], epsilon),
  )
  return { pairs, columns: { point_loss: errors.map(Math.abs), direction_error: direction } }
}
