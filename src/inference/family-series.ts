import { remembering } from '../contract/remembering.js'
import type { ScoredCell } from '../scoring/cells.js'
import { comparatorMean, keyCodes, pairDifferences } from '../scoring/differences.js'
import type { Estimand } from '../scoring/scored-pairs.js'
import type { Series } from './family-input.js'

/** A comparison by one score. */
export interface ComparedScore {
  readonly candidate: string
  readonly comparator: string
  readonly measure: string
}

/** The source of differences. */
export interface DifferenceSource {
  readonly getCell: (model: string, cell: number) => ScoredCell
  readonly getEstimand: (measure: string) => Estimand
}

/** Computes the differences of a comparison in a cell. @param share - as in `pairDifferences`. */
export type CellDifferences = (
  of: ComparedScore,
  cell: number,
  share?: Float64Array,
) => Float64Array

/** The differences of a source; each is cached, except those with a share. */
export function computeCellDifferences({
  getCell,
  getEstimand,
}: DifferenceSource): CellDifferences {
  const keys = remembering((candidate: string, comparator: string, cell: number, of: Estimand) =>
    keyCodes(getCell(candidate, cell).pairs, getCell(comparator, cell).pairs, of),
  )
  const made = (
    candidate: string,
    comparator: string,
    cell: number,
    measure: string,
    share?: Float64Array,
  ) => {
    const ours = getCell(candidate, cell)
    return pairDifferences(
      ours.charged?.[measure] ?? getColumn(ours, measure),
      getColumn(getCell(comparator, cell), measure),
      keys(candidate, comparator, cell, getEstimand(measure)),
      share,
    )
  }
  const withoutShare = remembering((...of: Parameters<typeof made>) => made(...of))
  return ({ candidate, comparator, measure }, cell, share) =>
    share === undefined
      ? withoutShare(candidate, comparator, cell, measure)
      : made(candidate, comparator, cell, measure, share)
}

/** One cell of a test, ready for the inference, and the figure that its difference is compared with. */
export interface TestComponent extends Series {
  /** The comparator's mean over the pairs of the test. */
  readonly comparatorMean: number | null
}

/**
 * A test in a cell. The differences are computed once per candidate, comparator, measure and cell, and shared by all
 * strata, which only add a mask.
 */
export function createTestComponent(
  of: ComparedScore,
  cell: number,
  getCell: DifferenceSource['getCell'],
  differences: CellDifferences,
  members?: Uint8Array,
): TestComponent {
  const values = differences(of, cell)
  const column = getColumn(getCell(of.comparator, cell), of.measure)
  const mean = comparatorMean(column, values, members)
  return { values, ...(members && { members }), comparatorMean: mean }
}

const getColumn = ({ columns }: ScoredCell, measure: string): Float64Array => columns[measure]!
