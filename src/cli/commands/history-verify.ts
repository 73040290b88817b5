import { type HistoryVerifyResult, verifyHistory } from '../../history/verify.js'
import { type Format, printReport } from '../../output/print.js'
import type { Command } from '../command.js'
import { withFormat } from '../options/format.js'
import { historyPath, withHistory } from '../options/history.js'
import { more, positive } from '../options/numbers.js'
import { createProgress } from '../progress.js'
import { counted } from '../sources.js'

interface Arguments {
  readonly format: Format
  readonly history: string | undefined
  readonly 'max-findings': number
}

const command: Command<Arguments> = {
  positionals: '',
  describe: 'Check every row of a forecast history; nothing is written',
  examples: [
    ['foreproof history verify --history h.sqlite', 'Name every row that is not in order'],
    ['foreproof history verify --format sarif', 'The same for a machine'],
  ],
  options: (yargs) =>
    withHistory(withFormat(yargs)).option('max-findings', {
      type: 'number',
      default: 10_000,
      describe: 'List so many findings; count the rest',
    }),
  run: async (args, context) => {
    const history = historyPath(args.history, context.env)
    const progress = createProgress(context)
    let found: HistoryVerifyResult
    try {
      found = await verifyHistory(history, {
        maxFindings: positive('--max-findings', args['max-findings']),
        onProgress: (rows) => progress.show(`${rows.toLocaleString('en')} rows`),
      })
    } finally {
      progress.end()
    }
    const { findings, withheld, ...figures } = found
    return await printReport(context, args.format, {
      findings: [...findings, ...more(withheld)],
      figures: { history, ...figures, withheld },
      checked: [history],
      headline: `${counted(found.forecasts, 'forecast')}, ${counted(found.attempts, 'attempt')}`,
    })
  },
}
export default command
