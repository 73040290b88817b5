import { A_DIGEST, entries, joined, OTHER_DIGEST, row } from './row.js'

const AT = '2026-01-01T00:00:03Z'
const FROM = '2026-01-01T00:00:00Z'
const LOG = 'example.org/forecasts'
const REWRITTEN =
  'An append-only log never changes. Restore the history from a copy or a mirror, or find out who changed it.'
const BRING_BACK =
  'No hash covers the key of an entry, so nobody can tell which forecasts were taken out, and nothing is scored. Bring the rows back: from a copy, or with foreproof history pull --full from a site that publishes its attempts too.'

/** When a registration and its forecasts were there, as others than their writer saw it. */
export const commitmentRows = {
  'registration-not-stamped': row<{ level: string; least: number }>(
    ['error', 'warning'],
    { level: 'self-declared', least: 2 },
    ({ level, least }) =>
      `the registration asks for stamps of at least ${least} of its authorities, and its time is ${level}`,
    'foreproof stamp asks the authorities. In a prospective evaluation only a stamp from before the first origin counts.',
  ),
  'registration-stamped-late': row(
    'warning',
    { authority: 'freetsa', at: AT, from: FROM },
    ({ authority, at, from }) =>
      `the stamp of ${authority} shows the registration by ${at}, which is not before the first origin, ${from}: it does not count`,
  ),
  'registration-stamp-far': row(
    'warning',
    { authority: 'freetsa', at: AT, registered: '2025-12-31T20:00:00Z' },
    ({ authority, at, registered }) =>
      `${authority} stamped the registration at ${at}, more than an hour from ${registered}, when it says it was made`,
    'One of the two clocks was wrong, or it was stamped later than it was made. The stamp is what counts.',
  ),
  'pinned-anchor-missing': row(
    'warning',
    { authority: 'freetsa' },
    ({ authority }) => `the anchor of ${authority} is missing: its stamps cannot be verified`,
    ({ authority }) =>
      `Put the certificate that was registered into anchors/${authority}.pem beside the ledger.`,
  ),
  'pinned-anchor-differs': row(
    'error',
    { authority: 'freetsa', found: OTHER_DIGEST, pinned: A_DIGEST },
    ({ authority, found, pinned }) =>
      `the anchor ${authority} is the certificate ${found}, but ${pinned} was registered`,
    'Restore the registered certificate from version control.',
  ),
  'evidence-stamp-gone': row<{ fault: 'stamp' | 'anchor'; authority: string; entry?: number }>(
    'error',
    { fault: 'stamp', authority: 'freetsa', entry: 2 },
    ({ fault, authority, entry }) =>
      fault === 'stamp'
        ? `the stamp of ${authority} on entry ${entry} of the ledger is no longer beside the ledger, or is another one`
        : `the anchor of ${authority} is no longer beside the ledger, or is another certificate`,
    'Restore it from version control.',
  ),
  'log-not-sealed': row<{ wanted: string | null; there: readonly string[] }>(
    'error',
    { wanted: null, there: [] },
    ({ wanted, there }) =>
      wanted === null
        ? 'forecasts have to be committed, and no log of the history has a checkpoint'
        : `the history has no log ${wanted} with a checkpoint${there.length === 0 ? '' : `, only ${joined(there, 'and')}`}`,
    'foreproof history seal writes one, and foreproof history pull mirrors those of others.',
  ),
  'logs-several': row<{ there: readonly string[] }>(
    'error',
    { there: [LOG, 'example.org/other'] },
    ({ there }) => `the history has several sealed logs: ${joined(there, 'and')}`,
    'Which one counts has to be registered: name it in the plan as commitment_log. Chosen afterwards, it could be the one that came out well. A copy of the history with the one log alone can still be scored.',
  ),
  'log-not-registered': row(
    'error',
    { wanted: 'example.org/other', registered: LOG },
    ({ wanted, registered }) => `the log ${wanted} is not the registered one, ${registered}`,
    'Leave --log out.',
  ),
  'log-checkpoint-unreadable': row(
    'error',
    { size: 24 },
    ({ size }) => `the checkpoint of ${entries(size)} is no checkpoint of this log`,
    REWRITTEN,
  ),
  'log-root-differs': row(
    'error',
    { size: 48, from: 24, there: 48 },
    ({ size, from, there }) =>
      there < size
        ? `the log has ${entries(there)}, but a checkpoint of ${size}`
        : `the entries of the log do not give the root of the checkpoint of ${size}: one of those after the first ${from} was changed, dropped, slipped in or moved`,
    REWRITTEN,
  ),
  'log-checkpoint-gone': row<{ size: number; authority: string | null }>(
    'error',
    { size: 24, authority: null },
    ({ size, authority }) =>
      `the ${authority === null ? '' : `stamp of ${authority} on the `}checkpoint of ${entries(size)} is gone from the log, or is another one now`,
    REWRITTEN,
  ),
  'log-stamps-unsound': row(
    ['warning', 'error'],
    {
      count: 2,
      size: 24,
      authority: 'freetsa',
      reason: 'the signature of the stamp does not hold',
    },
    ({ count, size, authority, reason }) =>
      `${count} ${count === 1 ? 'stamp' : 'stamps'} of checkpoints do not verify and do not count; first that of ${authority} on the checkpoint of ${entries(size)}: ${reason}`,
  ),
  'log-forecasts-hidden': row(
    'error',
    { count: 2, first: 17, at: AT },
    ({ count, first, at }) =>
      `${entries(count)} of the log, the first of them ${first} (committed by ${at}), ${count === 1 ? 'belongs' : 'belong'} to no row of the history, and may be of the window`,
    BRING_BACK,
  ),
  'log-withdrawn-unsure': row(
    'error',
    { count: 20, most: 13 },
    ({ count, most }) =>
      `${entries(count)} of the log belong to no row of the history; that they are of different models is what the history says, and one model may leave out ${most}`,
    BRING_BACK,
  ),
  'log-unexplained': row(
    'warning',
    { count: 1, first: 17 },
    ({ count, first }) =>
      `${entries(count)} of the log, the first of them ${first}, ${count === 1 ? 'belongs' : 'belong'} to no row of the history; sealed before the window, or too late for it, ${count === 1 ? 'it counts' : 'they count'} for nothing here`,
    'A row was taken out or changed after it entered the log. foreproof history verify names it where the log still says its key.',
  ),
}
