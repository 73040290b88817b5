import type { RuleName } from '../contract/conformance-rules.js'
import { instantOrNaN } from '../contract/instant.js'
import { isObject } from '../contract/is-object.js'
import { compareKeys, type ReadingKey } from '../contract/order.js'
import { toReadingKey } from '../contract/rules.js'
import type { ForecastResource } from '../contract/types.js'
import type { CheckedBody } from './body.js'

/** The members of version 1, except for freshness. Other members may be added and are ignored here. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  '': ['forecast_id', 'origin_at', 'target_at', 'horizon_hours'],
  model: ['name', 'configuration_id'],
  estimate: ['price_usd', 'change_pct'],
  interval: ['level', 'lower_usd', 'median_usd', 'upper_usd'],
  confidence: ['score', 'label', 'evidence'],
  run: ['id', 'generated_at'],
  'lineage.history_key': ['origin_at', 'model_name', 'horizon_hours'],
  'lineage.source': ['name', 'pair', 'price_usd'],
  lineage: ['manifest'],
}

/**
 * The first known member that differs between two readings of one forecast, as `run.id`; undefined if none differs.
 * @param age - how much older the second reading is: after a day, open objects may have new members.
 */
export function findDifference(
  a: ForecastResource,
  b: ForecastResource,
  age: 'of one time' | 'may have grown' = 'of one time',
): string | undefined {
  for (const [parent, names] of Object.entries(MEMBERS)) {
    const [ofA, ofB] = [findInside(a, parent), findInside(b, parent)]
    for (const name of names) {
      const same = name.endsWith('_at')
        ? sameInstant(ofA[name], ofB[name])
        : isEqual(ofA[name], ofB[name], age === 'may have grown')
      if (!same) return parent === '' ? name : `${parent}.${name}`
    }
  }
  return undefined
}

type Members = Readonly<Record<string, unknown>>

function findInside(forecast: ForecastResource, path: string): Members {
  let value: unknown = forecast
  for (const name of path === '' ? [] : path.split('.')) value = (value as Members)[name]
  return value as Members
}

/** One instant can be written in several ways. */
function sameInstant(a: unknown, b: unknown): boolean {
  return a === b || instantOrNaN(String(a)) === instantOrNaN(String(b))
}

/** Whether a value equals another one; at any depth it may also have additional members. */
function isEqual(a: unknown, b: unknown, mayHaveGrown: boolean): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index], mayHaveGrown))
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(b)
    if (!mayHaveGrown && names.length !== Object.keys(a).length) return false
    return names.every((name) => Object.hasOwn(a, name) && isEqual(a[name], b[name], mayHaveGrown))
  }
  return a === b
}

/** A unique text for each row of the history, however its timestamps are written. */
export function toKeyText(row: ForecastResource): string {
  const { origin, horizon, model } = toReadingKey(row)
  return `${origin} ${horizon} ${model}`
}

/** Checks a walk over pages: the order across page boundaries, and that every row appears once. */
export class Walk {
  readonly #seen = new Set<string>()
  #last: ReadingKey | undefined

  constructor(private readonly alsoBreaks?: RuleName) {}

  add(body: CheckedBody): void {
    for (const [index, row] of body.rows.entries()) {
      const key = toReadingKey(row)
      const name = toKeyText(row)
      const at = `/data/${index}`
      const fresh = !this.#seen.has(name)
      const id = row.forecast_id
      body.expect('each-once', fresh, at, `${id} was on an earlier page`)
      if (index === 0 && this.#last !== undefined && fresh) {
        const follows = compareKeys(this.#last, key) < 0
        const detail = `${id} may not follow the last forecast of the page before`
        body.expect('page-order', follows, at, detail)
      }
      if (this.alsoBreaks !== undefined) {
        body.expect(this.alsoBreaks, fresh, at, `${id} was met twice`)
      }
      this.#seen.add(name)
      this.#last = key
    }
  }
}
