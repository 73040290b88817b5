import { openTable } from '../table/read.js'
import { TableFault, type TableSource } from '../table/types.js'
import { type ReadPeriods, readPeriods } from './list.js'

/**
 * Reads a list of periods from a table.
 * @throws {ForeproofError} where the file cannot be read.
 */
export async function openPeriods(file: string): Promise<ReadPeriods> {
  return await guarded(file, (table) => readPeriods(table.columns, table.batches, file))
}

const OF_SESSIONS: Readonly<Record<string, string>> = {
  session: 'period',
  open: 'start',
  close: 'end',
}
const MIDNIGHT = /T00:00:00Z$/

/**
 * Reads the sessions of a market as periods: `session` (a date, or its midnight) is the label, `open` and `close` are
 * the ends.
 * @throws {ForeproofError} where the file cannot be read.
 */
export async function openSessions(file: string): Promise<ReadPeriods> {
  return await guarded(file, (table) => {
    const columns = table.columns.map((name) => OF_SESSIONS[name] ?? name)
    const label = columns.indexOf('period')
    async function* batches() {
      for await (const batch of table.batches) {
        yield batch.map((row) => ({
          ...row,
          cells: row.cells.map((cell, at) =>
            at === label ? String(cell ?? '').replace(MIDNIGHT, '') : cell,
          ),
        }))
      }
    }
    return readPeriods(columns, batches(), file)
  })
}

async function guarded(
  file: string,
  read: (table: TableSource) => Promise<ReadPeriods>,
): Promise<ReadPeriods> {
  try {
    return await read(await openTable(file))
  } catch (error) {
    if (error instanceof TableFault) return { ok: false, findings: [error.finding] }
    throw error
  }
}
