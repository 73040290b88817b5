import { checkForecast } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { formatStored } from '../contract/instant.js'
import { FRESHNESS_STATUSES } from '../contract/limits.js'
import type { ForecastResource } from '../contract/types.js'
import { keyOf } from '../history/pages.js'
import { resourceOf } from '../history/resource.js'
import type { HistoryRow, RowKey } from '../history/types.js'
import { asciiJson, asciiText } from './ascii.js'
import { ContractBreach, mustHold } from './bodies.js'

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
  const key = keyOf(row)
  // Any freshness will do here: the one that is sent is made, and checked, with each answer.
  const freshness = {
    observed_at: formatStored(key.origin),
    age_seconds: 0,
    status: FRESHNESS_STATUSES[0],
  }
  const resource: ForecastResource = { ...stored, freshness }
  mustHold(checkForecast(resource), resource.forecast_id)
  return {
    key,
    id: asciiJson(resource.forecast_id),
    head: `${asciiText(JSON.stringify(stored)).slice(0, -1)},"freshness":`,
  }
}

function storedOf(row: HistoryRow) {
  try {
    return resourceOf(row)
  } catch (cause) {
    if (!(cause instanceof ForeproofError)) throw cause
    const name = `${String(row.originAt)}:${String(row.model)}:${String(row.horizonHours)}`
    throw new ContractBreach(cause.findings, name)
  }
}
