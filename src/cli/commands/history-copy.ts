import { copyHistory } from '../../history/copy.js'
import { historyName } from '../../store/shown.js'
import { command } from '../command.js'
import { FORMAT, needed } from '../options.js'
import { grouped, pluralize } from '../wording.js'
import { watched } from '../work.js'

export default command({
  positionals: '<from> <to>',
  examples: {
    'foreproof history copy h.sqlite postgres://user@host/db': 'From a file into PostgreSQL',
    'foreproof history copy postgres://user@host/db h.sqlite': 'And back',
  },
  options: {
    format: FORMAT,
    from: needed('History to read'),
    to: needed('A new or empty history'),
  },
  run: async (args, context) => {
    const [from, to] = [historyName(args.from), historyName(args.to)]
    const { findings, withheld, ...figures } = await watched(
      context,
      'Nothing was written.',
      (signal, show) =>
        copyHistory(args.from, args.to, {
          now: context.now(),
          signal,
          onProgress: (rows) => show(`${grouped(rows)} rows`),
        }),
    )
    const { forecasts, attempts, origins, entries } = figures
    return await context.report({
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
