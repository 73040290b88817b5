import { A_DIGEST, error, OTHER_DIGEST, quoted, row, warning } from './row.js'

const RESTORE = 'Restore the original, or score again into a new folder.'

const DIGESTS = { stored: A_DIGEST, found: OTHER_DIGEST }

/** How an attempt differs: first for the history, then for the stored pairs. */
const ATTEMPT_FAULTS = {
  changed: ['gives a different row', 'has a different row'],
  removed: ['has an additional attempt now', 'lacks a row'],
  added: ['lacks an attempt that it had', 'has an additional row'],
} as const

/** An attempt that differs between the stored pairs and the history. */
const ATTEMPT = {
  fault: 'changed' as keyof typeof ATTEMPT_FAULTS,
  attempt: 'BTC/USD, 2026-01-02T03:00:00Z, 4, seer',
  /** Empty if only one of the two has the row. */
  member: 'value',
  stored: '42000',
  found: '43000',
}

const EDITED = 'The folder was edited after it was written. Ask for the original.'

/** Quotes a name so that lookalikes are visible, such as Cyrillic letters and invisible marks. */
const plainly = (name: string): string =>
  quoted(name).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Maximum number of names to list from one folder. */
const MOST_NAMES = 5

/** Links of an evidence chain that are broken. */
export const evidenceRows = {
  'evidence-unreadable': error<{ reason: string; help: string | null }>(
    '{reason}',
    { reason: 'evidence/result.json: no such file or folder', help: 'Check the path.' },
    ({ help }) => help ?? undefined,
  ),
  'evidence-not-a-file': error(
    ({ name, kind }) => `${plainly(name)} is ${kind}`,
    { name: 'report.html', kind: 'a symbolic link' },
    'An evidence folder must hold regular files only. Ask for the original, or remove what does not belong there.',
  ),
  'evidence-foreign-files': warning(
    ({ names, count }) =>
      `the folder has ${count} ${count === 1 ? 'file' : 'files'} that foreproof score did not write: ${names
        .slice(0, MOST_NAMES)
        .map(plainly)
        .join(', ')}${count > MOST_NAMES ? ', ...' : ''}`,
    { names: ['index.html'], count: 1 },
    'They were not audited and are not part of the evidence.',
  ),
  'inputs-file-differs': warning(
    {
      gone: ['inputs.json is missing'],
      edited: ['inputs.json is not in the form that foreproof score writes'],
    },
    { fault: 'gone' },
    'It only names the paths of the inputs. Check the paths that this audit used.',
  ),
  'description-differs': error<{
    name: string
    /** Where the two differ; null if only the spelling does. */
    of: string | null
    stored?: string
    found?: string
  }>(
    ({ name, of, stored, found }) =>
      of === null
        ? `${name} is not in the form that foreproof score writes`
        : `${name} says ${stored} at ${plainly(of)}, but the folder gives ${found}`,
    {
      name: 'statement.intoto.json',
      of: '/subject/report.html/digest/sha256',
      stored: A_DIGEST,
      found: OTHER_DIGEST,
    },
    EDITED,
  ),
  'result-of-other-input': error<
    typeof DIGESTS & { input: 'registration' | 'protocol' | 'outcomes' }
  >(
    ({ input, stored, found }) =>
      `the result belongs to ${input === 'outcomes' ? 'other outcomes' : `another ${input}`}: ${stored} was scored, but ${found} was found`,
    { input: 'registration', ...DIGESTS },
    RESTORE,
  ),
  'ledger-rewritten': error<{ stored: string | null; found: string; entry: number }>(
    'entry {entry} of the ledger is {found}, but it was {stored} at the time of scoring',
    { ...DIGESTS, entry: 2 },
    'The ledger was rewritten. Restore it from version control.',
  ),
  'history-changed': error(
    'the history is not the one that was scored: it had {stored} rows and has {found} now',
    { stored: 1200, found: 1199 },
    'Restore the history that was scored. The first pair that differs is named where the stored pairs were not changed too.',
  ),
  'history-differs': error(
    ({ fault, attempt, member, stored, found }) =>
      `the history ${ATTEMPT_FAULTS[fault][0]}: ${attempt}${member && `: ${member} is ${found}, but it was ${stored} at the time of scoring`}`,
    ATTEMPT,
    'Rows of a history must not change. Restore the history that was scored.',
  ),
  'pairs-differ': error(
    ({ fault, attempt, member, stored, found }) =>
      `pairs.ndjson.gz ${ATTEMPT_FAULTS[fault][1]}: ${attempt}${member && `: ${member} is ${stored}, but the inputs give ${found}`}`,
    ATTEMPT,
    EDITED,
  ),
  'result-not-recomputed': error(
    'the inputs give {found} here, but the result says {stored}',
    { stored: '0.031', found: '0.3' },
    'The result was edited, or was made by code that computes something else.',
  ),
  'report-of-other-run': error<{ stored: string | null; found: string }>(
    ({ stored, found }) =>
      `the report belongs to another run: it shows ${stored ?? 'no result'}, not ${found}`,
    DIGESTS,
    'Score again, or take the report that belongs to this result.',
  ),
  'evidence-edited': error(
    {
      spelling: ['the result is not in canonical form: another program wrote the file'],
      report: ['the report does not match this result: it was edited'],
      pairs: ['pairs.ndjson.gz has the digest {found}, not {stored}'],
      cells: ['cells.ndjson has the digest {found}, not {stored}'],
      'line-ends': [
        'its lines end in CR LF, as a checkout of git may leave them: these are not the bytes that were written',
        'Write this line in .gitattributes, with the folder that holds the evidence, and check the file out again: evidence/** -text',
      ],
    },
    { fault: 'pairs', ...DIGESTS },
    RESTORE,
  ),
  'report-not-comparable': warning(
    'the report was not checked: other code scored the result, and this code draws a different report',
    { folder: 'evidence' },
    'Do not rely on this file. Draw a new one from the result: foreproof report {folder} --out DIR',
  ),
  'code-differs': row('error', 'note')(
    'other code scored this result: {stored} with the digest {sha256}; this is {found}',
    { stored: 'foreproof 0.1.0', sha256: A_DIGEST, found: 'foreproof 0.2.0' },
    'Audit with the release that scored it, or accept its code: --accept-code {sha256}',
  ),
  'code-misnamed': error(
    'the result says it was scored by {stored}, but its code digest is that of {found}',
    { stored: 'foreproof 9.9.9', found: 'foreproof 0.2.0' },
    EDITED,
  ),
}

