import type { FileMetaData, SchemaElement } from 'hyparquet'
import { finding } from '../../contract/findings/finding.js'
import { formatUtc, MICROS_PER_DAY } from '../../contract/instant.js'
import { type Cell, TableFault } from '../table.js'
import { durationColumns } from './durations.js'

/** As long as a row of CSV may be, because one dictionary text can be in a million rows. */
const MAX_TEXT_BYTES = 65_536

/** A column of a Parquet file, and how a stored value becomes a cell. */
export interface ParquetColumn {
  readonly name: string
  /** Its position among the columns. */
  readonly at: number
  readonly toCell: (stored: unknown) => Cell
  /** Whether it has times without a zone. If all of them are midnight, it is a column of dates. */
  readonly isLocal: boolean
}

const MIDNIGHT = 'T00:00:00'

/** Whether a cell of a column of local times may be a date. */
export const isMidnight = (cell: Cell) => cell === null || String(cell).endsWith(MIDNIGHT)

/** Converts a column of local times, all midnight, to dates: pandas has no type for dates. */
export function toDateColumn(column: ParquetColumn): ParquetColumn {
  const toDate = (stored: unknown): Cell => {
    const cell = column.toCell(stored)
    return cell === null ? null : String(cell).slice(0, -MIDNIGHT.length)
  }
  return { ...column, toCell: toDate, isLocal: false }
}

/**
 * The columns of a file. We interpret the annotations ourselves, because the library rounds decimals and cuts times
 * to milliseconds; it gets a schema without annotations (`plainSchema`).
 * @throws {TableFault} if a column is nested or of an unsupported type, or two have one name.
 */
export function toParquetColumns(metadata: FileMetaData): ParquetColumn[] {
  const { schema } = metadata
  const durations = durationColumns(metadata)
  const columns: ParquetColumn[] = []
  const names = new Map<string, number>()
  for (let index = 1; index < schema.length; index++) {
    const element = schema[index] as SchemaElement
    const { name } = element
    const first = names.get(name)
    if (first !== undefined) {
      throw new TableFault(finding('table-header', { name, first, second: index }))
    }
    const isDuration = durations.has(name)
    const readCell = isNested(element) || isDuration ? undefined : createCellReader(element)
    if (readCell === undefined) {
      const found = isDuration ? 'of durations' : toColumnType(element)
      const args = { fault: 'type', column: name, found } as const
      throw new TableFault(finding('table-column', args))
    }
    names.set(name, index)
    const cell = (stored: unknown) => (stored == null ? null : readCell(stored))
    const isLocal = isLocalTime(element)
    columns.push({ name, at: columns.length, toCell: cell, isLocal })
  }
  return columns
}

/** The schema without annotations, so that the library returns stored values. */
export function plainSchema(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map(({ converted_type, logical_type, ...plain }) => plain)
  return { ...metadata, schema }
}

/** No standard gives INT96 a zone. */
function isLocalTime({ type, logical_type: logical }: SchemaElement): boolean {
  return type === 'INT96' || (logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC)
}

function isNested({ num_children, repetition_type, type }: SchemaElement): boolean {
  return num_children !== undefined || repetition_type === 'REPEATED' || type === undefined
}

function toColumnType(element: SchemaElement): string {
  if (!isNested(element)) {
    return `of the type ${element.logical_type?.type ?? element.converted_type ?? element.type}`
  }
  const kind = element.logical_type?.type ?? element.converted_type
  return kind === undefined ? 'a group of columns' : `a ${kind.toLowerCase()}`
}

/** Undefined for an unsupported type. */
function createCellReader(element: SchemaElement): ((stored: unknown) => Cell) | undefined {
  const { type, name, converted_type: old, logical_type: logical } = element
  const kind = logical?.type ?? old
  if (kind === 'DECIMAL') {
    const scale = element.scale ?? (logical?.type === 'DECIMAL' ? logical.scale : 0)
    return (stored) => numberOrText(decimalText(stored, scale))
  }
  switch (type) {
    case 'BOOLEAN':
      return Boolean
    case 'INT32':
    case 'INT64':
      return wholeCells(element)
    case 'INT96':
      // No standard says whether it means UTC: the user has to.
      return (stored) => timestampText(stored as bigint, 'NANOS', false, name)
    case 'FLOAT':
    case 'DOUBLE':
      return finiteOrNull
    case 'BYTE_ARRAY':
      return kind === undefined || TEXTS.has(kind) ? textCells(name) : undefined
    case 'FIXED_LEN_BYTE_ARRAY':
      return kind === 'UUID' ? (stored) => uuidText(stored as Uint8Array) : undefined
    default:
      return undefined
  }
}

