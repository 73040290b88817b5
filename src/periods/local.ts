import { MICROS_PER_DAY } from '../contract/instant.js'
import type { PeriodList } from './list.js'
import type { PeriodNaming } from './naming.js'
import type { WallTime, Zone } from './zone.js'

/** The position that a local time names, or a fault; `none` if the list has no period at that time. */
export type LocalPeriod = number | 'repeated' | 'more' | 'none'

/** A time that the clock shows twice, in rows with one key. */
interface Seen {
  count: number
  readonly wall: WallTime
  readonly line: number
}

/**
 * Finds periods by the local time at which they start or end. An end is named as its start plus the usual length of a
 * period, because hours are numbered so: where the clock is set back at 2:00, the hour that ends at 2:00 occurs twice.
 * A period of another length (half a session), or of a day or more, ends when the clock shows its end.
 */
export class LocalPeriods {
  readonly #byTime = new Map<WallTime, number[]>()
  /** Local times that the clock skips, with the position of the period before. */
  readonly #skipped: { readonly at: number; readonly wall: WallTime }[] = []
  /** By row and time. */
  readonly #seen = new Map<string, Seen>()
  #first = Number.POSITIVE_INFINITY
  #last = Number.NEGATIVE_INFINITY

  constructor(
    periods: PeriodList,
    zone: Zone,
    private readonly naming: PeriodNaming,
  ) {
    const usual = mostCommon(periods.map(({ start, end }) => end - start))
    const wallAt = (instant: number): WallTime => instant + zone.offsetAt(instant)
    const starts = periods.map(({ start }) => wallAt(start))
    const walls =
      naming.label === 'start'
        ? starts
        : periods.map(({ start, end }, at) =>
            end - start === usual && usual < MICROS_PER_DAY
              ? (starts[at] as WallTime) + usual
              : wallAt(end),
          )
    for (const [at, wall] of walls.entries()) {
      const positions = this.#byTime.get(wall)
      if (positions === undefined) this.#byTime.set(wall, [at])
      else positions.push(at)
    }
    for (const [at, wall] of walls.entries()) {
      const [period, following] = [periods[at], periods[at + 1]]
      if (period === undefined || following?.start !== period.end) continue
      if ([period, following].some(({ start, end }) => end - start !== usual)) continue
      for (let next = wall + usual; next < (walls[at + 1] as WallTime); next += usual) {
        this.#skipped.push({ at, wall: next })
      }
    }
  }

  /** @param row - if one row has the same repeated time twice, the second means the other period. */
  find(wall: WallTime, row: string, line: number): LocalPeriod {
    const [earlier, later] = this.#byTime.get(wall) ?? []
    if (earlier === undefined) return 'none'
    if (later === undefined) return this.#use(earlier)
    const { repeated } = this.naming
    if (repeated === undefined) return 'repeated'
    const key = `${row} ${wall}`
    const seen = this.#seen.get(key)
    if (seen === undefined) this.#seen.set(key, { count: 1, wall, line })
    else if (++seen.count > 2) return 'more'
    return this.#use((seen === undefined) === (repeated === 'earlier-first') ? earlier : later)
  }

  /** Whether the clock shows a time twice, for two periods of the list. */
  isTwice(wall: WallTime): boolean {
    return (this.#byTime.get(wall)?.length ?? 0) > 1
  }

  /** Repeated times for which there was only one row. */
  lone(): readonly Pick<Seen, 'wall' | 'line'>[] {
    return [...this.#seen.values()].filter(({ count }) => count === 1)
  }

  /** The rows' times that the clock shows twice, and the skipped times between the first and the last row. */
  changes(): { readonly twice: readonly WallTime[]; readonly never: readonly WallTime[] } {
    const skipped = this.#skipped.filter(({ at }) => at >= this.#first && at < this.#last)
    const twice = new Set([...this.#seen.values()].map(({ wall }) => wall))
    return { twice: [...twice], never: skipped.map(({ wall }) => wall) }
  }

  #use(at: number): number {
    this.#first = Math.min(this.#first, at)
    this.#last = Math.max(this.#last, at)
    return at
  }
}

function mostCommon(numbers: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1)
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])[0]
}
