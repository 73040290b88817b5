import type { CellGaps } from '../scoring/gaps.js'
import type { Paired } from './pair.js'

/** The missing outcomes of a cell of a plan, before any forecast is read. */
export interface CellOutcomes extends CellGaps {
  readonly series: string
  /** Registered keys: origins of the window that have this cell. */
  readonly keys: number
  readonly withOutcome: number
}

/**
 * The cells of a plan, in its order. Omissions by candidates have no influence, so that no candidate can remove a cell.
 */
export function cellOutcomes({
  plan,
  outcomes,
}: Pick<Paired, 'plan' | 'outcomes'>): CellOutcomes[] {
  const { origins, rules } = plan
  const cells = plan.cells.map((cell) => {
    const there = outcomes(cell.id)
    const missing = there.map((one, index) => {
      const isKey = rules.hasCell(origins.position(index), cell)
      return Number(isKey && one === 0)
    })
    const [withOutcome, gaps] = [sumOf(there), sumOf(missing)]
    return { ...cell, missing, withOutcome, keys: withOutcome + gaps }
  })
  const bySeries = countsBySeries(cells)
  return cells.map((cell) => {
    const { expected, missing } = bySeries.get(cell.series) as Count
    return { ...cell, mostlyMissing: 2 * missing > expected }
  })
}

const sumOf = (flags: Uint8Array): number => flags.reduce((sum, one) => sum + one, 0)

type Counted = Pick<CellOutcomes, 'series' | 'keys' | 'withOutcome'>

function countOf(cells: readonly Counted[]): Count {
  const expected = cells.reduce((sum, { keys }) => sum + keys, 0)
  return { expected, missing: cells.reduce((sum, one) => sum + one.keys - one.withOutcome, 0) }
}

function countsBySeries(cells: readonly Counted[]): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>()
  for (const { series, keys, withOutcome } of cells) {
    const { expected, missing } = counts.get(series) ?? { expected: 0, missing: 0 }
    counts.set(series, { expected: expected + keys, missing: missing + keys - withOutcome })
  }
  return counts
}

/** Too many missing outcomes for a decision. */
export interface MissingOutcomes {
  /** As shares. */
  readonly found: number
  readonly limit: number
  /** What they belong to, and which list would fix it; empty for all registered keys. */
  readonly details: readonly string[]
}

/**
 * The largest shares of expected outcomes that may be missing: of all registered keys, of a group's keys, and before
 * the window.
 */
const MOST_MISSING = { all: 0.02, group: 0.1, before: 0.1 } as const

interface Count {
  readonly expected: number
  readonly missing: number
}

/** For all registered keys, and for those of each group. @param groupOf - of a series; empty without groups. */
export function missingOutcomes(
  cells: readonly CellOutcomes[],
  groupOf: (series: string) => string | undefined = () => undefined,
): MissingOutcomes[] {
  const groups = new Set(cells.flatMap(({ series }) => groupOf(series) ?? []))
  return [
    ...beyond(countOf(cells), MOST_MISSING.all, []),
    ...[...groups].flatMap((group) => {
      const own = cells.filter(({ series }) => groupOf(series) === group)
      return beyond(countOf(own), MOST_MISSING.group, [`group ${group}`])
    }),
  ]
}

/**
 * Series without outcomes at more than half of their keys, if losses are not scaled: the largest may dominate the mean,
 * so no other series can replace it.
 */
export function mostlyMissing(cells: readonly CellOutcomes[]): MissingOutcomes[] {
  const bySeries = countsBySeries(cells)
  if (bySeries.size === 1) return []
  return [...bySeries].flatMap(([series, count]) => beyond(count, 0.5, [`series ${series}`]))
}

function beyond({ expected, missing }: Count, limit: number, details: readonly string[]) {
  return missing > limit * expected ? [{ found: missing / expected, limit, details }] : []
}

/** The values of a series that are expected before the window. */
export interface ValuesBefore {
  readonly id: string
  /** Position in the list from which values are expected. */
  readonly from: number
  readonly hasValue: (period: number) => boolean
}

/**
 * Expected values before the window, over all series: without them comparators abstain. The details name the list, or
 * the `from` of series, that would fix it.
 * @param until - position of the first origin
 */
export function missingBefore(
  series: readonly ValuesBefore[],
  until: number,
  labelOf: (period: number) => string,
): MissingOutcomes[] {
  const countFrom = (first: (of: ValuesBefore) => number): Count => {
    let [expected, missing] = [0, 0]
    for (const of of series) {
      for (let period = first(of); period < until; period++) {
        expected++
        if (!of.hasValue(period)) missing++
      }
    }
    return { expected, missing }
  }
  const isEnough = (count: Count) => count.missing <= MOST_MISSING.before * count.expected
  const found = beyond(
    countFrom(({ from }) => from),
    MOST_MISSING.before,
    [],
  )
  return found.map((of) => {
    const begins = (one: ValuesBefore) => {
      let period = one.from
      while (period < until && !one.hasValue(period)) period++
      return period
    }
    const late = series.filter((one) => begins(one) > one.from)
    if (late.length < series.length && isEnough(countFrom(begins))) {
      const few = late.slice(0, MOST_NAMED).map((one) => `${one.id} from ${labelOf(begins(one))}`)
      const more = late.length - few.length
      const details = more > 0 ? [...few, `${more} more`] : few
      return { ...of, details: [BEFORE, ...details] }
    }
    let start = 0
    while (start < until && !isEnough(countFrom(({ from }) => Math.max(from, start)))) start++
    return { ...of, details: start < until ? [BEFORE, `a list from ${labelOf(start)}`] : [BEFORE] }
  })
}

/** The first detail if values before the window are missing. */
export const BEFORE = 'before the window'
const MOST_NAMED = 8
