import { verifyHistory } from '../../history/verify.js'
import { historyName } from '../../store/shown.js'
import { command } from '../command.js'
import { ANCHORS_FOLDER, FORMAT, HISTORY_OPTION, text } from '../options.js'
import { grouped, pluralize } from '../wording.js'
import { withProgress } from '../work.js'

export default command({
  examples: {
    'foreproof history verify --history h.sqlite': 'Name every row that is not in order',
    'foreproof history verify --anchors protocols/anchors': 'Stamps of these authorities alone',
    'foreproof history verify --format sarif': 'The same for a machine',
  },
  options: {
    format: FORMAT,
    history: HISTORY_OPTION,
    anchors: text(`${ANCHORS_FOLDER}: every stamp of a log must lead to one of them`),
  },
  run: async (args, context) => {
    const { history: path, anchors } = args
    const history = historyName(path)
    const { findings, withheld, ...figures } = await withProgress(context, (show) => {
      const onProgress = (rows: number) => show(`${grouped(rows)} rows`)
      return verifyHistory(path, { anchors, onProgress })
    })
    return await context.report({
      findings,
      figures: { history, ...figures, withheld },
      checked: [history],
      headline: `${pluralize(figures.forecasts, 'forecast')}, ${pluralize(figures.attempts, 'attempt')}`,
    })
  },
})
