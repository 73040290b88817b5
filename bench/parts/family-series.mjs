// Tests of one series whose cells are all at hand, as calibrations and simulations make them.

import { readFileSync } from 'node:fs'
import { estimandIn } from '../../dist/evaluation/reading/basis.js'
import { createHypotheses } from '../../dist/evaluation/reading/hypotheses.js'
import { computeTest } from '../../dist/inference/ewc-judge.js'
import { computeCellDifferences, createTestComponent } from '../../dist/inference/family-series.js'
import { createMeanSums } from '../../dist/inference/sums.js'
import { compileRules } from '../../dist/protocol/rules/compile.js'
import { meanDirectionName } from '../../dist/registration/family.js'
import { fillCell, StandIns } from '../../dist/scoring/gaps.js'
import { average, averageMeans } from '../../dist/scoring/sum.js'

const REFERENCE = new URL('../../protocols/btcusd-hourly-4.json', import.meta.url)
/** Of the reference protocol, whose family the tests of hourly forecasts are. */
export const RULES = compileRules(JSON.parse(readFileSync(REFERENCE, 'utf8')))

/** The differences of hourly forecasts. */
export const hourlyDifferences = (getCell) =>
  computeCellDifferences({ getCell, getEstimand: (measure) => estimandIn(RULES, measure) })

const cellsOf = ({ horizon }, horizons) => (horizon === 'overall' ? horizons : [horizon])

/**
 * The components of tests of hourly forecasts.
 * @returns {{ name: string, components: import('../../dist/inference/family-input.js').Series[], comparatorMean: number | null, comparatorValues: number }[]}
 */
export function familySeries(
  tests,
  horizons,
  getCell,
  memberships,
  differences = hourlyDifferences(getCell),
) {
  return tests.map((test) => {
    const members = memberships.of(test.stratum)?.mask
    const cells = cellsOf(test, horizons)
    const components = cells.map((cell) =>
      createTestComponent(test, cell, getCell, differences, members),
    )
    const values = cells.map(
      (cell) => average(getCell(test.comparator, cell).columns[test.measure], members).count,
    )
    return {
      ...{ name: test.name, components },
      comparatorMean: averageMeans(components.map(({ comparatorMean }) => comparatorMean)),
      comparatorValues: Math.min(...values),
    }
  })
}

/** The cells with their gaps filled, each by another where it is not its own; by id. */
export function filledIn(cells, differences, end) {
  const own = cells.map((cell) => fillCell(cell, differences(cell.id), end))
  const standIns = new StandIns(end)
  for (const cell of own) standIns.offer(cell)
  const standing = (cell) => (cell.isOwn ? cell : (standIns.at(cell.horizon) ?? cell))
  return new Map(own.map((cell) => [cell.id, standing(cell)]))
}

/** Makes tests whose gaps are filled. */
export function gapTests(horizons, getCell, differences, gaps) {
  return (test, end, share) => {
    const cells = filledIn(gaps, (cell) => differences(test, cell, share?.(cell)), end)
    const means = cellsOf(test, horizons).map(
      (cell) => createTestComponent(test, cell, getCell, differences).comparatorMean,
    )
    const components = cellsOf(test, horizons).map((cell) => cells.get(cell))
    return { name: test.name, components, comparatorMean: averageMeans(means) }
  }
}

/** A test whose components are all at hand, judged. */
export const judgeComponents = ({ components, ...test }, design, tables) =>
  computeTest({ ...test, sums: createMeanSums(components, design.blockLength) }, design, tables)

/**
 * The hypotheses of a registration.
 * @param testOf - makes a test with its gaps filled. @param charged - by comparator, the share of its loss.
 */
export function hypothesesFrom({ registered, find, testOf, judge, steps, charged, isAsked }) {
  const filled = (...of) => {
    const made = testOf(...of)
    return { judged: judge(made), comparatorMean: made.comparatorMean }
  }
  const tests = registered.tests.map((test) => {
    const share = test.step === 'overall' ? charged(test.comparator) : undefined
    return {
      filled: {
        get worst() {
          return filled(test, 'worst')
        },
        get charged() {
          return share && filled(test, 'worst', share)
        },
      },
    }
  })
  const direction = (candidate, comparator) => {
    const asked = steps.flatMap((step) => {
      const at = find({ candidate, comparator, role: 'direction_error', step })
      const test = registered.tests[at ?? -1]
      return test !== undefined && isAsked(test) ? [test] : []
    })
    if (asked.length === 0) return undefined
    const made = asked.map((test) => testOf(test, 'worst'))
    const name = meanDirectionName(candidate, comparator, asked[0].measure)
    const components = made.flatMap((each) => each.components)
    return judge({ name, components, memory: made[0].memory })
  }
  const of = { registered, testedSteps: steps }
  return createHypotheses({ of, find, summed: { tests, direction }, farOff: [] })
}
