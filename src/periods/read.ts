import { type Finding, finding } from '../contract/findings/finding.js'
import { FindingList } from '../contract/findings/finding-list.js'
import { parseInstant } from '../contract/instant.js'
import { openTable } from '../table/read.js'
import { TableFault, type TableSource } from '../table/table.js'
import { type PeriodsResult, readPeriods } from './list.js'

/**
 * Reads a list of periods from a table.
 * @throws {ForeproofError} if the file cannot be read.
 */
export async function openPeriods(file: string): Promise<PeriodsResult> {
  return await guarded(file, (table) => readPeriods(table.columns, table.batches, file))
}

/** Also the names that exchange_calendars and pandas_market_calendars give; their index has none. */
const OF_SESSIONS: Readonly<Record<string, string>> = {
  session: 'period',
  '': 'period',
  open: 'start',
  market_open: 'start',
  close: 'end',
  market_close: 'end',
}
/** A session is one period, with or without a break. */
const BREAKS = ['break_start', 'break_end']
const MIDNIGHT = /[T ]00:00:00(?:Z|\+00:00)?$/
/** As pandas writes an instant. */
const SPACED = /^(\d{4}-\d\d-\d\d) (?=\d)/

/**
 * Reads the sessions of a market as periods: `session` (a date, or its midnight) is the label, `open` and `close` are
 * the ends.
 * @throws {ForeproofError} if the file cannot be read.
 */
export async function openSessions(file: string): Promise<PeriodsResult> {
  return await guarded(file, (table) => {
    const kept = [...table.columns.keys()].filter((at) => !BREAKS.includes(table.columns[at]!))
    const columns = kept.map((at) => OF_SESSIONS[table.columns[at]!] ?? table.columns[at]!)
    const label = columns.indexOf('period')
    async function* batches() {
      for await (const batch of table.batches) {
        yield batch.map((row) => ({
          ...row,
          cells: kept.map((from, at) => {
            const text = String(row.cells[from] ?? '')
            return at === label ? text.replace(MIDNIGHT, '') : text.replace(SPACED, '$1T')
          }),
        }))
      }
    }
    return readPeriods(columns, batches(), file)
  })
}

export type ReadHolidays =
  | { readonly ok: true; readonly dates: ReadonlySet<string> }
  | { readonly ok: false; readonly findings: readonly Finding[] }

const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== undefined

/**
 * Reads holidays: the column `date` of a table, or a text file with one date per line.
 * @throws {ForeproofError} if the file cannot be read.
 */
export async function openHolidays(file: string): Promise<ReadHolidays> {
  return await guarded(file, async ({ columns, batches }) => {
    const findings = new FindingList()
    // In a file without a header, the first line is a date too.
    const [first = ''] = columns.filter(isDate)
    const at = columns.indexOf(first || 'date')
    if (at === -1) {
      const args = { fault: 'holidays', column: 'date' } as const
      findings.add(finding('period-column', args, { file, position: { line: 1, column: 1 } }))
    }
    const dates = new Set(first ? [first] : [])
    for await (const batch of batches) {
      for (const { cells, line, fault } of at === -1 ? [] : batch) {
        const date = String(cells[at] ?? '').replace(MIDNIGHT, '')
        const args = { fault: 'holiday', column: 'date', found: date, says: '' } as const
        const dateFault = isDate(date)
          ? undefined
          : finding('period-cell', args, { file, position: { line, column: 1 } })
        const wrong = fault ?? dateFault
        if (wrong === undefined) dates.add(date)
        else findings.addBriefly(wrong)
      }
    }
    const all = findings.all()
    return all.length === 0 ? { ok: true, dates } : { ok: false, findings: all }
  })
}

async function guarded<T>(
  file: string,
  read: (table: TableSource) => Promise<T>,
): Promise<T | { readonly ok: false; readonly findings: readonly Finding[] }> {
  try {
    return await read(await openTable(file))
  } catch (error) {
    if (error instanceof TableFault) return { ok: false, findings: [error.finding] }
    throw error
  }
}