const TEXTS: ReadonlySet<string> = new Set(['UTF8', 'STRING', 'ENUM', 'JSON'])
const UNITS = { TIMESTAMP_MILLIS: 'MILLIS', TIMESTAMP_MICROS: 'MICROS' } as const

function wholeCells({
  type,
  name,
  converted_type: old,
  logical_type: logical,
}: SchemaElement): ((stored: unknown) => Cell) | undefined {
  if (logical?.type === 'TIMESTAMP') {
    const { unit, isAdjustedToUTC: utc } = logical
    return (stored) => timestampText(BigInt(stored as bigint), unit, utc, name)
  }
  if (old === 'TIMESTAMP_MILLIS' || old === 'TIMESTAMP_MICROS') {
    return (stored) => timestampText(BigInt(stored as bigint), UNITS[old], true, name)
  }
  if (old === 'DATE' || logical?.type === 'DATE') return (stored) => dateText(Number(stored))
  if (old?.startsWith('TIME_') || logical?.type === 'TIME') return undefined
  const isUnsigned = old?.startsWith('UINT') || (logical?.type === 'INTEGER' && !logical.isSigned)
  const bits = type === 'INT32' ? 32 : 64
  return (stored) => {
    const value = isUnsigned ? BigInt.asUintN(bits, BigInt(stored as bigint)) : stored
    return numberOrText(String(value))
  }
}

/**
 * A number if a double holds it exactly; otherwise its digits as text, which the reader may reject.
 */
function numberOrText(digits: string): Cell {
  const number = Number(digits)
  return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : digits
}

/** pandas writes NaN for a missing number. */
function finiteOrNull(stored: unknown): Cell {
  return Number.isNaN(stored) ? null : (stored as number)
}

/** Dictionary values share their bytes, so each is decoded once. */
function textCells(column: string): (stored: unknown) => Cell {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const texts = new WeakMap<Uint8Array, string>()
  return (stored) => {
    const bytes = stored as Uint8Array
    const before = texts.get(bytes)
    if (before !== undefined) return before
    if (bytes.length > MAX_TEXT_BYTES) {
      throw new TableFault(finding('table-parquet', { fault: 'long', says: column }))
    }
    const text = decoder.decode(bytes)
    texts.set(bytes, text)
    return text
  }
}

type TimestampUnit = 'MILLIS' | 'MICROS' | 'NANOS'

/**
 * A time since 1970 as RFC 3339 text: with `Z` if it is in UTC, without an offset if it is local. Exact to the
 * microsecond.
 * @throws {TableFault} for a time with more digits.
 */
function timestampText(stored: bigint, unit: TimestampUnit, utc: boolean, column: string): string {
  if (unit === 'NANOS' && stored % 1000n !== 0n) {
    const args = { fault: 'finer', column, found: String(stored) } as const
    throw new TableFault(finding('table-column', args))
  }
  const micros = unit === 'MILLIS' ? stored * 1000n : unit === 'NANOS' ? stored / 1000n : stored
  return textCell(Number(micros), utc)
}

/** Days since 1970 as a date. */
function dateText(days: number): string {
  return textCell(days * MICROS_PER_DAY, false).slice(0, 10)
}

/** A time out of range is shown as its number, which the reader rejects. */
function textCell(micros: number, utc: boolean): string {
  if (!Number.isSafeInteger(micros)) return String(micros)
  const text = formatUtc(micros)
  return utc ? text : text.slice(0, -1)
}

/** The digits of a decimal: `12.50` for 1250 with a scale of 2. */
function decimalText(stored: unknown, scale: number): string {
  const value = stored instanceof Uint8Array ? signed(stored) : BigInt(stored as bigint)
  if (scale === 0) return String(value)
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** A signed integer, the largest byte first. */
function signed(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
