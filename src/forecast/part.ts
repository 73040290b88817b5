import { ContractBreach, mustHold } from '../contract/breach.js'
import { checkForecast } from '../contract/check-payload.js'
import { ForeproofError } from '../contract/error.js'
import { FRESHNESS_STATUSES } from '../contract/limits.js'
import { asciiJson, asciiText } from './ascii.js'
import { shownText } from './i-json.js'
import { remember, writeLean } from './lean.js'
import { resourceOf, type StoredResource } from './resource.js'
import { type HistoryRow, type RowKey, rowKey } from './row.js'
import { Sheet } from './sheet.js'

/** Which forecast a part is. */
export interface PartName {
  readonly key: RowKey
  /** Its id as JSON. */
  readonly id: string
}

/** One forecast, checked and serialised, except for how old it is. */
export interface Part extends PartName {
  /** Its JSON in ASCII, up to the value of its last member, `freshness`. */
  readonly head: string
}

/**
 * Writes the head of a row's part.
 * @throws {ContractBreach} when no forecast resource can say what the row holds; nothing is written then.
 */
export function writePart(row: HistoryRow, sheet: Sheet): PartName {
  return writeLean(row, sheet) ?? writeChecked(checked(row), row, sheet)
}

/** The first forecast of an origin leaves behind what it takes to write it, and the others, the short way. */
function writeChecked(stored: StoredResource, row: HistoryRow, sheet: Sheet): PartName {
  const name = writeLean(row, sheet)
  if (name !== undefined) return name
  sheet.text(headOf(stored))
  return nameOf(stored, row)
}

const single = new Sheet()

/**
 * Makes the part of a row.
 * @throws {ContractBreach} as `writePart` does.
 */
export function partOf(row: HistoryRow): Part {
  single.clear()
  const name = writePart(row, single)
  return { ...name, head: single.takeText() }
}

/** Every row can be mapped this way: to a resource, past the contract's validators, to text. */
export function partTheLongWay(row: HistoryRow): Part {
  const stored = checked(row)
  return { ...nameOf(stored, row), head: headOf(stored) }
}

function checked(row: HistoryRow): StoredResource {
  const stored = storedOf(row)
  // Any freshness will do to check the rest: the one that is sent is made, and checked, with each answer.
  const freshness = {
    observed_at: stored.origin_at,
    age_seconds: 0,
    status: FRESHNESS_STATUSES[0],
  }
  mustHold(checkForecast({ ...stored, freshness }), stored.forecast_id)
  remember(stored, row, rowKey(row).origin)
  return stored
}

function nameOf(stored: StoredResource, row: HistoryRow): PartName {
  return { key: rowKey(row), id: asciiJson(stored.forecast_id) }
}

function headOf(stored: StoredResource): string {
  return `${asciiText(JSON.stringify(stored)).slice(0, -1)},"freshness":`
}

function storedOf(row: HistoryRow): StoredResource {
  try {
    return resourceOf(row)
  } catch (cause) {
    if (!(cause instanceof ForeproofError)) throw cause
    const name = `${String(row.originAt)}:${String(row.model)}:${String(row.horizonHours)}`
    throw new ContractBreach(cause.findings, shownText(name))
  }
}
