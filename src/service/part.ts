import { checkForecast } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { FRESHNESS_STATUSES } from '../contract/limits.js'
import { keyOf } from '../history/pages.js'
import { resourceOf, type StoredResource } from '../history/resource.js'
import type { HistoryRow, RowKey } from '../history/types.js'
import { asciiJson, asciiText } from './ascii.js'
import { ContractBreach, mustHold } from './bodies.js'
import { leanPart, remember } from './lean.js'

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
  return leanPart(row) ?? partTheLongWay(row)
}

/** Every row can be mapped this way: to a resource, past the contract's validators, to text. */
export function partTheLongWay(row: HistoryRow): Part {
  const stored = storedOf(row)
  // Any freshness will do to check the rest: the one that is sent is made, and checked, with each answer.
  const freshness = {
    observed_at: stored.origin_at,
    age_seconds: 0,
    status: FRESHNESS_STATUSES[0],
  }
  mustHold(checkForecast({ ...stored, freshness }), stored.forecast_id)
  const key = keyOf(row)
  remember(stored, row, key.origin)
  return {
    key,
    id: asciiJson(stored.forecast_id),
    head: `${asciiText(JSON.stringify(stored)).slice(0, -1)},"freshness":`,
  }
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
