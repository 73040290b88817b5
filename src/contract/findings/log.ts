import { error, joined, note, row, warning } from './row.js'

/** An entry of a log by its number, with its row if known. */
type OfEntry = {
  readonly entry: number
  readonly row: string | undefined
}

const OF_ENTRY: OfEntry = { entry: 5, row: '2026-01-02T03:00:00+00:00, seer, 24 h' }

const entryText = ({ entry, row }: OfEntry) =>
  `entry ${entry} of the log${row === undefined ? '' : ` (${row})`}`

/** The first of some entries that no row matches. */
const entryAndMore = (entry: number, count: number) =>
  `entry ${entry} of the log${count > 1 ? ` (and of ${count - 1} more)` : ''}`

/** How a row or the log differs from what a checkpoint covers. */
type Change = 'replaced' | 'changed' | 'gone' | 'relabelled'

const CHANGES: Readonly<Record<Change, string>> = {
  replaced: 'another entry is there now, though a checkpoint covers it',
  changed: 'the row is another now, though a checkpoint covers it',
  gone: 'the row is gone, though a checkpoint covers it',
  relabelled: 'the key that it has in the history is not, or no longer, that of its row',
}

const WITNESS = 'The mirror keeps what it had: it is the evidence. Ask the operator of the site.'

/** Faults of the log of a history, or of a published log. */
export const logRows = {
  'log-rewritten': error<OfEntry & { readonly change: Change }>(
    (args) => `${entryText(args)}: ${CHANGES[args.change]}`,
    { ...OF_ENTRY, change: 'changed' },
    'Rows and their order must not change once they are sealed. This is the first that did.',
  ),
  'log-shrunk': error(
    {
      gone: ['the log {before} is no longer published', WITNESS],
      renamed: ['the log is {found} now; it was {before}', WITNESS],
      parted: [
        'the log does not extend the {before entry|entries} that were seen: one of them changed or moved',
        WITNESS,
      ],
      shorter: [
        'the log has {found entry|entries}; it had {before}',
        'Run again: a cache may have sent an older build. The mirror keeps what it had.',
      ],
    },
    { fault: 'shorter', before: '240', found: '216' },
  ),
  'log-elsewhere': note(
    'the log {log} was last read at {before}; this address has the same log, with all entries that were seen there',
    { log: 'example.org/forecasts', before: 'https://example.org' },
    'If you did not expect a new address, ask the operator whether the site has moved.',
  ),
  'log-unknown-here': warning<{ there: readonly string[]; found: string | null }>(
    ({ there, found }) =>
      `${found === null ? 'no log is' : `another log, ${found}, is`} published here; this mirror has ${joined(there, 'and')} of another address`,
    { there: ['example.org/forecasts'], found: null },
    'A site that moves keeps its log: ask the operator. Pull the forecasts of someone else into another mirror.',
  ),
  'log-unreadable': error(
    'this file of the log {detail}',
    { detail: 'is not there' },
    'Run again: the site may have been rebuilt meanwhile. The mirror keeps what it had.',
  ),
  'log-root': error(
    'the checkpoint of {size entry|entries} does not have the root of these entries',
    { size: 240 },
    'The log was changed after it was sealed, is damaged, or was made by another program. A pull keeps what it saw before; a history of your own is restored from a copy.',
  ),
  'log-kept': error(
    {
      hash: [
        'the hash that is kept for entries {first} to {last} of the log is not that of these entries',
        'The next checkpoint and proofs are made of these hashes. One was changed or is damaged, while the entries agree with every checkpoint: run `foreproof history copy` into a new history, which makes these hashes anew.',
      ],
      gap: [
        'entry {first} of the log is missing, and later ones are there',
        'Nothing can be sealed over the gap. No checkpoint covers the entry: run `foreproof history copy` into a new history, which closes the gap, and seal that.',
      ],
      more: [
        '{last hash is|hashes are} kept of entries that the log does not have',
        'The log cannot grow beyond such a hash, which foreproof has not written. Run `foreproof history copy` into a new history: it makes these hashes anew.',
      ],
    },
    { fault: 'hash', first: 256, last: 511 },
  ),
  'log-row-missing': row('error', 'warning')(
    {
      published: [
        ({ entry, count }) => `no row that is published is that of ${entryAndMore(entry, count)}`,
        'Rows were changed or taken out after they were sealed, or a cache has older pages: run again with --full.',
      ],
      read: [
        ({ entry, count }) => `no row that was read is that of ${entryAndMore(entry, count)}`,
        'Rows may have come in late, below what was pulled before: run with --full. Attempts may not be published.',
      ],
    },
    { fault: 'published', entry: 5, count: 2 },
  ),
}

