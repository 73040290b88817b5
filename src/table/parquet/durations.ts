import type { FileMetaData } from 'hyparquet'
import { isObject, objectIn } from '../../contract/is-object.js'

/** The number of the type Duration in the schema of Arrow (Schema.fbs, union Type). */
const DURATION = 18
/** Fields of the tables of that schema, by their order in it. */
const MESSAGE_HEADER = 2
const SCHEMA_FIELDS = 1
const FIELD_NAME = 0
const FIELD_TYPE = 2

/**
 * The columns with durations. Parquet has no such type: they are whole numbers, and only the schema of Arrow or
 * pandas in the file says what they mean.
 */
export function durationColumns({ key_value_metadata }: FileMetaData): ReadonlySet<string> {
  const kept = (key: string) => key_value_metadata?.find((each) => each.key === key)?.value ?? ''
  return new Set([...arrowDurations(kept('ARROW:schema')), ...pandasDurations(kept('pandas'))])
}

function pandasDurations(text: string): string[] {
  const { columns } = objectIn(text) ?? {}
  if (!Array.isArray(columns)) return []
  return columns.filter(isObject).flatMap(({ field_name: name, numpy_type: type }) => {
    const isDuration = typeof type === 'string' && type.startsWith('timedelta')
    return isDuration && typeof name === 'string' ? [name] : []
  })
}

/** @param text - a message of Arrow with a schema, in base64. */
function arrowDurations(text: string): string[] {
  const bytes = Buffer.from(text, 'base64')
  try {
    // A mark and the length of the message; older versions had the length alone.
    const start = bytes.readUInt32LE(0) === 0xffff_ffff ? 8 : 4
    const message = new FlatTable(bytes.subarray(start), bytes.readUInt32LE(start))
    const fields = message.table(MESSAGE_HEADER)?.tables(SCHEMA_FIELDS) ?? []
    return fields
      .filter((field) => field.byte(FIELD_TYPE) === DURATION)
      .map((field) => field.text(FIELD_NAME))
  } catch (error) {
    // Without a valid schema no durations are known.
    if (error instanceof RangeError) return []
    throw error
  }
}

/** A table of a FlatBuffer (https://flatbuffers.dev/internals): offsets to its fields, each of which may be absent. */
class FlatTable {
  constructor(
    private readonly bytes: Buffer,
    private readonly at: number,
  ) {}

  byte(field: number): number {
    const at = this.#findColumn(field)
    return at === undefined ? 0 : this.bytes.readUInt8(at)
  }

  text(field: number): string {
    const at = this.#target(field)
    if (at === undefined) return ''
    return this.bytes.toString('utf8', at + 4, at + 4 + this.bytes.readUInt32LE(at))
  }

  table(field: number): FlatTable | undefined {
    const at = this.#target(field)
    return at === undefined ? undefined : new FlatTable(this.bytes, at)
  }

  tables(field: number): FlatTable[] {
    const at = this.#target(field)
    const count = at === undefined ? 0 : this.bytes.readUInt32LE(at)
    // Limited by the size of the data, whatever the bytes say.
    const length = Math.min(count, this.bytes.length / 4)
    return Array.from({ length }, (_, index) => {
      const slot = (at as number) + 4 + 4 * index
      return new FlatTable(this.bytes, slot + this.bytes.readUInt32LE(slot))
    })
  }

  #target(field: number): number | undefined {
    const at = this.#findColumn(field)
    return at === undefined ? undefined : at + this.bytes.readUInt32LE(at)
  }

  #findColumn(field: number): number | undefined {
    const table = this.at - this.bytes.readInt32LE(this.at)
    const slot = 4 + 2 * field
    if (slot >= this.bytes.readUInt16LE(table)) return undefined
    const offset = this.bytes.readUInt16LE(table + slot)
    return offset === 0 ? undefined : this.at + offset
  }
}
