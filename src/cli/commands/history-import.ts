import { importFiles } from '../../history/import/import-files.js'
import type { HistoryImportCounts, HistoryImportResult } from '../../history/import/import-types.js'
import { type Format, printReport } from '../../output/print.js'
import type { Command } from '../command.js'
import { withFormat } from '../options/format.js'
import { historyPath, withHistory } from '../options/history.js'
import { more, positive } from '../options/numbers.js'
import { createProgress } from '../progress.js'

interface Arguments {
  readonly format: Format
  readonly files: readonly string[]
  readonly history: string | undefined
  readonly batch: number | undefined
  readonly 'max-findings': number
}

const command: Command<Arguments> = {
  positionals: '<files..>',
  describe:
    'Put forecasts, recorded attempts or API pages (NDJSON, JSON arrays, bodies) into a history',
  examples: [
    ['foreproof history import forecasts.ndjson', 'All of the file, or nothing'],
    ['producer | foreproof history import - --batch 1000', 'Commit every 1000 rows'],
  ],
  options: (yargs) =>
    withHistory(withFormat(yargs))
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Files; - is standard input',
      })
      .option('batch', {
        type: 'number',
        describe: 'Commit after so many rows (by default once, at the end)',
      })
      .option('max-findings', {
        type: 'number',
        default: 10_000,
        describe: 'List so many findings; count the rest',
      }),
  run: async (args, context) => {
    const history = historyPath(args.history, context.env)
    const batchRows = args.batch === undefined ? undefined : positive('--batch', args.batch)
    const progress = createProgress(context)
    let report: HistoryImportResult
    try {
      report = await importFiles(history, args.files, {
        now: context.now(),
        batchRows,
        maxFindings: positive('--max-findings', args['max-findings']),
        stdin: context.stdin,
        onProgress: (rows) => progress.show(`${rows.toLocaleString('en')} rows`),
      })
    } finally {
      progress.end()
    }
    const { findings, withheld, ...figures } = report
    return await printReport(context, args.format, {
      findings: [...findings, ...more(withheld)],
      figures: { history, ...figures, withheld },
      checked: args.files,
      headline: history,
      body: bodyOf(report, history),
    })
  },
}
export default command

function bodyOf(report: HistoryImportResult, history: string): string {
  const { forecasts, attempts, rejected, written } = report
  const lines = [tally('forecasts', forecasts), tally('attempts', attempts)]
  if (rejected > 0 && written === 0) lines.length = 0
  if (rejected > 0) {
    const kept =
      written === 0
        ? `nothing was written to ${history}`
        : `only the whole batches before it were written to ${history}: ${written} rows`
    lines.push(`${rejected} rejected: ${kept}`)
  }
  return lines.join('\n')
}

function tally(name: string, { added, unchanged, conflicts }: HistoryImportCounts): string {
  return `${name.padEnd(9)}  ${added} new, ${unchanged} already there, ${conflicts} in conflict`
}
