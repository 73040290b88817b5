import { finding } from '../../contract/findings/finding.js'
import { TableFault } from '../../table/fault.js'
import { openTable } from '../../table/read.js'
import type { ReadRow } from '../../table/types.js'

/**
 * The rows of a file of a hub with the cells of these columns, in this order; null for those of `optional` that
 * it does not have.
 * @throws {TableFault} where it has others, or is no table; {ForeproofError} where it cannot be read.
 */
export async function* hubRows(
  path: string,
  known: readonly string[],
  optional: readonly string[] = [],
): AsyncGenerator<ReadRow> {
  const source = await openTable(path)
  try {
    const { columns } = source
    const missing = known.filter((name) => !columns.includes(name))
    const all = [...known, ...optional]
    const more = columns.filter((name) => !all.includes(name))
    if (missing.length + more.length > 0) {
      throw new TableFault(finding('hub-columns', { missing, more, known }, { file: path }))
    }
    const at = all.map((name) => columns.indexOf(name))
    for await (const batch of source.batches) {
      for (const row of batch) yield { ...row, cells: at.map((index) => row.cells[index] ?? null) }
    }
  } finally {
    await source.close()
  }
}