const TIME_THAN = {
  'before-registration': 'before the registration of',
  'before-as-of': 'before the as-of, which is',
  'before-entry': 'before the entry above it, which is of',
  future: 'which lies in the future: the clock here says',
}

/** The record of readings: who read the outcomes, and when. */
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
  'result-not-in-ledger': warning(
    'the ledger has no entry of the result {digest}',
    { digest: A_DIGEST },
    'foreproof score enters each result. If it was scored on another machine, commit its ledger and access/, or run here: foreproof ledger rebase --evidence FOLDER',
  ),
  'result-order': warning(
    'this entry comes before that of the result {digest}, which was written earlier',
    { digest: A_DIGEST },
    'The first result of a registration is the one that counts. Restore ledger and access/ from version control, and enter results in the order of their readings.',
  ),
  'cancelled-not-shown': error(
    'no stamp shows that {registration} was closed before its window, as the result says (entry {entry})',
    { entry: 4, registration: 'second.registration.json' },
    'Restore stamps/ and anchors/ beside the ledger. Your own anchors must include its authorities. Without them it counts as registered before.',
  ),
  'exploratory-differs': error(
    'the result says {stored} earlier readings, but the record has {found}',
    { stored: 0, found: 1 },
    'The record decides whether a result is exploratory.',
  ),
}
