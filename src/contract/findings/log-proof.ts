import { error, note, warning } from './row.js'

/** What a history and its log say of each other, and what is wrong with a proof out of a log. */
export const logProofRows = {
  'log-row-left-out': warning(
    ({ count }) =>
      count === 1
        ? 'one row can have no entry in the log, for it is no valid forecast'
        : `${count} rows can have no entry in the log, for they are no valid forecasts`,
    { count: 2 },
    '`foreproof history verify` names what is wrong with each. Such a row is not committed to.',
  ),
  'log-row-without-entry': note(
    ({ row, count }) => `${row}${count > 1 ? ` (and ${count - 1} more)` : ''}: not in the log yet`,
    { row: '2026-01-02T03:00:00+00:00, seer, 24 h', count: 2 },
    'The next `foreproof history seal` appends what can have an entry.',
  ),
  'log-entry-unsealed': warning(
    'entry {entry} of the log ({row}): the row was changed or taken out since it was put in, before it was sealed',
    { entry: 5, row: '2026-01-02T03:00:00+00:00, seer, 24 h' },
    'The entry stays in the log as it is: from the next checkpoint on this counts as rewritten.',
  ),
  'proof-malformed': error(
    'this is no proof out of a log: {detail}',
    { detail: 'index is not a whole number' },
    'Make it again with: foreproof history prove KEY',
  ),
  'proof-root': error(
    'the entry is not number {index} of the {size} that the checkpoint covers: the path leads to another root',
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
    'That the entry is in this log is shown, but not that the log has no other version. Ask for a proof from a checkpoint that they have cosigned.',
  ),
  'proof-unpinned': warning(
    'the certificate of {authority} comes from the proof itself: it was chosen by the writer (SHA-256 {sha256})',
    { authority: 'freetsa', sha256: 'a'.repeat(64) },
    'Compare this digest with the one that the authority publishes, then give it with --anchor-sha256, or a folder of your own with --anchors.',
  ),
}
