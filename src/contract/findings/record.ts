import { A_DIGEST, error, note, warning } from './row.js'

/** The record of a ledger: every registration and how it ended. */
export const recordRows = {
  'record-differs': error(
    {
      value: ['{pointer} is {found}, but {expected} follows from the folder'],
      page: ['the page is not the one that record.json gives'],
      file: ['{found} is not a file that foreproof record writes'],
    },
    { fault: 'value', pointer: '/registrations/3/end', found: '"closed"', expected: '"overdue"' },
    'The folder was edited after it was built. Ask for the original, or build it again from the ledger.',
  ),
  'record-time': error(
    {
      before: ['built_at is {built}, but the folder has something of {newest}'],
      future: ['built_at is {built}, which is later than now ({newest})'],
    },
    { fault: 'before', built: '2026-01-02T03:00:00Z', newest: '2026-03-04T05:00:00Z' },
    'A clock was wrong, or the time was edited. Ends by your own clock count.',
  ),
  'record-ledger-lacks': error(
    'entry {entry} of {older} is not in this ledger',
    { entry: 7, older: 'ledger-2026-05.jsonl' },
    'The ledger was cut or begun anew after the older copy. Ask its keeper where that entry went.',
  ),
  'record-held-back': warning(
    'entry {entry} was shown on {shown}, before the newest proof of {older} ({newest}), which lacks it',
    {
      ...{ entry: 6, older: 'ledger-2026-05.jsonl' },
      ...{ shown: '2026-01-02T03:00:00Z', newest: '2026-03-04T05:00:00Z' },
    },
    'It was on another branch then, or was held back. Ask its keeper which.',
  ),
  'record-log-unlisted': error(
    'the log {log} has a registration that this ledger lacks: the entry {digest}',
    { log: 'forecasts.example.org/btcusd', digest: A_DIGEST },
    'The keeper has another ledger, or began this one anew. Ask for the ledger that has the entry.',
  ),
  'record-reading-gone': warning(
    'entry {entry} is a result, but the record of readings of its registration lacks it',
    { entry: 7 },
    'Restore access/ beside the ledger. Without it nobody sees whether outcomes were read before.',
  ),
  'record-correction-empty': warning(
    'entry {entry} corrects a result of the same forecasts, outcomes and code',
    { entry: 9 },
    'Nothing was corrected. foreproof correct does not write such an entry.',
  ),
  'record-file-unused': warning(
    '{file} was left out: {why}',
    { file: 'registrations/draft.json', why: 'this ledger has no such registration' },
    'Name only the registrations of this ledger, as foreproof register wrote them.',
  ),
  'record-page-unchecked': error(
    'read record.json, not the page: foreproof {version} ({digest}) is said to have made it, and this one makes another',
    { version: '0.1.0', digest: A_DIGEST },
    'record.json was checked. Build the page again, or take the foreproof that made it.',
  ),
  'record-evidence-unchecked': note(
    'evidence files beside result.json are not checked here',
    {},
    'Run foreproof audit on each folder below evidence/.',
  ),
  'record-ledger-holds': note(
    'holds all {entries} entries of {older}',
    { entries: 7, older: 'ledger-2026-05.jsonl' },
    'Keep a copy of this ledger, and hold the next record against it.',
  ),
  'record-window-open': warning(
    'the window of {name} has no end yet: a list leaves open when its last forecast is due',
    { name: 'Spring evaluation' },
    'Until the list says so, it is neither overdue nor awaiting outcomes.',
  ),
  'record-pattern-empty': warning(
    '{pattern} names nothing that belongs to a record',
    { pattern: 'registrations/*' },
    'Check the pattern: what it was to name is shown as missing or withheld.',
  ),
}