/** Differences between a history and its log, and faults of a proof of a log entry. */
export const logProofRows = {
  'log-row-left-out': warning(
    ({ count }) =>
      count === 1
        ? 'one row gets no entry in the log: it is not a valid forecast'
        : `${count} rows get no entry in the log: they are not valid forecasts`,
    { count: 2 },
    '`foreproof history verify` names what is wrong with each. Such a row is not committed to.',
  ),
  'log-row-without-entry': note(
    ({ row, count }) => `${row}${count > 1 ? ` (and ${count - 1} more)` : ''}: not in the log yet`,
    { row: '2026-01-02T03:00:00+00:00, seer, 24 h', count: 2 },
    'The next `foreproof history seal` appends what can have an entry.',
  ),
  'log-entry-unsealed': warning(
    'entry {entry} of the log ({row}): the row was changed or taken out before it was sealed',
    { entry: 5, row: '2026-01-02T03:00:00+00:00, seer, 24 h' },
    'The entry stays in the log as it is: from the next checkpoint on this counts as rewritten.',
  ),
  'proof-malformed': error(
    'this file is not a proof from a log: {detail}',
    { detail: 'index is not a whole number' },
    'Write a new one: foreproof history prove KEY > proof.json',
  ),
  'proof-root': error(
    'the path does not lead from entry {index} to the root of the checkpoint of {size} entries',
    { index: 5, size: 240 },
    'The entry, the path or the checkpoint was changed. Nothing is proved.',
  ),
  'proof-signature': error(
    'the checkpoint is not signed with this key under the name of its log',
    'Compare the key with the one that the operator of the log publishes.',
  ),
  'proof-unstamped': warning(
    'the checkpoint has no stamp: that the entry is in the log is shown, but not since when',
    'Seal with --tsa to have checkpoints stamped.',
  ),
  'proof-untrusted': error(
    'no stamp of the checkpoint leads to a certificate that was named as trusted',
    'That the entry is in the log is shown, but not since when. Ask for a proof with a stamp of an authority that you trust.',
  ),
  'proof-unwitnessed': error(
    'the checkpoint does not have the quorum of the witnesses that were named as trusted, or is of another log than the policy',
    'That the entry is in this log is shown, but not that the log has no other version. Ask for a proof from a checkpoint that they cosigned.',
  ),
  'proof-unpinned': warning(
    'the certificate of {authority} comes from the proof itself: it was chosen by the writer (SHA-256 {sha256})',
    { authority: 'freetsa', sha256: 'a'.repeat(64) },
    'Compare this digest with the one that the authority publishes, then give it with --anchor-sha256, or a folder of your own with --anchors.',
  ),
}

const OF_WITNESS = { witness: 'example.org/w1' }
const LATER = 'The checkpoint is kept. Run the command again to ask once more.'

/** Findings about the witnesses of a log, for those who request cosignatures. */
export const witnessRows = {
  'witness-silent': warning(
    '{witness} gave no cosignature this time: {why}',
    {
      ...OF_WITNESS,
      why: 'https://w1.example.org/add-checkpoint: cannot be reached (ECONNREFUSED)',
    },
    LATER,
  ),
  'witness-refused': row('error', 'warning')(
    '{witness} does not cosign: {why}',
    { ...OF_WITNESS, why: 'it does not know this log (status 404)' },
    'Ask who runs the witness; the policy may have another key or address of it.',
  ),
  'witness-rolled-back': row('error', 'warning')(
    '{witness} says that it has seen {size entry|entries}, but it has cosigned {before}',
    { ...OF_WITNESS, size: 120, before: 240 },
    'Its state was set back, so its word proves nothing more about this log. It was not asked again. Tell its operator to begin with a new key and a new name.',
  ),
  'log-behind-witness': row('error', 'warning')(
    '{witness} has seen {size entry|entries} of this log, which has {here}',
    { ...OF_WITNESS, size: 240, here: 216 },
    'The history was restored from an older copy. Without the quorum nothing was sealed: take the missing entries from the published log (foreproof history resume), then seal again. If they were never published, this log has ended: begin another, under a new name and key.',
  ),
  'witness-quorum-missing': row('error', 'warning')(
    'the checkpoint of {size entry|entries} lacks the quorum: {missing} did not cosign',
    { size: 240, missing: ['example.org/w1'] },
    LATER,
  ),
} as const
