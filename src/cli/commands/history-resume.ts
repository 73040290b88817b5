import { resumeHistory } from '../../history/resume.js'
import { shownHistory } from '../../store/shown.js'
import { command } from '../command.js'
import { HISTORY_OPTION, needed, TEXT_OR_JSON, text } from '../options.js'
import { pluralize } from '../wording.js'
import { watched } from '../work.js'

export default command({
  positionals: '<mirror>',
  examples: {
    'foreproof history resume mirror.sqlite --history h.sqlite':
      'After a restore, once the site was pulled into mirror.sqlite',
    'foreproof history resume mirror.sqlite --history h.sqlite --log example.org/forecasts':
      'Without any copy: h.sqlite is new',
  },
  options: {
    history: HISTORY_OPTION,
    format: TEXT_OR_JSON,
    mirror: needed('History that the published log was pulled into'),
    log: text('Name of the log, for a history that is new'),
  },
  run: async ({ history, mirror, log }, context) => {
    const result = await watched(context, 'Nothing was written.', (signal) =>
      resumeHistory(history, mirror, { log, now: context.now(), signal }),
    )
    const entries = pluralize(result.new_entries, 'entry', 'entries')
    const checkpoints = pluralize(result.new_checkpoints, 'checkpoint')
    const said = `${entries} and ${checkpoints} of ${result.log} taken over, which has ${result.size} entries now`
    return context.answer({ history: shownHistory(history), ...result }, said)
  },
})
