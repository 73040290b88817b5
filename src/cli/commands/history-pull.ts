import { printable } from '../../contract/printable.js'
import type { PulledLog } from '../../mirror/log.js'
import { pullHistory } from '../../mirror/pull.js'
import { isFolder, openDeployment } from '../../remote/deployment.js'
import { assertHourly } from '../../store/open.js'
import { historyName } from '../../store/shown.js'
import { command } from '../command.js'
import { FORMAT, flag, HISTORY_OPTION, KEY_ENV, needed, usage } from '../options.js'
import { pluralize, putCounts } from '../wording.js'
import { watched } from '../work.js'

export default command({
  positionals: '<from>',
  examples: {
    'foreproof history pull https://example.org --history mirror.sqlite': 'A static site',
    'foreproof history pull https://api.example.org --key-env MY_KEY --history mirror.sqlite':
      'A service; the key goes to that host only',
    'foreproof history pull site --history mirror.sqlite': 'A folder that publish built',
  },
  options: {
    format: FORMAT,
    history: HISTORY_OPTION,
    from: needed('Address of a site or service, or a built folder'),
    'key-env': KEY_ENV,
    full: flag('Read everything again: rows that came in late, and all of the log'),
  },
  run: async (args, context) => {
    const { history: path, 'key-env': key } = args
    if (isFolder(args.from) && key !== undefined) {
      throw usage('--key-env cannot be used with a folder', 'Leave it out.')
    }
    await assertHourly(path, 'pull')
    const left = 'The pages before it are kept; run again to go on.'
    const { deployment, report } = await watched(context, left, async (signal, show) => {
      const deployment = await openDeployment(args.from, {
        key,
        signal,
        onWait: (seconds, why) => show(`${why}: waiting ${seconds} s`),
      })
      const report = await pullHistory({
        deployment,
        path,
        now: context.now(),
        full: args.full,
        signal,
        onPage: (pages, rows) => show(`${pages} pages, ${rows} forecasts`),
      })
      return { deployment, report }
    })
    const { findings, forecasts, attempts, ...figures } = report
    const pages = pluralize(report.pages, 'page')
    return await context.report({
      findings,
      figures: {
        history: historyName(path),
        variant: deployment.variant,
        forecasts,
        attempts,
        ...figures,
      },
      checked: [args.from],
      headline: args.from,
      body: [
        putCounts('forecasts', forecasts),
        ...(deployment.attempts === undefined ? [] : [putCounts('attempts', attempts)]),
        ...(report.log === undefined ? [] : [logWords(report.log)]),
        report.complete
          ? `complete, from ${pages}`
          : `stopped after ${pages}; what came before is kept`,
      ].join('\n'),
    })
  },
})

function logWords({ origin, entries, newEntries }: PulledLog): string {
  return `log ${printable(origin)}: ${entries} sealed, ${newEntries} of them new`
}
