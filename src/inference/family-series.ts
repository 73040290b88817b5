import { remembering } from '../contract/remembering.js'
import type { Memberships } from '../pairing/accounting.js'
import type { StratumLevel } from '../pairing/types.js'
import type { ScoredCell } from '../scoring/cells.js'
import { comparatorSide, differencesOf, keysOf } from '../scoring/differences.js'
import { type CellGaps, type FilledDifferences, fillGaps, type GapEnd } from '../scoring/gaps.js'
import { meanOfMeans } from '../scoring/sum.js'
import type { Estimand } from '../scoring/types.js'
import type { FamilyTest, Series } from './types.js'

/** A test over all origins, in the form that scoring needs. */
export interface WholeTest {
  readonly name: string
  readonly candidate: string
  readonly comparator: string
  readonly measure: string
}

/** A test in the form that scoring needs. */
export interface ComparisonTest extends WholeTest {
  readonly stratum: StratumLevel
}

/** A test ready for the inference, and the figures that its result is compared with. */
export interface SeriesTest extends FamilyTest {
  /**
   * The comparator's mean over the pairs of the test (with several cells: the unweighted mean of their means). An
   * observed difference, or a bound of it, divided by this is the relative change.
   */
  readonly comparatorMean: number | null
  /** Origins at which the comparator has a value of its own; the minimum over the cells. */
  readonly comparatorValues: number
}

/** The source of a test's differences. */
export interface FamilySource<T extends WholeTest> {
  /** The cells whose unweighted mean is tested. */
  readonly cellsIn: (test: T) => readonly number[]
  readonly cellOf: (model: string, cell: number) => ScoredCell
  readonly estimandOf: (measure: T['measure']) => Estimand
}

/** Computes the differences of a test in a cell. @param share - as in `differencesOf`. */
export type CellDifferences<T extends WholeTest> = (
  test: Pick<T, 'candidate' | 'comparator' | 'measure'>,
  cell: number,
  share?: Float64Array,
) => Float64Array

/** The differences of a source; each is cached, except those with a share. */
export function cellDifferences<T extends WholeTest>({
  cellOf,
  estimandOf,
}: Omit<FamilySource<T>, 'cellsIn'>): CellDifferences<T> {
  const keys = remembering((candidate: string, comparator: string, cell: number, of: Estimand) =>
    keysOf(cellOf(candidate, cell).pairs, cellOf(comparator, cell).pairs, of),
  )
  const made = (
    candidate: string,
    comparator: string,
    cell: number,
    measure: T['measure'],
    share?: Float64Array,
  ) => {
    const own = cellOf(candidate, cell)
    return differencesOf(
      own.charged?.[measure] ?? columnOf(own, measure),
      columnOf(cellOf(comparator, cell), measure),
      keys(candidate, comparator, cell, estimandOf(measure)),
      share,
    )
  }
  const whole = remembering((...of: Parameters<typeof made>) => made(...of))
  return ({ candidate, comparator, measure }, cell, share) =>
    share === undefined
      ? whole(candidate, comparator, cell, measure)
      : made(candidate, comparator, cell, measure, share)
}

/**
 * Turns the family into series of differences. A series is computed once per candidate, comparator, measure and cell,
 * and shared by all strata, which only add a mask.
 *
 * @param differences of the source, if they are also used elsewhere
 * @throws {ForeproofError} `bug` for a stratum level that does not exist.
 */
export function familySeries<T extends ComparisonTest>(
  tests: readonly T[],
  source: FamilySource<T>,
  memberships: Memberships,
  differences: CellDifferences<T> = cellDifferences(source),
): SeriesTest[] {
  const { cellsIn, cellOf } = source
  return tests.map((test) => {
    const { comparator, measure, stratum } = test
    const members = memberships.of(stratum)?.mask
    const components: Series[] = []
    const means: (number | null)[] = []
    let values = Number.POSITIVE_INFINITY
    for (const cell of cellsIn(test)) {
      const series = differences(test, cell)
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

/**
 * The input of a part of a verdict hypothesis, or of a bound for `negative` or a group: differences with gaps filled.
 */
export interface GapTest extends FamilyTest {
  /** As in `SeriesTest`, over the cells that count by their own pairs. */
  readonly comparatorMean: number | null
}

/**
 * Makes the tests that a verdict rests on. They are separate series over all origins, because the family uses only
 * pairs.
 *
 * @param gaps of every cell that is tested
 * @returns a maker. `end`: the worst of the gaps for a verdict hypothesis and the bounds of groups, the best for
 * `negative`. `share`: of a comparator's loss in a cell, as in `differencesOf`; charged before gaps are filled
 */
export function gapTests<T extends WholeTest>(
  { cellsIn, cellOf }: FamilySource<T>,
  differences: CellDifferences<T>,
  gaps: readonly CellGaps[],
): (test: T, end: GapEnd, share?: (cell: number) => Float64Array | undefined) => GapTest {
  const filled = remembering(
    (candidate: string, comparator: string, measure: T['measure'], end: GapEnd) =>
      fillGaps(gaps, (cell) => differences({ candidate, comparator, measure }, cell), end),
  )
  return (test, end, share) => {
    const { name, candidate, comparator, measure } = test
    const cells =
      share === undefined
        ? filled(candidate, comparator, measure, end)
        : fillGaps(gaps, (cell) => differences(test, cell, share(cell)), end)
    const means: (number | null)[] = []
    const components = cellsIn(test).map((cell): Series => {
      const { own, ...series } = cells.get(cell) as FilledDifferences
      if (own) {
        const column = columnOf(cellOf(comparator, cell), measure)
        means.push(comparatorSide(column, differences(test, cell)).mean)
      }
      return series
    })
    return { name, components, comparatorMean: meanOfMeans(means) }
  }
}

const columnOf = ({ columns }: ScoredCell, measure: string): Float64Array => columns[measure]!
