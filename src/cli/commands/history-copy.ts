import { copyHistory } from '../../history/copy.js'
import { shownHistory } from '../../history/store/shown.js'
import { printReport } from '../../output/print.js'
import { command } from '../command.js'
import { interruptible } from '../interrupt.js'
import { withFormat } from '../options/common.js'
import { withProgress } from '../progress.js'
import { grouped, pluralize } from '../wording.js'

export default command({
  positionals: '<from> <to>',
  describe: 'Copy a history, whole, into a new one: a SQLite file or PostgreSQL',
  examples: [
    ['foreproof history copy h.sqlite postgres://user@host/db', 'From a file into PostgreSQL'],
    ['foreproof history copy postgres://user@host/db h.sqlite', 'And back'],
  ],
  options: (yargs) =>
    withFormat(yargs)
      .positional('from', { type: 'string', demandOption: true, describe: 'History to read' })
      .positional('to', {
        type: 'string',
        demandOption: true,
        describe: 'Where there is none, or an empty one',
      }),
  run: async (args, context) => {
    const [from, to] = [shownHistory(args.from), shownHistory(args.to)]
    const { findings, withheld, ...figures } = await interruptible(
      'Nothing was written.',
      (signal) =>
        withProgress(context, (show) =>
          copyHistory(args.from, args.to, {
            now: context.now(),
            signal,
            onProgress: (rows) => show(`${grouped(rows)} rows`),
          }),
        ),
    )
    const { forecasts, attempts, origins, entries } = figures
    return await printReport(context, args.format, {
      findings,
      figures: { from, to, ...figures, withheld },
      checked: [from],
      headline: from,
      body:
        findings.length > 0
          ? `nothing was written to ${to}`
          : `${pluralize(forecasts, 'forecast')}, ${pluralize(attempts, 'attempt')}, ${pluralize(origins, 'origin')} and ${pluralize(entries, 'log entry', 'log entries')} copied to ${to}`,
    })
  },
})
