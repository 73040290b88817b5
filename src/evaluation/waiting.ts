import { remembering } from '../contract/remembering.js'
import type { PeriodPosition } from '../pairing/grid.js'
import { hasBegun, MOST_BEGUN, shareLeft } from '../periods/waiting.js'
import type { Rules } from '../protocol/rules/compile.js'
import { meanOf, meanOfMeans } from '../scoring/sum.js'
import type { Paired } from './pair.js'

/** What waiting until a forecast is due gains without any skill. */
export interface Waiting {
  /** Steps that decide only by their limit of harm, ascending: too many of their targets have begun by then. */
  readonly nowcasts: readonly number[]
  /** The share of a comparator's loss that is charged in a cell, by origin. */
  readonly left: (cell: number) => Float64Array
}

export function waitingOf(
  { plan, seen }: Pick<Paired, 'plan' | 'seen'>,
  { calendar, outcome: { over }, due }: Pick<Rules, 'calendar' | 'outcome' | 'due'>,
): Waiting {
  const { cells, origins, rules } = plan
  const stretch = (origin: PeriodPosition, horizon: number) => {
    const target = origin + horizon
    return { start: calendar.start(target), end: calendar.end(target) }
  }
  const isNowcast = (horizon: number) => {
    let [keys, begun] = [0, 0]
    for (const cell of cells.filter((each) => each.horizon === horizon)) {
      for (let index = 0; index < origins.count; index++) {
        const origin = origins.position(index)
        if (!rules.hasCell(origin, cell)) continue
        keys++
        if (hasBegun(stretch(origin, horizon), due(origin), over)) begun++
      }
    }
    return begun > MOST_BEGUN * keys
  }
  const horizons = [...new Set(cells.map(({ horizon }) => horizon))].sort((a, b) => a - b)
  const byId = new Map(cells.map((cell) => [cell.id, cell.horizon]))
  return {
    nowcasts: horizons.filter(isNowcast),
    left: remembering((cell: number) =>
      Float64Array.from(seen(cell), (newest, index) => {
        const origin = origins.position(index)
        const until = Number.isNaN(newest) ? null : calendar.end(newest)
        const target = stretch(origin, byId.get(cell) as number)
        return shareLeft(target, due(origin), until, over)
      }),
    ),
  }
}

/** The charge to a comparator. */
export interface ChargedWaiting {
  readonly comparator: string
  readonly horizon: number | 'overall'
  /** The share by which its loss falls for a forecaster who only waits. */
  readonly worth: number
}

/** The losses of comparators, and which of them are charged. */
interface ChargedLosses {
  readonly comparators: readonly { readonly name: string }[]
  readonly charged: (comparator: string) => Waiting['left'] | undefined
  readonly horizons: readonly number[]
  readonly cellsIn: (comparator: string, horizon: number | 'overall') => readonly number[]
  /** By origin; NaN if missing. */
  readonly lossOf: (comparator: string, cell: number) => Float64Array
}

/** What waiting is worth against every comparator that is charged for it: overall, and at each step. */
export function chargedWaiting(of: ChargedLosses): ChargedWaiting[] {
  return of.comparators.flatMap(({ name: comparator }) => {
    const left = of.charged(comparator)
    if (left === undefined) return []
    return (['overall', ...of.horizons] as const).map((horizon) => {
      const cells = of.cellsIn(comparator, horizon)
      const losses = cells.map((cell) => of.lossOf(comparator, cell))
      const whole = meanOfMeans(losses.map((loss) => meanOf(loss).mean))
      const rest = meanOfMeans(
        losses.map((loss, at) => {
          const shares = left(cells[at] as number)
          return meanOf(loss.map((each, index) => each * (shares[index] as number))).mean
        }),
      )
      const worth = whole === null || rest === null || whole === 0 ? 0 : 1 - rest / whole
      return { comparator, horizon, worth }
    })
  })
}

/** The largest worth of waiting over all deciding steps; 0 if nothing is charged. */
export const largestWorth = (all: readonly ChargedWaiting[]): number =>
  Math.max(0, ...all.flatMap(({ horizon, worth }) => (horizon === 'overall' ? worth : [])))

/** By how much an estimate against a comparator must exceed the floor; 0 if the comparator is charged nothing. */
export const worthAgainst = (all: readonly ChargedWaiting[], comparator: string): number =>
  all.find((each) => each.comparator === comparator && each.horizon === 'overall')?.worth ?? 0
