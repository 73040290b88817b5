import { checkForecast } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { FRESHNESS_STATUSES } from '../contract/limits.js'
import type { ForecastResource } from '../contract/types.js'
import { keyOf } from '../history/pages.js'
import { resourceOf, type StoredResource } from '../history/resource.js'
import type { HistoryRow, RowKey } from '../history/types.js'
import { asciiJson } from './ascii.js'
import { ContractBreach, mustHold } from './bodies.js'
import { headOf } from './head.js'

/** One forecast, checked and serialised, except for how old it is. */
export interface Part {
  readonly key: RowKey
  /** Its id as JSON. */
  readonly id: string
  /** Its JSON in ASCII, up to the value of its last member, `freshness`. */
  readonly head: string
}

/**
 * Makes the part of a row.
 * @throws {ContractBreach} when no forecast resource can say what the row holds.
 */
export function partOf(row: HistoryRow): Part {
  const stored = storedOf(row)
  const head = headOf(stored, row)
  // Any freshness will do to check the rest: the one that is sent is made, and checked, with each answer.
  const resource = Object.assign(stored, {
    freshness: { observed_at: stored.origin_at, age_seconds: 0, status: FRESHNESS_STATUSES[0] },
  }) satisfies ForecastResource
  mustHold(checkForecast(resource), resource.forecast_id)
  return { key: keyOf(row), id: asciiJson(resource.forecast_id), head }
}

function storedOf(row: HistoryRow): StoredResource {
  try {
    return resourceOf(row)
  } catch (cause) {
    if (!(cause instanceof ForeproofError)) throw cause
    const name = `${String(row.originAt)}:${String(row.model)}:${String(row.horizonHours)}`
    throw new ContractBreach(cause.findings, name)
  }
}
