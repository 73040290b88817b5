import { printable, printableLines } from '../../contract/printable.js'
import { type RebaseResult, rebaseLedger } from '../../gate/ledger-rebase.js'
import type { LedgerEntry } from '../../protocol/rules/entry.js'
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
    const lost = [...rebased.lost].map(([entry, stamps]) => ({ entry, stamps }))
    const figures = { ok: true, file, kept, moved, lost, changed, base: rebased.base }
    return answer(figures, say(rebased))
  },
})

/** When an entry counts from, and what it loses: a stamp covers the digest at its previous position. */
function placeOf(entry: LedgerEntry, lost: RebaseResult['lost']): string {
  const from = entry.moved_at === undefined ? '' : `, counts from ${entry.moved_at} on`
  const stamps = (lost.get(entry.seq) ?? []).map((path) => `    loses the stamp ${path}\n`).join('')
  const again = stamps === '' ? '' : `    Have it stamped: foreproof stamp --entry ${entry.seq}\n`
  return printableLines(`  ${entry.seq} ${entry.protocol_version}${from}\n${stamps}${again}`)
}

function say({ kept, moved, lost, changed, base, ...rebased }: RebaseResult): string {
  const file = printable(rebased.file)
  const own = moved.map((entry) => placeOf(entry, lost)).join('')
  const head = `${pluralize(kept, 'line')} of ${printable(base.revision)} kept, ${pluralize(moved.length, 'entry', 'entries')} of this branch behind`
  const next = changed ? `Written. Next: git add ${file}\n` : `${file} was in order already.\n`
  return `${head}\n${own}${next}`
}
