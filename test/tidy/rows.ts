import { expect } from 'vitest'
import type { Cell, Table } from '../../src/table/types.js'

/** The rows of a table by the names of its columns. */
export async function rowsOf({ columns, rows }: Table): Promise<Record<string, Cell>[]> {
  const all: Record<string, Cell>[] = []
  for await (const batch of rows) {
    for (const row of batch) {
      expect(row).toHaveLength(columns.length)
      all.push(Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])))
    }
  }
  return all
}
