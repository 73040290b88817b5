import { A_DIGEST, fixed, OTHER_DIGEST, row } from './row.js'

const RESTORE = 'Restore it as it was, or score again into a new folder.'

type Digests = {
  readonly stored: string
  readonly found: string
}

const DIGESTS: Digests = { stored: A_DIGEST, found: OTHER_DIGEST }

/** A digest of the result that is another now. */
const differs = (what: string) =>
  row<Digests>(
    'error',
    DIGESTS,
    ({ stored, found }) => `${what}: ${stored} was scored, ${found} is there`,
    RESTORE,
  )

/** An attempt of which the stored pairs and the history say different things. */
type Attempt = {
  readonly attempt: string
  readonly member: string
  readonly stored: string
  readonly found: string
}

const ATTEMPT: Attempt = {
  attempt: 'seer at 2026-01-02T03:00:00Z, 24 h',
  member: 'predicted_price_usd',
  stored: '42000',
  found: '43000',
}

const STATUS = { ...ATTEMPT, member: 'status', stored: '"scored"', found: '"failed"' }
const RUN = { ...ATTEMPT, member: 'vintage_id', stored: '"one"', found: '"two"' }

const NO_ROW_CHANGES =
  'Rows of a history never change. Restore the history as it was when it was scored.'
const EDITED = 'The folder was edited after it was written. Ask for the original.'

const history = (what: string) =>
  row<Attempt>('error', ATTEMPT, ({ attempt }) => `the history ${what}: ${attempt}`, NO_ROW_CHANGES)

const historyMember = (what: string, example = ATTEMPT) =>
  row<Attempt>(
    'error',
    example,
    ({ attempt, member, stored, found }) =>
      `the history ${what}: ${attempt}: ${member} is ${found}, was scored with ${stored}`,
    NO_ROW_CHANGES,
  )

const pairs = (what: string) =>
  row<Attempt>('error', ATTEMPT, ({ attempt }) => `pairs.ndjson ${what}: ${attempt}`, EDITED)

const pairsMember = (what: string, example = ATTEMPT) =>
  row<Attempt>(
    'error',
    example,
    ({ attempt, member, stored, found }) =>
      `pairs.ndjson ${what}: ${attempt}: ${member} is ${stored}, the inputs give ${found}`,
    EDITED,
  )

/** Links of an evidence chain that do not hold. */
export const evidenceRows = {
  'evidence-unreadable': row<{ reason: string; help: string | null }>(
    'error',
    { reason: 'evidence/result.json: no such file', help: 'Check the path.' },
    ({ reason }) => reason,
    ({ help }) => help ?? undefined,
  ),
  'access-chain-broken': row<{
    row: number
    reason: 'line-not-ended' | 'not-an-entry' | 'other-registration' | 'link' | 'edited'
  }>(
    'error',
    { row: 2, reason: 'not-an-entry' },
    ({ reason }) => `the record of readings does not hold here (${reason.replaceAll('-', ' ')})`,
    'A line was edited, removed, moved or added. Restore the file from your history.',
  ),
  'result-edited': row(
    'error',
    { declared: A_DIGEST, computed: OTHER_DIGEST },
    ({ declared, computed }) =>
      `the result has the digest ${computed}, not ${declared}: it was edited`,
    RESTORE,
  ),
  'result-spelling': fixed(
    'error',
    'the result is not in its canonical form: the file was written by something else',
    RESTORE,
  ),
  'result-of-other-registration': differs('the result is of another registration'),
  'result-of-other-protocol': differs('the result is of another protocol'),
  'ledger-rewritten': row<{ stored: string | null; found: string; entry: number }>(
    'error',
    { ...DIGESTS, entry: 2 },
    ({ entry, stored, found }) =>
      `entry ${entry} of the ledger is ${found}; it was ${stored} when this was scored`,
    'The ledger was written anew. Restore it from your history.',
  ),
  'outcomes-changed': differs('the outcomes are not those that were scored'),
  'history-changed': row(
    'error',
    { stored: 1200, found: 1199 },
    ({ stored, found }) =>
      `the history is not the one that was scored: ${stored} rows then, ${found} now`,
    'A full audit says what changed where pairs are concerned. Restore the history.',
  ),
  'history-price-changed': historyMember('has another price'),
  'history-status-changed': historyMember('gives another status', STATUS),
  'history-row-changed': historyMember('has another row', RUN),
  'history-row-removed': history('gives an attempt more'),
  'history-row-added': history('lacks an attempt'),
  'pairs-edited': row<Digests>(
    'error',
    DIGESTS,
    ({ stored, found }) => `pairs.ndjson has the digest ${found}, not ${stored}`,
    'A full audit says which line. The folder was edited after it was written.',
  ),
  'pairs-price-changed': pairsMember('has another price'),
  'pairs-status-changed': pairsMember('has another status', STATUS),
  'pairs-row-changed': pairsMember('has another row', RUN),
  'pairs-row-removed': pairs('lacks a row'),
  'pairs-row-added': pairs('has a row more'),
  'seed-differs': row(
    'error',
    { stored: 7, fixed: 42 },
    (args) => `the result was drawn with the seed ${args.stored}; the protocol fixed ${args.fixed}`,
    'Score again: the seed is not a choice.',
  ),
  'settings-differ': row(
    'error',
    { stored: '2000', fixed: '10000' },
    (args) => `the result was made with ${args.stored}; fixed beforehand was ${args.fixed}`,
    'Score again with what was registered.',
  ),
  'result-not-recomputed': row(
    'error',
    { stored: '0.031', found: '0.3' },
    ({ stored, found }) => `the inputs give ${found} here, the result says ${stored}`,
    'The result was edited, or made by code that computes something else.',
  ),
  'access-missing': fixed(
    'error',
    'the record of readings beside the ledger is gone',
    'Without it nobody can tell how often outcomes were read. Restore it from your history.',
  ),
  'access-parted': row(
    'error',
    { entry: 2 },
    ({ entry }) =>
      `from entry ${entry} on this record is not the one that the folder keeps a copy of`,
    'One of the two was rewritten. Restore the record from your history.',
  ),
  'access-of-other-result': row<{ stored: string | null; found: string }>(
    'error',
    DIGESTS,
    ({ stored, found }) =>
      `the record of readings ends with the result ${stored ?? 'of no run'}, not ${found}`,
    'The record or the result is from another run.',
  ),
  'exploratory-differs': row(
    'error',
    { stored: 0, found: 1 },
    ({ stored, found }) => `the result says ${stored} earlier readings, the record has ${found}`,
    'Whether a result is exploratory follows from the record.',
  ),
  'report-of-other-run': row<{ stored: string | null; found: string }>(
    'error',
    DIGESTS,
    ({ stored, found }) =>
      `the report is from another run: drawn from ${stored ?? 'no result'}, this is ${found}`,
    'Score again, or take the report that belongs to this result.',
  ),
  'report-edited': fixed(
    'error',
    'the report is not the one that this result gives: it was edited',
    RESTORE,
  ),
  'report-not-comparable': fixed(
    'warning',
    'the report is not what this foreproof draws from the result, which other code scored',
    'Audit with the release that scored it to tell a change of design from an edit.',
  ),
  'code-differs': row(
    'note',
    { stored: 'foreproof 0.1.0', found: '0.2.0' },
    ({ stored, found }) => `scored by ${stored} with other code than this (${found})`,
    'All figures are recomputed all the same.',
  ),
}
