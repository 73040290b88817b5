import { A_DIGEST, entries, error, OTHER_DIGEST, row, warning } from './row.js'

const AT = '2026-01-01T00:00:03Z'
const FROM = '2026-01-01T00:00:00Z'
const LOG = 'example.org/forecasts'
const REWRITTEN =
  'An append-only log never changes. Restore the history from a copy or a mirror, or find out who changed it.'
const BRING_BACK =
  'The log does not hash the keys of its entries, so nobody can know which forecasts were removed. Nothing is scored. Bring the rows back: from a copy, or with foreproof history pull --full from a site that publishes its attempts too.'

/** When a registration and its forecasts existed, as witnessed by others than their author. */
export const commitmentRows = {
  'registration-not-stamped': row('error', 'warning')(
    'the registration asks for stamps of at least {least} of its authorities, and its time is {level}',
    { level: 'self-declared', least: 2 },
    'foreproof stamp asks the authorities. In a prospective evaluation only a stamp from before the first origin counts.',
  ),
  'registration-stamped-late': warning(
    'the stamp of {authority} shows the registration by {at}, which is not before the first origin, {from}: it does not count',
    { authority: 'freetsa', at: AT, from: FROM },
  ),
  'entry-stamp-far': warning(
    {
      before: [
        '{authority} stamped entry {entry} at {at}, more than an hour before {own}, the time that the entry itself gives',
        'The stamp covers that time, so it cannot be older: the clock of the authority or of this machine was wrong. Set the clock, and have another authority stamp the entry.',
      ],
      after: [
        '{authority} stamped the registration at {at}, more than an hour after {own}, when it says it was made',
        'One of the two clocks was wrong, or it was stamped later than it was made. The stamp is what counts.',
      ],
    },
    { fault: 'after', authority: 'freetsa', entry: 2, at: AT, own: '2025-12-31T20:00:00Z' },
  ),
  'pinned-anchor-missing': warning(
    'the anchor of {authority} is missing: its stamps cannot be verified',
    { authority: 'freetsa' },
    'Put the certificate that was registered into anchors/{authority}.pem beside the ledger.',
  ),
  'anchor-of-writer': warning(
    'the anchor of {authority} ({sha256}) was chosen by the writer and is none of yours: its stamps do not count',
    { authority: 'freetsa', sha256: A_DIGEST },
    'To trust it, take the certificate from the authority itself, and put it into the folder that --anchors names.',
  ),
  'commitment-of-writer': error(
    'by those whom you trust, {committed,} forecasts of {model} were committed in time; {stored,} by those that the writer chose',
    { model: 'seer', committed: 120, stored: 168 },
    'The result rests on authorities or witnesses that you do not trust.',
  ),
  'witnesses-of-writer': row('error', 'warning')(
    {
      log: [
        'the log {log} was chosen by the writer: it is not signed with a key of a log that your policy names',
        'Your policy is about other logs, or the log has another key than you know. Compare the key with the one that was announced.',
      ],
      quorum: [
        'the witnesses of the log {log} were chosen by the writer: your quorum cannot be met by them',
        'They prove nothing to one who does not trust them. To trust them, take their keys from those who run them.',
      ],
    },
    { fault: 'log', log: LOG },
  ),
  'trusted-unused': error(
    {
      anchors: [
        'nothing here has a stamp that leads to one of your certificates',
        'Only the writer says when it was made. Leave --anchors out to accept that, or ask the writer for stamps of an authority that you trust.',
      ],
      witnesses: [
        'there is no log here that your witnesses could have seen',
        'No registration asks for one: when its forecasts were made is what their rows say. Without --witnesses that is not asked.',
      ],
    },
    { fault: 'anchors' },
  ),
  'pinned-anchor-differs': error(
    'the anchor {authority} is the certificate {found}, but {pinned} was registered',
    { authority: 'freetsa', found: OTHER_DIGEST, pinned: A_DIGEST },
    'Restore the registered certificate from version control.',
  ),
  'evidence-stamp-gone': error<{ fault: 'stamp' | 'anchor'; authority: string; entry?: number }>(
    ({ fault, authority, entry }) =>
      fault === 'stamp'
        ? `the stamp of ${authority} on entry ${entry} of the ledger is no longer beside the ledger, or is another one`
        : `the anchor of ${authority} is no longer beside the ledger, or is another certificate`,
    { fault: 'stamp', authority: 'freetsa', entry: 2 },
    'Restore it from version control.',
  ),
  'log-unchosen': error(
    {
      unsealed: [
        'forecasts have to be committed, and the history has no log {wanted} with a checkpoint; sealed here: {there}',
        'foreproof history seal writes one, and foreproof history resume takes over that of a site.',
      ],
      'not-registered': ['the log {wanted} is not the registered one, {there}', 'Leave --log out.'],
    },
    { fault: 'unsealed', wanted: LOG, there: ['example.org/other'] },
  ),
  'registration-not-in-log': error(
    'no stamped checkpoint with the quorum of witnesses holds the registration from before the first origin',
    'foreproof history seal --ledger protocols puts it there, right after foreproof register. It cannot be put there later.',
  ),
  'log-ends-early': row('error', 'warning')(
    'no checkpoint of the log that counts has cosignatures of {whose} quorum from {at}, the last target, or later',
    { whose: 'the registered', at: AT },
    'The log could have been cut off after its last checkpoint. Ask the witnesses again: foreproof history seal --witnesses does so even if nothing is new.',
  ),
  'log-checkpoint-unreadable': error(
    'the checkpoint of {size entry|entries} is not a checkpoint of this log',
    { size: 24 },
    REWRITTEN,
  ),
  'log-root-differs': error(
    ({ size, from, there }) =>
      there < size
        ? `the log has ${entries(there)}, but a checkpoint of ${size}`
        : `the entries of the log do not give the root of the checkpoint of ${size}: one of those after the first ${from} was changed, dropped, slipped in or moved`,
    { size: 48, from: 24, there: 48 },
    REWRITTEN,
  ),
  'log-checkpoint-gone': row('error', 'warning')<{ size: number; authority: string | null }>(
    ({ size, authority }) =>
      `the ${authority === null ? '' : `stamp of ${authority} on the `}checkpoint of ${entries(size)} is gone from the log, or is another one now`,
    { size: 24, authority: null },
    REWRITTEN,
  ),
  'log-stamps-unsound': row('warning', 'error')(
    '{count stamp|stamps} of checkpoints do not verify and do not count; first that of {authority} on the checkpoint of {size entry|entries}: {reason}',
    {
      count: 2,
      size: 24,
      authority: 'freetsa',
      reason: 'the signature of the stamp does not hold',
    },
  ),
  'log-forecasts-hidden': error(
    '{count entry|entries} of the log, the first of them {first} (committed by {at}), {count:belongs|belong} to no row of the history, and may be of the window',
    { count: 2, first: 17, at: AT },
    BRING_BACK,
  ),
  'log-forecast-withdrawn': error(
    {
      gone: [
        'the log holds a forecast that the history does not show: {row} ({count} in all)',
        'Bring it back from any copy or mirror of the history; its leaf proves it: foreproof history export --history COPY --from {origin} --to {origin} | foreproof history import - --history {history}',
      ],
      differs: [
        'the log holds a forecast that the history shows otherwise, or more than one: {row} ({count} in all)',
        'Take the row that was changed out of the history, and bring the committed one back from any copy; its leaf proves it: foreproof history export --history COPY --from {origin} --to {origin} | foreproof history import - --history {history}',
      ],
    },
    {
      ...{ fault: 'gone', row: '2026-01-02T03:00:00+00:00, seer, 24 h', count: 1 },
      ...{ origin: '2026-01-02T03:00:00Z', history: 'history.sqlite' },
    },
  ),
  'log-withdrawn-unsure': error(
    '{count entry|entries} of the log belong to no row of the history; that they are of different models is what the history says, and one model may leave out {most}',
    { count: 20, most: 13 },
    BRING_BACK,
  ),
  'log-unexplained': warning(
    '{count entry|entries} of the log, the first of them {first}, {count:belongs|belong} to no row of the history; sealed before the window, or too late for it, {count:it counts|they count} for nothing here',
    { count: 1, first: 17 },
    'A row was taken out or changed after it entered the log. foreproof history verify names it where the log still says its key.',
  ),
}
