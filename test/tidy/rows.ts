import { expect } from 'vitest'
import { SCORER_VERSION } from '../../src/scoring/measures.js'
import type { Cell, Column, Table } from '../../src/table/types.js'
import { lossesColumns } from '../../src/tidy/losses.js'
import { PAIR_COLUMNS } from '../../src/tidy/pairs.js'
import { SCORE_COLUMNS } from '../../src/tidy/scores.js'
import { TEST_COLUMNS } from '../../src/tidy/tests.js'

/** The columns of the tables of an evaluation of hourly closes. */
export const TABLES: Readonly<Record<string, readonly Column[]>> = {
  scores: SCORE_COLUMNS,
  tests: TEST_COLUMNS,
  losses: lossesColumns(SCORER_VERSION),
  pairs: PAIR_COLUMNS,
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
