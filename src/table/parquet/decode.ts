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
import { compressors, decompressZstd } from 'hyparquet-compressors'
import { ForeproofError, fileError } from '../../contract/error.js'
import { finding } from '../../contract/findings/finding.js'
import { type Cell, TableFault } from '../types.js'
import { beyond, checkCells, checkPages, damaged, MAX_GROUP_BYTES } from './bounds.js'
import { columnsOf, type ParquetColumn, plainSchema } from './columns.js'

/** Cells of a batch, and characters of its texts: so much is sent at a time. */
const BATCH_SIZE = 65_536
const MAX_DIRECTORY_BYTES = 16 * 1_048_576
/** For all row groups together; `child.ts` has the time of one that does not end. */
const FIRST_MS = 10_000
const MS_PER_ROW = 0.05

/** First the names of the columns, then rows in order, a list of cells for each column. */
export type ParquetPart =
  | { readonly columns: readonly string[] }
  | { readonly rows: number; readonly cells: readonly (readonly Cell[])[] }

/**
 * Reads a Parquet file, row group by row group.
 * @throws {TableFault} where it is damaged or holds what is no table; {ForeproofError} where the file
 * cannot be read.
 */
export async function* decodeParquet(path: string): AsyncGenerator<ParquetPart> {
  let handle: FileHandle
  try {
    handle = await open(path)
  } catch (cause) {
    throw fileError(cause, path)
  }
  try {
    yield* partsOf(await bufferOf(handle, path), path)
  } catch (error) {
    if (error instanceof TableFault || error instanceof ForeproofError) throw error
    // Any other error of the library comes from the bytes.
    const says = error instanceof Error && /^(parquet|thrift) /.test(error.message)
    throw damaged(says ? error.message : 'its bytes cannot be unpacked', path)
  } finally {
    await handle.close()
  }
}

async function* partsOf(file: AsyncBuffer, path: string): AsyncGenerator<ParquetPart> {
  const metadata = await directoryOf(file, path)
  const columns = columnsOf(metadata, path)
  checkCells(metadata, columns.length, file.byteLength, path)
  yield { columns: columns.map(({ name }) => name) }
  const plain = plainSchema(metadata)
  let time = FIRST_MS
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows)
    if (rows === 0) continue
    const started = performance.now()
    const stored = await storedOf(file, plain, group, columns, path)
    time += rows * MS_PER_ROW - (performance.now() - started)
    if (time < 0) throw beyond('time', path)
    yield* batchesOf(stored, rows, columns)
  }
}

async function directoryOf(file: AsyncBuffer, path: string): Promise<FileMetaData> {
  const tail = new DataView(await file.slice(Math.max(0, file.byteLength - 8), file.byteLength))
  const magic = tail.byteLength < 8 ? '' : Buffer.from(tail.buffer).toString('latin1', 4)
  if (magic === 'PARE') {
    throw new TableFault(finding('table-parquet', { fault: 'encrypted', says: '' }, { file: path }))
  }
  if (magic !== 'PAR1') throw damaged('it does not end with PAR1', path)
  const size = tail.getUint32(0, true)
  if (size > MAX_DIRECTORY_BYTES) throw damaged(`a directory of ${size} bytes`, path)
  return await parquetMetadataAsync(file, { geoparquet: false })
}

/** The values of a row group, a list for each column. */
async function storedOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  group: RowGroup,
  columns: readonly ParquetColumn[],
  path: string,
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
  for (const [at, { name }] of columns.entries()) {
    const chunk = group.columns[at] as ColumnChunk
    room = await checkPages(file, chunk, rows, room, path)
    const values = await scan.readColumn({ column: name, rowStart: 0, rowEnd: rows })
    if (values.length !== rows) {
      throw damaged(`${values.length} values of ${name} in a row group of ${rows} rows`, path)
    }
    stored.push(values)
  }
  return stored
}

function* batchesOf(
  stored: readonly ArrayLike<unknown>[],
  rows: number,
  columns: readonly ParquetColumn[],
): Generator<ParquetPart> {
  for (let row = 0; row < rows; ) {
    const cells: Cell[][] = columns.map(() => [])
    const first = row
    for (let size = 0; row < rows && size < BATCH_SIZE; row++) {
      for (const [at, { cellOf }] of columns.entries()) {
        const cell = cellOf(stored[at]?.[row])
        cells[at]?.push(cell)
        size += typeof cell === 'string' ? cell.length : 1
      }
    }
    yield { rows: row - first, cells }
  }
}

const COMPRESSORS: Compressors = {
  ...compressors,
  // Without room that is given, they would take what the compressed bytes ask for.
  GZIP: (input, length) => gunzipSync(input, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (input, length) => brotliDecompressSync(input, { maxOutputLength: Math.max(1, length) }),
  ZSTD: (input, length) => decompressZstd(input, new Uint8Array(length)),
}

/** Slices of a file; one beyond its end shows that it was cut off. */
async function bufferOf(handle: FileHandle, path: string): Promise<AsyncBuffer> {
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
