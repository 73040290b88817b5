import type { Finding } from './finding.js'
import type { MessageTable } from './messages.js'

type Args = Finding['args']

const RESTORE =
  'A frozen protocol stays as it is: restore it, and freeze a version of its own for the change.'

const turned = ({ direction }: Args) => (direction === null ? '' : ` (${direction} the test)`)
const undone = ({ restored }: Args) => (restored ? ', and put back later' : '')

/** Differences between two protocols, and what happened to frozen ones in a git history. */
export const gateMessages: MessageTable = {
  'difference-changed': (args) => ({ text: `${args.from} became ${args.to}${turned(args)}` }),
  'difference-added': (args) => ({ text: `${args.to} was added${turned(args)}` }),
  'difference-removed': (args) => ({ text: `${args.from} was removed${turned(args)}` }),
  'difference-reordered': (args) => ({ text: `the order changed from ${args.from} to ${args.to}` }),
  'frozen-changed': (args) => ({
    text: `changed in ${args.where}: ${change(args)}${turned(args)}`,
    help: RESTORE,
  }),
  'frozen-unreadable': (args) => ({
    text: `what was frozen is no readable document in ${args.where}`,
    help: RESTORE,
  }),
  'frozen-reformatted': (args) => ({
    text: `only the formatting differs in ${args.where}; the meaning and the digest are the same`,
    help: 'Restore the bytes to be rid of this; --strict-bytes makes it a failure.',
  }),
  'frozen-mode-changed': (args) => ({
    text: `the file was made ${args.executable ? '' : 'not '}executable`,
    help: `chmod ${args.executable ? '-x' : '+x'} restores it; --strict-bytes makes it a failure.`,
  }),
  'frozen-deleted': (args) => ({
    text: `what was frozen was deleted in ${args.where}${undone(args)}`,
    help: args.restored
      ? 'The history of this branch is what is refused: rewrite it so that the document is never gone.'
      : 'Restore it: what was frozen stays.',
  }),
  'frozen-renamed': (args) => ({
    text: `what was frozen was renamed to ${args.to}`,
    help: 'Give it its name back: registrations and ledgers know it by that name.',
  }),
  'frozen-withdrawn': (args) => ({
    text: `version ${args.version} was frozen on this branch (${args.where}) and is gone again`,
    help: 'It never reached the base, so nothing is broken; reviewers may want to know why.',
  }),
  'not-a-file': (args) => ({
    text: `this is no regular file in ${args.where}`,
    help: 'What a symbolic link or a submodule shows can change without a commit here. Put the file itself in its place.',
  }),
  'merge-unresolved': () => ({
    text: 'a merge of this file is not resolved',
    help: 'Resolve it; for a ledger: foreproof ledger rebase',
  }),
  'base-unsound': () => ({
    text: 'at the base this document does not verify, so it does not count as frozen',
    help: 'See: foreproof verify FILE',
  }),
  'version-frozen-twice': (args) => ({
    text: `version ${args.version} stands for two contents: ${args.digest} in ${args.where}, ${args.other} as ${args.otherWhere}`,
    help: 'A version is frozen once, also on a branch and also when one of the two has gone. Freeze under a version of its own; rewrite the branch if the other was never merged.',
  }),
  'ledger-lines-rewritten': (args) => ({
    text: `line ${args.line} of the ledger was ${args.change} in ${args.where}`,
    help: 'A ledger only grows. Restore the lines of the base; to move own lines behind them: foreproof ledger rebase',
  }),
  'ledger-deleted': (args) => ({
    text: `the ledger was deleted in ${args.where}${undone(args)}`,
    help: 'Restore it: a ledger only grows.',
  }),
  'ledger-diverged': (args) => ({
    text: `${args.revision} has ${args.count} ledger line(s) that this branch does not have`,
    help: 'Merging will conflict, as it is meant to. Merge the base, then: foreproof ledger rebase',
  }),
  'ledger-merge-union': () => ({
    text: 'git is told to merge this ledger by union (.gitattributes), which breaks its chain silently',
    help: 'Use: ledger.jsonl text eol=lf merge=text',
  }),
}

function change({ from, to }: Args): string {
  if (from === null) return `${to} was added`
  return to === null ? `${from} was removed` : `${from} became ${to}`
}
