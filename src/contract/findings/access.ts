import { A_DIGEST, error, OTHER_DIGEST } from './row.js'

const TIME_THAN = {
  'before-registration': 'before the registration of',
  'before-as-of': 'before the as-of, which is',
  'before-entry': 'before the entry above it, which is of',
  future: 'which lies in the future: the clock here says',
}

/** The record of readings: who read the outcomes when. */
export const accessRows = {
  'access-chain-broken': error(
    'the record of readings is broken at this line ({reason})',
    { row: 2, reason: 'not an entry' },
    'A line was edited, removed, moved or added. Restore the file from version control.',
  ),
  'access-time': error(
    ({ row: number, at, what, than }) =>
      `entry ${number} of the record of readings has the time ${at}, ${TIME_THAN[what]} ${than}`,
    {
      row: 1,
      at: '2026-01-02T00:00:00Z',
      what: 'before-as-of' as keyof typeof TIME_THAN,
      than: '2026-01-03T00:00:00Z',
    },
    'foreproof score never writes such an entry. Restore the record from version control, and check the clock.',
  ),
  'access-missing': error(
    'the record of readings beside the ledger is missing',
    'Without it, it is unknown how often outcomes were read. Restore it from version control.',
  ),
  'access-parted': error(
    'from entry {entry} on, this record differs from the copy in the folder',
    { entry: 2 },
    'One of the two was rewritten. Restore the record from version control.',
  ),
  'access-of-other-result': error<{ stored: string | null; found: string }>(
    ({ stored, found }) =>
      `the last result in the record of readings is ${stored ?? 'missing'}, not ${found}`,
    { stored: A_DIGEST, found: OTHER_DIGEST },
    'The record or the result belongs to another run.',
  ),
  'exploratory-differs': error(
    'the result says {stored} earlier readings, but the record has {found}',
    { stored: 0, found: 1 },
    'The record decides whether a result is exploratory.',
  ),
}
