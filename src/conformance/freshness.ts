import type { RuleName } from '../contract/conformance-rules.js'
import { formatStored, type Instant, instantOrNaN, MICROS_PER_SECOND } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import type { Freshness } from '../contract/types.js'
import type { CheckedBody } from './body.js'
import type { FaultLocation, RuleChecks } from './judge.js'

/** When an answer was made, as far as it is known. */
export interface Moment {
  readonly at: Instant
  /** The error of an age that is accepted, in seconds. */
  readonly tolerance: number
  /** All ages of one snapshot must fit one threshold; `NOW` for a service. */
  readonly snapshot: string
}

export const NOW = 'now'

/** An empty history has no observation that could be fresh. */
export const FRESH_AND_EMPTY = 'is fresh, and the history holds no forecast'

interface Extreme {
  readonly age: number
  readonly location: FaultLocation
}

/** The oldest fresh age, the youngest stale age, and an unknown one. */
interface Classes {
  fresh?: Extreme
  stale?: Extreme
  unknown?: Extreme
}

/** Checks the freshness objects of a deployment: each by itself, and all of a snapshot together. */
export class FreshnessLog {
  readonly #classes = new Map<string, Classes>()
  /** The status of each observation at one moment of a site. */
  readonly #statuses = new Map<string, string>()

  constructor(private readonly judge: RuleChecks) {}

  /**
   * Checks the freshness of a body and of all forecasts in it.
   * @param observed - possible observations for the body's own freshness; if empty, none is known.
   * @param isOfNothing - whether the body shows a whole history that is empty.
   */
  addBody(
    body: CheckedBody,
    moment: Moment,
    observed: readonly Instant[],
    isOfNothing = false,
  ): void {
    if (!body.sound || body.value === undefined) return
    // The clock of a service advances between two answers, so an observation may become stale meanwhile.
    const statuses = moment.snapshot === NOW ? new Map<string, string>() : this.#statuses
    const one = (freshness: Freshness, pointer: string) => {
      const key = `${moment.snapshot} ${moment.at} ${instantOrNaN(freshness.observed_at)}`
      const before = statuses.get(key) ?? freshness.status
      statuses.set(key, before)
      const detail = `${freshness.observed_at} is ${freshness.status} here and ${before} elsewhere`
      const same = before === freshness.status
      body.expect('freshness-classes', same, `${pointer}/status`, detail)
      this.#add(freshness, moment, body.locate(pointer))
    }
    const stated = body.value.freshness
    if (isObject(stated)) {
      const freshness = stated as unknown as Freshness
      one(freshness, '/freshness')
      checkObserved(body, 'page-freshness', '/freshness', freshness, observed)
      const isFresh = isOfNothing && freshness.status === 'fresh'
      body.expect('page-freshness', !isFresh, '/freshness/status', FRESH_AND_EMPTY)
    }
    for (const [index, row] of body.rows.entries()) {
      const pointer = `${body.rowPointer(index)}/freshness`
      one(row.freshness, pointer)
      const origin = instantOrNaN(row.origin_at)
      checkObserved(body, 'freshness-observed', pointer, row.freshness, [origin])
    }
  }

  /** Checks the freshness in a health answer. */
  addHealth(freshness: Freshness, moment: Moment, where: string): void {
    this.#add(freshness, moment, { where, pointer: '/data/freshness' })
  }

  #add(
    { observed_at, age_seconds: age, status }: Freshness,
    { at, tolerance, snapshot }: Moment,
    location: FaultLocation,
  ): void {
    const passed = Math.max(0, (at - instantOrNaN(observed_at)) / MICROS_PER_SECOND)
    this.judge.expect(
      'freshness-age',
      Math.abs(passed - age) <= tolerance,
      location,
      `age_seconds is ${age}, but ${Math.round(passed)} s have passed since ${observed_at}`,
    )
    const classes = this.#classes.get(snapshot) ?? {}
    this.#classes.set(snapshot, classes)
    const seen = { age, location }
    if (status === 'fresh' && age >= (classes.fresh?.age ?? 0)) classes.fresh = seen
    if (status === 'stale' && age < (classes.stale?.age ?? Infinity)) classes.stale = seen
    // An observation in the future also has age 0, and so has a missing one.
    if (status === 'unknown' && age > 0) classes.unknown ??= seen
  }

  /** Checks all ages together: one threshold must separate fresh from stale. */
  finish(): void {
    const [newest] = this.#classes.values()
    for (const { fresh, stale, unknown } of this.#classes.values()) {
      // An earlier snapshot had its own threshold, but what was fresh in it was younger then than now.
      for (const border of [stale, newest?.stale]) {
        if (fresh === undefined || border === undefined) continue
        const detail = `fresh at ${fresh.age} s, while ${border.location.where} is stale at ${border.age} s`
        this.judge.expect('freshness-classes', fresh.age <= border.age, fresh.location, detail)
      }
      if (unknown === undefined) continue
      const { age, location } = unknown
      const isClear = age <= (fresh?.age ?? -1) || age >= (stale?.age ?? Infinity)
      const detail = `is unknown at ${age} s, which is fresh or stale elsewhere`
      this.judge.expect('freshness-classes', !isClear, location, detail)
    }
  }
}

function checkObserved(
  body: CheckedBody,
  rule: RuleName,
  pointer: string,
  { observed_at }: Freshness,
  allowed: readonly Instant[],
): void {
  if (allowed.length === 0) return
  const holds = allowed.includes(instantOrNaN(observed_at))
  const detail = `is ${observed_at}, not ${formatStored(allowed[0] ?? 0)}`
  body.expect(rule, holds, `${pointer}/observed_at`, detail)
}
