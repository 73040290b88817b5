import { fixed, row } from './row.js'

/** What a history and its log say of each other, and what is wrong with a proof out of a log. */
export const logProofRows = {
  'log-row-left-out': row(
    'warning',
    { count: 2 },
    ({ count }) =>
      count === 1
        ? 'one row can have no entry in the log, for it is no valid forecast'
        : `${count} rows can have no entry in the log, for they are no valid forecasts`,
    '`foreproof history verify` names what is wrong with each. Such a row is not committed to.',
  ),
  'log-row-without-entry': row<{ readonly row: string; readonly count: number }>(
    'note',
    { row: '2026-01-02T03:00:00+00:00, seer, 24 h', count: 2 },
    ({ row, count }) => `${row}${count > 1 ? ` (and ${count - 1} more)` : ''}: not in the log yet`,
    'The next `foreproof history seal` appends what can have an entry.',
  ),
  'log-entry-unsealed': row<{ readonly entry: number; readonly row: string }>(
    'warning',
    { entry: 5, row: '2026-01-02T03:00:00+00:00, seer, 24 h' },
    ({ entry, row }) =>
      `entry ${entry} of the log (${row}): the row was changed or taken out since it was put in, before it was sealed`,
    'The entry stays in the log as it is: from the next checkpoint on this counts as rewritten.',
  ),
  'proof-malformed': row(
    'error',
    { detail: 'index is not a whole number' },
    ({ detail }) => `this is no proof out of a log: ${detail}`,
    'Make it again with: foreproof history prove KEY',
  ),
  'proof-root': row<{ readonly index: number; readonly size: number }>(
    'error',
    { index: 5, size: 240 },
    ({ index, size }) =>
      `the entry is not number ${index} of the ${size} that the checkpoint covers: the path leads to another root`,
    'The entry, the path or the checkpoint was changed. Nothing is proved.',
  ),
  'proof-signature': fixed(
    'error',
    'the checkpoint is not signed with this key under the name of its log',
    'Compare the key with the one that the operator of the log publishes.',
  ),
  'proof-unstamped': fixed(
    'warning',
    'the checkpoint has no stamp: that the entry is in the log is shown, but not since when',
    'Seal with --tsa to have checkpoints stamped.',
  ),
  'proof-untrusted': fixed(
    'error',
    'no stamp of the checkpoint leads to a certificate that was named as trusted',
    'That the entry is in the log is shown, but not since when. Ask for a proof with a stamp of an authority that you trust.',
  ),
  'proof-unpinned': row<{ readonly authority: string; readonly sha256: string }>(
    'warning',
    { authority: 'freetsa', sha256: 'a'.repeat(64) },
    ({ authority, sha256 }) =>
      `the certificate of ${authority} comes from the proof itself (SHA-256 ${sha256})`,
    'Compare this digest with the one that the authority publishes, then give it with --anchor-sha256, or a folder of your own with --anchors.',
  ),
}
