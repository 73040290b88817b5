import { ForeproofError } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { importHubs } from '../../exchange/hubverse/import.js'
import type { HistoryImportResult } from '../../history/import/import.js'
import { importFiles } from '../../history/import/import-files.js'
import { NATURAL_NAMES } from '../../history/natural/columns.js'
import { isSeriesColumn, SERIES_NAMES } from '../../history/natural/series-header.js'
import { readSeriesProtocol } from '../../protocol/read-series-protocol.js'
import { historyName } from '../../store/shown.js'
import { readVintage } from '../../truth/closes/vintage.js'
import { command } from '../command.js'
import {
  assertWithout,
  CSV_FORM,
  choice,
  columnNames,
  count,
  FORMAT,
  flag,
  HISTORY_OPTION,
  list,
  PERIOD_NAMING,
  parseRowChoice,
  ROW_CHOICE,
  text,
  texts,
} from '../options.js'
import { grouped, pluralize, putCounts } from '../wording.js'
import { watched } from '../work.js'

export default command({
  positionals: '<files..>',
  examples: {
    'foreproof history import forecasts.ndjson': 'All of the file, or nothing',
    'foreproof history import forecasts.csv --columns price_usd=yhat,model=name':
      'A table whose columns have other names',
    'foreproof history import wide.parquet --melt --utc --outcomes vintage':
      'A column for each model, UTC times, prices at the origins from closes',
    'foreproof history import long.csv --columns level=quantile_level,price_usd=predicted':
      'A row for each quantile',
    'foreproof history import weekly.csv --protocol protocols/flu-1.json':
      'Forecasts of any series, of which the protocol has the list of periods',
    'producer | foreproof history import - --batch 1000': 'Commit every 1000 rows',
  },
  options: {
    format: FORMAT,
    history: HISTORY_OPTION,
    files: list('Files; - is standard input'),
    batch: count('Commit after this many rows (default: once, at the end)'),
    columns: texts('Names of columns in a table: price_usd=yhat,model=name'),
    protocol: text('A protocol of version 2: the rows are of its series and periods'),
    ...PERIOD_NAMING,
    from: choice(['hubverse'] as const, 'With --protocol: the inputs are modeling hubs (folders)'),
    ...ROW_CHOICE,
    melt: flag('The table has a column for each model'),
    ...CSV_FORM,
    outcomes: text('Vintage with the prices at the origins, for rows that have none'),
    'as-is': flag('With --protocol: also import forecasts that can only fail'),
    salt: flag('Give each forecast a random salt, so that its log entry cannot be guessed'),
  },
  run: async (args, context) => {
    const { history: path, batch: batchRows, melt, utc, outcomes } = args
    const history = historyName(path)
    assertEffective(args)
    const series = args.protocol === undefined ? undefined : await readSeriesProtocol(args.protocol)
    const table = {
      columns:
        series === undefined
          ? columnNames(args.columns, NATURAL_NAMES, (name, inFile) => isNatural(name) || !inFile)
          : columnNames(
              args.columns,
              SERIES_NAMES,
              (name, inFile) => isSeriesColumn(name) || !inFile,
            ),
      ...parseRowChoice(args),
      label: args.label,
      repeated: args.repeated,
      outside: args.outside,
      melt,
      utc,
      separator: args.sep,
      decimalComma: args.decimal === ',',
      outcomes: outcomes === undefined ? undefined : readVintage(outcomes),
    }
    let kept = 0
    const left = () => describeKept(kept, history)
    const report = await watched(context, left, (signal, show) => {
      const options = {
        now: context.now(),
        batchRows,
        salt: args.salt,
        asIs: args['as-is'],
        table,
        stdin: context.stdin,
        signal,
        onProgress: (rows: number, committed: number) => {
          kept = committed
          show(`${grouped(rows)} rows`)
        },
      }
      const isHub = args.from !== undefined && series !== undefined
      return isHub
        ? importHubs(path, args.files, { ...options, series })
        : importFiles(path, args.files, { ...options, series })
    }).catch((cause: unknown) => {
      throw batchRows === undefined ? cause : withLeft(cause, left())
    })
    const { findings, withheld, ...figures } = report
    return await context.report({
      findings,
      figures: { history, ...figures, withheld },
      checked: args.files,
      headline: describeInput(args.files),
      body: formatImport(report, history),
    })
  },
})

function describeKept(kept: number, history: string): string {
  return kept === 0
    ? 'Nothing was written.'
    : `Whole batches were kept: the first ${pluralize(kept, 'row')} of the input are in ${history}.`
}

/** An error in the middle of batches, with what remains of the import; a stop already says so. */
function withLeft(cause: unknown, left: string): unknown {
  if (!(cause instanceof ForeproofError) || cause.code === 'interrupted') return cause
  const { code, message, file, help } = cause
  return new ForeproofError(code, message, {
    ...(file !== undefined && { file }),
    help: [help, left].filter(Boolean).join(' '),
    cause,
  })
}

function describeInput(files: readonly string[]): string {
  const [file, ...others] = files
  if (others.length > 0) return pluralize(files.length, 'file')
  return file === undefined || file === '-' ? '<stdin>' : file
}

function formatImport(report: HistoryImportResult, history: string): string {
  const { forecasts, attempts, rejected, written } = report
  const lines = [putCounts('forecasts', forecasts), putCounts('attempts', attempts)]
  if (rejected > 0 && written === 0) lines.length = 0
  if (report.firstRow !== undefined) lines.unshift(`first row: ${report.firstRow}`)
  if (rejected > 0) {
    const kept =
      written === 0
        ? `nothing was written to ${history}`
        : `only the whole batches before it were written to ${history}: ${written} rows`
    lines.push(`${rejected} rejected: ${kept}`)
  }
  return lines.map(printable).join('\n')
}

const isNatural = (name: string) => (NATURAL_NAMES as readonly string[]).includes(name)

/** @throws {ForeproofError} `usage` for an option without effect in combination with others. */
function assertEffective(given: Readonly<Record<string, unknown>>): void {
  const { from, protocol } = given
  if (protocol === undefined) {
    const help = 'Name the protocol of version 2 that the rows are made under.'
    const ofSeries = ['from', 'label', 'repeated', 'outside', 'target', 'only', 'ignore', 'as-is']
    assertWithout(given, ofSeries, 'needs --protocol', help)
    return
  }
  const hourly = 'It is only for hourly forecasts. Leave one of the two out.'
  assertWithout(given, ['melt', 'outcomes'], 'cannot be used with --protocol', hourly)
  if (from === undefined) return
  const help = 'A hub states its own times and numbers. Leave one of the two out.'
  assertWithout(given, ['utc', 'sep', 'decimal'], `cannot be used with --from ${from}`, help)
}
