import { runGate } from '../../gate/gate.js'
import { command } from '../command.js'
import { ledgersAmong, ledgerTime } from '../ledger-time.js'
import { FORMAT, flag, PROTOCOL_FOLDER, text } from '../options.js'
import { pluralize } from '../wording.js'

export default command({
  examples: {
    'foreproof gate': 'against the base that the CI system or the clone names',
    'foreproof gate --base origin/main --format github': 'annotations on a pull request',
    'foreproof gate --dir studies/protocols --strict-bytes': 'formatting may not change either',
  },
  options: {
    base: text('The git revision to compare with'),
    dir: PROTOCOL_FOLDER,
    'strict-bytes': flag('Also fail when only the formatting changed'),
    format: FORMAT,
  },
  run: async ({ base, dir, 'strict-bytes': strictBytes }, context) => {
    const { env } = context
    const outcome = runGate({ cwd: process.cwd(), dir, base, strictBytes, env, now: context.now() })
    const { revision, commit, from } = outcome.base
    const { frozen, added, untracked, commits } = outcome
    const news = untracked === 0 ? `${added} new` : `${added} new (${untracked} untracked)`
    const named = commit === null ? 'no commit yet' : `${revision} (${commit.slice(0, 8)}, ${from})`
    const time = await ledgerTime(ledgersAmong(outcome.checked))
    return context.report({
      findings: [...outcome.findings, ...time.findings],
      figures: { base: outcome.base, commits, frozen, added, untracked, ledgers: time.levels },
      checked: outcome.checked,
      headline: `base ${named}, ${pluralize(commits, 'commit')} since, ${frozen} frozen, ${news}`,
      body: time.body,
      source: outcome.source,
    })
  },
})
