import { expect } from 'vitest'
import type { Cell, Column, Table } from '../../src/table/table.js'
import { CELL_COLUMNS } from '../../src/tidy/cells.js'
import { lossTableColumns } from '../../src/tidy/losses.js'
import { pairColumns } from '../../src/tidy/pairs.js'
import { SCORE_COLUMNS } from '../../src/tidy/scores.js'
import { TEST_COLUMNS } from '../../src/tidy/tests.js'
import { sampleResult } from '../report/sample.js'

const sample = sampleResult()

/** The columns of the tables of an evaluation of hourly closes. */
export const TABLES: Readonly<Record<string, readonly Column[]>> = {
  scores: SCORE_COLUMNS,
  tests: TEST_COLUMNS,
  losses: lossTableColumns(sample),
  pairs: pairColumns(sample),
  cells: CELL_COLUMNS,
}

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
