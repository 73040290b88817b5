import { ForeproofError } from '../../contract/error.js'
import { formatMessage } from '../../contract/findings/finding.js'
import { printable, printableLines } from '../../contract/printable.js'
import { takeOverResult } from '../../evaluation/enter-result.js'
import { type RebaseResult, rebaseLedger } from '../../gate/ledger-rebase.js'
import type { LedgerEntry } from '../../protocol/rules/entry.js'
import { type Context, command } from '../command.js'
import { PROTOCOL_FOLDER, TEXT_OR_JSON, text } from '../options.js'
import { pluralize } from '../wording.js'
import { uninterrupted } from '../work.js'

export default command({
  examples: {
    'foreproof ledger rebase': 'repairs protocols/ledger.jsonl during a merge or rebase',
    'foreproof ledger rebase --base origin/main': 'with the ledger of origin/main first',
    'foreproof ledger rebase --evidence evidence':
      'enters the result of evidence/, which was scored in CI or on another machine',
  },
  options: {
    evidence: text(
      'Only enter the result of this evidence folder, which was scored with another copy of the ledger',
    ),
    base: text('The git revision whose ledger lines are kept'),
    dir: PROTOCOL_FOLDER,
    format: TEXT_OR_JSON,
  },
  run: async ({ base, dir, evidence }, { env, answer }) => {
    if (evidence !== undefined) return await takeOver(evidence, dir, answer)
    const options = { cwd: process.cwd(), dir, base, env }
    const rebased = uninterrupted(() => rebaseLedger(options))
    const { file, kept, moved, changed } = rebased
    const figures = { ok: true, file, kept, moved, changed, base: rebased.base }
    return answer(figures, formatRebase(rebased))
  },
})

async function takeOver(evidence: string, dir: string, answer: Context['answer']) {
  const takenOver = await takeOverResult(evidence, dir)
  if (!takenOver.ok) {
    const [first] = takenOver.findings
    const { text: why = '', help } = first ? formatMessage(first) : {}
    const { findings } = takenOver
    throw new ForeproofError('invalid-input', `${evidence}: ${why}`, { findings, help })
  }
  const { seq, protocol_version, result_at } = takenOver.entry
  const text = `the result is entry ${seq} (${protocol_version}, ${result_at})`
  return answer(
    { ok: true, entry: takenOver.entry },
    printableLines(`${evidence}: ${text}\nNext: commit the ledger and access/.\n`),
  )
}

/** When an entry counts from. Its stamps go on counting, for this entry alone. */
function describePosition(entry: LedgerEntry): string {
  const from =
    entry.moved_at === undefined
      ? ''
      : `, counts from ${entry.moved_at} on unless a stamp shows it earlier`
  return printableLines(`  ${entry.seq} ${entry.protocol_version}${from}\n`)
}

function formatRebase({ kept, moved, changed, base, ...rebased }: RebaseResult): string {
  const file = printable(rebased.file)
  const entries = moved.map((entry) => describePosition(entry)).join('')
  const head = `${pluralize(kept, 'line')} of ${printable(base.revision)} kept, ${pluralize(moved.length, 'entry', 'entries')} of this branch behind`
  const next = changed ? `Written. Next: git add ${file}\n` : `${file} was in order already.\n`
  return `${head}\n${entries}${next}`
}
