import type { AsyncBuffer, ColumnChunk, FileMetaData } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { finding } from '../../contract/findings/finding.js'
import { TableFault } from '../types.js'

const MAX_COLUMNS = 10_000
/** Cells of a row group are in memory together. */
const MAX_GROUP_CELLS = 32 * 1_048_576
/** Bytes of a row group, packed and unpacked. */
export const MAX_GROUP_BYTES = 256 * 1_048_576
/** Ten columns of forecasts take more than half a byte a row, however they are packed: one of them is prices. */
const CELLS_PER_BYTE = 20
const CELLS_OF_ANY_FILE = 1_000_000
/** Those of pandas' categories are all in the file, also where few rows are left that have one. */
const ENTRIES_OF_ANY_DICTIONARY = 65_536

/**
 * Looks at how many cells the directory of a file declares, before anything is made as large as that.
 * @param size of the file, in bytes.
 * @throws {TableFault} where that many cannot be in the file, or one row group has too many.
 */
export function checkCells(
  { row_groups, num_rows }: FileMetaData,
  columns: number,
  size: number,
  path: string,
): void {
  if (columns > MAX_COLUMNS) throw damaged(`it declares ${columns} columns`, path)
  let rows = 0
  let most = 0
  for (const group of row_groups) {
    const count = Number(group.num_rows)
    if (!(Number.isSafeInteger(count) && count >= 0)) {
      throw damaged(`it declares a row group of ${count} rows`, path)
    }
    if (group.columns.length !== columns) {
      throw damaged(`it declares a row group of ${group.columns.length} columns`, path)
    }
    rows += count
    most = Math.max(most, count)
  }
  if (rows !== Number(num_rows)) {
    throw damaged(`it declares ${num_rows} rows, and its row groups ${rows}`, path)
  }
  if (rows * columns > CELLS_OF_ANY_FILE + size * CELLS_PER_BYTE) {
    throw damaged(`it declares ${rows} rows of ${columns} columns in ${size} bytes`, path)
  }
  if (most * columns > MAX_GROUP_CELLS) throw beyond('memory', path)
}

/**
 * Looks at what the pages of a column declare, as `checkCells` does.
 * @param rows of the row group.
 * @param room bytes that its row group may still take.
 * @returns the bytes that are left.
 */
export async function checkPages(
  file: AsyncBuffer,
  { meta_data: chunk }: ColumnChunk,
  rows: number,
  room: number,
  path: string,
): Promise<number> {
  if (chunk === undefined) throw damaged('a column without a place', path)
  const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset)
  const length = Number(chunk.total_compressed_size)
  let left = room - length
  if (left < 0) throw beyond('memory', path)
  const view = new DataView(await file.slice(start, start + length))
  const reader = { view, offset: 0 }
  for (let seen = 0; seen < rows && reader.offset < view.byteLength - 1; ) {
    const header = parquetHeader(reader)
    const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header
    const { num_values: entries = 0 } = header.dictionary_page_header ?? {}
    const old = header.data_page_header
    const page = header.data_page_header_v2
    const values = Math.max(old?.num_values ?? 0, page?.num_values ?? 0, page?.num_rows ?? 0)
    const sizes = [packed, unpacked, entries, values, page?.num_nulls ?? 0]
    const levels = [page?.definition_levels_byte_length, page?.repetition_levels_byte_length]
    if (![...sizes, ...levels.map((bytes) => bytes ?? 0)].every((n) => n >= 0)) {
      throw damaged('a page of a size below 0', path)
    }
    left -= unpacked
    if (left < 0) throw beyond('memory', path)
    if (entries > Math.max(rows, ENTRIES_OF_ANY_DICTIONARY) || values > rows - seen) {
      throw damaged(`a page of ${Math.max(entries, values)} values for ${rows} rows`, path)
    }
    seen += values
    reader.offset += packed
  }
  return left
}

export function damaged(says: string, file: string): TableFault {
  return new TableFault(finding('table-parquet', { fault: 'damaged', says }, { file }))
}

/** More than the limits of a row group allow. */
export function beyond(fault: 'memory' | 'time', file: string): TableFault {
  return new TableFault(finding('table-parquet', { fault, says: '' }, { file }))
}
