import type { CellGaps } from '../scoring/gaps.js'
import type { Paired } from './pair.js'

/** What is missing in a cell of a plan, before any forecast is looked at. */
export interface CellOutcomes extends CellGaps {
  readonly series: string
  /** Registered keys: origins of the window that have this cell. */
  readonly keys: number
  readonly withOutcome: number
}

/** The cells of a plan, in its order. What candidates left out plays no part, so that none can take a cell out. */
export function cellOutcomes({
  plan,
  outcomes,
}: Pick<Paired, 'plan' | 'outcomes'>): CellOutcomes[] {
  const { origins, rules } = plan
  const cells = plan.cells.map((cell) => {
    const there = outcomes(cell.id)
    const missing = there.map((one, index) => {
      const isKey = rules.hasCell?.(origins.placeOf(index), cell) !== false
      return Number(isKey && one === 0)
    })
    const [withOutcome, gaps] = [there, missing].map((of) => of.reduce((sum, one) => sum + one, 0))
    return { ...cell, missing, withOutcome: withOutcome!, keys: withOutcome! + gaps! }
  })
  const bySeries = new Map<string, { keys: number; withOutcome: number }>()
  for (const { series, keys, withOutcome } of cells) {
    const sum = bySeries.get(series) ?? { keys: 0, withOutcome: 0 }
    bySeries.set(series, { keys: sum.keys + keys, withOutcome: sum.withOutcome + withOutcome })
  }
  return cells.map((cell) => {
    const { keys, withOutcome } = bySeries.get(cell.series) as { keys: number; withOutcome: number }
    return { ...cell, mostlyMissing: 2 * withOutcome < keys }
  })
}
