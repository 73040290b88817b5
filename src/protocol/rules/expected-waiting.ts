import type { Instant } from '../../contract/instant.js'
import { computeShareLeft, hasBegun, MOST_BEGUN } from '../../periods/waiting.js'
import type { Rules } from './compile.js'

/**
 * What waiting is worth before any outcome is known, assuming that losses grow with the root of time, as for a random
 * walk.
 */
export interface ExpectedWaiting {
  /** Over all deciding steps; 1 if all steps are nowcasts. */
  readonly worth: number
  /** By deciding step. */
  readonly steps: ReadonlyMap<number, number>
  /** Steps for which too many targets have begun when their forecasts are due. */
  readonly nowcasts: readonly number[]
}

/** @param origins - of a window, or of the list; ascending. */
export function computeWaiting(rules: Rules, origins: readonly number[]): ExpectedWaiting {
  const { calendar, due, outcome, targetsAt } = rules
  const findNewest = newestPublic(rules)
  const sums = new Map<number, { keys: number; begun: number; full: number; left: number }>()
  for (const origin of origins) {
    const [by, last] = [due(origin), findNewest(origin)]
    const newest = last === null ? null : calendar.end(last)
    for (const step of targetsAt(origin)) {
      const target = { start: calendar.start(origin + step), end: calendar.end(origin + step) }
      const sum = sums.get(step) ?? { keys: 0, begun: 0, full: 0, left: 0 }
      sums.set(step, sum)
      sum.keys++
      if (hasBegun(target, by, outcome.over)) sum.begun++
      if (newest === null) continue
      const loss = Math.sqrt(Math.max(0, target.end - newest))
      sum.full += loss
      sum.left += loss * computeShareLeft(target, by, newest, outcome.over)
    }
  }
  const all = [...sums].sort(([a], [b]) => a - b)
  const isNowcast = ({ begun, keys }: { begun: number; keys: number }) => begun > MOST_BEGUN * keys
  const deciding = all.filter(([, own]) => !isNowcast(own))
  // The mean over steps, because a loss is the mean over cells.
  const mean = (of: 'full' | 'left') =>
    deciding.reduce((sum, [, own]) => sum + own[of] / own.keys, 0)
  return {
    worth: deciding.length === 0 ? 1 : lost(mean('full'), mean('left')),
    steps: new Map(deciding.map(([step, own]) => [step, lost(own.full, own.left)])),
    nowcasts: all.flatMap(([step, own]) => (isNowcast(own) ? [step] : [])),
  }
}

const lost = (full: number, left: number): number => (full === 0 ? 0 : 1 - left / full)

/**
 * The newest period whose value baselines see when an origin is due, assuming that values are public as early as
 * possible; null if there is none.
 */
export function newestPublic(rules: Rules): (origin: number) => number | null {
  const { calendar, due, known, periods } = rules
  if (periods.kind === 'hours') return (origin) => origin
  const published = Array.from({ length: periods.count }, (_, at) => {
    return { at, from: Math.max(known(at), calendar.end(at)) }
  }).sort((a, b) => a.from - b.from)
  let newest = -1
  const newestBy = published.map(({ at }) => (newest = Math.max(newest, at)))
  return (origin) => {
    const by = due(origin)
    let [below, above] = [0, published.length]
    while (below < above) {
      const middle = (below + above) >> 1
      if ((published[middle] as { from: Instant }).from <= by) below = middle + 1
      else above = middle
    }
    return newestBy[below - 1] ?? null
  }
}
