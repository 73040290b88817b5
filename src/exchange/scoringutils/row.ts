import { type Finding, finding } from '../../contract/findings/finding.js'
import { instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import { ignoredColumns } from '../../history/natural/header.js'
import { RowReader } from '../../history/natural/row-reader.js'
import { isNothing, numberIn } from '../../table/cells.js'
import type { Cell } from '../../table/types.js'
import { LEVEL_COLUMNS, rowFault } from '../forecasts.js'
import type { ForecastPart } from '../gathered.js'
import { SCALES } from './table.js'

/** scoringutils compares levels to so many digits: 0.1 + 0.8 is one of them. */
const LEVEL_DIGITS = 10

/**
 * Reads one row of a quantile table; undefined for one of log returns.
 * @param utc - whether times without an offset are UTC.
 */
export function readQuantile(
  cellOf: (column: QuantileColumn) => Cell,
  utc: boolean,
): ForecastPart | Finding | undefined {
  const scale = cellOf('scale')
  if (!isNothing(scale) && !SCALES.some((each) => each === scale)) return rowFault('scale', scale)
  if (scale === 'log_return') return undefined
  const level = numberIn(cellOf('quantile_level'))
  const member = level.ok ? LEVEL_COLUMNS.get(Number(level.value.toFixed(LEVEL_DIGITS))) : undefined
  if (member === undefined) return rowFault('level', cellOf('quantile_level'))
  const row = new RowReader(cellOf, utc)
  const needed = <T>(name: QuantileColumn, value: T | null): T => {
    if (isNothing(cellOf(name))) row.findings.push(rowFault('empty', name))
    return value as T
  }
  const origin = needed('origin_at', row.instant('origin_at'))
  let hours = row.number('horizon')
  // From `horizon`, from `target_at`, or from both where they say the same.
  if (hours === null || !isNothing(cellOf('target_at'))) {
    const target = needed('target_at', row.instant('target_at'))
    const found = (instantOrNaN(target) - instantOrNaN(origin)) / MICROS_PER_HOUR
    const differs = hours !== null && hours !== found
    if (differs) row.findings.push(rowFault('target', cellOf('target_at')))
    hours = found
  }
  const value = needed('predicted', row.number('predicted'))
  const [model, source_price_usd] = [cellOf('model'), cellOf('source_price_usd')]
  const unit = { origin_at: origin, horizon_hours: hours, model, source_price_usd }
  return row.findings[0] ?? { unit, member, value }
}

const NEEDED = ['model', 'origin_at', 'quantile_level', 'predicted'] as const
/** One of them says when the target is; of two, each has to say the same. */
const TARGETS = ['horizon', 'target_at'] as const
const MORE = ['scale', 'observed', 'source_price_usd'] as const

export type QuantileColumn =
  | (typeof NEEDED)[number]
  | (typeof TARGETS)[number]
  | (typeof MORE)[number]

/** Which cell of a row is what, and what is to be said of the columns. */
export interface QuantileHeader {
  readonly at: ReadonlyMap<QuantileColumn, number>
  readonly findings: readonly Finding[]
}

/** Says which column of a quantile table is what. With an error among the findings its rows cannot be read. */
export function quantileHeader(columns: readonly string[], file: string): QuantileHeader {
  const known: readonly QuantileColumn[] = [...NEEDED, ...TARGETS, ...MORE]
  const at = new Map(known.map((name) => [name, columns.indexOf(name)] as const))
  for (const [name, index] of at) if (index === -1) at.delete(name)
  const rest = columns.filter((name) => !known.some((each) => each === name))
  const missing: string[] = NEEDED.filter((name) => !at.has(name))
  if (!TARGETS.some((name) => at.has(name))) missing.push('horizon')
  const findings: Finding[] = []
  if (columns.includes('sample_id')) {
    findings.push(finding('quantiles-form', {}, { file }))
  } else if (missing.length > 0) {
    findings.push(finding('exchange-columns', { missing, more: rest, known }, { file }))
  } else {
    if (rest.length > 0) findings.push(ignoredColumns(rest, file))
    if (at.has('observed')) {
      findings.push(finding('exchange-unread', { fault: 'observed', rows: 0, names: [] }, { file }))
    }
  }
  return { at, findings }
}
