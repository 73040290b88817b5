import { finding, hasNoErrors } from '../../contract/findings/finding.js'
import { breathe } from '../../files/breathe.js'
import { refuseEndless, STDIN } from '../../files/input.js'
import type { HistoryImport } from '../../history/import/import.js'
import type { HistoryImportFilesOptions } from '../../history/import/import-files.js'
import type { HistoryImportResult } from '../../history/import/import-types.js'
import { runImport } from '../../history/import/run-import.js'
import { naturalRows } from '../../history/natural/rows.js'
import { TableFault } from '../../table/fault.js'
import { openTable } from '../../table/read.js'
import type { ReadRow, TableSource } from '../../table/types.js'
import { naturalSource } from '../natural-source.js'
import { Gather } from './gather.js'
import { type QuantileColumn, type QuantileHeader, quantileHeader } from './header.js'
import { readQuantile } from './row.js'

/**
 * Imports quantile tables as scoringutils has them: all of it or, where anything is wrong, nothing. The point is the
 * median. The price at an origin is that of a column `source_price_usd`, otherwise the close of
 * `options.table.outcomes`; `options.table.utc` counts too.
 * @throws {ForeproofError} when a file cannot be read, or the history cannot be written; `interrupted`.
 */
export async function importQuantiles(
  path: string,
  files: readonly string[],
  options: HistoryImportFilesOptions,
): Promise<HistoryImportResult> {
  for (const file of files) if (file !== STDIN) refuseEndless(file)
  return await runImport(path, options, async (run) => {
    for (const file of files) await importTable(run, file, options)
  })
}

async function importTable(
  run: HistoryImport,
  file: string,
  options: HistoryImportFilesOptions,
): Promise<void> {
  const { outcomes, utc = false } = options.table ?? {}
  try {
    const source = await openTable(file, options)
    const { file: name, columns } = source
    const header = quantileHeader(columns, name)
    await run.addFindings(header.findings, name)
    if (!hasNoErrors(header.findings)) return await source.close()
    const gathered = naturalSource(name, forecastsIn(source, header, utc), source.format)
    for await (const rows of naturalRows(gathered, { outcomes })) {
      await run.addRows(rows, name)
      options.onProgress?.(run.rows, run.committed)
      await breathe(options.signal)
    }
  } catch (cause) {
    if (!(cause instanceof TableFault)) throw cause
    await run.addFindings([cause.finding], file)
  }
}

/** The rows of forecasts gathered into one each; faults among them. */
async function* forecastsIn(
  source: TableSource,
  header: QuantileHeader,
  utc: boolean,
): AsyncGenerator<readonly ReadRow[]> {
  const { file } = source
  const gather = new Gather(file)
  const seen = { logReturns: 0, others: 0 }
  try {
    for await (const batch of source.batches) {
      const ready: ReadRow[] = []
      for (const { cells, line, fault } of batch) {
        const cellOf = (column: QuantileColumn) => cells[header.at.get(column) ?? -1] ?? null
        const read = fault ?? readQuantile(cellOf, utc)
        seen[read === undefined ? 'logReturns' : 'others']++
        if (read === undefined) continue
        if ('code' in read) ready.push(gather.refuse(line, read))
        else ready.push(...gather.add(read, line))
      }
      yield ready
    }
    yield gather.rest()
  } finally {
    await source.close()
  }
  if (seen.logReturns === 0) return
  const severity = seen.others === 0 ? 'error' : 'note'
  const told = finding('quantiles-log-return', { rows: seen.logReturns }, { file, severity })
  yield [{ cells: [], line: 1, fault: told }]
}
