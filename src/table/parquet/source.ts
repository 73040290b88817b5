import type { ReadRow, TableSource } from '../types.js'
import { decodeInProcess } from './child.js'
import { decodeParquet, type ParquetPart } from './decode.js'

// Node loads no TypeScript into a process: from the sources, as in unit tests, the file is read in the
// calling one.
const BUILT = !import.meta.url.endsWith('.ts')

/** A Parquet file as a table. */
export async function readParquetTable(file: string, signal?: AbortSignal): Promise<TableSource> {
  const parts = BUILT ? decodeInProcess(file, signal) : decodeParquet(file)
  const { value: first } = await parts.next()
  const columns = first !== undefined && 'columns' in first ? first.columns : []
  const close = async () => void (await parts.return(undefined))
  return { file, format: 'parquet', columns, batches: batchesOf(parts), close }
}

async function* batchesOf(parts: AsyncGenerator<ParquetPart>): AsyncGenerator<ReadRow[]> {
  let before = 0
  for await (const part of parts) {
    if ('columns' in part) continue
    const { rows, cells } = part
    yield Array.from({ length: rows }, (_, row) => ({
      cells: cells.map((column) => column[row] ?? null),
      line: before + row + 1,
    }))
    before += rows
  }
}
