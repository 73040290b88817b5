import type { Cell, Row, Table } from './types.js'

/** Readers, ours too, take spaces at the ends of an unquoted cell away. */
const QUOTED = /[",\r\n]|^\s|\s$/

/** A table as CSV (RFC 4180), in UTF-8 without a byte order mark. */
export async function* csvBytes({ columns, rows }: Table): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvLine(columns.map(({ name }) => name)))
  for await (const batch of rows) {
    let text = ''
    for (const row of batch) text += csvLine(row)
    if (text !== '') yield Buffer.from(text)
  }
}

/** A table of few rows as CSV, all at once. */
export function csvText(columns: readonly string[], rows: readonly Row[]): string {
  return [columns, ...rows].map(csvLine).join('')
}

function csvLine(row: Row): string {
  // A lone empty cell would be an empty line, which readers skip.
  if (row.length === 1 && csvCell(row[0] ?? null) === '') return '""\n'
  return `${row.map(csvCell).join(',')}\n`
}

/** A cell, in quotes where it needs them; null and what is no number are empty. */
export function csvCell(cell: Cell): string {
  if (typeof cell === 'string') {
    return QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  }
  if (cell === null || (typeof cell === 'number' && !Number.isFinite(cell))) return ''
  return JSON.stringify(cell)
}
