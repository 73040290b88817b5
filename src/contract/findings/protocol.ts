import { A_DIGEST, error, OTHER_DIGEST } from './row.js'

/** An entry of a ledger, as findings name it. */
type Entry = {
  readonly entry: number
  readonly version: string
}

const ENTRY: Entry = { entry: 3, version: 'btc-hourly-v3' }

const named = ({ entry, version }: Entry) => `entry ${entry} (${version})`

/** Digests of protocols, and the ledger of what was frozen. */
export const protocolRows = {
  'digest-mismatch': error<{
    declared: string
    computed: string
    /** The numbers that Python spells otherwise, where these alone are to blame. */
    python: readonly string[] | null
  }>(
    'the content has the digest {computed}, not {declared}',
    { declared: A_DIGEST, computed: OTHER_DIGEST, python: null },
    ({ python }) =>
      python === null
        ? 'The document was changed after it was frozen. Restore it, or freeze the change as a new version.'
        : `It was frozen by a tool that writes numbers as Python does (${python.join(', ')}): the content is unchanged. Write these numbers as RFC 8785 does (1 for 1.0, 0.000001 for 1e-06) and freeze the change as a new version.`,
  ),
  'version-unsafe': error(
    'the version "{version}" cannot be the name of a file',
    { version: 'a/b' },
    'Use letters, digits, dots, hyphens and underscores; begin with a letter or digit; at most 100.',
  ),
  'ledger-line-empty': error(
    'the line is empty',
    'A ledger has one entry per line. Remove the empty line.',
  ),
  'ledger-conflict': error(
    'the ledger has the markers of a merge conflict',
    'Run: foreproof ledger rebase. It keeps the lines of the base and puts yours behind them. Then: git add FILE',
  ),
  'ledger-time-future': error<Entry & { readonly time: string; readonly now: string }>(
    (args) =>
      `${named(args)} says that it was made at ${args.time}, which lies in the future: the clock here says ${args.now}`,
    { ...ENTRY, time: '2027-01-02T03:00:00Z', now: '2026-01-02T03:00:00Z' },
    'A clock may be ahead by 5 minutes, no more. Set the clock that is wrong; an entry that was never merged can be made again.',
  ),
  'ledger-entry-form': error('must be {expected}', { expected: 'a digest' }),
  'ledger-sequence': error<Entry & { readonly expected: number; readonly found: number }>(
    (args) => `${named(args)} has seq ${args.found}; ${args.expected} is expected`,
    { ...ENTRY, expected: 2, found: 3 },
    'An entry was removed, inserted or moved. Restore the ledger from version control.',
  ),
  'ledger-link': error<Entry & { readonly expected: string; readonly found: string }>(
    (args) =>
      `${named(args)} does not link to the entry before it: previous is ${args.found}, but that entry has the digest ${args.expected}`,
    { ...ENTRY, expected: A_DIGEST, found: OTHER_DIGEST },
    'An entry was removed, inserted, moved or edited. Restore the ledger. After a merge of two freezes, run: foreproof ledger rebase',
  ),
  'ledger-entry-digest': error<Entry & { readonly declared: string; readonly computed: string }>(
    (args) => `${named(args)} has the digest ${args.computed}, not ${args.declared}`,
    { ...ENTRY, declared: A_DIGEST, computed: OTHER_DIGEST },
    'The entry was edited. Restore the ledger from version control.',
  ),
  'ledger-version-twice': error<Entry & { readonly seq: number }>(
    (args) => `${named(args)} freezes a version that entry ${args.seq} already froze`,
    { ...ENTRY, seq: 1 },
    'A version can be frozen only once. Restore the ledger from version control.',
  ),
  'ledger-supersedes-unknown': error<Entry & { readonly supersedes: string }>(
    (args) => `${named(args)} supersedes ${args.supersedes}, which was not frozen before it`,
    { ...ENTRY, supersedes: 'btc-hourly-v2' },
  ),
  'ledger-registration-unknown': error<Entry>(
    (args) =>
      `${named(args)} registers an evaluation under a protocol that was not frozen before it`,
    ENTRY,
  ),
  'ledger-file-missing': error(
    '{frozen} is missing: it was frozen as {version}',
    { version: 'btc-hourly-v3', frozen: 'btc-hourly-v3.json' },
    'Restore it from version control. A frozen file must not be removed.',
  ),
  'ledger-entry-missing': error(
    'this protocol is not in {ledger}',
    { ledger: 'protocols/ledger.jsonl' },
    'To freeze it, run: foreproof freeze FILE',
  ),
  'ledger-digest-differs': error(
    'the content has the digest {computed}, but it was frozen at {frozenAt} with {frozen}',
    { frozen: A_DIGEST, computed: OTHER_DIGEST, frozenAt: '2026-01-02T03:00:00Z' },
    'The document was changed and its digest was recomputed. Restore it, or freeze the change as a new version.',
  ),
}
