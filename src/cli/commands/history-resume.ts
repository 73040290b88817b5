import { resumeHistory } from '../../mirror/resume.js'
import { openDeployment } from '../../remote/deployment.js'
import { historyName } from '../../store/shown.js'
import { command } from '../command.js'
import { HISTORY_OPTION, needed, TEXT_OR_JSON } from '../options.js'
import { pluralize } from '../wording.js'
import { watched } from '../work.js'

export default command({
  positionals: '<mirror> <site>',
  examples: {
    'foreproof history resume mirror.sqlite https://example.org --history h.sqlite':
      'After a restore, or into a new history, once the site was pulled into mirror.sqlite',
    'foreproof history resume mirror.sqlite site --history h.sqlite':
      'From a folder that publish built',
  },
  options: {
    history: HISTORY_OPTION,
    format: TEXT_OR_JSON,
    mirror: needed('History that the site was pulled into'),
    site: needed('Address of the site that publishes the log, or its folder'),
  },
  run: async ({ history, mirror, site }, context) => {
    const result = await watched(context, 'Nothing was written.', async (signal, show) => {
      const onWait = (seconds: number, why: string) => show(`${why}: waiting ${seconds} s`)
      const deployment = await openDeployment(site, { signal, onWait })
      return await resumeHistory(history, { mirror, deployment, now: context.now(), signal })
    })
    const entries = pluralize(result.new_entries, 'entry', 'entries')
    const checkpoints = pluralize(result.new_checkpoints, 'checkpoint')
    const text = `${entries} and ${checkpoints} of ${result.log} taken over, which has ${result.size} entries now`
    return context.answer({ history: historyName(history), ...result }, text)
  },
})
