import { DuckDBConnection } from '@duckdb/node-api'

/** Asks DuckDB, in a database of its own in memory; timestamps and long integers come as text. */
export async function askDuck(sql: string): Promise<unknown[][]> {
  const connection = await DuckDBConnection.create()
  try {
    const reader = await connection.runAndReadAll(sql)
    return reader.getRowsJson() as unknown[][]
  } finally {
    connection.closeSync()
  }
}
