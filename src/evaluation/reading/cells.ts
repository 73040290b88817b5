import type { Rules } from '../../protocol/rules/compile.js'
import { REST } from '../../protocol/rules/groups.js'
import { type CellOutcomes, cellOutcomes } from '../gaps.js'
import type { Paired } from '../pair.js'

/** A cell of a plan, and what of it is tested and shown. */
export interface ReadingCell extends CellOutcomes {
  readonly group: string | undefined
  /** For every origin 1 where it has this cell, or 0. */
  readonly isKey: Uint8Array
  /** The same where the outcome is there. */
  readonly there: Uint8Array
  /** Registered for tests: the calendar gives it as many keys as a test needs. */
  readonly inTest: boolean
  /** Part of the means that are shown: tested, and with outcomes at half of the keys of its series. */
  readonly isShown: boolean
  /** False of a nowcast, which is shown and decides nothing but its limit of harm; where there is nothing else it is part of all means. */
  readonly decides: boolean
}

/** The cells of a plan, in its order. What is missing takes none out: it counts in the tests. */
export function readingCells(
  paired: Paired,
  rules: Rules,
  nowcasts: readonly number[],
): ReadingCell[] {
  const groups = groupsIn(rules)
  const isAlone = rules.series.length === 1
  const cells = cellOutcomes(paired).map((cell): ReadingCell => {
    const there = paired.outcomes(cell.id)
    const inTest = cell.keys >= rules.dependence.minimum_pairs
    return {
      ...{ ...cell, there, inTest, group: groups.get(cell.series) },
      isKey: there.map((one, index) => one | (cell.missing[index] as number)),
      // No other series stands in for the only one.
      isShown: inTest && (isAlone || !cell.mostlyMissing),
      decides: !nowcasts.includes(cell.horizon),
    }
  })
  const isDecided = cells.some(({ inTest, decides }) => inTest && decides)
  const isTested = cells.some(({ inTest }) => inTest)
  return cells.map((cell) => ({
    ...cell,
    // A window that is too short for tests is shown all the same.
    isShown: cell.isShown || !isTested,
    decides: cell.decides || !isDecided,
  }))
}

/** The group of each series by its id; empty where no series names one. */
function groupsIn({ series }: Pick<Rules, 'series'>): ReadonlyMap<string, string> {
  if (series.every(({ group }) => group === null)) return new Map()
  return new Map(series.map(({ id, group }) => [id, group ?? REST]))
}

/** The cells of a step, of all that decide, or of these those of a group. */
export const cellsIn = (
  cells: readonly ReadingCell[],
  { step, group }: { readonly step: number | 'overall'; readonly group: string },
): ReadingCell[] =>
  cells.filter(
    (cell) =>
      (step === 'overall' ? cell.decides : cell.horizon === step) &&
      (group === 'all' || cell.group === group),
  )

/** The steps at which there is a tested cell: elsewhere nothing can be asked. */
export const testedSteps = (
  { steps }: Pick<Rules, 'steps'>,
  cells: readonly ReadingCell[],
): number[] => steps.filter((step) => cells.some((cell) => cell.inTest && cell.horizon === step))
