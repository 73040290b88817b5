import { A_DIGEST, fixed, OTHER_DIGEST, quoted, row } from './row.js'

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

const TIME_THAN = {
  'before-registration': 'before the registration of',
  'before-as-of': 'before the as-of, which is',
  'before-entry': 'before the entry above it, which is of',
  future: 'which lies in the future: the clock here says',
}

/** A name as it would not be mistaken for another: Cyrillic letters and invisible marks show. */
const plainly = (name: string): string =>
  quoted(name).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Names told of one folder. */
const MOST_NAMES = 5

/** Links of an evidence chain that do not hold. */
export const evidenceRows = {
  'evidence-unreadable': row<{ reason: string; help: string | null }>(
    'error',
    { reason: 'evidence/result.json: no such file', help: 'Check the path.' },
    ({ reason }) => reason,
    ({ help }) => help ?? undefined,
  ),
  'evidence-not-a-file': row(
    'error',
    { name: 'report.html', kind: 'a symbolic link' },
    ({ name, kind }) => `${plainly(name)} is ${kind}`,
    'An evidence folder holds regular files only. Ask for the original, or remove what does not belong there.',
  ),
  'evidence-foreign-files': row<{ names: readonly string[]; count: number }>(
    'warning',
    { names: ['index.html'], count: 1 },
    ({ names, count }) =>
      `${count} ${count === 1 ? 'file' : 'files'} here that score did not write: ${names
        .slice(0, MOST_NAMES)
        .map(plainly)
        .join(', ')}${count > MOST_NAMES ? ', ...' : ''}`,
    'They were not audited. Do not take them for a part of the evidence.',
  ),
  'inputs-file-differs': row<{ fault: 'gone' | 'edited' }>(
    'warning',
    { fault: 'gone' },
    ({ fault }) =>
      fault === 'gone' ? 'inputs.json is gone' : 'inputs.json is not as score writes it',
    'It only says where the inputs lay. Check the paths that this audit used.',
  ),
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
      `entry ${number} of the record of readings is of ${at}, ${TIME_THAN[what]} ${than}`,
    'No run of score enters that. Restore the record from your history, and check the clock.',
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
  'report-not-comparable': row<{ folder: string }>(
    'warning',
    { folder: 'evidence' },
    () =>
      'the report was not checked: other code scored the result, and this code draws another report',
    ({ folder }) =>
      `Do not rely on this file. Draw a new one from the result: foreproof report ${folder} --out DIR`,
  ),
  'code-differs': row<{ stored: string; sha256: string; found: string }>(
    ['error', 'note'],
    { stored: 'foreproof 0.1.0', sha256: A_DIGEST, found: 'foreproof 0.2.0' },
    ({ stored, sha256, found }) =>
      `other code scored this result: ${stored} with the digest ${sha256}; this is ${found}`,
    ({ sha256 }) =>
      `Audit with the release that scored it, or accept its code: --accept-code ${sha256}`,
  ),
  'code-misnamed': row(
    'error',
    { stored: 'foreproof 9.9.9', found: 'foreproof 0.2.0' },
    ({ stored, found }) =>
      `the result says it was scored by ${stored}, but its code digest is that of ${found}`,
    EDITED,
  ),
}
