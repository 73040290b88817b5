import { type FileHandle, open } from 'node:fs/promises'
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  type RowGroup,
} from 'hyparquet'
import { compressors, decompressZstd } from 'hyparquet-compressors'
import { ForeproofError, fileError } from '../../contract/error.js'
import { finding } from '../../contract/findings/finding.js'
import { TableFault } from '../fault.js'
import type { Cell } from '../types.js'
import { columnsOf, type ParquetColumn, plainSchema } from './columns.js'
import { damaged } from './damaged.js'

const BATCH_ROWS = 4096
/** Pages usually have a mebibyte; the length stands in the file, and memory is given by it. */
const MAX_PAGE_BYTES = 256 * 1_048_576
/** The thread's limit does not count these bytes: they are no objects of JavaScript. */
const MAX_GROUP_BYTES = 512 * 1_048_576
const MAX_DIRECTORY_BYTES = 64 * 1_048_576

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
    // Whatever else the library stumbles over is in the bytes.
    const says = error instanceof Error && /^(parquet|thrift) /.test(error.message)
    throw damaged(says ? error.message : 'its bytes cannot be unpacked', path)
  } finally {
    await handle.close()
  }
}

async function* partsOf(file: AsyncBuffer, path: string): AsyncGenerator<ParquetPart> {
  const metadata = await directoryOf(file, path)
  const columns = columnsOf(metadata, path)
  yield { columns: columns.map(({ name }) => name) }
  const plain = plainSchema(metadata)
  for (const group of metadata.row_groups) yield* rowsOf(file, plain, group, columns, path)
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

async function* rowsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
  group: RowGroup,
  columns: readonly ParquetColumn[],
  path: string,
): AsyncGenerator<ParquetPart> {
  const rows = Number(group.num_rows)
  if (!Number.isSafeInteger(rows) || rows < 0) throw damaged(`a row group of ${rows} rows`, path)
  if (rows === 0) return
  const scan = await parquetScan({
    file,
    metadata: { ...metadata, row_groups: [group] },
    compressors: compressorsOf(path),
    parsers: { timestampFromNanoseconds: (nanos) => nanos },
    utf8: false,
    useOffsetIndex: false,
  })
  const stored: ArrayLike<unknown>[] = []
  for (const { name } of columns) {
    const values = await scan.readColumn({ column: name, rowStart: 0, rowEnd: rows })
    if (values.length !== rows) {
      throw damaged(`${values.length} values of ${name} in a row group of ${rows} rows`, path)
    }
    stored.push(values)
  }
  for (let from = 0; from < rows; from += BATCH_ROWS) {
    const count = Math.min(BATCH_ROWS, rows - from)
    const cells = columns.map(({ cellOf }, at) =>
      Array.from({ length: count }, (_, row) => cellOf(stored[at]?.[from + row])),
    )
    yield { rows: count, cells }
  }
}

type Decompress = (input: Uint8Array, length: number) => Uint8Array

const COMPRESSORS: Readonly<Record<string, Decompress>> = {
  ...compressors,
  // Without room that is given, it would take what the compressed bytes ask for.
  ZSTD: (input, length) => decompressZstd(input, new Uint8Array(length)),
}

/** For the pages of one row group, which are in memory together. */
function compressorsOf(path: string): Record<string, Decompress> {
  let bytes = 0
  const limited =
    (decompress: Decompress): Decompress =>
    (input, length) => {
      bytes += length
      if (length > MAX_PAGE_BYTES) throw new Error(`a page of ${length} bytes`)
      if (bytes <= MAX_GROUP_BYTES) return decompress(input, length)
      throw new TableFault(finding('table-parquet', { fault: 'memory', says: '' }, { file: path }))
    }
  return Object.fromEntries(
    Object.entries(COMPRESSORS).map(([codec, decompress]) => [codec, limited(decompress)]),
  )
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
