import { checkPayload } from '../../contract/check-payload.js'
import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import { MICROS_PER_HOUR, parseInstant } from '../../contract/instant.js'
import { isObject } from '../../contract/is-object.js'
import { isValue } from '../../contract/limits.js'
import { pointerTo } from '../../contract/pointer.js'
import { forecastRules } from '../../contract/rules.js'
import type { Attempt, ForecastResource } from '../../contract/types.js'
import { moveFindings } from '../../document/moved.js'
import { readDocument } from '../../document/read.js'
import { iJsonFault, nestingLimit } from '../../forecast/i-json.js'
import { levelReader, type ReadLevel } from '../../forecast/levels.js'
import {
  readManifest,
  type StoredResource,
  shownAs,
  storedForm,
  toAttempt,
  toForecastRow,
  toResource,
  toSoundAttempt,
  unjudged,
} from '../../forecast/resource.js'
import type { ForecastRow } from '../../forecast/row.js'
import {
  checkSeriesRow,
  isSeriesAttempt,
  type SeriesRow,
  storedSeriesRow,
} from '../../forecast/series-row.js'
import type { StoredKey } from '../../log/log-entry.js'
import { seriesKey } from '../../store/series-rows.js'
import { MAX_VALUE_BYTES, type Piece } from '../../table/split.js'
import type { ImportRow, NaturalRow } from '../natural/natural-rows.js'
import { completeMedian, type SeriesContext, seriesTaskFindings } from '../natural/series-rows.js'

/** A row accepted by an import. */
export interface AcceptedRow {
  readonly row: ImportRow
  /**
   * The forecast resource in the stored form, which may have more members than the row; absent for a row of a table.
   */
  readonly resource?: StoredResource
  /** Its JSON Pointer. */
  readonly pointer: string
}

/** The rows in one value of an import; empty if the findings have an error. */
interface Accepted {
  readonly rows: readonly AcceptedRow[]
  readonly findings: readonly Finding[]
}

/**
 * Checks a value against the contract: a forecast resource, a recorded attempt, or an API body with forecasts. If the
 * findings have an error, nothing is accepted.
 */
export function acceptValue(value: unknown): Accepted {
  const fault = iJsonFault(value, nestingLimit(value))
  if (fault !== undefined) return rejected(fault)
  if (!isObject(value)) return rejected(unknownValue(value))
  if ('api_version' in value) return acceptBody(value)
  if ('forecast_id' in value || 'estimate' in value) return acceptForecast(value)
  if ('status' in value && 'model_name' in value) {
    const findings = [...checkPayload('attempt', value), ...droppedMembers(value)]
    if (!hasNoErrors(findings)) return rejected(...findings)
    return accepted(toSoundAttempt(value as unknown as Attempt), findings)
  }
  return rejected(unknownValue(value))
}

/**
 * Checks a row of any series against the contract and its protocol.
 * @param asIs - also accept forecasts that can only fail under the protocol.
 */
export function createSeriesAccept(
  task: SeriesContext,
  asIs: boolean,
): (value: unknown) => Accepted {
  const findTaskFaults = seriesTaskFindings(task, asIs)
  const readLevel = levelReader(task.protocol.forecast.levels)
  return (given) => {
    const { value, findings: ofLevels } = snapLevels(given, readLevel)
    const faults = hasNoErrors(ofLevels) ? checkSeriesRow(value) : ofLevels
    if (faults.length > 0) return rejected(...faults)
    const row = storedSeriesRow(value as SeriesRow)
    const series = isSeriesAttempt(row) ? row : completeMedian(row, task)
    if (Array.isArray(series)) {
      return rejected(...series.map((found) => ({ ...found, pointer: '/value' })))
    }
    const findings = [...ofLevels, ...findTaskFaults(series)]
    return hasNoErrors(findings) ? accepted(series, findings) : rejected(...findings)
  }
}

