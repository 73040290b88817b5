import { runGate } from '../../gate/gate.js'
import { printReport } from '../../output/print.js'
import { command } from '../command.js'
import { ledgersAmong, ledgerTime } from '../ledger-time.js'
import { withFormat } from '../options/common.js'
import { pluralize } from '../wording.js'

export default command({
  positionals: '',
  describe: 'Refuse changes to frozen protocols, anywhere between a git base and the working tree',
  examples: [
    ['foreproof gate', 'against the base that the CI system or the clone tells'],
    ['foreproof gate --base origin/main --format github', 'annotations on a pull request'],
    ['foreproof gate --dir studies/protocols --strict-bytes', 'formatting may not change either'],
  ],
  options: (yargs) =>
    withFormat(
      yargs
        .option('base', { type: 'string', describe: 'The git revision to compare with' })
        .option('dir', { type: 'string', default: 'protocols', describe: 'The protocol folder' })
        .option('strict-bytes', {
          type: 'boolean',
          default: false,
          describe: 'Also fail when only the formatting or the file mode changed',
        }),
    ),
  run: async ({ base, dir, 'strict-bytes': strictBytes, format }, context) => {
    const { env } = context
    const outcome = runGate({ cwd: process.cwd(), dir, base, strictBytes, env, now: context.now() })
    const { revision, commit, from } = outcome.base
    const { frozen, added, commits } = outcome
    const named = commit === null ? 'no commit yet' : `${revision} (${commit.slice(0, 8)}, ${from})`
    const time = await ledgerTime(ledgersAmong(outcome.checked))
    return printReport(context, format, {
      findings: [...outcome.findings, ...time.findings],
      figures: { base: outcome.base, commits, frozen, added, ledgers: time.levels },
      checked: outcome.checked,
      headline: `base ${named}, ${pluralize(commits, 'commit')} since, ${frozen} frozen, ${added} new`,
      body: time.body,
      source: outcome.source,
    })
  },
})
