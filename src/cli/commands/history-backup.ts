import { backupHistory } from '../../store/open.js'
import { command } from '../command.js'
import { checkOutput, flag, HISTORY_OPTION, needed, TEXT_OR_JSON } from '../options.js'
import { grouped } from '../wording.js'

export default command({
  examples: {
    'foreproof history backup --history h.sqlite --out copy.sqlite': 'While a producer writes',
    'foreproof history backup --history copy.sqlite --out h.sqlite': 'A restore, under `serve`',
  },
  options: {
    history: HISTORY_OPTION,
    format: TEXT_OR_JSON,
    out: needed('New file, or a history that the copy replaces in one transaction'),
    replace: flag('Also replace a history with another log; that log is lost'),
  },
  run: async ({ history, out, replace }, { answer }) => {
    checkOutput(out, [history])
    const bytes = await backupHistory(history, out, { replace })
    const text = `${history}: ${grouped(bytes)} bytes copied to ${out}`
    return answer({ history, out, bytes }, text)
  },
})
