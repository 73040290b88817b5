import { ForeproofError } from '../../contract/error.js'
import type { HistoryImportCounts } from '../../history/import/import-types.js'
import { pullHistory } from '../../history/pull/pull.js'
import { type Format, printReport } from '../../output/print.js'
import { isFolder } from '../../remote/deployment.js'
import { openDeployment } from '../../remote/open.js'
import type { Command } from '../command.js'
import { withFormat } from '../options/format.js'
import { historyPath, withHistory } from '../options/history.js'
import { more } from '../options/numbers.js'
import { keyFrom, type RemoteArguments, withRemote } from '../options/remote.js'
import { createProgress } from '../progress.js'

interface Arguments extends RemoteArguments {
  readonly from: string
  readonly history: string | undefined
  readonly full: boolean
  readonly format: Format
}

const command: Command<Arguments> = {
  positionals: '<from>',
  describe: 'Mirror the forecasts of a site, a service or a built folder into a history',
  examples: [
    ['foreproof history pull https://example.org --history mirror.sqlite', 'A static site'],
    [
      'foreproof history pull https://api.example.org --key-env MY_KEY --history mirror.sqlite',
      'A service; the key goes to that host only',
    ],
    ['foreproof history pull site --history mirror.sqlite', 'A folder that publish built'],
  ],
  options: (yargs) =>
    withRemote(
      withHistory(withFormat(yargs)).positional('from', {
        type: 'string',
        demandOption: true,
        describe: 'Address of a site or service, or a folder',
      }),
    ).option('full', {
      type: 'boolean',
      default: false,
      describe: 'Read every page again: rows that came in late are found only so',
    }),
  run: async (args, context) => {
    const path = historyPath(args.history, context.env)
    const progress = createProgress(context)
    if (isFolder(args.from) && args['key-env'] !== undefined) {
      throw new ForeproofError('usage', 'a folder takes no key', { help: 'Leave --key-env away.' })
    }
    try {
      const deployment = await openDeployment(args.from, {
        variant: args.variant,
        key: keyFrom(args['key-env'], context.env),
        onWait: (seconds, why) => progress.show(`${why}: waiting ${seconds} s`),
      })
      const report = await pullHistory({
        deployment,
        path,
        now: context.now(),
        full: args.full,
        onPage: (pages, rows) => progress.show(`${pages} pages, ${rows} forecasts`),
      })
      progress.end()
      const { findings, withheld, forecasts, attempts, ...figures } = report
      return await printReport(context, args.format, {
        findings: [...findings, ...more(withheld)],
        figures: { history: path, variant: deployment.variant, forecasts, attempts, ...figures },
        checked: [args.from],
        headline: path,
        body: [
          counted('forecasts', forecasts),
          ...(deployment.attempts === undefined ? [] : [counted('attempts', attempts)]),
          report.complete
            ? `complete, from ${report.pages} ${report.pages === 1 ? 'page' : 'pages'}`
            : `stopped after ${report.pages} ${report.pages === 1 ? 'page' : 'pages'}; what came before is kept`,
        ].join('\n'),
      })
    } finally {
      progress.end()
    }
  },
}
export default command

function counted(what: string, { added, unchanged, conflicts }: HistoryImportCounts): string {
  return `${what.padEnd(9)}  ${added} new, ${unchanged} already there, ${conflicts} in conflict`
}
