import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { parseInstant } from '../contract/instant.js'
import type { Cell, Column, ColumnType, Table, TableRow } from './table.js'

/** Rows per row group, which are in memory together. */
const GROUP_ROWS = 65_536

/** A table as Parquet. It does not say when, where or by which version it was written. */
export async function* parquetBytes({ columns, rows }: Table): AsyncGenerator<Uint8Array> {
  const writer = new ByteWriter()
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(schemaElement)]
  const file = new ParquetWriter({ writer, schema, codec: 'SNAPPY', createdBy: 'foreproof' })
  /** What was written since the last call. */
  const written = () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for await (const group of rowGroups(rows)) {
    const columnData = columns.map(({ name, type }, at) => ({
      name,
      data: group.map((row) => VALUES[type](row[at] ?? null)),
    }))
    await file.write({ columnData, rowGroupSize: GROUP_ROWS })
    yield written()
  }
  await file.finish()
  yield written()
}

/** Regroups the rows into row groups. */
async function* rowGroups(batches: AsyncIterable<readonly TableRow[]>): AsyncGenerator<TableRow[]> {
  let group: TableRow[] = []
  for await (const batch of batches) {
    for (const row of batch) {
      group.push(row)
      if (group.length < GROUP_ROWS) continue
      yield group
      group = []
    }
  }
  if (group.length > 0) yield group
}

const ELEMENTS: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  instant: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  boolean: { type: 'BOOLEAN' },
}

function schemaElement({ name, type }: Column): SchemaElement {
  return { name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }
}

type Stored = string | number | bigint | boolean | Date | null

const VALUES: Readonly<Record<ColumnType, (cell: Cell) => Stored>> = {
  text: (cell) => (cell === null ? null : String(cell)),
  number: (cell) => (Number.isFinite(cell) ? cell : null),
  integer: (cell) => (cell === null ? null : BigInt(cell)),
  instant: (cell) => (cell === null ? null : toParquetMicros(cell)),
  date: (cell) => (cell === null ? null : new Date(String(cell))),
  boolean: (cell) => (cell === null ? null : Boolean(cell)),
}

function toParquetMicros(cell: Cell): bigint {
  const instant = parseInstant(cell)
  if (instant === undefined) throw new RangeError(`not a timestamp with an offset: ${cell}`)
  return BigInt(instant)
}
