import { finding, hasNoErrors } from '../../contract/findings/finding.js'
import { refuseEndless } from '../../files/input.js'
import { STDIN, STDIN_NAME } from '../../files/stdin.js'
import {
  type HistoryImport,
  type HistoryImportResult,
  runImport,
} from '../../history/import/import.js'
import {
  type HistoryImportFilesOptions,
  importTableRows,
} from '../../history/import/import-files.js'
import { naturalSource } from '../../history/natural/columns.js'
import { naturalRows } from '../../history/natural/rows.js'
import { openTable } from '../../table/read.js'
import type { ReadRow, TableSource } from '../../table/types.js'
import { gatheredForecasts, type ReadPart } from '../gathered.js'
import { type QuantileColumn, type QuantileHeader, quantileHeader, readQuantile } from './row.js'

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
  await importTableRows(run, file === STDIN ? STDIN_NAME : file, options, async function* () {
    const source = await openTable(file, options)
    const header = quantileHeader(source.columns, source.file)
    yield [{ line: undefined, findings: header.findings }]
    if (!hasNoErrors(header.findings)) return await source.close()
    const gathered = forecastsIn(source, header, utc)
    yield* naturalRows(naturalSource(source.file, gathered, source.format), { outcomes })
  })
}

/** The rows of forecasts gathered into one each; faults among them. */
async function* forecastsIn(
  source: TableSource,
  header: QuantileHeader,
  utc: boolean,
): AsyncGenerator<readonly ReadRow[]> {
  const { file } = source
  const seen = { logReturns: 0, others: 0 }
  async function* parts(): AsyncGenerator<readonly ReadPart[]> {
    for await (const batch of source.batches) {
      yield batch.flatMap(({ cells, line, fault }) => {
        const cellOf = (column: QuantileColumn) => cells[header.at.get(column) ?? -1] ?? null
        const read = fault ?? readQuantile(cellOf, utc)
        seen[read === undefined ? 'logReturns' : 'others']++
        return read === undefined ? [] : [{ line, read }]
      })
    }
  }
  try {
    yield* gatheredForecasts(file, parts(), true)
  } finally {
    await source.close()
  }
  if (seen.logReturns === 0) return
  const severity = seen.others === 0 ? 'error' : 'note'
  const args = { fault: 'log-returns', rows: seen.logReturns, names: [] } as const
  yield [{ cells: [], line: 1, fault: finding('exchange-unread', args, { file, severity }) }]
}
