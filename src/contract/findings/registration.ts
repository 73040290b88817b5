import { A_DIGEST, error, OTHER_DIGEST, row, warning } from './row.js'

const FROM = '2026-01-01T00:00:00Z'
const TO = '2026-02-28T23:00:00Z'
const REGISTERED = '2026-01-15T12:00:00Z'

/** Faults of a registration, alone and compared with the ledger. */
export const registrationRows = {
  'registration-of-other-protocol': error(
    'the registration was made under the protocol {named}, not {given}',
    { named: `btc-hourly-v3 (${A_DIGEST})`, given: `btc-hourly-v4 (${OTHER_DIGEST})` },
    'Use the protocol that the registration names.',
  ),
  'registration-differs': error(
    'the value is {found}, but the protocol and the rest of the registration give {expected}',
    { found: '39', expected: '40' },
    'The registration was edited. Restore it from version control.',
  ),
  'registration-unentered': row('error', 'warning')(
    {
      absent: [
        '{expected} has no entry of this registration',
        'A registration counts only when foreproof register has entered it there.',
      ],
      differs: ['the value is {found}, but the entry in the ledger says {expected}'],
      'before-frozen': [
        'the evaluation was registered at {found}, before its protocol was frozen at {expected}',
      ],
      moved: [
        'the ledger has the registration in its place from {found} on (moved_at), and its first forecast was due at {expected}',
        'Only a stamp that counts, or a witnessed log, shows that it was there before. Without one, register a later window.',
      ],
    },
    { fault: 'absent', found: '', expected: 'protocols/ledger.jsonl' },
  ),
  'protocol-undecided': error(
    {
      unnamed: [
        'the text of {version} names neither the cosine test nor a bootstrap, so nobody can say how it tests',
      ],
      'no-hypothesis': [
        'the text of {version} names the cosine test without its verdict hypothesis, and no verdict rests on single tests',
      ],
    },
    { fault: 'no-hypothesis', version: 'btcusd-hourly-2' },
    'Register under a successor: btcusd-hourly-4 is one, and foreproof freeze with --supersedes makes your own, whose uncertainty.method speaks of the cosine test and its verdict hypothesis.',
  ),
  'protocol-superseded': error(
    'by its ledger {version} is superseded by {by}, so nothing is registered under it any more',
    { version: 'btcusd-hourly-3', by: 'btcusd-hourly-4' },
    'Register under {by}. What was registered before is scored as it was.',
  ),
  'candidate-registered-before': warning(
    ({ seq, file, candidates, from, to }) =>
      `${candidates.join(', ')} was already registered for ${from} to ${to} (entry ${seq} of the ledger, ${file})`,
    { seq: 2, file: 'first.registration.json', candidates: ['seer'], from: FROM, to: TO },
    'Both stay in the ledger. Report every evaluation of the same question, not only the best one.',
  ),
  'earlier-registration-unreadable': warning(
    'entry {seq} of the ledger registers {file}, which is missing or was changed',
    { seq: 2, file: 'first.registration.json' },
    'Restore it from version control. A registered file must not change.',
  ),
  'other-registration-unlisted': warning(
    'entry {entry} of the ledger registers {file}, which the result does not list',
    { entry: 3, file: 'second.registration.json' },
    'It came by a merge after the result was made, or was left out. If it was registered before, it still counts for alpha.',
  ),
  'vintage-unfit': row('error', 'warning')(
    {
      unnamed: [
        'the digest of the vintage is not registered: a backtest could be run on several vintages and only the best one shown',
        'Give outcomes.vintage_sha256, or register with --outcomes VINTAGE.',
      ],
      'too-early': [
        'a prospective window has no outcomes yet, so no vintage can hold them',
        'Leave vintage_sha256 out. foreproof score records the vintage that it reads.',
      ],
      other: [
        'the value is {expected}, but the vintage says {found}',
        'Write into the plan what the vintage says, or give the vintage that the plan means. Its source is what --source said when it was imported.',
      ],
      'ends-early': [
        'outcomes are needed up to {expected}; the vintage ends at {found}',
        'End the window earlier, or import a later export; any series: a later --complete-to, if the table has all until then.',
      ],
      'lead-in': [
        'the vintage has {found} hours before the window; some built-in baselines need {expected}, and are missing until then',
        'Begin the window later.',
      ],
    },
    { fault: 'ends-early', found: REGISTERED, expected: TO },
  ),
}
