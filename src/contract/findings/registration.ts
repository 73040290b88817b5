import { A_DIGEST, fixed, OTHER_DIGEST, row } from './row.js'

const FROM = '2026-01-01T00:00:00Z'
const TO = '2026-02-28T23:00:00Z'
const REGISTERED = '2026-01-15T12:00:00Z'

const EDITED = 'The registration was edited. Restore it from version control.'

/** What is wrong with a registration, and what the ledger says of it. */
export const registrationRows = {
  'registration-digest': row(
    'error',
    { declared: A_DIGEST, computed: OTHER_DIGEST },
    ({ declared, computed }) => `the content has the digest ${computed}, not ${declared}`,
    'The registration was changed after it was made. Restore it from version control.',
  ),
  'registration-of-other-protocol': row(
    'error',
    { named: `btc-hourly-v3 (${A_DIGEST})`, given: `btc-hourly-v4 (${OTHER_DIGEST})` },
    ({ named, given }) => `the registration was made under the protocol ${named}, not ${given}`,
    'Use the protocol that the registration names.',
  ),
  'weights-not-one': row(
    'error',
    { sum: 0.9 },
    ({ sum }) => `the weights of the tests make ${sum}, not 1`,
    'Choose two weights that make 1 together, such as 0.8 and 0.2.',
  ),
  'method-not-in-protocol': row<{ method: string; named: string | null }>(
    'warning',
    { method: 'percentile-bootstrap', named: 'ewc-t' },
    ({ method, named }) =>
      `the tests are made by ${method}, but the protocol's text uncertainty.method describes ${named ?? 'another method'}`,
    'The registered method is the one that is used. Choose the one that the protocol describes, or freeze a protocol that describes this one.',
  ),
  'registration-differs': row<{
    what: string
    found: string | number
    expected: string | number
  }>(
    'error',
    { what: 'the size of the family', found: 39, expected: 40 },
    ({ what, found, expected }) =>
      `${what} is ${found}, but the rest of the registration gives ${expected}`,
    EDITED,
  ),
  'registration-incomplete': row(
    'error',
    { member: 'limits.availability_limit' },
    ({ member }) =>
      `${member} is missing, which foreproof register writes into every registration like this one`,
    'The registration was not made by foreproof register, or was edited. Restore it from version control.',
  ),
  'registration-pool': row<{ expected: readonly string[] }>(
    'error',
    { expected: ['random_walk', 'drift_24h'] },
    ({ expected }) =>
      `the pool of strongest_simple is not that of the protocol (${expected.join(', ') || 'none'})`,
    EDITED,
  ),
  'registration-not-in-ledger': row(
    'error',
    { ledger: 'protocols/ledger.jsonl' },
    ({ ledger }) => `${ledger} has no entry of this registration`,
    'A registration counts only when foreproof register has entered it there.',
  ),
  'registration-entry-differs': row(
    'error',
    { found: REGISTERED, entered: FROM, seq: 2 },
    ({ found, entered, seq }) =>
      `the value is ${found}, but entry ${seq} of the ledger says ${entered}`,
  ),
  'registered-before-frozen': row(
    'error',
    { registered: FROM, frozen: REGISTERED },
    ({ registered, frozen }) =>
      `the evaluation was registered at ${registered}, before its protocol was frozen at ${frozen}`,
  ),
  'candidate-registered-before': row<{
    seq: number
    file: string
    candidates: readonly string[]
    from: string
    to: string
  }>(
    'warning',
    { seq: 2, file: 'first.registration.json', candidates: ['seer'], from: FROM, to: TO },
    ({ seq, file, candidates, from, to }) =>
      `${candidates.join(', ')} was already registered for ${from} to ${to} (entry ${seq} of the ledger, ${file})`,
    'Both stay in the ledger. Report every evaluation of the same question, not only the best one.',
  ),
  'earlier-registration-unreadable': row(
    'warning',
    { seq: 2, file: 'first.registration.json' },
    ({ seq, file }) =>
      `entry ${seq} of the ledger registers ${file}, which is missing or was changed`,
    'Restore it from version control. A registered file must not change.',
  ),
  'vintage-not-registered': fixed(
    'warning',
    'the digest of the vintage is not registered: a retrospective evaluation could be run on several vintages and only the best one shown',
    'Give outcomes.vintage_sha256, or register with --outcomes VINTAGE.',
  ),
  'vintage-known-too-early': fixed(
    'error',
    'a prospective window has no outcomes yet, so no vintage can hold them',
    'Leave vintage_sha256 out. foreproof score records the vintage that it reads.',
  ),
  'vintage-differs': row(
    'error',
    { given: 'kraken', found: 'coinbase' },
    ({ given, found }) => `the value is ${given}, but the vintage says ${found}`,
  ),
  'vintage-ends-early': row(
    'error',
    { needed: TO, last: REGISTERED },
    ({ needed, last }) => `outcomes are needed up to ${needed}; the vintage ends at ${last}`,
    'End the window earlier, or import a later export.',
  ),
  'vintage-lead-in-short': row(
    'warning',
    { hours: 100, needed: 720 },
    ({ hours, needed }) =>
      `the vintage has ${hours} hours before the window; some built-in baselines need ${needed}, and are missing until then`,
    'Begin the window later.',
  ),
}
