import { remembering } from '../contract/remembering.js'
import type { PeriodPosition } from '../pairing/grid.js'
import type { PairingPlan } from '../pairing/plan.js'
import { computeShareLeft, hasBegun, MOST_BEGUN } from '../periods/waiting.js'
import type { Rules } from '../protocol/rules/compile.js'
import { average, MeanOfMeans } from '../scoring/sum.js'
import type { PairedSeries } from './pair.js'

type WaitingRules = Pick<Rules, 'calendar' | 'outcome' | 'due'>

const stretch = ({ calendar }: WaitingRules, origin: PeriodPosition, horizon: number) => {
  const target = origin + horizon
  return { start: calendar.start(target), end: calendar.end(target) }
}

/** Steps that decide only by their limit of harm, ascending: too many of their targets have begun when forecasts are due. */
export function findNowcasts({ cells, origins, rules }: PairingPlan, by: WaitingRules): number[] {
  const isNowcast = (horizon: number) => {
    let [keys, begun] = [0, 0]
    const atHorizon = cells.filter((cell) => cell.horizon === horizon)
    for (let index = 0; index < origins.count; index++) {
      const origin = origins.position(index)
      const count = atHorizon.filter((cell) => rules.hasCell(origin, cell)).length
      keys += count
      const isBegun = hasBegun(stretch(by, origin, horizon), by.due(origin), by.outcome.over)
      if (isBegun) begun += count
    }
    return begun > MOST_BEGUN * keys
  }
  const horizons = [...new Set(cells.map(({ horizon }) => horizon))].sort((a, b) => a - b)
  return horizons.filter(isNowcast)
}

/** The share of a comparator's loss that is charged in a cell of a series, by origin. */
export type ShareLeft = (cell: number) => Float64Array

export function shareLeftIn({ plan, seen }: PairedSeries, by: WaitingRules): ShareLeft {
  const { cells, origins } = plan
  const byId = new Map(cells.map((cell) => [cell.id, cell.horizon]))
  return remembering((cell: number) =>
    Float64Array.from(seen(cell), (newest, index) => {
      const origin = origins.position(index)
      const until = Number.isNaN(newest) ? null : by.calendar.end(newest)
      const target = stretch(by, origin, byId.get(cell) as number)
      return computeShareLeft(target, by.due(origin), until, by.outcome.over)
    }),
  )
}

/** By how much the loss of a comparator falls for a forecaster who only waits: the mean over cells. */
export class WaitingWorth {
  readonly #full = new MeanOfMeans()
  readonly #remaining = new MeanOfMeans()

  /** Adds a cell. @param losses - by origin; NaN if missing. @param shares - of the losses, that are left. */
  add(losses: Float64Array, shares: Float64Array): void {
    const rest = losses.map((loss, index) => loss * (shares[index] as number))
    this.#full.add(average(losses).mean)
    this.#remaining.add(average(rest).mean)
  }

  get share(): number {
    const [whole, rest] = [this.#full.value, this.#remaining.value]
    return whole === null || rest === null || whole === 0 ? 0 : 1 - rest / whole
  }
}

/** The charge to a comparator. */
export interface ChargedWaiting {
  readonly comparator: string
  readonly horizon: number | 'overall'
  /** The share by which its loss falls for a forecaster who only waits. */
  readonly worth: number
}

/** The largest worth of waiting over all deciding steps; 0 if nothing is charged. */
export const largestWorth = (all: readonly ChargedWaiting[]): number =>
  Math.max(0, ...all.flatMap(({ horizon, worth }) => (horizon === 'overall' ? worth : [])))

/** By how much an estimate against a comparator must exceed the floor; 0 if the comparator is charged nothing. */
export const worthAgainst = (all: readonly ChargedWaiting[], comparator: string): number =>
  all.find((each) => each.comparator === comparator && each.horizon === 'overall')?.worth ?? 0