/** Moves the levels of quantiles to nearby levels of the protocol. */
function snapLevels(
  value: unknown,
  readLevel: (text: string) => ReadLevel,
): { readonly value: unknown; readonly findings: readonly Finding[] } {
  if (!isObject(value) || !isObject(value.quantiles)) return { value, findings: [] }
  const given = Object.entries(value.quantiles)
  const findings: Finding[] = []
  const quantiles: Record<string, unknown> = {}
  for (const [found, quantile] of given) {
    const read = readLevel(found)
    const level = read.ok && read.isNear ? read.level : found
    const pointer = pointerTo('/quantiles', found)
    const isTwice = level !== found && Object.hasOwn(value.quantiles, level)
    const fault =
      isTwice || Object.hasOwn(quantiles, level) ? 'level-twice' : !read.ok && read.fault
    // Other faults of a level are reported as faults of the row's form.
    if (fault && fault !== 'level') {
      findings.push(finding('natural-cell', { fault, column: 'quantiles', found }, { pointer }))
    } else if (level !== found) {
      findings.push(finding('natural-levels-near', { count: 1, found, level }, { pointer }))
    }
    quantiles[level] = quantile
  }
  return findings.length === 0 ? { value, findings } : { value: { ...value, quantiles }, findings }
}

/**
 * A producer may put provenance at the top level, as in attempts; in a resource it belongs to lineage.
 */
function acceptForecast(value: Record<string, unknown>): Accepted {
  const { lineage, provenance } = value
  const moves = provenance !== undefined && isObject(lineage) && lineage.provenance === undefined
  const resource = moves ? { ...value, lineage: { ...lineage, provenance } } : value
  if (moves) delete resource.provenance
  const findings = checkPayload('forecast', resource)
  if (findings.length > 0 && !hasNoErrors(findings)) {
    return rejected(...(moves ? findings.map(moveToTop) : findings))
  }
  return toAccepted([{ resource: resource as unknown as ForecastResource, pointer: '' }], findings)
}

function moveToTop(finding: Finding): Finding {
  const { pointer } = finding
  return pointer?.startsWith('/lineage/provenance')
    ? { ...finding, pointer: pointer.slice('/lineage'.length) }
    : finding
}

function acceptBody(body: Record<string, unknown>): Accepted {
  const { data, error } = body
  if (data === undefined && isObject(error)) {
    const code = typeof error.code === 'string' ? error.code : 'unknown'
    return rejected(
      finding('import-unknown-value', { fault: 'error-body', found: code }, { pointer: '/error' }),
    )
  }
  if (isObject(data) && 'stages' in data) return rejected(unknownValue(body))
  // A body of the static API has a time of its own.
  const isStatic = 'snapshot_at' in body
  const ofPage = isStatic ? 'static-page' : 'history'
  const ofLatest = isStatic ? 'static-latest' : 'latest'
  const findings = checkPayload(Array.isArray(data) ? ofPage : ofLatest, body)
  if (!hasNoErrors(findings)) return rejected(...findings)
  if (data === null) return toAccepted([], findings)
  const placed = Array.isArray(data)
    ? data.map((resource, index) => ({ resource, pointer: `/data/${index}` }))
    : [{ resource: data as unknown as ForecastResource, pointer: '/data' }]
  return toAccepted(placed, findings)
}

/** An accepted forecast and its JSON Pointer. */
interface LocatedResource {
  readonly resource: ForecastResource
  readonly pointer: string
}

/** Converts accepted forecasts to rows; none if a column cannot hold one of the numbers. */
function toAccepted(accepted: readonly LocatedResource[], findings: readonly Finding[]): Accepted {
  const rows: AcceptedRow[] = []
  for (const { resource, pointer } of accepted) {
    const stored = storedForm(resource)
    const row = toForecastRow(stored)
    const beyond = checkColumns(row, pointer)
    if (beyond.length > 0) return rejected(...beyond)
    rows.push({ row, resource: stored, pointer })
  }
  return { rows, findings }
}

/** Reports valid numbers that the columns of a history cannot hold. */
function checkColumns(row: ForecastRow, at: string): Finding[] {
  const numbers = [
    ['/estimate/price_usd', row.priceUsd],
    ['/estimate/change_pct', row.changePct],
    ['/interval/lower_usd', row.q10Usd],
    ['/interval/median_usd', row.q50Usd],
    ['/interval/upper_usd', row.q90Usd],
    ['/lineage/source/price_usd', row.origin.sourcePriceUsd],
  ] as const
  return numbers
    .filter(([, value]) => value !== null && !isValue(value))
    .map(([name, value]) => {
      const args = { fault: 'value', found: String(value) } as const
      return finding('json-number-range', args, { pointer: `${at}${name}` })
    })
}

