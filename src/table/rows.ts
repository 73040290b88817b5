import type { Column, Row, Table } from './types.js'

/** A table whose rows are at hand. */
export function tableOf(columns: readonly Column[], rows: readonly Row[]): Table {
  return { columns, rows: oneBatch(rows) }
}

/** A table made batch by batch: memory does not grow with it. */
export function tableFrom<T>(
  columns: readonly Column[],
  batches: AsyncIterable<readonly T[]>,
  rowsOf: (batch: readonly T[]) => readonly Row[],
): Table {
  return {
    columns,
    rows: (async function* () {
      for await (const batch of batches) yield rowsOf(batch)
    })(),
  }
}

/** What is at hand, for who takes it in batches. */
export async function* oneBatch<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows
}
