import { ForeproofError } from '../contract/error.js'
import type { Memberships } from '../pairing/memberships.js'
import type { LossColumns } from '../scoring/columns.js'
import { comparatorSide, differencesOf } from '../scoring/differences.js'
import { type MeasureName, PAIR_MEASURES } from '../scoring/measures.js'
import { keysOf } from '../scoring/shared-keys.js'
import { meanOfMeans } from '../scoring/sum.js'
import type { Estimand, ScoredPairs } from '../scoring/types.js'
import type { FamilyTest, Series } from './types.js'

/** A test as scoring needs it; a registration's TestDefinition is one. */
export interface ComparisonTest {
  readonly name: string
  readonly candidate: string
  readonly comparator: string
  readonly measure: MeasureName
  readonly horizon: number | 'overall'
  readonly stratum: 'all' | { readonly name: string; readonly level: string }
}

/** Where the series come from: one model at one horizon. */
export interface ScoredCell {
  readonly pairs: ScoredPairs
  readonly columns: LossColumns
}

/** A test ready for the inference, and the figures its result is read against. */
export interface SeriesTest extends FamilyTest {
  /**
   * The comparator's mean over the pairs of the test (overall: the unweighted mean of the horizons'
   * means): an observed difference, or a bound of it, divided by this is the relative change.
   */
  readonly comparatorMean: number | null
  /** Origins at which the comparator has a value of its own; overall: the least horizon's. */
  readonly comparatorValues: number
}

/**
 * Turns the family into series of differences. A series is computed once per candidate, comparator,
 * measure and horizon, and shared by all strata, which only add a mask.
 *
 * @param cellOf the scored cell of a model at a horizon.
 * @throws {ForeproofError} `bug` for a stratum level that does not exist.
 */
export function familySeries(
  tests: readonly ComparisonTest[],
  horizons: readonly number[],
  cellOf: (model: string, horizon: number) => ScoredCell,
  memberships: Memberships,
): SeriesTest[] {
  const keys = memoised((candidate: string, comparator: string, horizon: number, of: Estimand) =>
    keysOf(cellOf(candidate, horizon).pairs, cellOf(comparator, horizon).pairs, of),
  )
  const differences = memoised(
    (candidate: string, comparator: string, horizon: number, measure: MeasureName) => {
      return differencesOf(
        cellOf(candidate, horizon).columns[measure],
        cellOf(comparator, horizon).columns[measure],
        keys(candidate, comparator, horizon, PAIR_MEASURES[measure].estimand),
      )
    },
  )
  return tests.map((test) => {
    const { candidate, comparator, measure, stratum } = test
    const members = stratum === 'all' ? undefined : membersOf(memberships, stratum)
    const components: Series[] = []
    const means: (number | null)[] = []
    let values = Number.POSITIVE_INFINITY
    for (const horizon of test.horizon === 'overall' ? horizons : [test.horizon]) {
      const series = differences(candidate, comparator, horizon, measure)
      const side = comparatorSide(cellOf(comparator, horizon).columns[measure], series, members)
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

function membersOf(
  memberships: Memberships,
  { name, level }: { readonly name: string; readonly level: string },
): Uint8Array {
  const mask = memberships.mask(name, level)
  if (mask === undefined) throw new ForeproofError('bug', `no stratum level ${name}=${level}`)
  return mask
}

/** Computes a value once for each combination of arguments. */
function memoised<A extends readonly (string | number)[], V>(
  compute: (...args: A) => V,
): (...args: A) => V {
  const known = new Map<string, V>()
  return (...args) => {
    const key = JSON.stringify(args)
    let value = known.get(key)
    if (value === undefined) {
      value = compute(...args)
      known.set(key, value)
    }
    return value
  }
}
