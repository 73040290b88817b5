import { formatStored, parseInstant } from '../../contract/instant.js'
import { normalTimestamp } from '../../forecast/resource.js'
import type { Value } from '../dialect.js'
import { RefusedRow } from '../history-writer.js'
import { ALL_COLUMNS, isStorable, type PostgresTable } from './tables.js'

const LARGEST_INTEGER = 2 ** 31 - 1
/** All columns of a PostgreSQL index entry together have about 2,700 bytes. */
const MAX_NAME_BYTES = 1200
/** Texts that have an index. */
const INDEXED = new Set(['model', 'run_id', 'origin', 'series'])

/** Whether the tables can hold a text that has an index. */
export function isStorableName(text: string): boolean {
  return isStorable(text) && Buffer.byteLength(text) <= MAX_NAME_BYTES
}

/** A written column, and how its values are converted. */
interface WrittenColumn {
  readonly name: string
  /** @throws {RefusedRow} for a value that the column cannot store exactly. */
  take(value: Value): Value
}

const written = Object.entries(ALL_COLUMNS).map(([table, columns]) => [
  table,
  Object.entries(columns)
    .filter(([name]) => name !== 'added')
    .map(([name, type]) => toColumn(name, type)),
])

/** The columns of each table that are written, in their order. */
export const WRITTEN_COLUMNS: Readonly<Record<PostgresTable, readonly WrittenColumn[]>> =
  Object.fromEntries(written)

function toColumn(name: string, type: string): WrittenColumn {
  const kind = chooseConversion(name, type)
  const isNullable = !/NOT NULL|PRIMARY KEY/.test(type)
  return { name, take: (value) => (value === null && isNullable ? null : kind(name, value)) }
}

function chooseConversion(name: string, type: string): (column: string, value: Value) => Value {
  if (/_at$|_through$/.test(name)) return instant
  if (name === 'horizon_hours') return horizon
  if (type.startsWith('double')) return number
  return type.startsWith('text') ? text : (_column, value) => value
}

function instant(column: string, value: Value): number {
  const parsed = parseInstant(value)
  if (parsed === undefined) throw refused(column, 'is not a timestamp')
  // Reading must return exactly the text that was written, because the leaves of the log are its hashes.
  if (normalTimestamp(value) === value) return parsed
  throw refused(column, `is not spelt as in ${formatStored(parsed)}`)
}

function horizon(column: string, value: Value): number {
  if (Number.isInteger(value) && Number(value) > 0 && Number(value) <= LARGEST_INTEGER) {
    return Number(value)
  }
  throw refused(column, `is not a whole number from 1 to ${LARGEST_INTEGER}`)
}

function number(column: string, value: Value): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw refused(column, 'is not a number')
}

function text(column: string, value: Value): string {
  if (typeof value !== 'string') throw refused(column, 'is not a text')
  if (!isStorable(value)) {
    throw refused(column, 'has U+0000 or half of a surrogate pair, which PostgreSQL cannot hold')
  }
  if (!INDEXED.has(column) || isStorableName(value)) return value
  throw refused(column, `has more than ${MAX_NAME_BYTES} bytes, which an index cannot hold`)
}

function refused(column: string, why: string): RefusedRow {
  return new RefusedRow(`${column} ${why}`)
}
