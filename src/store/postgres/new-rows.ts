import { formatStored, instantOf } from '../../contract/instant.js'
import { normalTimestamp } from '../../forecast/resource.js'
import type {
  ForecastRow,
  OriginRow,
  ProvenanceRow,
  RawValue,
  SoundAttempt,
} from '../../forecast/row.js'
import type { StoredKey } from '../../log/types.js'
import type { Value } from '../dialect.js'
import { type NewOrigin, RefusedRow } from '../types.js'
import { isStorable } from './dialect.js'

const LARGEST_INTEGER = 2 ** 31 - 1
/** An index of PostgreSQL takes some 2,700 bytes of all its columns together. */
const MOST_NAME_BYTES = 1200

/** The values of a new origin, in the order of its table. @throws {RefusedRow} */
export function originValues(row: NewOrigin, seenAt: string): Value[] {
  return [
    instant('origin_at', row.originAt),
    instantOrNull('generated_at', row.generatedAt),
    textOrNull('source_name', row.sourceName),
    textOrNull('pair', row.pair),
    number('source_price_usd', row.sourcePriceUsd),
    textOrNull('regime', row.regime ?? null),
    instant('first_seen_at', row.firstSeenAt ?? seenAt),
    instant('last_seen_at', row.lastSeenAt ?? seenAt),
    nameOrNull('run_id', row.runId),
    textOrNull('configuration_id', row.configurationId),
    textOrNull('manifest_json', row.manifestJson),
  ]
}

/** The same of a new forecast. @throws {RefusedRow} */
export function forecastValues(row: ForecastRow, origin: OriginRow): Value[] {
  return [
    ...keyValues(row),
    instant('target_at', row.targetAt),
    number('price_usd', row.priceUsd),
    number('change_pct', row.changePct),
    numberOrNull('q10_usd', row.q10Usd),
    numberOrNull('q50_usd', row.q50Usd),
    numberOrNull('q90_usd', row.q90Usd),
    numberOrNull('model_agreement', row.modelAgreement),
    nameOrNull('run_id', row.whole === null ? origin.runId : row.origin.runId),
    textOrNull('whole', row.whole),
    ...provenanceValues(row.provenance),
  ]
}

/** The same of a new attempt. @throws {RefusedRow} */
export function attemptValues(row: SoundAttempt): Value[] {
  return [
    ...keyValues(row),
    row.status,
    textOrNull('reason', row.reason),
    instantOrNull('recorded_at', row.recordedAt),
    ...provenanceValues(row.provenance),
  ]
}

/** The columns of a key. @throws {RefusedRow} */
export function keyValues(key: StoredKey): Value[] {
  const { originAt, series, horizonHours, model } = key
  if (series !== undefined) {
    const [origin, id] = [nameOrNull('origin', originAt), nameOrNull('series', series)]
    return [origin, id, horizonHours, nameOrNull('model', model)]
  }
  const isHours = Number.isInteger(horizonHours) && horizonHours > 0
  if (!isHours || horizonHours > LARGEST_INTEGER) {
    throw refused('horizon_hours', `is not a whole number from 1 to ${LARGEST_INTEGER}`)
  }
  return [instant('origin_at', originAt), horizonHours, nameOrNull('model', model)]
}

function provenanceValues(row: ProvenanceRow | undefined): Value[] {
  if (row === undefined) return [false, null, null, null, null]
  return [
    true,
    instantOrNull('input_available_at', row.inputAvailableAt),
    instantOrNull('selection_data_through', row.selectionDataThrough),
    textOrNull('vintage_id', row.vintageId),
    textOrNull('vintage_sha256', row.vintageSha256),
  ]
}

function instant(column: string, value: RawValue): number {
  const found = instantOf(value)
  if (found === undefined) throw refused(column, 'is not a timestamp')
  // What is read again is the text that was written: the leaves of the log are made of it.
  if (normalTimestamp(value) === value) return found
  throw refused(column, `is not spelt as in ${formatStored(found)}`)
}

function instantOrNull(column: string, value: RawValue): number | null {
  return value === null ? null : instant(column, value)
}

function number(column: string, value: RawValue): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw refused(column, 'is not a number')
}

function numberOrNull(column: string, value: RawValue): number | null {
  return value === null ? null : number(column, value)
}

function textOrNull(column: string, value: RawValue): string | null {
  if (value === null) return null
  if (typeof value !== 'string') throw refused(column, 'is not a text')
  if (isStorable(value)) return value
  throw refused(column, 'has U+0000 or half of a surrogate pair, which PostgreSQL cannot hold')
}

/** A text that has an index. */
function nameOrNull(column: string, value: RawValue): string | null {
  const name = textOrNull(column, value)
  if (name === null || Buffer.byteLength(name) <= MOST_NAME_BYTES) return name
  throw refused(column, `has more than ${MOST_NAME_BYTES} bytes, which an index cannot hold`)
}

function refused(column: string, why: string): RefusedRow {
  return new RefusedRow(`${column} ${why}`)
}

/** @throws {RefusedRow} for a name of a log that PostgreSQL cannot hold. */
export function demandName(name: string): void {
  nameOrNull('the name of a log', name)
}
