import type { ControlTest, Series } from './types.js'

/**
 * The constant of the shift control, and the grid its losses are rounded to. With both powers of
 * two far inside the 53 bits of a double, loss plus constant minus loss, every sum of such
 * differences and every mean of them are free of rounding: "shifted by exactly the constant" is
 * judged with equality, without a tolerance. (A difference of unrounded losses would itself be off
 * by half a unit of the last place.)
 */
export const SHIFT = 2 ** -7
const GRID = 2 ** -40

/**
 * The two controls of one comparator. `copy`: its own losses as the candidate's, every difference
 * 0. `shift`: its losses plus a constant, every difference that constant. They carry the gaps of
 * the real losses, so a replicate that lost count of its pairs would miss the expected value.
 *
 * @param losses the comparator's losses, one series per horizon; NaN where it was not scored
 */
export function controlTests(comparator: string, losses: readonly Float64Array[]): ControlTest[] {
  const copies = losses.map((loss) => series(loss, (value) => value - value))
  const shifted = losses.map((loss) =>
    series(loss, (value) => {
      const rounded = Math.round(value / GRID) * GRID
      return rounded + SHIFT - rounded
    }),
  )
  return [
    { name: `control/copy/${comparator}`, kind: 'copy', expected: 0, components: copies },
    { name: `control/shift/${comparator}`, kind: 'shift', expected: SHIFT, components: shifted },
  ]
}

function series(losses: Float64Array, difference: (loss: number) => number): Series {
  return { values: losses.map(difference) }
}
