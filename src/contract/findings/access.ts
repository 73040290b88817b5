import { A_DIGEST, fixed, OTHER_DIGEST, row } from './row.js'

const TIME_THAN = {
  'before-registration': 'before the registration of',
  'before-as-of': 'before the as-of, which is',
  'before-entry': 'before the entry above it, which is of',
  future: 'which lies in the future: the clock here says',
}

/** The record of readings: who read the outcomes when. */
export const accessRows = {
  'access-chain-broken': row<{
    row: number
    reason:
      | 'line-not-ended'
      | 'not-an-entry'
      | 'other-registration'
      | 'link'
      | 'edited'
      | 'impossible'
      | 'spelling'
  }>(
    'error',
    { row: 2, reason: 'not-an-entry' },
    ({ reason }) =>
      `the record of readings is broken at this line (${reason.replaceAll('-', ' ')})`,
    'A line was edited, removed, moved or added. Restore the file from version control.',
  ),
  'access-time': row<{
    row: number
    at: string
    what: keyof typeof TIME_THAN
    /** The time that it is held against. */
    than: string
  }>(
    'error',
    { row: 1, at: '2026-01-02T00:00:00Z', what: 'before-as-of', than: '2026-01-03T00:00:00Z' },
    ({ row: number, at, what, than }) =>
      `entry ${number} of the record of readings has the time ${at}, ${TIME_THAN[what]} ${than}`,
    'foreproof score never writes such an entry. Restore the record from version control, and check the clock.',
  ),
  'access-missing': fixed(
    'error',
    'the record of readings beside the ledger is missing',
    'Without it, it is unknown how often outcomes were read. Restore it from version control.',
  ),
  'access-parted': row(
    'error',
    { entry: 2 },
    ({ entry }) => `from entry ${entry} on, this record differs from the copy in the folder`,
    'One of the two was rewritten. Restore the record from version control.',
  ),
  'access-of-other-result': row<{ stored: string | null; found: string }>(
    'error',
    { stored: A_DIGEST, found: OTHER_DIGEST },
    ({ stored, found }) =>
      `the last result in the record of readings is ${stored ?? 'missing'}, not ${found}`,
    'The record or the result belongs to another run.',
  ),
  'exploratory-differs': row(
    'error',
    { stored: 0, found: 1 },
    ({ stored, found }) =>
      `the result says ${stored} earlier readings, but the record has ${found}`,
    'The record decides whether a result is exploratory.',
  ),
}
