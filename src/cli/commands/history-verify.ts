import { verifyHistory } from '../../history/verify.js'
import { printReport } from '../../output/print.js'
import { shownHistory } from '../../store/shown.js'
import { command } from '../command.js'
import { FORMAT, HISTORY_OPTION, historyPath, MOST_FINDINGS, positive, text } from '../options.js'
import { grouped, pluralize } from '../wording.js'
import { withProgress } from '../work.js'

export default command({
  positionals: '',
  examples: [
    ['foreproof history verify --history h.sqlite', 'Name every row that is not in order'],
    ['foreproof history verify --anchors protocols/anchors', 'Stamps of these authorities alone'],
    ['foreproof history verify --format sarif', 'The same for a machine'],
  ],
  options: {
    format: FORMAT,
    history: HISTORY_OPTION,
    'max-findings': MOST_FINDINGS,
    anchors: text('Folder with certificates that every stamp of a log has to lead to'),
  },
  run: async (args, context) => {
    const path = historyPath(args.history, context.env)
    const history = shownHistory(path)
    const maxFindings = positive('--max-findings', args['max-findings'])
    const { anchors } = args
    const { findings, withheld, ...figures } = await withProgress(context, (show) => {
      const onProgress = (rows: number) => show(`${grouped(rows)} rows`)
      return verifyHistory(path, { maxFindings, anchors, onProgress })
    })
    return await printReport(context, args.format, {
      findings,
      figures: { history, ...figures, withheld },
      checked: [history],
      headline: `${pluralize(figures.forecasts, 'forecast')}, ${pluralize(figures.attempts, 'attempt')}`,
    })
  },
})
