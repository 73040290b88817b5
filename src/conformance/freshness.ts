import type { RuleName } from '../contract/conformance-rules.js'
import { formatStored, type Instant, instantOrNaN, MICROS_PER_SECOND } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import type { Freshness } from '../contract/types.js'
import type { JudgedBody } from './body.js'
import type { Judge, Place } from './judge.js'

/** When an answer was made, as far as it can be known. */
export interface Moment {
  readonly at: Instant
  /** How far an age may be off, in seconds. */
  readonly tolerance: number
  /** Everything of one snapshot is classified by one threshold; `NOW` for a service. */
  readonly snapshot: string
}

export const NOW = 'now'

/** Nothing was observed that could be fresh. */
export const FRESH_AND_EMPTY = 'is fresh, and the history holds no forecast'

interface Extreme {
  readonly age: number
  readonly place: Place
}

/** The oldest that is fresh and the youngest that is stale, and what is neither. */
interface Classes {
  fresh?: Extreme
  stale?: Extreme
  unknown?: Extreme
}

/** Follows the freshness objects of a deployment: each by itself, and all of a snapshot together. */
export class FreshnessLog {
  readonly #classes = new Map<string, Classes>()
  /** The status of each observation at one moment of a site. */
  readonly #statuses = new Map<string, string>()

  /**
   * Judges the freshness of a body and of all forecasts in it.
   * @param observed - what the body's own may be of; none is known if it is empty.
   * @param isOfNothing - whether the body shows a whole history, which is empty.
   */
  addBody(
    judge: Judge,
    body: JudgedBody,
    moment: Moment,
    observed: readonly Instant[],
    isOfNothing = false,
  ): void {
    if (!body.sound || body.value === undefined) return
    // The clock of a service goes on between two answers, and an observation may grow stale meanwhile.
    const statuses = moment.snapshot === NOW ? new Map<string, string>() : this.#statuses
    const one = (freshness: Freshness, pointer: string) => {
      const key = `${moment.snapshot} ${moment.at} ${instantOrNaN(freshness.observed_at)}`
      const before = statuses.get(key) ?? freshness.status
      statuses.set(key, before)
      const detail = `${freshness.observed_at} is ${freshness.status} here and ${before} elsewhere`
      const place = () => body.place(`${pointer}/status`)
      judge.expect('freshness-classes', before === freshness.status, place, detail)
      this.#add(judge, freshness, moment, body.place(pointer))
    }
    const own = body.value.freshness
    if (isObject(own)) {
      const freshness = own as unknown as Freshness
      one(freshness, '/freshness')
      judgeObserved(judge, 'page-freshness', freshness, observed, () =>
        body.place('/freshness/observed_at'),
      )
      const status = () => body.place('/freshness/status')
      const isFresh = isOfNothing && freshness.status === 'fresh'
      judge.expect('page-freshness', !isFresh, status, FRESH_AND_EMPTY)
    }
    for (const [index, row] of body.rows.entries()) {
      const pointer = `${body.rowPointer(index)}/freshness`
      one(row.freshness, pointer)
      const origin = [instantOrNaN(row.origin_at)]
      judgeObserved(judge, 'freshness-observed', row.freshness, origin, () =>
        body.place(`${pointer}/observed_at`),
      )
    }
  }

  /** Judges the freshness that health tells. */
  addHealth(judge: Judge, freshness: Freshness, moment: Moment, where: string): void {
    this.#add(judge, freshness, moment, { where, pointer: '/data/freshness' })
  }

  #add(
    judge: Judge,
    { observed_at, age_seconds: age, status }: Freshness,
    { at, tolerance, snapshot }: Moment,
    place: Place,
  ): void {
    const passed = Math.max(0, (at - instantOrNaN(observed_at)) / MICROS_PER_SECOND)
    judge.expect(
      'freshness-age',
      Math.abs(passed - age) <= tolerance,
      place,
      `age_seconds is ${age}, but ${Math.round(passed)} s have passed since ${observed_at}`,
    )
    const classes = this.#classes.get(snapshot) ?? {}
    this.#classes.set(snapshot, classes)
    const seen = { age, place }
    if (status === 'fresh' && age >= (classes.fresh?.age ?? 0)) classes.fresh = seen
    if (status === 'stale' && age < (classes.stale?.age ?? Infinity)) classes.stale = seen
    // Age 0 is also that of an observation in the future, and that of none.
    if (status === 'unknown' && age > 0) classes.unknown ??= seen
  }

  /** Judges all that was added: one threshold parts fresh from stale. */
  finish(judge: Judge): void {
    const [newest] = this.#classes.values()
    for (const { fresh, stale, unknown } of this.#classes.values()) {
      // An earlier snapshot had its own threshold, but what is fresh in it was younger then than now.
      for (const border of [stale, newest?.stale]) {
        if (fresh === undefined || border === undefined) continue
        const detail = `fresh at ${fresh.age} s, while ${border.place.where} is stale at ${border.age} s`
        judge.expect('freshness-classes', fresh.age <= border.age, fresh.place, detail)
      }
      if (unknown === undefined) continue
      const { age, place } = unknown
      const known = age <= (fresh?.age ?? -1) || age >= (stale?.age ?? Infinity)
      const detail = `is unknown at ${age} s, which is fresh or stale elsewhere`
      judge.expect('freshness-classes', !known, place, detail)
    }
  }
}

function judgeObserved(
  judge: Judge,
  rule: RuleName,
  { observed_at }: Freshness,
  allowed: readonly Instant[],
  place: () => Place,
): void {
  if (allowed.length === 0) return
  const instant = instantOrNaN(observed_at)
  const wanted = formatStored(allowed[0] ?? 0)
  judge.expect(rule, allowed.includes(instant), place, `is ${observed_at}, not ${wanted}`)
}
