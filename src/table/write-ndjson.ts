import type { Row, Table } from './types.js'

/** A table as NDJSON: a line for each row, an object with a member for each column. */
export async function* ndjsonBytes({ columns, rows }: Table): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => `${JSON.stringify(name)}:`)
  const line = (row: Row) =>
    `{${names.map((name, at) => name + JSON.stringify(row[at] ?? null)).join(',')}}\n`
  for await (const batch of rows) {
    let text = ''
    for (const row of batch) text += line(row)
    if (text !== '') yield Buffer.from(text)
  }
}
