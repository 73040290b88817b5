import type { Memberships } from '../pairing/accounting.js'
import type { StratumLevel } from '../pairing/types.js'
import type { Quantile } from '../scoring/below.js'
import { comparatorSide, differencesOf, keysOf } from '../scoring/differences.js'
import { meanOfMeans } from '../scoring/sum.js'
import type { Estimand, ScoredPairs } from '../scoring/types.js'
import { remembering } from '../task/remembering.js'
import type { FamilyTest, Series } from './types.js'

/** A test as scoring needs it. */
export interface ComparisonTest {
  readonly name: string
  readonly candidate: string
  readonly comparator: string
  readonly measure: string
  readonly stratum: StratumLevel
}

/** Columns of measures by their names. */
export type MeasureColumns = Readonly<Record<string, Float64Array>>

/** Where the series come from: one model in one cell. */
export interface ScoredCell<C extends MeasureColumns = MeasureColumns> {
  readonly pairs: ScoredPairs
  readonly columns: C
  /** Its direction errors as a candidate, where one that calls none is charged for it. */
  readonly charged?: Float64Array
  /** Whether the outcome lies below each of its quantiles, where that is asked. */
  readonly below?: Readonly<Record<Quantile, Float64Array>>
}

/** A test ready for the inference, and the figures its result is read against. */
export interface SeriesTest extends FamilyTest {
  /**
   * The comparator's mean over the pairs of the test (of several cells: the unweighted mean of their
   * means): an observed difference, or a bound of it, divided by this is the relative change.
   */
  readonly comparatorMean: number | null
  /** Origins at which the comparator has a value of its own; the least of its cells. */
  readonly comparatorValues: number
}

/** Where a test's differences come from. */
export interface FamilySource<T extends ComparisonTest> {
  /** Those whose unweighted mean is tested. */
  readonly cellsIn: (test: T) => readonly number[]
  readonly cellOf: (model: string, cell: number) => ScoredCell
  readonly estimandOf: (measure: T['measure']) => Estimand
}

/**
 * Turns the family into series of differences. A series is computed once per candidate, comparator,
 * measure and cell, and shared by all strata, which only add a mask.
 *
 * @throws {ForeproofError} `bug` for a stratum level that does not exist.
 */
export function familySeries<T extends ComparisonTest>(
  tests: readonly T[],
  { cellsIn, cellOf, estimandOf }: FamilySource<T>,
  memberships: Memberships,
): SeriesTest[] {
  const keys = remembering((candidate: string, comparator: string, cell: number, of: Estimand) =>
    keysOf(cellOf(candidate, cell).pairs, cellOf(comparator, cell).pairs, of),
  )
  const differences = remembering(
    (candidate: string, comparator: string, cell: number, measure: T['measure']) => {
      const own = cellOf(candidate, cell)
      return differencesOf(
        (measure === 'direction_error' ? own.charged : undefined) ?? columnOf(own, measure),
        columnOf(cellOf(comparator, cell), measure),
        keys(candidate, comparator, cell, estimandOf(measure)),
      )
    },
  )
  return tests.map((test) => {
    const { candidate, comparator, measure, stratum } = test
    const members = memberships.of(stratum)?.mask
    const components: Series[] = []
    const means: (number | null)[] = []
    let values = Number.POSITIVE_INFINITY
    for (const cell of cellsIn(test)) {
      const series = differences(candidate, comparator, cell, measure)
      const side = comparatorSide(columnOf(cellOf(comparator, cell), measure), series, members)
      components.push(members === undefined ? { values: series } : { values: series, members })
      means.push(side.mean)
      values = Math.min(values, side.values)
    }
    return {
      name: test.name,
      components,
      comparatorMean: meanOfMeans(means),
      comparatorValues: values,
    }
  })
}

const columnOf = ({ columns }: ScoredCell, measure: string): Float64Array => columns[measure]!
