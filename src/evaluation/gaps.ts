import type { CellGaps } from '../scoring/gaps.js'
import type { PairedSeries } from './pair.js'

/** The missing outcomes of a cell of a plan, before any forecast is read. */
export interface CellOutcomes extends CellGaps {
  readonly series: string
  /** Registered keys: origins of the window that have this cell. */
  readonly keys: number
  readonly withOutcome: number
}

/**
 * The cells of a series, in the order of its plan. Omissions by candidates have no influence, so that no candidate can
 * remove a cell.
 */
export function countCellOutcomes({
  plan,
  outcomes,
}: Pick<PairedSeries, 'plan' | 'outcomes'>): CellOutcomes[] {
  const { origins, rules } = plan
  const cells = plan.cells.map((cell) => {
    const there = outcomes(cell.id)
    const missing = there.map((one, index) => {
      const isKey = rules.hasCell(origins.position(index), cell)
      return Number(isKey && one === 0)
    })
    const [withOutcome, gaps] = [countSet(there), countSet(missing)]
    return { ...cell, missing, withOutcome, keys: withOutcome + gaps }
  })
  const { expected, missing } = countOutcomes(cells)
  return cells.map((cell) => ({ ...cell, mostlyMissing: 2 * missing > expected }))
}

const countSet = (flags: Uint8Array): number => flags.reduce((sum, one) => sum + one, 0)

const countOutcomes = (cells: readonly Pick<CellOutcomes, 'keys' | 'withOutcome'>[]): Count => ({
  expected: cells.reduce((sum, { keys }) => sum + keys, 0),
  missing: cells.reduce((sum, one) => sum + one.keys - one.withOutcome, 0),
})

/** Too many missing outcomes for a decision. */
export interface MissingOutcomes {
  /** As shares. */
  readonly found: number
  readonly limit: number
  /** What they belong to, and which list would fix it; empty for all registered keys. */
  readonly details: readonly string[]
}

/**
 * The largest shares of expected outcomes that may be missing: of all registered keys, of a group's keys, before the
 * window, and of a series that no other can replace.
 */
const MOST_MISSING = { all: 0.02, group: 0.1, before: 0.1, series: 0.5 } as const

interface Count {
  readonly expected: number
  readonly missing: number
}

const added = (to: Count | undefined, { expected, missing }: Count): Count => ({
  expected: (to?.expected ?? 0) + expected,
  missing: (to?.missing ?? 0) + missing,
})

function beyond({ expected, missing }: Count, limit: number, details: readonly string[]) {
  return missing > limit * expected ? [{ found: missing / expected, limit, details }] : []
}

/** Counts missing outcomes, a series after another. */
export class MissingKeys {
  #all: Count = { expected: 0, missing: 0 }
  readonly #groups = new Map<string, Count>()
  readonly #mostly: MissingOutcomes[] = []
  #series = 0

  add(series: string, group: string | undefined, cells: readonly CellOutcomes[]): void {
    const ofSeries = countOutcomes(cells)
    this.#series++
    this.#all = added(this.#all, ofSeries)
    if (group !== undefined) this.#groups.set(group, added(this.#groups.get(group), ofSeries))
    this.#mostly.push(...beyond(ofSeries, MOST_MISSING.series, [`series ${series}`]))
  }

  /** For all registered keys, and for those of each group. */
  result(): MissingOutcomes[] {
    return [
      ...beyond(this.#all, MOST_MISSING.all, []),
      ...[...this.#groups].flatMap(([group, count]) =>
        beyond(count, MOST_MISSING.group, [`group ${group}`]),
      ),
    ]
  }

  /**
   * Series without outcomes at more than half of their keys, if losses are not scaled: the largest may dominate the
   * mean, so no other series can replace it.
   */
  mostly(): readonly MissingOutcomes[] {
    return this.#series === 1 ? [] : this.#mostly
  }
}

/** The first detail if values before the window are missing. */
export const BEFORE = 'before the window'
const MOST_NAMED = 8

/**
 * Counts the values that are expected before the window, a series after another: without them comparators abstain. The
 * details name the list, or the `from` of series, that would fix it.
 */
export class MissingBefore {
  /** By period. */
  readonly #counts: Count[] = []
  /** As if each series were expected from its first value on. */
  #begun: Count = { expected: 0, missing: 0 }
  readonly #late: string[] = []
  #lateSeries = 0
  #series = 0

  /** @param until - position of the first origin. */
  constructor(
    private readonly until: number,
    private readonly labelAt: (period: number) => string,
  ) {}

  /** @param from - position in the list from which values are expected. */
  add(series: string, from: number, hasValue: (period: number) => boolean): void {
    let begins = this.until
    for (let period = this.until - 1; period >= from; period--) {
      const isThere = hasValue(period)
      if (isThere) begins = period
      this.#counts[period] = added(this.#counts[period], count(1, isThere ? 0 : 1))
    }
    for (let period = begins; period < this.until; period++) {
      this.#begun = added(this.#begun, count(1, hasValue(period) ? 0 : 1))
    }
    this.#series++
    if (begins <= from) return
    this.#lateSeries++
    if (this.#late.length < MOST_NAMED) this.#late.push(`${series} from ${this.labelAt(begins)}`)
  }

  result(): MissingOutcomes[] {
    return beyond(this.#from(0), MOST_MISSING.before, []).map((of) => {
      if (this.#lateSeries < this.#series && isEnough(this.#begun)) {
        const more = this.#lateSeries - this.#late.length
        const details = more > 0 ? [...this.#late, `${more} more`] : this.#late
        return { ...of, details: [BEFORE, ...details] }
      }
      let start = 0
      while (start < this.until && !isEnough(this.#from(start))) start++
      const isListed = start < this.until
      const list = isListed ? [`a list from ${this.labelAt(start)}`] : []
      return { ...of, details: [BEFORE, ...list] }
    })
  }

  /** Of the periods from one on. */
  #from(start: number): Count {
    return this.#counts.slice(start).reduce<Count>(added, count(0, 0))
  }
}

const count = (expected: number, missing: number): Count => ({ expected, missing })

const isEnough = ({ expected, missing }: Count) => missing <= MOST_MISSING.before * expected
