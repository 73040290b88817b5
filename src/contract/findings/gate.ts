import { A_DIGEST, fixed, OTHER_DIGEST, row } from './row.js'

const RESTORE =
  'A frozen protocol stays as it is: restore it, and freeze a version of its own for the change.'

/** From, to and direction of a difference; null is nothing there, or no direction. */
type Change = {
  readonly from: string | null
  readonly to: string | null
  readonly direction: 'loosens' | 'tightens' | null
}

const CHANGE: Change = { from: '10000', to: '1000', direction: 'loosens' }
const WHERE = { where: 'commit 1a2b3c4d' }

const turned = ({ direction }: Change) => (direction === null ? '' : ` (${direction} the test)`)

/** A state of a file that was met, and whether the working tree has the file as it was frozen again. */
type Met = { readonly where: string; readonly undone: boolean }

const MET: Met = { ...WHERE, undone: false }

const still = ({ where, undone }: Met) =>
  undone ? `; undone in the working tree, but still in ${where}` : ''

const clears = ({ where, undone }: Met, otherwise: string) => {
  if (!undone) return otherwise
  return where === 'the index'
    ? 'Stage the file as it stands in the working tree: git add FILE'
    : `Squash the branch, or rebase it without ${where} (git rebase -i): then nothing of this is merged.`
}

function changed({ from, to }: Change): string {
  if (from === null) return `${to} was added`
  return to === null ? `${from} was removed` : `${from} became ${to}`
}

/** Differences between two protocols, and what happened to frozen ones in a git history. */
export const gateRows = {
  'difference-changed': row<Change>(
    ['note', 'warning'],
    CHANGE,
    (args) => `${args.from} became ${args.to}${turned(args)}`,
  ),
  'difference-added': row<Change>(
    ['note', 'warning'],
    { from: null, to: '"random_walk"', direction: 'tightens' },
    (args) => `${args.to} was added${turned(args)}`,
  ),
  'difference-removed': row<Change>(
    ['note', 'warning'],
    { from: '"random_walk"', to: null, direction: 'loosens' },
    (args) => `${args.from} was removed${turned(args)}`,
  ),
  'difference-reordered': row<Change>(
    ['note', 'warning'],
    { from: '["hour","weekday"]', to: '["weekday","hour"]', direction: null },
    ({ from, to }) => `the order changed from ${from} to ${to}`,
  ),
  'frozen-changed': row<Change & Met>(
    'error',
    { ...CHANGE, ...MET },
    (args) => `changed in ${args.where}: ${changed(args)}${turned(args)}${still(args)}`,
    (args) => clears(args, RESTORE),
  ),
  'frozen-unreadable': row<Met>(
    'error',
    MET,
    (args) => `what was frozen is no readable document in ${args.where}${still(args)}`,
    (args) => clears(args, RESTORE),
  ),
  'frozen-reformatted': row(
    ['warning', 'error'],
    WHERE,
    ({ where }) =>
      `only the formatting differs in ${where}; the meaning and the digest are the same`,
    'Restore the bytes to be rid of this; --strict-bytes makes it a failure.',
  ),
  'frozen-mode-changed': row(
    ['warning', 'error'],
    { executable: true },
    ({ executable }) => `the file was made ${executable ? '' : 'not '}executable`,
    ({ executable }) =>
      `chmod ${executable ? '-x' : '+x'} restores it; --strict-bytes makes it a failure.`,
  ),
  'frozen-deleted': row<Met>(
    'error',
    MET,
    (args) => `what was frozen was deleted in ${args.where}${still(args)}`,
    (args) => clears(args, 'Restore it: what was frozen stays.'),
  ),
  'frozen-renamed': row(
    'error',
    { to: 'protocols/renamed.json' },
    ({ to }) => `what was frozen was renamed to ${to}`,
    'Give it its name back: registrations and ledgers know it by that name.',
  ),
  'frozen-withdrawn': row(
    'warning',
    { ...WHERE, version: 'btc-hourly-v4' },
    ({ where, version }) =>
      `version ${version} was frozen on this branch (${where}) and is gone again`,
    'It never reached the base, so nothing is broken; reviewers may want to know why.',
  ),
  'not-a-file': row<Met>(
    'error',
    { where: 'the working tree', undone: false },
    (args) => `this is not a regular file in ${args.where}${still(args)}`,
    (args) =>
      clears(
        args,
        'What a symbolic link or a submodule shows can change without a commit here. Put the file itself in its place.',
      ),
  ),
  'merge-unresolved': fixed(
    'error',
    'a merge of this file is not resolved',
    'Resolve it (a ledger: foreproof ledger rebase), then: git add FILE',
  ),
  'base-unsound': fixed(
    'warning',
    'at the base this document does not verify, so it does not count as frozen',
    'See: foreproof verify FILE',
  ),
  'version-frozen-twice': row(
    'error',
    {
      version: 'btc-hourly-v3',
      where: 'the working tree',
      digest: A_DIGEST,
      other: OTHER_DIGEST,
      otherWhere: 'protocols/btc-hourly-v3.json in origin/main',
    },
    ({ version, where, digest, other, otherWhere }) =>
      `version ${version} stands for two contents: ${digest} in ${where}, ${other} as ${otherWhere}`,
    'A version is frozen once, also on a branch and also when one of the two has gone. Freeze under a version of its own; rewrite the branch if the other was never merged.',
  ),
  'ledger-lines-rewritten': row<
    Met & { readonly change: 'moved' | 'edited' | 'removed'; readonly line: number }
  >(
    'error',
    { ...MET, change: 'edited', line: 2 },
    (args) => `line ${args.line} of the ledger was ${args.change} in ${args.where}${still(args)}`,
    (args) =>
      clears(
        args,
        'A ledger only grows. Restore the lines of the base; to move own lines behind them: foreproof ledger rebase',
      ),
  ),
  'ledger-deleted': row<Met>(
    'error',
    MET,
    (args) => `the ledger was deleted in ${args.where}${still(args)}`,
    (args) => clears(args, 'Restore it: a ledger only grows.'),
  ),
  'ledger-diverged': row(
    'warning',
    { count: 1, revision: 'origin/main' },
    ({ count, revision }) =>
      `${revision} has ${count} ledger line(s) that this branch does not have`,
    'Merging will conflict, as it is meant to. Merge the base, then: foreproof ledger rebase',
  ),
  'ledger-merge-union': fixed(
    'warning',
    'git is told to merge this ledger by union (.gitattributes), which breaks its chain silently',
    'Use: ledger.jsonl text eol=lf merge=text',
  ),
  'nothing-compared': row(
    'warning',
    { revision: 'main' },
    ({ revision }) => `nothing was compared: HEAD has no commit beyond the base (${revision})`,
    'Name the commit that the work began at: --base REV. The commit before the last one is HEAD~1.',
  ),
  'name-collides': row(
    'error',
    { other: 'protocols/btc-hourly-v1.json' },
    ({ other }) => `the name differs from ${other} in the case of letters alone`,
    'On Windows and macOS one of the two files takes the place of the other. Give this one a name of its own.',
  ),
}
