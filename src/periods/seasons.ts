import { type Instant, MICROS_PER_DAY } from '../contract/instant.js'
import { quantile7 } from '../contract/quantile.js'
import type { PeriodList } from './list.js'
import { type SeriesTimes, targetsFrom } from './series-times.js'

/** Seasons are lengths of time, so that lists without weekends, and lists of fortnights, have calendar seasons. */
export const SEASON_LENGTHS = {
  day: MICROS_PER_DAY,
  week: 7 * MICROS_PER_DAY,
  year: 365.25 * MICROS_PER_DAY,
} as const
export type Season = keyof typeof SEASON_LENGTHS

/** A season barely longer than the distance of targets adds nothing to the last value. */
const LEAST_LENGTH = 1.5

/** The distances between the starts of distinct targets; 0 for fewer than two. */
export interface TargetDistance {
  readonly median: number
  /** A lower quartile: for Tuesdays and Thursdays two days, although half of the distances are five. */
  readonly short: number
  /** Seasons of which a quarter of the distances reach another part, below four of them: every fifth day, the week. */
  readonly moving: readonly Season[]
}

/**
 * How far from a whole season an end may lie. Half a day of a week is the same weekday, and allows a change of clocks.
 */
const NEAR = {
  day: SEASON_LENGTHS.day / 14,
  week: SEASON_LENGTHS.week / 14,
  year: 7 * MICROS_PER_DAY,
} as const satisfies Record<Season, number>

/**
 * Whether a season is required at this distance of targets: it is longer, or targets at this distance lie in other
 * parts of it, so that a forecast of what is usual there is no forecast of the last value.
 */
export const isAskedFor = (season: Season, { short, moving }: TargetDistance): boolean =>
  SEASON_LENGTHS[season] > LEAST_LENGTH * short || moving.includes(season)

/** A period as long as four seasons averages most of one out; a month holds about four weeks. */
const MOST_SEASONS = 4

/** Whether a target this much later lies in another part of a season. */
function isOther(distance: number, season: Season): boolean {
  const length = SEASON_LENGTHS[season]
  const past = distance % length
  return distance < MOST_SEASONS * length && Math.min(past, length - past) > NEAR[season]
}

export function createTargetDistance(
  periods: PeriodList,
  times: Pick<SeriesTimes, 'targetsAt'>,
  origins: readonly number[],
): TargetDistance {
  const targets = [...new Set(targetsFrom(times, origins))].sort((a, b) => a - b)
  const starts = targets.map((at) => periods[at]?.start as Instant)
  const apart = starts.slice(1).map((start, at) => start - (starts[at] as Instant))
  apart.sort((a, b) => a - b)
  const at = (level: number) =>
    apart.length === 0 ? 0 : quantile7(apart.length, (index) => apart[index] as number, level)
  const isMoving = (season: Season) =>
    4 * apart.filter((distance) => isOther(distance, season)).length >= Math.max(1, apart.length)
  const moving = (Object.keys(SEASON_LENGTHS) as Season[]).filter(isMoving)
  return { median: at(0.5), short: at(0.25), moving }
}

/** Finds the periods whole seasons before a target, by their ends. */
export class Seasons {
  readonly #ends: readonly Instant[]
  readonly #season: number
  /**
   * How far from a whole season a period may end: the limit for the nearest one and, for years, for all in a
   * climatology.
   */
  readonly #near: number
  readonly #wide: number | undefined

  constructor(periods: PeriodList, season: Season, { median }: TargetDistance) {
    this.#ends = periods.map(({ end }) => end)
    this.#season = SEASON_LENGTHS[season]
    const isYear = season === 'year'
    this.#near = isYear ? NEAR.year : Math.min(median / 2, NEAR[season])
    this.#wide = isYear ? Math.max(7 * MICROS_PER_DAY, median) : undefined
  }

  /** For each season back, the period that ends nearest, or the later one of two; skipped if it ends too far off. */
  *nearest(target: number): Generator<number> {
    for (const instant of this.#back(target, this.#near)) {
      const after = this.#firstFrom(instant)
      const away = (at: number) => Math.abs((this.#ends[at] ?? Number.POSITIVE_INFINITY) - instant)
      const at = away(after) <= away(after - 1) ? after : after - 1
      if (away(at) <= this.#near) yield at
    }
  }

  /**
   * The periods of a climatology, newest first, without repeats: for years all that end near; for shorter seasons only
   * the nearest, because another one of the same day is of another hour.
   */
  *around(target: number): Generator<number> {
    const wide = this.#wide
    if (wide === undefined) return yield* this.nearest(target)
    let last = this.#ends.length
    for (const instant of this.#back(target, wide)) {
      const beyond = this.#firstFrom(instant + wide)
      const isOn = this.#ends[beyond] === instant + wide
      const earliest = this.#firstFrom(instant - wide)
      for (let at = Math.min(last, isOn ? beyond + 1 : beyond) - 1; at >= earliest; at--) {
        yield at
        last = at
      }
    }
  }

  /** The instants whole seasons before the end of a target, while a period may end near them. */
  *#back(target: number, tolerance: number): Generator<Instant> {
    const first = this.#ends[0] as Instant
    const end = this.#ends[target] as Instant
    for (let back = 1; end - back * this.#season >= first - tolerance; back++) {
      yield end - back * this.#season
    }
  }

  /** Position of the first period that ends at an instant or later. */
  #firstFrom(instant: Instant): number {
    let low = 0
    let high = this.#ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ends[middle] as Instant) < instant) low = middle + 1
      else high = middle
    }
    return low
  }
}
