import type { Finding } from './finding.js'
import type { MessageTable } from './messages.js'

type Args = Finding['args']

const named = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value))

const RESTORE = 'Restore it as it was, or score again into a new folder.'

/** `stored … found …` with what differs named first. */
const differs =
  (what: string, help = RESTORE) =>
  (args: Args) => ({ text: `${what}: ${args.stored} was scored, ${args.found} is there`, help })

function change(where: 'pairs' | 'history', args: Args, what: string) {
  const place = where === 'pairs' ? 'pairs.ndjson' : 'the history'
  const help =
    where === 'pairs'
      ? 'The folder was edited after it was written. Ask for the original.'
      : 'Rows of a history never change. Restore the history as it was when it was scored.'
  return { text: `${place} ${what}: ${args.attempt}`, help }
}

function changed(where: 'pairs' | 'history', what: string) {
  return (args: Args) => {
    const [stored, found] =
      where === 'pairs' ? [args.stored, args.found] : [args.found, args.stored]
    const says = where === 'pairs' ? 'the inputs give' : 'was scored with'
    const base = change(where, args, what)
    return { ...base, text: `${base.text}: ${args.member} is ${stored}, ${says} ${found}` }
  }
}

/** Refusals to score, and links of an evidence chain that do not hold. */
export const evidenceMessages: MessageTable = {
  'evidence-unreadable': (args) => ({
    text: String(args.reason),
    ...(args.help !== null && { help: String(args.help) }),
  }),
  'plan-not-registered': () => ({
    text: 'this is a plan, not a registration',
    help: 'Register it first: foreproof register FILE --protocol PATH',
  }),
  'ledger-absent': () => ({
    text: 'there is no ledger in this folder',
    help: 'Name the folder of frozen protocols: --protocol PATH',
  }),
  'protocol-not-frozen': (args) => ({
    text: `the ledger has no protocol ${args.version}, which the registration names`,
    help: 'Name the folder in which it was frozen: --protocol PATH',
  }),
  'not-matured-yet': (args) => ({
    text: `not all targets have matured: the registered as-of is ${args.asOf}, now is ${args.now}`,
    help: 'Until then `foreproof pair` shows how attempts stand, without any score.',
  }),
  'outcomes-not-registered': (args) => ({
    text: `this vintage has the digest ${args.found}, registered is ${args.registered}`,
    help: 'Score with the registered vintage; another one needs a registration of its own.',
  }),
  'outcomes-id-differs': (args) => ({
    text: `this is the vintage ${args.found}, registered is ${args.registered}`,
    help: 'Score with the registered vintage.',
  }),
  'outcomes-source-differs': (args) => ({
    text: `these closes are from ${args.found}, registered are closes from ${args.registered}`,
    help: 'Import the registered source, or name it: foreproof outcomes import --source NAME',
  }),
  'outcomes-too-short': (args) => ({
    text: `the closes end at ${args.last}; the last expected target is ${args.needed}`,
    help: 'Not every target has matured in this vintage. Import a later one.',
  }),
  'exploratory-run': (args) => ({
    text: `outcomes had been read under this registration before (${args.readings}): this result is marked exploratory`,
    help: 'Only the first scoring under a registration is confirmatory.',
  }),
  'control-failed': (args) => ({
    text: `the control ${args.name} gave ${args.least} to ${args.greatest} instead of ${args.expected}`,
    help: 'The arithmetic of this machine or build cannot be trusted; every candidate is blocked.',
  }),
  'access-chain-broken': (args) => ({
    text: `the record of readings does not hold here (${String(args.reason).replaceAll('-', ' ')})`,
    help: 'A line was edited, removed, moved or added. Restore the file from your history.',
  }),
  'result-edited': (args) => ({
    text: `the result has the digest ${args.computed}, not ${args.declared}: it was edited`,
    help: RESTORE,
  }),
  'result-spelling': () => ({
    text: 'the result is not in its canonical form: the file was written by something else',
    help: RESTORE,
  }),
  'result-of-other-registration': differs('the result is of another registration'),
  'result-of-other-protocol': differs('the result is of another protocol'),
  'ledger-rewritten': (args) => ({
    text: `entry ${args.entry} of the ledger is ${args.found}; it was ${args.stored} when this was scored`,
    help: 'The ledger was written anew. Restore it from your history.',
  }),
  'outcomes-changed': differs('the outcomes are not those that were scored'),
  'history-changed': (args) => ({
    text: `the history is not the one that was scored: ${args.stored} rows then, ${args.found} now`,
    help: 'A full audit says what changed where pairs are concerned. Restore the history.',
  }),
  'history-price-changed': changed('history', 'has another price'),
  'history-status-changed': changed('history', 'gives another status'),
  'history-row-changed': changed('history', 'has another row'),
  'history-row-removed': (args) => change('history', args, 'gives an attempt more'),
  'history-row-added': (args) => change('history', args, 'lacks an attempt'),
  'pairs-edited': (args) => ({
    text: `pairs.ndjson has the digest ${args.found}, not ${args.stored}`,
    help: 'A full audit says which line. The folder was edited after it was written.',
  }),
  'pairs-price-changed': changed('pairs', 'has another price'),
  'pairs-status-changed': changed('pairs', 'has another status'),
  'pairs-row-changed': changed('pairs', 'has another row'),
  'pairs-row-removed': (args) => change('pairs', args, 'lacks a row'),
  'pairs-row-added': (args) => change('pairs', args, 'has a row more'),
  'seed-differs': (args) => ({
    text: `the result was drawn with the seed ${args.stored}; the protocol fixed ${args.fixed}`,
    help: 'Score again: the seed is not a choice.',
  }),
  'settings-differ': (args) => ({
    text: `the result was made with ${args.stored}; fixed beforehand was ${args.fixed}`,
    help: 'Score again with what was registered.',
  }),
  'result-not-recomputed': (args) => ({
    text: `the inputs give ${args.found} here, the result says ${args.stored}`,
    help: 'The result was edited, or made by code that computes something else.',
  }),
  'access-missing': () => ({
    text: 'the record of readings beside the ledger is gone',
    help: 'Without it nobody can tell how often outcomes were read. Restore it from your history.',
  }),
  'access-parted': (args) => ({
    text: `from entry ${args.entry} on this record is not the one that the folder keeps a copy of`,
    help: 'One of the two was rewritten. Restore the record from your history.',
  }),
  'access-of-other-result': (args) => ({
    text: `the record of readings ends with the result ${args.stored ?? 'of no run'}, not ${args.found}`,
    help: 'The record or the result is from another run.',
  }),
  'exploratory-differs': (args) => ({
    text: `the result says ${args.stored} earlier readings, the record has ${args.found}`,
    help: 'Whether a result is exploratory follows from the record.',
  }),
  'report-of-other-run': (args) => ({
    text: `the report is from another run: drawn from ${args.stored ?? 'no result'}, this is ${args.found}`,
    help: 'Score again, or take the report that belongs to this result.',
  }),
  'report-edited': () => ({
    text: 'the report is not the one that this result gives: it was edited',
    help: RESTORE,
  }),
  'report-not-comparable': () => ({
    text: 'the report is not what this foreproof draws from the result, which other code scored',
    help: 'Audit with the release that scored it to tell a change of design from an edit.',
  }),
  'history-without-models': (args) => ({
    text: `the history has no row of any registered model (${named(args.models)}) in the window`,
    help: `It has rows of: ${named(args.found) || 'none'}. Name the right history; no reading was spent.`,
  }),
  'code-differs': (args) => ({
    text: `scored by ${args.stored} with other code than this (${args.found})`,
    help: 'All figures are recomputed all the same.',
  }),
}
