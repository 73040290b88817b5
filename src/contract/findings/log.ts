import { error, joined, note, row, warning } from './row.js'

/** An entry of a log by its number, and the row that it is of, where that is known. */
type OfEntry = {
  /** Of a mirrored log. */
  readonly log?: string
  readonly entry: number
  readonly row: string | undefined
}

const OF_ENTRY: OfEntry = { entry: 5, row: '2026-01-02T03:00:00+00:00, seer, 24 h' }

const entryText = ({ log, entry, row }: OfEntry) =>
  `entry ${entry} of the log${log === undefined ? '' : ` ${log}`}${row === undefined ? '' : ` (${row})`}`

/** The first of some entries that no row was met of. */
const entryAndMore = (entry: number, count: number) =>
  `entry ${entry} of the log${count > 1 ? ` (and of ${count - 1} more)` : ''}`

/** How a row or the log is another than what a checkpoint covers. */
type Change = 'replaced' | 'changed' | 'gone' | 'relabelled'

const CHANGES: Readonly<Record<Change, string>> = {
  replaced: 'another entry is there now, though a checkpoint covers it',
  changed: 'the row is another now, though a checkpoint covers it',
  gone: 'the row is gone, though a checkpoint covers it',
  relabelled: 'the key that it has in the history is not, or no longer, that of its row',
}

const WITNESS = 'What was known before is kept: it is the evidence. Ask who runs the site.'

/** What is wrong with the log of a history, or with one that is mirrored. */
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
      shorter: [
        'the log has {found entry|entries}; it had {before}',
        'Run again, for a cache may have an older build. What was known before is kept.',
      ],
    },
    { fault: 'shorter', before: '240', found: '216' },
  ),
  'log-elsewhere': note(
    'the log {log} was read at {before} before; it goes on here',
    { log: 'example.org/forecasts', before: 'https://example.org' },
    'What is here was held against what was there. Ask who runs the site whether it has moved.',
  ),
  'log-unknown-here': warning<{ there: readonly string[]; found: string | null }>(
    ({ there, found }) =>
      `${found === null ? 'no log is' : `another log, ${found}, is`} published here; this mirror has ${joined(there, 'and')} of another address`,
    { there: ['example.org/forecasts'], found: null },
    'Where a site has moved, its log moves with it: ask who runs it. Forecasts of someone else go into another mirror.',
  ),
  'log-unreadable': error(
    'this file of the log {detail}',
    { detail: 'is not there' },
    'Nothing of the log was taken over from here on. Run again: the site may have been rebuilt in the meantime.',
  ),
  'log-root': error(
    'the checkpoint of {size entry|entries} does not have the root of these entries',
    { size: 240 },
    'The log was changed after it was sealed, is damaged, or was made by another program. A pull takes nothing of it over; a history of your own is restored from a copy.',
  ),
  'log-kept': error(
    {
      hash: [
        'the hash that is kept for entries {first} to {last} of {log} is not that of these entries',
        'The next checkpoint and proofs are made of these hashes. One was changed or is damaged, while the entries agree with every checkpoint: run `foreproof history copy` into a new history, which makes these hashes anew.',
      ],
      gap: [
        'entry {first} of {log} is missing, and later ones are there',
        'Nothing can be sealed over the gap. No checkpoint covers the entry: run `foreproof history copy` into a new history, which closes the gap, and seal that.',
      ],
      more: [
        '{last hash is|hashes are} kept of entries that {log} does not have',
        'The log cannot grow beyond such a hash, which foreproof has not written. Run `foreproof history copy` into a new history: it makes these hashes anew.',
      ],
    },
    { fault: 'hash', log: 'the log', first: 256, last: 511 },
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
