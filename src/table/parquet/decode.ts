import { type FileHandle, open } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  type AsyncBuffer,
  type ColumnChunk,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  type RowGroup,
} from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { compressors, decompressZstd } from 'hyparquet-compressors'
import { ForeproofError, fileError } from '../../contract/error.js'
import { type ArgsOf, finding } from '../../contract/findings/finding.js'
import { type Cell, TableFault, type TableSource } from '../table.js'
import {
  isMidnight,
  type ParquetColumn,
  plainSchema,
  toDateColumn,
  toParquetColumns,
} from './columns.js'

/** Maximum number of cells per batch, and of characters of its texts. */
const BATCH_SIZE = 65_536
const MAX_DIRECTORY_BYTES = 16 * 1_048_576
/** Timeout of all row groups together; `child.ts` has the timeout of one. */
const FIRST_MS = 10_000
const MS_PER_ROW = 0.05

/** First the names of the columns, then rows in order, a list of cells for each column. */
export type ParquetPart =
  | {
      readonly columns: readonly string[]
      readonly localTimes: NonNullable<TableSource['localTimes']>
    }
  | { readonly rows: number; readonly cells: readonly (readonly Cell[])[] }

/**
 * Reads a Parquet file, row group by row group.
 * @throws {TableFault} if it is damaged or not a table; {ForeproofError} if the file cannot be read.
 */
export async function* decodeParquet(path: string): AsyncGenerator<ParquetPart> {
  let handle: FileHandle
  try {
    handle = await open(path)
  } catch (cause) {
    throw fileError(cause, path)
  }
  try {
    yield* listParts(await toAsyncBuffer(handle, path))
  } catch (error) {
    if (error instanceof TableFault || error instanceof ForeproofError) throw inFile(error, path)
    // Any other error of the library comes from the bytes.
    const isOfLibrary = error instanceof Error && /^(parquet|thrift) /.test(error.message)
    throw inFile(damaged(isOfLibrary ? error.message : 'its bytes cannot be unpacked'), path)
  } finally {
    await handle.close()
  }
}

async function* listParts(file: AsyncBuffer): AsyncGenerator<ParquetPart> {
  const metadata = await readDirectory(file)
  const stated = toParquetColumns(metadata)
  checkCells(metadata, stated.length, file.byteLength)
  const plain = plainSchema(metadata)
  const columns = await withDates(file, plain, stated)
  const local = stated.flatMap((column, at) => (column.isLocal ? (columns[at] ?? []) : []))
  const listNames = (some: readonly ParquetColumn[]) => some.map(({ name }) => name)
  const [dated, timed] = [true, false].map((is) =>
    listNames(local.filter((of) => !of.isLocal === is)),
  )
  yield { columns: listNames(columns), localTimes: { dated: dated ?? [], timed: timed ?? [] } }
  let time = FIRST_MS
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (rows === 0) continue
    const started = performance.now()
    const stored = await readStored(file, plain, group, columns)
    time += rows * MS_PER_ROW - (performance.now() - started)
    if (time < 0) throw parquetFault('time')
    yield* decodeBatches(stored, rows, columns)
  }
}

/** Columns of times without a zone that are midnight in all rows become columns of dates. */
async function withDates(
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: readonly ParquetColumn[],
): Promise<readonly ParquetColumn[]> {
  let dated = columns.filter(({ isLocal }) => isLocal)
  for (const group of metadata.row_groups) {
    if (dated.length === 0 || Number(group.num_rows) === 0) continue
    const stored = await readStored(file, metadata, group, dated)
    dated = dated.filter(({ toCell }, at) => {
      const values = stored[at] ?? []
      for (let row = 0; row < values.length; row++)
        if (!isMidnight(toCell(values[row]))) return false
      return true
    })
  }
  return columns.map((column) => (dated.includes(column) ? toDateColumn(column) : column))
}

async function readDirectory(file: AsyncBuffer): Promise<FileMetaData> {
  const tail = new DataView(await file.slice(Math.max(0, file.byteLength - 8), file.byteLength))
  const magic = tail.byteLength < 8 ? '' : Buffer.from(tail.buffer).toString('latin1', 4)
  if (magic === 'PARE') throw parquetFault('encrypted')
  if (magic !== 'PAR1') throw damaged('it does not end with PAR1')
  const size = tail.getUint32(0, true)
  if (size > MAX_DIRECTORY_BYTES) throw damaged(`a directory of ${size} bytes`)
  return await parquetMetadataAsync(file, { geoparquet: false })
}

/** The values of columns in a row group, a list for each. */
async function readStored(
  file: AsyncBuffer,
  metadata: FileMetaData,
  group: RowGroup,
  columns: readonly ParquetColumn[],
): Promise<ArrayLike<unknown>[]> {
  const rows = Number(group.num_rows)
  const scan = await parquetScan({
    file,
    metadata: { ...metadata, row_groups: [group] },
    compressors: COMPRESSORS,
    parsers: { timestampFromNanoseconds: (nanos) => nanos },
    utf8: false,
    useOffsetIndex: false,
  })
  const stored: ArrayLike<unknown>[] = []
  let room = MAX_GROUP_BYTES
  for (const { name, at } of columns) {
    const chunk = group.columns[at] as ColumnChunk
    room = await checkPages(file, chunk, rows, room)
    const values = await scan.readColumn({ column: name, rowStart: 0, rowEnd: rows })
    if (values.length !== rows) {
      throw damaged(`${values.length} values of ${name} in a row group of ${rows} rows`)
    }
    stored.push(values)
  }
  return stored
}

