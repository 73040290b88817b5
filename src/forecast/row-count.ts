/** How many rows there are of one sort, and the id of the first of them. */
export interface RowCount {
  readonly rows: number
  readonly first: string | undefined
}

export const NO_ROWS: RowCount = { rows: 0, first: undefined }

/** Both, in the order in which they were met. */
export function joinCounts(a: RowCount, b: RowCount): RowCount {
  return { rows: a.rows + b.rows, first: a.first ?? b.first }
}

export function countRows(ids: readonly string[]): RowCount {
  return { rows: ids.length, first: ids[0] }
}
