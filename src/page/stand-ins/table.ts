// In the place of table/read.ts: of tables, a page reads lists of periods in their normal form alone, whose digest is
// that of their protocol.
import { readRegular } from '../../files/regular.js'
import type { ReadRow, TableSource } from '../../table/types.js'

/** As many as a list of every hour of a century. */
const MAX_BYTES = 64 * 1_048_576

export async function openTable(file: string): Promise<TableSource> {
  const text = new TextDecoder().decode(readRegular(file, MAX_BYTES))
  const [columns = [], ...rows] = text.trimEnd().split('\n').map(cellsOf)
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    yield rows.map((cells, at) => ({ cells, line: at + 2 }))
  }
  return { file, format: 'csv', columns, batches: batches(), close: async () => undefined }
}

/** A cell has quotes where it has commas, and no quotes within. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
