import { A_DIGEST, error, OTHER_DIGEST, row, warning } from './row.js'

const RESTORE =
  'A frozen protocol must not change: restore it, and freeze the change as a new version.'

/** Evidence stored with a ledger, and what to do if it is missing or was changed. */
const EVIDENCE = {
  stamp: [
    'stamp',
    'Restore it: the earliest stamp says most. If git changed its line ends, write this line in .gitattributes: *.tsr binary',
  ],
  anchor: [
    'anchor',
    'Restore it: without it stamps cannot be verified. Give a new certificate of the authority a name of its own.',
  ],
  list: [
    'list of revoked certificates',
    'Restore it: a certificate that it revokes would count again. Give a newer list a name of its own.',
  ],
  readings: [
    'record of readings',
    'Restore its lines: without them outcomes that were read before look unread.',
  ],
  periods: [
    'file of periods',
    'Restore it: a protocol and what was registered refer to it. Give other periods a file of their own.',
  ],
} as const

/** From, to and direction of a difference; null means nothing on that side, or no direction. */
type Change = {
  readonly from: string | null
  readonly to: string | null
  readonly direction: 'loosens' | 'tightens' | null
}

const CHANGE: Change = { from: '10000', to: '1000', direction: 'loosens' }
const WHERE = { where: 'commit 1a2b3c4d' }

const turned = ({ direction }: Change) => (direction === null ? '' : ` (${direction} the test)`)

/** A state of a file that was found in git, and whether the working tree has the frozen file again. */
type Met = { readonly where: string; readonly undone: boolean }

const MET: Met = { ...WHERE, undone: false }

const still = ({ where, undone }: Met) =>
  undone ? `; undone in the working tree, but still in ${where}` : ''

const clears = ({ where, undone }: Met, fallback: string) => {
  if (!undone) return fallback
  return where === 'the index'
    ? 'Stage the file from the working tree: git add FILE'
    : `Squash the branch, or rebase it without ${where} (git rebase -i), so that it is not merged.`
}

function changed({ from, to }: Change): string {
  if (from === null) return `${to} was added`
  return to === null ? `${from} was removed` : `${from} became ${to}`
}

/** A finding about a state that may be undone by now: a sentence without the location, and what to do. */
const historyFault = (message: string, help: string) =>
  error(
    (args) => `${message} in ${args.where}${still(args)}`,
    MET,
    (args) => clears(args, help),
  )

/** Differences between two protocols, and what happened to frozen ones in a git history. */
export const gateRows = {
  difference: row('note', 'warning')(
    ({ kind, ...change }) =>
      kind === 'reordered'
        ? `the order changed from ${change.from} to ${change.to}`
        : `${changed(change)}${turned(change)}`,
    { kind: 'changed' as 'changed' | 'added' | 'removed' | 'reordered', ...CHANGE },
  ),
  'frozen-changed': error(
    (args) => `changed in ${args.where}: ${changed(args)}${turned(args)}${still(args)}`,
    { ...CHANGE, ...MET },
    (args) => clears(args, RESTORE),
  ),
  'frozen-unreadable': historyFault('the frozen document cannot be read', RESTORE),
  'frozen-reformatted': row('warning', 'error')(
    'only the formatting differs in {where}; the meaning and the digest are the same',
    WHERE,
    'Restore the exact bytes to remove this warning; --strict-bytes makes it an error.',
  ),
  'frozen-deleted': historyFault(
    'the frozen document was deleted',
    'Restore it: a frozen document must not be removed.',
  ),
  'frozen-renamed': error(
    'the frozen document was renamed to {to}',
    { to: 'protocols/renamed.json' },
    'Rename it back: registrations and ledgers refer to it by its name.',
  ),
  'frozen-withdrawn': warning(
    'version {version} was frozen on this branch ({where}) and removed again',
    { ...WHERE, version: 'btc-hourly-v4' },
    'It never reached the base, so nothing is broken. Reviewers may want to know the reason.',
  ),
  'not-a-file': historyFault(
    'this is not a regular file',
    'The content behind a symbolic link or a submodule can change without a commit here. Replace it with the file itself.',
  ),
  'merge-unresolved': error(
    'a merge of this file is not resolved',
    'Resolve it (a ledger: foreproof ledger rebase), then: git add FILE',
  ),
  'base-unsound': warning(
    'this document does not verify at the base, so it does not count as frozen',
    'See: foreproof verify FILE',
  ),
  'version-frozen-twice': error(
    'version {version} has two different contents: {digest} in {where}, {other} as {otherWhere}',
    {
      version: 'btc-hourly-v3',
      where: 'the working tree',
      digest: A_DIGEST,
      other: OTHER_DIGEST,
      otherWhere: 'protocols/btc-hourly-v3.json in origin/main',
    },
    'A version can be frozen only once, also on a branch and after a deletion. Freeze yours as a new version. If the other one was never merged, you can rewrite the branch instead.',
  ),
  'ledger-lines-rewritten': error(
    (args) =>
      `line ${args.line} of the ledger was changed or removed in ${args.where}${still(args)}`,
    { ...MET, line: 2 },
    (args) =>
      clears(
        args,
        'A ledger only grows. Restore the lines of the base; to move your own lines behind them, run: foreproof ledger rebase',
      ),
  ),
  'ledger-deleted': historyFault('the ledger was deleted', 'Restore it: a ledger only grows.'),
  'time-evidence-lost': error(
    (args) => `the ${EVIDENCE[args.kind][0]} was ${args.change} in ${args.where}${still(args)}`,
    {
      ...MET,
      kind: 'stamp' as keyof typeof EVIDENCE,
      change: 'deleted' as 'deleted' | 'changed',
    },
    (args) => clears(args, EVIDENCE[args.kind][1]),
  ),
  'nothing-compared': warning(
    'nothing was compared: HEAD has no commit beyond the base ({revision})',
    { revision: 'main' },
    'Name the commit that the work began at: --base REV. The commit before the last one is HEAD~1.',
  ),
  'name-collides': error(
    'on Windows or macOS, this name and {other} are one and the same',
    { other: 'protocols/btc-hourly-v1.json' },
    'A checkout there puts one in the place of the other. Give this one a name of its own.',
  ),
  'outside-git': error(
    {
      ignored: [
        'git ignores this file, so no commit will ever hold it and nothing can be compared',
        'Take the rule out of .gitignore (git check-ignore -v FILE names it), or run: git add --force FILE',
      ],
      repository: [
        'this folder is another repository, whose files no commit here holds',
        'Run the gate inside it: cd FOLDER && foreproof gate --dir .',
      ],
      link: [
        'this is a symbolic link to a folder: what it leads to can change without a commit here',
        'Put the folder itself in its place, or run the gate on it: foreproof gate --dir FOLDER',
      ],
      submodule: [
        'this folder is a submodule, whose files can change without a commit here',
        'Run the gate inside it: cd FOLDER && foreproof gate --dir .',
      ],
    },
    { fault: 'ignored' },
  ),
}
