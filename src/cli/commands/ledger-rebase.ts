import { printable } from '../../contract/printable.js'
import { type RebaseResult, rebaseLedger } from '../../gate/ledger-rebase.js'
import { command } from '../command.js'
import { PROTOCOL_FOLDER, TEXT_OR_JSON, text } from '../options.js'
import { pluralize } from '../wording.js'
import { uninterrupted } from '../work.js'

export default command({
  examples: {
    'foreproof ledger rebase': 'repairs protocols/ledger.jsonl during a merge or rebase',
    'foreproof ledger rebase --base origin/main': 'with the ledger of origin/main first',
  },
  options: {
    base: text('The git revision whose ledger lines are kept'),
    dir: PROTOCOL_FOLDER,
    format: TEXT_OR_JSON,
  },
  run: ({ base, dir }, { env, answer }) => {
    const options = { cwd: process.cwd(), dir, base, env }
    const rebased = uninterrupted(() => rebaseLedger(options))
    const { file, kept, moved, changed } = rebased
    const figures = { ok: true, file, kept, moved, changed, base: rebased.base }
    return answer(figures, say(rebased))
  },
})

function say({ kept, moved, changed, base, ...rebased }: RebaseResult): string {
  const file = printable(rebased.file)
  const own = moved.map((entry) => `  ${entry.seq} ${printable(entry.protocol_version)}\n`).join('')
  const head = `${pluralize(kept, 'line')} of ${printable(base.revision)} kept, ${pluralize(moved.length, 'entry', 'entries')} of this branch behind`
  const next = changed ? `Written. Next: git add ${file}\n` : `${file} was in order already.\n`
  return `${head}\n${own}${next}`
}
