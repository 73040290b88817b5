import { leastImprovement, overallTests, relative } from '../evaluation/result/readings.js'
import type { AnyResult } from '../evaluation/result/types.js'
import { change, counted, percent } from '../output/figures.js'
import { DISPOSITION_NAME } from './sentences.js'
import { rivalsOf } from './view.js'

/** The two readings of forecasts that were committed late or not at all: without them, and with them. */

/** A result as it counts for a candidate: of two readings the worse. */
export function asCounts<R extends AnyResult>(result: R, candidate: string): R {
  const { second_reading: second } = result
  return second?.counts_for.includes(candidate) ? { ...result, ...second } : result
}

/** What each reading says of a candidate, and what counts; undefined where there is one reading alone. */
export function readingsSaid(result: AnyResult, candidate: string): string | undefined {
  const { second_reading: second, dispositions } = result
  if (second === undefined) return undefined
  const [without, by] = [leastImprovement(result, candidate), leastImprovement(second, candidate)]
  const said = (of: AnyResult['dispositions'], improvement: number | null) => {
    const found = of.find((one) => one.candidate === candidate)!
    return `${DISPOSITION_NAME[found.disposition]}, ${improvementSaid(improvement)}`
  }
  const worse = without === null || by === null ? null : Math.min(without, by)
  const late = counted(second.late, 'forecast')
  return `Without ${late} committed late or not at all: ${said(second.first_dispositions, without)}. With them: ${said(second.dispositions, by)}. The worse counts: ${said(dispositions, worse)}.`
}

function improvementSaid(share: number | null): string {
  if (share === null) return 'no figure for the overall loss'
  const word = share < 0 ? 'higher' : 'lower'
  return `overall loss ${percent(Math.abs(share))} ${word}`
}

/** The overall losses of both readings, against each comparator; undefined where there is one reading alone. */
export function readingsTable(result: AnyResult) {
  const { second_reading: second } = result
  if (second === undefined) return undefined
  const found = (of: Pick<AnyResult, 'tests'>, candidate: string, comparator: string) => {
    const test = overallTests(of, candidate).find((one) => one.comparator === comparator)
    return test ? relative(test.observed, test) : null
  }
  const rows = rivalsOf(result).map(({ candidate, comparator }) => {
    const both = [found(result, candidate, comparator), found(second, candidate, comparator)]
    const worse = both.some((each) => each === null) ? null : Math.max(...both.map(Number))
    return [`${candidate} − ${comparator}`, ...[...both, worse].map((each) => change(each, 2))]
  })
  return { head: ['overall loss', 'without late ones', 'with them', 'the worse'], rows }
}
