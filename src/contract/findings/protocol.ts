import type { Finding } from './finding.js'
import type { MessageTable } from './messages.js'

type Args = Finding['args']

const entry = (args: Args) => `entry ${args.entry} (${args.version})`

/** Digests of protocols, and the ledger of what was frozen. */
export const protocolMessages: MessageTable = {
  'digest-mismatch': (args) => ({
    text: `the content has the digest ${args.computed}, not ${args.declared}`,
    help: Array.isArray(args.python)
      ? `It was frozen by a tool that spells numbers as Python does (${args.python.join(', ')}): the content is unchanged. Write these numbers as RFC 8785 does (1 for 1.0, 0.000001 for 1e-06) and freeze a version of its own.`
      : 'The document was changed after it was frozen. Restore it, or freeze a version of its own.',
  }),
  'version-unsafe': (args) => ({
    text: `the version ${JSON.stringify(args.version)} cannot be the name of a file`,
    help: 'Use letters, digits, dots, hyphens and underscores; begin with a letter or digit; at most 100.',
  }),
  'ledger-line-empty': () => ({ text: 'an empty line', help: 'A ledger has one entry a line.' }),
  'ledger-entry-form': (args) => ({ text: `must be ${args.expected}` }),
  'ledger-sequence': (args) => ({
    text: `${entry(args)} has seq ${args.found} where ${args.expected} follows`,
    help: 'An entry was removed, inserted or moved. Restore the ledger from your history.',
  }),
  'ledger-link': (args) => ({
    text: `${entry(args)} does not link to the entry before it: previous is ${args.found}, that entry is ${args.expected}`,
    help: 'An entry was removed, inserted, moved or edited. Restore the ledger; after a merge of two freezes: foreproof ledger rebase',
  }),
  'ledger-entry-digest': (args) => ({
    text: `${entry(args)} has the digest ${args.computed}, not ${args.declared}`,
    help: 'The entry was edited. Restore the ledger from your history.',
  }),
  'ledger-version-twice': (args) => ({
    text: `${entry(args)} freezes a version that entry ${args.seq} froze before`,
    help: 'A version is frozen once. Restore the ledger from your history.',
  }),
  'ledger-supersedes-unknown': (args) => ({
    text: `${entry(args)} supersedes ${args.supersedes}, which was not frozen before it`,
  }),
  'ledger-registration-unknown': (args) => ({
    text: `${entry(args)} registers an evaluation under a protocol that was not frozen before it`,
  }),
  'ledger-file-missing': (args) => ({
    text: `${args.frozen} was frozen (${args.version}) and is no longer there`,
    help: 'Restore it from your history: what was frozen stays.',
  }),
  'ledger-entry-missing': (args) => ({
    text: `this protocol is not in ${args.ledger}`,
    help: 'Freeze it there: foreproof freeze FILE',
  }),
  'ledger-digest-differs': (args) => ({
    text: `frozen at ${args.frozenAt} with the digest ${args.frozen}; the content now has ${args.computed}`,
    help: 'The document was changed and its digest made again. Restore it, or freeze a version of its own.',
  }),
}