function* decodeBatches(
  stored: readonly ArrayLike<unknown>[],
  rows: number,
  columns: readonly ParquetColumn[],
): Generator<ParquetPart> {
  for (let row = 0; row < rows; ) {
    const cells: Cell[][] = columns.map(() => [])
    const first = row
    for (let size = 0; row < rows && size < BATCH_SIZE; row++) {
      for (const [at, { toCell }] of columns.entries()) {
        const cell = toCell(stored[at]?.[row])
        cells[at]?.push(cell)
        size += typeof cell === 'string' ? cell.length : 1
      }
    }
    yield { rows: row - first, cells }
  }
}

const COMPRESSORS: Compressors = {
  ...compressors,
  // Allocate the declared size; otherwise the compressed bytes would decide how much memory is used.
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
  ZSTD: (input, length) => decompressZstd(input, new Uint8Array(length)),
}

/** Slices of a file. A slice beyond its end means that it is truncated. */
async function toAsyncBuffer(handle: FileHandle, path: string): Promise<AsyncBuffer> {
  const { size } = await handle.stat()
  const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
    if (!(start >= 0 && start <= end && end <= size))
      throw new Error('a part lies outside the file')
    const bytes = new Uint8Array(end - start)
    for (let filled = 0; filled < bytes.length; ) {
      const read = await handle.read(bytes, filled, bytes.length - filled, start + filled)
      if (read.bytesRead === 0) throw new Error('the file has become shorter')
      filled += read.bytesRead
    }
    return bytes.buffer
  }
  return {
    byteLength: size,
    slice: (start, end) =>
      slice(start, end).catch((cause: unknown) => {
        throw (cause as NodeJS.ErrnoException).code === undefined ? cause : fileError(cause, path)
      }),
  }
}

const MAX_COLUMNS = 10_000
/** Maximum number of cells in a row group, which are in memory together. */
const MAX_GROUP_CELLS = 32 * 1_048_576
/** Bytes of a row group, packed and unpacked. */
const MAX_GROUP_BYTES = 256 * 1_048_576
/**
 * Lower bound of a packed row: ten columns of forecasts, one of them prices, take more than half a byte.
 */
const CELLS_PER_BYTE = 20
const CELLS_OF_ANY_FILE = 1_000_000
/** pandas writes all categories, even if few rows use them. */
const ENTRIES_OF_ANY_DICTIONARY = 65_536

/**
 * Checks the number of cells that a file declares, before allocating memory for them.
 * @param size of the file, in bytes.
 * @throws {TableFault} if the file is too small for them, or a row group has too many.
 */
function checkCells({ row_groups, num_rows }: FileMetaData, columns: number, size: number): void {
  if (columns > MAX_COLUMNS) throw damaged(`it declares ${columns} columns`)
  let rows = 0
  let largest = 0
  for (const group of row_groups) {
    const count = Number(group.num_rows)
    if (!(Number.isSafeInteger(count) && count >= 0)) {
      throw damaged(`it declares a row group of ${count} rows`)
    }
    if (group.columns.length !== columns) {
      throw damaged(`it declares a row group of ${group.columns.length} columns`)
    }
    rows += count
    largest = Math.max(largest, count)
  }
  if (rows !== Number(num_rows)) {
    throw damaged(`it declares ${num_rows} rows, and its row groups ${rows}`)
  }
  if (rows * columns > CELLS_OF_ANY_FILE + size * CELLS_PER_BYTE) {
    throw damaged(`it declares ${rows} rows of ${columns} columns in ${size} bytes`)
  }
  if (largest * columns > MAX_GROUP_CELLS) throw parquetFault('memory')
}

/**
 * Checks the sizes that the pages of a column declare, like `checkCells`.
 * @param rows of the row group.
 * @param room bytes left for its row group.
 * @returns the bytes that are left.
 */
async function checkPages(
  file: AsyncBuffer,
  { meta_data: chunk }: ColumnChunk,
  rows: number,
  room: number,
): Promise<number> {
  if (chunk === undefined) throw damaged('a column without a place')
  const start = Number(chunk.dictionary_page_offset || chunk.data_page_offset)
  const length = Number(chunk.total_compressed_size)
  let left = room - length
  if (left < 0) throw parquetFault('memory')
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
      throw damaged('a page of a size below 0')
    }
    left -= unpacked
    if (left < 0) throw parquetFault('memory')
    if (entries > Math.max(rows, ENTRIES_OF_ANY_DICTIONARY) || values > rows - seen) {
      throw damaged(`a page of ${Math.max(entries, values)} values for ${rows} rows`)
    }
    seen += values
    reader.offset += packed
  }
  return left
}

export const damaged = (message: string) => parquetFault('damaged', message)

export const parquetFault = (fault: ArgsOf<'table-parquet'>['fault'], message = '') =>
  new TableFault(finding('table-parquet', { fault, says: message }))

/** Adds the file to a fault of a table. */
export const inFile = (error: unknown, file: string): unknown =>
  error instanceof TableFault ? new TableFault({ ...error.finding, file }) : error
