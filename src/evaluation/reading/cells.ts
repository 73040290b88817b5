import type { ScoredCell } from '../../scoring/cells.js'
import { type CellOutcomes, countCellOutcomes } from '../gaps.js'
import type { PairedSeries } from '../pair.js'
import { type ShareLeft, shareLeftIn } from '../waiting.js'
import type { ReadingPlan } from './basis.js'

/** A cell of a plan, and which parts of it are tested and shown. */
export interface ReadingCell extends CellOutcomes {
  readonly group: string | undefined
  /** By origin: 1 if it has this cell, else 0. */
  readonly isKey: Uint8Array
  /** By origin: 1 if the outcome exists, else 0. */
  readonly there: Uint8Array
  /** Registered for tests: the calendar gives it as many keys as a test needs. */
  readonly inTest: boolean
  /** Part of the means that are shown: it is tested, and its series has outcomes at half of its keys. */
  readonly isShown: boolean
  /**
   * False for a nowcast, which is shown and decides only by its limit of harm; if all steps are nowcasts, it is part of
   * all means.
   */
  readonly decides: boolean
}

/** The cells of a series, in the order of its plan. Missing outcomes remove no cell, because they count in the tests. */
export function readingCells(
  { registered: { rules }, nowcasts, testedSteps, isDecided }: ReadingPlan,
  paired: Pick<PairedSeries, 'plan' | 'outcomes'>,
  group: string | undefined,
): ReadingCell[] {
  const isAlone = rules.series.length === 1
  return countCellOutcomes(paired).map((cell): ReadingCell => {
    const there = paired.outcomes(cell.id)
    const inTest = cell.keys >= rules.dependence.minimum_pairs
    return {
      ...{ ...cell, there, inTest, group },
      isKey: there.map((one, index) => one | (cell.missing[index] as number)),
      // With a single series, no other can replace it. A window that is too short for tests is still shown.
      isShown: testedSteps.length === 0 || (inTest && (isAlone || !cell.mostlyMissing)),
      decides: !isDecided || !nowcasts.includes(cell.horizon),
    }
  })
}

/** The cells of a step, or all deciding cells, or those of a group among them. */
export const cellsIn = (
  cells: readonly ReadingCell[],
  { step, group }: { readonly step: number | 'overall'; readonly group: string },
): ReadingCell[] =>
  cells.filter(
    (cell) =>
      (step === 'overall' ? cell.decides : cell.horizon === step) &&
      (group === 'all' || cell.group === group),
  )

/** A series of a reading, scored one cell at a time. */
export interface SeriesReading {
  readonly series: string
  readonly group: string | undefined
  readonly paired: PairedSeries
  readonly cells: readonly ReadingCell[]
  readonly getCell: (model: string, cell: number) => ScoredCell
  readonly left: ShareLeft
}

export function readSeries(
  of: ReadingPlan,
  paired: PairedSeries,
  getCell: SeriesReading['getCell'],
  left = shareLeftIn(paired, of.registered.rules),
): SeriesReading {
  const series = paired.plan.cells[0]?.series ?? ''
  const group = of.findGroup(series)
  return { series, group, paired, cells: readingCells(of, paired, group), getCell, left }
}
