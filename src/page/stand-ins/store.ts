// Replaces store/open.ts and store/shown.ts: a page cannot read a database, only the export of a history.
import { type RowsReader, readExportedRows } from '../../store/exported.js'

const refused = (): never => {
  throw new Error('a page reads no database')
}

export const streamRows = <T>(
  path: string,
  open: (reader: RowsReader) => AsyncIterable<T>,
): AsyncIterable<T> => open(readExportedRows(path))

/** A page gets files, never an address with a password. */
export const historyName = (path: string): string => path
export const historyFiles = (path: string): readonly string[] => [path]

export { refused as openHistory, refused as readHistory, refused as streamHistory }
