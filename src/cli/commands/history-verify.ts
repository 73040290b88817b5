import { printable } from '../../contract/printable.js'
import type { SeenInTime } from '../../history/seen.js'
import { verifyHistory } from '../../history/verify.js'
import { percent } from '../../output/figures.js'
import { shownHistory } from '../../store/shown.js'
import { command } from '../command.js'
import { countOr, FORMAT, HISTORY_OPTION, text } from '../options.js'
import { grouped, pluralize } from '../wording.js'
import { withProgress } from '../work.js'

/** Minutes; mirrors look once an hour or so. */
const SEEN_WITHIN = 60

export default command({
  examples: {
    'foreproof history verify --history h.sqlite': 'Name every row that is not in order',
    'foreproof history verify --anchors protocols/anchors': 'Stamps of these authorities alone',
    'foreproof history verify --format sarif': 'The same for a machine',
  },
  options: {
    format: FORMAT,
    history: HISTORY_OPTION,
    lag: countOr(
      SEEN_WITHIN,
      'Minutes after its origin within which a mirror has to see a forecast sealed',
    ),
    anchors: text('Folder with certificates that every stamp of a log has to lead to'),
  },
  run: async (args, context) => {
    const { history: path, anchors, lag: lagMinutes } = args
    const history = shownHistory(path)
    const { findings, withheld, ...figures } = await withProgress(context, (show) => {
      const onProgress = (rows: number) => show(`${grouped(rows)} rows`)
      return verifyHistory(path, { anchors, lagMinutes, onProgress })
    })
    return await context.report({
      findings,
      figures: { history, ...figures, withheld },
      checked: [history],
      headline: `${pluralize(figures.forecasts, 'forecast')}, ${pluralize(figures.attempts, 'attempt')}`,
      body: figures.seen.map((each) => seenWords(each, lagMinutes)).join('\n'),
    })
  },
})

/** What a mirror saw itself needs no stamp, and no word of the writer. */
function seenWords({ log, forecasts, in_time: count }: SeenInTime, lag: number): string {
  const share = forecasts === 0 ? '' : ` (${percent(count / forecasts)})`
  return `log ${printable(log)}: this mirror saw ${grouped(count)} of ${pluralize(forecasts, 'forecast')}${share} sealed within ${pluralize(lag, 'minute')} of the origin`
}
