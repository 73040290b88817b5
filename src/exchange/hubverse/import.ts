import { type Finding, finding } from '../../contract/findings/finding.js'
import { formatUtc } from '../../contract/instant.js'
import { yieldToEventLoop } from '../../files/waiting.js'
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
import { HubRows } from '../../history/natural/hub-rows.js'
import { type NaturalRow, naturalRows } from '../../history/natural/rows.js'
import type { Vintage } from '../../outcomes/types.js'
import { RowChoice } from '../../table/choice.js'
import type { Cell, ReadRow } from '../../table/types.js'
import { LEVEL_COLUMNS, rowFault } from '../forecasts.js'
import {
  type ForecastPart,
  gatheredForecasts,
  type PartMember,
  type ReadPart,
} from '../gathered.js'
import { outputColumns, TASK_COLUMNS, WEEK_COLUMN } from './columns.js'
import { hubRows, type OutputFile, outputFiles, sourcePrices } from './files.js'
import { seriesOutputRows } from './import-series.js'
import { originOfRound } from './names.js'

/**
 * Imports the forecasts of hubs: all of them or, where anything is wrong, nothing. The price at an origin is that
 * of the hub's auxiliary data, otherwise the close of `options.table.outcomes`.
 * @throws {ForeproofError} when a folder is no hub, or the history cannot be written; `interrupted`.
 */
export async function importHubs(
  path: string,
  hubs: readonly string[],
  options: HistoryImportFilesOptions,
): Promise<HistoryImportResult> {
  const found = hubs.map((hub) => ({ hub, ...outputFiles(hub) }))
  const choice = new RowChoice(options.table)
  const rows = new HubRows(choice, options.table)
  return await runImport(path, options, async (run) => {
    for (const each of found) await importHub(run, each, options, rows)
    const [hub, another] = hubs
    if (options.series) await run.addFindings(choice.rest(another ? undefined : hub), '')
  })
}

/** The forecasts of one hub, and what is to be said of it. */
async function importHub(
  run: HistoryImport,
  { hub, files, findings }: ReturnType<typeof outputFiles> & { readonly hub: string },
  options: HistoryImportFilesOptions,
  rows: HubRows,
): Promise<void> {
  await run.addFindings(findings, hub)
  const { prices, findings: faults } = options.series ? NO_PRICES : await sourcePrices(hub)
  await run.addFindings(faults, hub)
  if (prices.size > 0 && options.table?.outcomes !== undefined) {
    await run.addFindings([unread('two-sources', 0, hub)], hub)
  }
  let unreadRows = 0
  const leftOut = () => {
    unreadRows++
  }
  const { series, table } = options
  for (const file of files) {
    await importTableRows(run, file.path, options, () =>
      series
        ? seriesOutputRows(file, series, table ?? {}, {
            ...{ choice: rows.choice, hub: rows, onFirst: run.readFirst },
          })
        : outputRows(file, prices, table?.outcomes, leftOut),
    )
    options.onProgress?.(run.rows, run.committed)
    await yieldToEventLoop(options.signal)
  }
  await run.addFindings(rows.rest(hub), hub)
  if (unreadRows > 0) await run.addFindings([unread('kinds', unreadRows, hub)], hub)
}

const unread = (fault: 'two-sources' | 'kinds', rows: number, file: string): Finding =>
  finding(
    'exchange-unread',
    { fault, rows, names: [] },
    { file, severity: fault === 'kinds' ? 'warning' : 'note' },
  )

/** There is no price at the origin of any series. */
const NO_PRICES = { prices: new Map<string, number>(), findings: [] }

/**
 * The rows of a file of model output.
 * @param leftOut - called for each row of a type or level that is not imported.
 * @throws {TableFault} where it is no table; {ForeproofError} where it cannot be read.
 */
function outputRows(
  file: OutputFile,
  prices: ReadonlyMap<string, number>,
  outcomes: Vintage | undefined,
  leftOut: () => void,
): AsyncGenerator<readonly NaturalRow[]> {
  async function* parts(): AsyncGenerator<readonly ReadPart[]> {
    const names = outputColumns(TASK_COLUMNS, 'csv').map(({ name }) => name)
    for await (const batch of hubRows(file.path, names, [WEEK_COLUMN])) {
      yield batch.flatMap((row) => {
        const read = row.fault ?? partOf(row, file, prices)
        if (read === 'left-out') leftOut()
        return read === 'left-out' ? [] : [{ line: row.line, read }]
      })
    }
  }
  const gathered = gatheredForecasts(file.path, parts(), false)
  return naturalRows(naturalSource(file.path, gathered, 'ndjson'), { outcomes })
}

/** What a row of model output says of its forecast, unless it is wrong or not imported. */
function partOf(
  { cells }: ReadRow,
  { round: ofFile, model }: OutputFile,
  prices: ReadonlyMap<string, number>,
): ForecastPart | Finding | 'left-out' {
  const [origin = null, horizon = null, type = null, level = null, value = null, week] = cells
  // Where there are no weeks, rounds are origins.
  const round = week ?? origin
  if (String(round) !== ofFile) return rowFault('round', round)
  const at = originOfRound(String(origin))
  if (at === undefined) return rowFault('no-round', origin)
  const member = memberOf(type, level)
  if (typeof member === 'object' || member === 'left-out') return member
  const source_price_usd = prices.get(String(origin)) ?? null
  const unit = { origin_at: formatUtc(at), horizon_hours: horizon, model, source_price_usd }
  return { unit, member, value }
}

/** Types of hubverse that a forecast of ours has no place for. */
const ELSEWHERE = ['cdf', 'pmf', 'sample']

/** The member of its forecast that a row is, or what is wrong with it. */
function memberOf(type: Cell, level: Cell): PartMember | Finding | 'left-out' {
  if (type === 'median' || type === 'mean') {
    return level === null || level === 'NA' ? type : rowFault('type_id', level)
  }
  if (ELSEWHERE.includes(String(type))) return 'left-out'
  if (type !== 'quantile') return rowFault('type', type)
  const number = level === null || level === '' ? Number.NaN : Number(level)
  if (!(number >= 0 && number <= 1)) return rowFault('type_id', level)
  return LEVEL_COLUMNS.get(number) ?? 'left-out'
}
