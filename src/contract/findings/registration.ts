import type { Finding } from './finding.js'
import type { MessageTable } from './messages.js'

type Args = Finding['args']

const quoted = (value: unknown) => JSON.stringify(value)
const list = (value: unknown) => [value].flat().map(String).join(', ')
const meant = ({ nearest }: Args, otherwise: string) =>
  nearest === null || nearest === undefined ? otherwise : `Did you mean ${quoted(nearest)}?`

/** Plans, registrations, and what the ledger says of them. */
export const registrationMessages: MessageTable = {
  'plan-placeholder': ({ found }) => ({
    text: `${found} was left to be filled in`,
    help: 'Replace it, angle brackets and all.',
  }),
  'window-off-the-hour': ({ found }) => ({
    text: `${found} is no full hour of UTC; origins are the closes of hourly bars`,
    help: 'Give the first and the last origin, such as 2026-01-01T00:00:00Z.',
  }),
  'window-reversed': ({ from, to }) => ({
    text: `the window ends (${to}) before it begins (${from})`,
  }),
  'window-has-begun': ({ from, registered }) => ({
    text: `a prospective window begins no earlier than its registration at ${registered}; this one begins at ${from}`,
    help: 'Choose a window that lies ahead, or the mode "retrospective" for a backtest, which can never be eligible.',
  }),
  'window-lies-ahead': ({ to, registered }) => ({
    text: `a retrospective window that ends at ${to}, after its registration at ${registered}`,
    help: 'If its outcomes are not known yet, the mode "prospective" is worth more.',
  }),
  'as-of-before-last-target': ({ found, needed }) => ({
    text: `${found} lies before the last target, ${needed}: some forecasts could never be scored`,
    help: 'Give a later as_of, or leave it out.',
  }),
  'baseline-unknown': (args) => ({
    text: `${quoted(args.name)} is no built-in baseline`,
    help: meant(args, `One of ${list(args.known)}; or "source": "history".`),
  }),
  'model-of-two-sources': ({ name }) => ({
    text: `${quoted(name)} is named once as a model of the history and once as a built-in baseline`,
    help: 'Their forecasts could not be told apart. Name it with one source throughout.',
  }),
  'candidate-repeated': ({ name, first }) => ({ text: `${quoted(name)} is already at ${first}` }),
  'candidate-is-comparator': ({ name, required }) => ({
    text: `${quoted(name)} is also the comparator ${quoted(required)}: a model is not compared with itself`,
    help: 'Put another model behind the comparator, or take the candidate out.',
  }),
  'comparator-missing': ({ name }) => ({
    text: `the protocol requires the comparator ${quoted(name)}`,
    help: `Say what is behind it: ${quoted(name)}: {"source": "history", "name": "..."}`,
  }),
  'comparator-not-required': (args) => ({
    text: `the protocol requires no comparator ${quoted(args.name)}`,
    help: meant(args, 'Remove it.'),
  }),
  'comparator-substituted': ({ name, model }) => ({
    text: `behind ${quoted(name)}, which is the name of a built-in baseline, stands ${quoted(model)}`,
    help: `Use {"source": "built_in", "name": ${quoted(name)}}, unless this is what the protocol means.`,
  }),
  'pool-name-unknown': (args) => ({
    text: `the protocol's simple baseline pool has no ${quoted(args.name)}`,
    help: meant(args, 'Remove it.'),
  }),
  'pool-name-unresolved': ({ name }) => ({
    text: `${quoted(name)} of the protocol's simple baseline pool is no built-in baseline`,
    help: `Say which one it stands for: "baseline_pool": {${quoted(name)}: "drift_24h"}`,
  }),
  'stratum-missing': ({ name }) => ({
    text: `the protocol's stratum ${quoted(name)} is not defined`,
    help: `Define it; or say why it adds no test: {"name": ${quoted(name)}, "by": "omitted", "reason": "..."}`,
  }),
  'stratum-not-in-protocol': (args) => ({
    text: `the protocol has no stratum ${quoted(args.name)}`,
    help: meant(args, 'Remove it: strata are fixed with the protocol.'),
  }),
  'stratum-repeated': ({ name, first }) => ({ text: `${quoted(name)} is already at ${first}` }),
  'stratum-omitted': ({ name }) => ({ text: `the stratum ${quoted(name)} adds no test` }),
  'stratum-key-unused': ({ key, by }) => ({
    text: `${quoted(key)} has no meaning where a stratum is by ${by}`,
    help: 'Remove it.',
  }),
  'level-repeated': ({ name, first }) => ({
    text: `the level ${quoted(name)} is already at ${first}`,
  }),
  'level-reversed': () => ({ text: 'the period ends before it begins' }),
  'levels-overlap': ({ value, other }) => ({
    text: `${value} already belongs to the level ${quoted(other)}`,
    help: 'An origin is in one level at most.',
  }),
  'levels-leave-out': ({ left }) => ({
    text: `no level holds ${list(left)}; these origins count over all origins only`,
  }),
  'cut-point-of-last-level': () => ({
    text: 'the last level has no upper cut-point',
    help: 'Remove it, or add a level for what lies above.',
  }),
  'cut-points-descend': ({ before, below }) => ({
    text: `cut-points ascend: ${below} does not lie above ${before}`,
  }),
  'limit-loosened': ({ limit, usual }) => ({ text: `${limit} is looser than the usual ${usual}` }),
  'vintage-not-registered': () => ({
    text: 'a retrospective evaluation without the digest of its vintage could be run on several and the best one shown',
    help: 'Give outcomes.vintage_sha256, or register with --outcomes VINTAGE.',
  }),
  'vintage-known-too-early': () => ({
    text: 'the outcomes of a prospective window are not known yet, so no vintage can hold them',
    help: 'Leave vintage_sha256 out; scoring records the vintage it reads.',
  }),
  'vintage-differs': ({ given, found }) => ({
    text: `is ${given}, but the vintage given says ${found}`,
  }),
  'vintage-ends-early': ({ needed, last }) => ({
    text: `outcomes are needed up to ${needed}; the vintage ends at ${last}`,
    help: 'End the window earlier, or import a later export.',
  }),
  'vintage-lead-in-short': ({ hours, needed }) => ({
    text: `the vintage has ${hours} hours before the window; some built-in baselines look back on ${needed}, and are missing until then`,
    help: 'Begin the window later.',
  }),
  'candidate-registered-before': ({ seq, file, candidates, from, to }) => ({
    text: `${list(candidates)} was registered before, over ${from} to ${to} (entry ${seq} of the ledger, ${file})`,
    help: 'Both stay in the ledger. Report every evaluation of the same question, not the best one.',
  }),
  'earlier-registration-unreadable': ({ seq, file }) => ({
    text: `entry ${seq} of the ledger registers ${file}, which is not there as it was registered`,
    help: 'Restore it from your history: what was registered stays.',
  }),
  'registration-digest': ({ declared, computed }) => ({
    text: `the content has the digest ${computed}, not ${declared}`,
    help: 'The registration was changed after it was made. Restore it from your history.',
  }),
  'registration-of-other-protocol': ({ named, given }) => ({
    text: `made under the protocol ${named}, not ${given}`,
    help: 'Name the protocol it was registered under with --protocol.',
  }),
  'registration-differs': ({ what, found, expected }) => ({
    text: `${what} is ${found}, but the rest of the registration makes it ${expected}`,
    help: 'The registration was edited. Restore it from your history.',
  }),
  'registration-pool': ({ expected }) => ({
    text: `the pool of strongest_simple is not that of the protocol (${list(expected) || 'none'})`,
    help: 'The registration was edited. Restore it from your history.',
  }),
  'registration-not-in-ledger': ({ ledger }) => ({
    text: `${ledger} has no entry of this registration`,
    help: 'Only what foreproof register entered there counts.',
  }),
  'registration-entry-differs': ({ found, entered, seq }) => ({
    text: `is ${found}; entry ${seq} of the ledger says ${entered}`,
  }),
  'registered-before-frozen': ({ registered, frozen }) => ({
    text: `registered at ${registered}, before its protocol was frozen at ${frozen}`,
  }),
}
