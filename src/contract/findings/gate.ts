import { A_DIGEST, fixed, OTHER_DIGEST, row } from './row.js'

const RESTORE =
  'A frozen protocol must not change: restore it, and freeze the change as a new version.'

const KEEP_BYTES = 'If git changed its line ends, write this line in .gitattributes: *.tsr binary'

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
    ? 'Stage the file from the working tree: git add FILE'
    : `Squash the branch, or rebase it without ${where} (git rebase -i), so that it is not merged.`
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
    (args) => `the frozen document cannot be read in ${args.where}${still(args)}`,
    (args) => clears(args, RESTORE),
  ),
  'frozen-reformatted': row(
    ['warning', 'error'],
    WHERE,
    ({ where }) =>
      `only the formatting differs in ${where}; the meaning and the digest are the same`,
    'Restore the exact bytes to remove this warning; --strict-bytes makes it an error.',
  ),
  'frozen-mode-changed': row<Met & { readonly executable: boolean }>(
    ['warning', 'error'],
    { ...MET, executable: true },
    (args) =>
      `the file was made ${args.executable ? '' : 'not '}executable in ${args.where}${still(args)}`,
    (args) =>
      clears(
        args,
        `chmod ${args.executable ? '-x' : '+x'} FILE restores it; --strict-bytes makes it an error.`,
      ),
  ),
  'frozen-deleted': row<Met>(
    'error',
    MET,
    (args) => `the frozen document was deleted in ${args.where}${still(args)}`,
    (args) => clears(args, 'Restore it: a frozen document must not be removed.'),
  ),
  'frozen-renamed': row(
    'error',
    { to: 'protocols/renamed.json' },
    ({ to }) => `the frozen document was renamed to ${to}`,
    'Rename it back: registrations and ledgers refer to it by its name.',
  ),
  'frozen-withdrawn': row(
    'warning',
    { ...WHERE, version: 'btc-hourly-v4' },
    ({ where, version }) =>
      `version ${version} was frozen on this branch (${where}) and removed again`,
    'It never reached the base, so nothing is broken. Reviewers may want to know the reason.',
  ),
  'not-a-file': row<Met>(
    'error',
    { where: 'the working tree', undone: false },
    (args) => `this is not a regular file in ${args.where}${still(args)}`,
    (args) =>
      clears(
        args,
        'The content behind a symbolic link or a submodule can change without a commit here. Replace it with the file itself.',
      ),
  ),
  'merge-unresolved': fixed(
    'error',
    'a merge of this file is not resolved',
    'Resolve it (a ledger: foreproof ledger rebase), then: git add FILE',
  ),
  'base-unsound': fixed(
    'warning',
    'this document does not verify at the base, so it does not count as frozen',
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
      `version ${version} has two different contents: ${digest} in ${where}, ${other} as ${otherWhere}`,
    'A version can be frozen only once, also on a branch and after a deletion. Freeze yours as a new version. If the other one was never merged, you can rewrite the branch instead.',
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
        'A ledger only grows. Restore the lines of the base; to move your own lines behind them, run: foreproof ledger rebase',
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
      `${revision} has ${count} ledger ${count === 1 ? 'line' : 'lines'} that this branch does not have`,
    'The merge will conflict, which is intended. Merge the base, then run: foreproof ledger rebase',
  ),
  'ledger-merge-union': fixed(
    'warning',
    'git is told to merge this ledger by union (.gitattributes), which breaks its chain silently',
    'Write this line in .gitattributes: ledger.jsonl text eol=lf merge=text',
  ),
  'stamp-deleted': row<Met>(
    'error',
    MET,
    (args) => `the stamp was deleted in ${args.where}${still(args)}`,
    (args) => clears(args, 'Restore it: without it the time of the entry is only declared.'),
  ),
  'stamp-changed': row<Met>(
    'error',
    MET,
    (args) => `the stamp was changed in ${args.where}${still(args)}`,
    (args) => clears(args, `Restore it: the earliest stamp says most. ${KEEP_BYTES}`),
  ),
  'anchor-deleted': row<Met>(
    'error',
    MET,
    (args) => `the anchor was deleted in ${args.where}${still(args)}`,
    (args) => clears(args, 'Restore it: the stamps that lead to it cannot be verified without.'),
  ),
  'anchor-changed': row<Met>(
    'error',
    MET,
    (args) => `the anchor was changed in ${args.where}${still(args)}`,
    (args) =>
      clears(args, 'Restore it, and give the new certificate of the authority a name of its own.'),
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
    ({ other }) => `on Windows or macOS, this name and ${other} are one and the same`,
    'A checkout there puts one in the place of the other. Give this one a name of its own.',
  ),
}
