import type { Rules } from '../../protocol/rules/compile.js'
import { groupOf } from '../../protocol/rules/groups.js'
import { type CellOutcomes, cellOutcomes } from '../gaps.js'
import type { Paired } from '../pair.js'

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

/** The cells of a plan, in its order. Missing outcomes remove no cell, because they count in the tests. */
export function readingCells(
  paired: Paired,
  rules: Rules,
  nowcasts: readonly number[],
): ReadingCell[] {
  const groups = groupOf(rules)
  const isAlone = rules.series.length === 1
  const cells = cellOutcomes(paired).map((cell): ReadingCell => {
    const there = paired.outcomes(cell.id)
    const inTest = cell.keys >= rules.dependence.minimum_pairs
    return {
      ...{ ...cell, there, inTest, group: groups.get(cell.series) },
      isKey: there.map((one, index) => one | (cell.missing[index] as number)),
      // With a single series, no other can replace it.
      isShown: inTest && (isAlone || !cell.mostlyMissing),
      decides: !nowcasts.includes(cell.horizon),
    }
  })
  const isDecided = cells.some(({ inTest, decides }) => inTest && decides)
  const isTested = cells.some(({ inTest }) => inTest)
  return cells.map((cell) => ({
    ...cell,
    // A window that is too short for tests is still shown.
    isShown: cell.isShown || !isTested,
    decides: cell.decides || !isDecided,
  }))
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

/** The steps with a tested cell; other steps cannot be tested. */
export const testedSteps = (
  { steps }: Pick<Rules, 'steps'>,
  cells: readonly ReadingCell[],
): number[] => steps.filter((step) => cells.some((cell) => cell.inTest && cell.horizon === step))
