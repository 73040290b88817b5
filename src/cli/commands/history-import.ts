import { ForeproofError } from '../../contract/error.js'
import { printable } from '../../contract/printable.js'
import { importHubs } from '../../exchange/hubverse/import.js'
import { importQuantiles } from '../../exchange/scoringutils/import.js'
import type { HistoryImportResult } from '../../history/import/import.js'
import { importFiles } from '../../history/import/import-files.js'
import { shownHistory } from '../../history/store/shown.js'
import { readVintage } from '../../outcomes/vintage.js'
import { printReport } from '../../output/print.js'
import { command } from '../command.js'
import { interruptible } from '../interrupt.js'
import {
  historyPath,
  positive,
  withFormat,
  withHistory,
  withMaxFindings,
} from '../options/common.js'
import { columnsOption, IMPORTS, refuseWithoutEffect, separatorOption } from '../options/natural.js'
import { withProgress } from '../progress.js'
import { grouped, pluralize, putCounts } from '../wording.js'

export default command({
  positionals: '<files..>',
  describe:
    'Put tables of forecasts (CSV, NDJSON, Parquet), resources, attempts or API pages into a history',
  examples: [
    ['foreproof history import forecasts.ndjson', 'All of the file, or nothing'],
    [
      'foreproof history import forecasts.csv --columns price_usd=yhat,model=name',
      'A table whose columns have other names',
    ],
    [
      'foreproof history import wide.parquet --melt --utc --outcomes vintage',
      'A column for each model, UTC times, prices at the origins from closes',
    ],
    [
      'foreproof history import quantiles.csv --from scoringutils --outcomes vintage',
      'A quantile table, prices at the origins from closes',
    ],
    ['producer | foreproof history import - --batch 1000', 'Commit every 1000 rows'],
  ],
  options: (yargs) =>
    withMaxFindings(
      withHistory(withFormat(yargs))
        .positional('files', {
          type: 'string',
          array: true,
          demandOption: true,
          describe: 'Files; - is standard input',
        })
        .option('batch', {
          type: 'number',
          describe: 'Commit after this many rows (default: once, at the end)',
        })
        .option('columns', {
          type: 'string',
          array: true,
          nargs: 1,
          describe: 'Names of columns in a table: price_usd=yhat,model=name',
        })
        .option('from', {
          choices: IMPORTS,
          describe: 'The inputs are modeling hubs (folders), or quantile tables of scoringutils',
        })
        .option('melt', {
          type: 'boolean',
          default: false,
          describe: 'The table has a column for each model',
        })
        .option('utc', {
          type: 'boolean',
          default: false,
          describe: 'Times in the table without an offset are UTC',
        })
        .option('sep', {
          type: 'string',
          describe: 'Separator of the cells of CSV: ; | or tab (default: a comma)',
        })
        .option('decimal', {
          choices: ['.', ','] as const,
          describe: 'The decimal point of numbers in CSV',
        })
        .option('outcomes', {
          type: 'string',
          describe: 'Vintage whose closes are the prices at the origins, where a row has none',
        }),
    ),
  run: async (args, context) => {
    const path = historyPath(args.history, context.env)
    const history = shownHistory(path)
    const batchRows = args.batch === undefined ? undefined : positive('--batch', args.batch)
    const maxFindings = positive('--max-findings', args['max-findings'])
    const { melt, utc, outcomes } = args
    refuseWithoutEffect(args.from, args)
    const importInputs = args.from === undefined ? importFiles : IMPORTERS[args.from]
    const table = {
      columns: columnsOption(args.columns),
      melt,
      utc,
      separator: separatorOption(args.sep),
      decimalComma: args.decimal === ',',
      outcomes: outcomes === undefined ? undefined : readVintage(outcomes),
    }
    let kept = 0
    const left = () => leftOf(kept, history)
    const report = await interruptible(left, (signal) =>
      withProgress(context, (show) =>
        importInputs(path, args.files, {
          now: context.now(),
          batchRows,
          maxFindings,
          table,
          stdin: context.stdin,
          signal,
          onProgress: (rows, committed) => {
            kept = committed
            show(`${grouped(rows)} rows`)
          },
        }),
      ),
    ).catch((cause: unknown) => {
      throw batchRows === undefined ? cause : withLeft(cause, left())
    })
    const { findings, withheld, ...figures } = report
    return await printReport(context, args.format, {
      findings,
      figures: { history, ...figures, withheld },
      checked: args.files,
      headline: inputOf(args.files),
      body: bodyOf(report, history),
    })
  },
})

const IMPORTERS = { hubverse: importHubs, scoringutils: importQuantiles } as const

function leftOf(kept: number, history: string): string {
  return kept === 0
    ? 'Nothing was written.'
    : `Whole batches were kept: the first ${pluralize(kept, 'row')} of the input are in ${history}.`
}

/** A fault in the middle of batches, with what is left of the import; a stop says so already. */
function withLeft(cause: unknown, left: string): unknown {
  if (!(cause instanceof ForeproofError) || cause.code === 'interrupted') return cause
  const { code, message, file, help } = cause
  return new ForeproofError(code, message, {
    ...(file !== undefined && { file }),
    help: [help, left].filter(Boolean).join(' '),
    cause,
  })
}

function inputOf(files: readonly string[]): string {
  const [file, ...others] = files
  if (others.length > 0) return pluralize(files.length, 'file')
  return file === undefined || file === '-' ? '<stdin>' : file
}

function bodyOf(report: HistoryImportResult, history: string): string {
  const { forecasts, attempts, rejected, written } = report
  const lines = [putCounts('forecasts', forecasts), putCounts('attempts', attempts)]
  if (rejected > 0 && written === 0) lines.length = 0
  if (rejected > 0) {
    const kept =
      written === 0
        ? `nothing was written to ${history}`
        : `only the whole batches before it were written to ${history}: ${written} rows`
    lines.push(`${rejected} rejected: ${kept}`)
  }
  return lines.map(printable).join('\n')
}