/** The members of an attempt that a history stores. */
export const ATTEMPT_MEMBERS: ReadonlySet<string> = new Set([
  'origin_at',
  'model_name',
  'horizon_hours',
  'status',
  'reason',
  'recorded_at',
  'provenance',
])

/**
 * Reports members of an attempt that a history does not store, so that nothing is lost silently.
 */
function droppedMembers(attempt: Record<string, unknown>): Finding[] {
  const members = Object.keys(attempt).filter(
    (name) => !ATTEMPT_MEMBERS.has(name) && !(name === 'target_at' && hasImpliedTarget(attempt)),
  )
  if (members.length === 0) return []
  return [finding('import-attempt-member', { members }, { pointer: '' })]
}

/** A target that equals origin plus horizon need not be stored. */
function hasImpliedTarget(attempt: Record<string, unknown>): boolean {
  const origin = parseInstant(attempt.origin_at)
  const hours = Number(attempt.horizon_hours)
  return (
    origin !== undefined && parseInstant(attempt.target_at) === origin + hours * MICROS_PER_HOUR
  )
}

/** A value that is a single row. */
const accepted = (row: ImportRow, findings: readonly Finding[] = []): Accepted => ({
  rows: [{ row, pointer: '' }],
  findings,
})

const rejected = (...findings: Finding[]): Accepted => ({ rows: [], findings })

function unknownValue(value: unknown): Finding {
  const members = isObject(value) ? Object.keys(value).slice(0, 6).join(', ') : undefined
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value
  const found = members === undefined ? kind : `an object with ${members || 'no members'}`
  return finding('import-unknown-value', { fault: 'value', found }, { pointer: '' })
}

/** Checks a value against a contract. */
export type Accept = (value: unknown) => Accepted

/** Adds the file and position to a finding. */
export type Locate = (finding: Finding) => Finding

/** The result for one value of an import, and its position. */
export interface ImportedValue {
  readonly accepted: Accepted
  readonly locate: Locate
  /** For a row of a table. */
  readonly position?: TablePosition
}

/** The position of a row of a table. */
export interface TablePosition {
  readonly file: string
  readonly line: number
}

/** Where a value came from, for findings. */
export interface ValueSource {
  readonly file?: string | undefined
  readonly line?: number | undefined
}

export function createLocator({ file, line }: ValueSource): Locate {
  const position = {
    ...(file !== undefined && { file }),
    ...(line !== undefined && { position: { line, column: 1 } }),
  }
  return (finding) => ({ ...finding, ...position })
}

/** The text of one value of a file. */
export function acceptPiece(piece: Piece, file: string, accept: Accept): ImportedValue {
  const read = readDocument(piece.bytes, file, { maxBytes: MAX_VALUE_BYTES })
  if (!read.ok) return faulty(read.findings.map((finding) => moveFindings(finding, piece)))
  const locate: Locate = (finding) => {
    const pointer = finding.pointer ?? ''
    return moveFindings({ ...finding, file, pointer, position: read.positionAt(pointer) }, piece)
  }
  return { accepted: accept(read.value), locate }
}

/** A row of a table. */
export function acceptTableRow(given: NaturalRow, file: string, accept: Accept): ImportedValue {
  if ('findings' in given) return faulty(given.findings)
  const { row, line } = given
  const position = { file, line }
  return { accepted: acceptRow(row, accept), locate: createLocator(position), position }
}

function acceptRow(row: ImportRow, accept: Accept): Accepted {
  if ('series' in row) return accept(row)
  if ('status' in row) return accept(toAttempt(row))
  return isSound(row) ? accepted(row) : accept(unjudged(shownAs(row, readManifest(null))))
}

/** Whether a row of a table has no faults. If it has, `acceptValue` reports them. */
function isSound(row: ForecastRow): boolean {
  try {
    return forecastRules(unjudged(toResource(row)), '').length === 0
  } catch {
    return false
  }
}

/** The key of a row in a history. */
export const historyKey = (row: ImportRow): StoredKey => ('series' in row ? seriesKey(row) : row)

/** @param findings - know their places. */
const faulty = (findings: readonly Finding[]): ImportedValue => ({
  accepted: { rows: [], findings },
  locate: (finding) => finding,
})
