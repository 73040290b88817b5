import { printable } from '../../contract/printable.js'
import { correctResult } from '../../evaluation/correct-result.js'
import { CHANGE_SAYS } from '../../report/changes.js'
import { command } from '../command.js'
import { FORMAT, needed, text } from '../options.js'

export default command({
  positionals: '<folder>',
  examples: {
    'foreproof correct evidence-2 --replaces 6c1f… --reason "A column was read twice."':
      'Says in the ledger that evidence-2 replaces the first result',
  },
  options: {
    format: FORMAT,
    folder: needed('The folder of the later result, which foreproof score wrote'),
    protocol: text('The folder of frozen protocols (by default where score found it)'),
    replaces: needed('result_sha256 of the first result'),
    reason: needed('What was wrong, in one line of at most 500 characters, for everybody to read'),
  },
  run: async ({ folder, replaces, reason, protocol }, { report, now }) => {
    const made = await correctResult({ folder, replaces, reason, protocol, now: now() })
    if (!made.ok) {
      const { findings } = made
      const figures = { entry: null, changed: null }
      return await report({ findings, figures, checked: [folder], headline: 'nothing was entered' })
    }
    const { entry, changed } = made
    const text = changed.map((what) => CHANGE_SAYS[what]).join('\n')
    return await report({
      findings: [],
      figures: { entry, changed },
      checked: [folder],
      headline: `corrected by entry ${entry.seq} (${printable(entry.protocol_version)}, ${entry.corrected_at})`,
      body: `${text}\nThe first result stays, and every count goes by it. Next: commit the ledger.`,
    })
  },
})
