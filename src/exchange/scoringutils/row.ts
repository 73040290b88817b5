import { type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc, instantOrNaN, MICROS_PER_HOUR } from '../../contract/instant.js'
import { ignoredColumns } from '../../history/natural/header.js'
import { cellFault, isNothing, numberIn, timestampIn } from '../../history/natural/row-reader.js'
import type { Cell } from '../../table/types.js'
import { exchangedText, LEVEL_COLUMNS, rowFault } from '../forecasts.js'
import { SCALES } from './table.js'

/** One quantile of one forecast. */
export interface QuantileRow {
  readonly origin: string
  readonly hours: number
  readonly model: Cell
  readonly sourcePrice: Cell
  readonly column: 'q10_usd' | 'q50_usd' | 'q90_usd'
  /** Of that quantile, as the table has it. */
  readonly level: Cell
  readonly usd: number
}

/** What the cells of a row say; undefined for a row of log returns. */
type QuantileRowRead = QuantileRow | Finding | undefined

/** scoringutils compares levels to so many digits: 0.1 + 0.8 is one of them. */
const LEVEL_DIGITS = 10

/** Reads one row of a quantile table. @param utc - whether times without an offset are UTC. */
export function readQuantile(
  cellOf: (column: QuantileColumn) => Cell,
  utc: boolean,
): QuantileRowRead {
  const scale = cellOf('scale')
  if (!isNothing(scale) && !SCALES.some((each) => each === scale)) return rowFault('scale', scale)
  if (scale === 'log_return') return undefined
  const level = numberIn(cellOf('quantile_level'))
  const column = level.ok ? LEVEL_COLUMNS.get(Number(level.value.toFixed(LEVEL_DIGITS))) : undefined
  if (column === undefined) return rowFault('level', cellOf('quantile_level'))
  const unit = unitOf(cellOf, utc)
  if ('code' in unit) return unit
  const usd = numberOf('predicted', cellOf)
  if (typeof usd !== 'number') return usd
  return { ...unit, column, level: cellOf('quantile_level'), usd }
}

function unitOf(cellOf: (column: QuantileColumn) => Cell, utc: boolean) {
  const origin = timeOf('origin_at', cellOf, utc)
  if (typeof origin !== 'string') return origin
  const hours = hoursOf(cellOf, origin, utc)
  if (typeof hours !== 'number') return hours
  const [model, sourcePrice] = [cellOf('model'), cellOf('source_price_usd')]
  return { origin, hours, model, sourcePrice }
}

/** From `horizon`, from `target_at`, or from both where they say the same. */
function hoursOf(
  cellOf: (column: QuantileColumn) => Cell,
  origin: string,
  utc: boolean,
): number | Finding {
  const given = isNothing(cellOf('horizon')) ? null : numberOf('horizon', cellOf)
  if (given !== null && typeof given !== 'number') return given
  if (given !== null && isNothing(cellOf('target_at'))) return given
  const target = timeOf('target_at', cellOf, utc)
  if (typeof target !== 'string') return target
  const hours = (instantOrNaN(target) - instantOrNaN(origin)) / MICROS_PER_HOUR
  return given === null || given === hours ? hours : rowFault('target', cellOf('target_at'))
}

function timeOf(
  column: 'origin_at' | 'target_at',
  cellOf: (column: QuantileColumn) => Cell,
  utc: boolean,
) {
  const cell = cellOf(column)
  if (isNothing(cell)) return rowFault('empty', column)
  const read = timestampIn(cell, utc)
  return read.ok ? read.value : cellFault(read.fault, column, cell)
}

function numberOf(column: 'predicted' | 'horizon', cellOf: (column: QuantileColumn) => Cell) {
  const cell = cellOf(column)
  if (isNothing(cell)) return rowFault('empty', column)
  const read = numberIn(cell)
  return read.ok ? read.value : cellFault(read.fault, column, cell)
}

/** A forecast, as findings name it. */
export function named({ origin, hours, model }: QuantileRow): string {
  return `${formatUtc(instantOrNaN(origin))}, ${exchangedText(model)}, ${hours} h`
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
  const header = (findings: readonly Finding[]): QuantileHeader => ({ at, findings })
  if (columns.includes('sample_id'))
    return header([finding('quantiles-form', { fault: 'samples', most: 0 }, { file })])
  const rest = columns.filter((name) => !known.some((each) => each === name))
  const missing: string[] = NEEDED.filter((name) => !at.has(name))
  if (!TARGETS.some((name) => at.has(name))) missing.push('horizon')
  if (missing.length > 0) {
    return header([finding('exchange-columns', { missing, more: rest, known }, { file })])
  }
  return header([
    ...(rest.length > 0 ? [ignoredColumns(rest, file)] : []),
    ...(at.has('observed')
      ? [finding('exchange-unread', { fault: 'observed', rows: 0 }, { file })]
      : []),
  ])
}
