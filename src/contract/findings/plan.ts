import { didYouMean, error, quoted, row, warning } from './row.js'

/** What kind of name the protocol, or foreproof, does not know. */
const STRANGERS = {
  bound: 'no name that the protocol leaves to the plan',
  stratum: 'no stratum of the protocol',
  baseline: 'not a built-in baseline',
} as const

/** Where a window of any series may begin and end. */
const wholeOrigins = ({ first, last }: { readonly first: string; readonly last: string }) =>
  first === ''
    ? 'No origin has all its targets in the list.'
    : `The first origin with all its targets in the list is ${quoted(first)}, the last is ${quoted(last)}.`

/** Why a plan cannot be registered, or a draft frozen. */
export const planRows = {
  placeholder: error(
    '{found} is a placeholder that was not filled in',
    { found: '<name of the model>' },
    'Replace it, including the angle brackets.',
  ),
  'plan-unasked': error<{ name: 'due_minutes' | 'bound' | 'strata' | 'limits' }>(
    'the plan gives {name}, which the protocol does not leave to it',
    { name: 'strata' },
    ({ name }) => `Write ${name === 'due_minutes' ? 'null' : name === 'strata' ? '[]' : '{}'}.`,
  ),
  'plan-lag': error(
    'the plan does not say by when a forecast has to be made',
    {},
    'Give the minutes after its origin: "due_minutes": 2 is worth almost nothing to a model that waits.',
  ),
  // Warnings are faults that a plan may have: a backtest window that is still in the future.
  'plan-window': row('error', 'warning')(
    {
      'off-the-hour': [
        '{at} is not a full hour in UTC; origins are the closes of hourly bars',
        'Give the first and the last origin, such as 2026-01-01T00:00:00Z.',
      ],
      reversed: ['the window ends ({at}) before it begins ({than})'],
      'has-begun': [
        'the window begins at {at}, before its registration at {than}; a prospective window must begin after it',
        'Choose a window in the future, or the mode "backtest", which has no verdict.',
      ],
      'lies-ahead': [
        'the window of the backtest ends at {at}, after its registration at {than}',
        'If its outcomes are not known yet, use the mode "prospective", which is stronger evidence.',
      ],
    },
    { fault: 'has-begun', at: '2026-01-01T00:00:00Z', than: '2026-01-15T12:00:00Z' },
  ),
  'series-window': row('error', 'warning')(
    {
      unknown: ['there is no period "{at}" in the list', wholeOrigins],
      'no-origin': [
        'no forecasts are made of the period "{at}": it is not an origin',
        wholeOrigins,
      ],
      reversed: ['the window ends with {at} before it begins with {than}'],
      lead: [
        'the window begins with {at}, less than 50 periods after {than}, from which on values are expected',
        ({ first }) =>
          `${first === '' ? 'Make the list of periods longer' : `Begin the window with ${quoted(first)} or later`}: the comparators of every protocol need values before it.`,
      ],
      silent: [
        'by the list {at} cannot forecast half of the keys of {than} in the window: too little lies before it',
        'Begin the list of periods earlier or the window later, by five weeks where it goes by weeks: nobody is judged without that comparator.',
      ],
      target: [
        'not all targets of {at} are in the list',
        (args) => `${wholeOrigins(args)} Another list of periods needs another protocol.`,
      ],
      'has-begun': [
        'forecasts of {at} were due at {due}, before the registration at {than}; it counts for origins that are due later',
        ({ first }) =>
          `Begin the window ${first === '' ? 'later' : `with ${quoted(first)}`}, or choose the mode "backtest", which has no verdict.`,
      ],
      'lies-ahead': [
        'the last forecasts of the window of the backtest, of {at}, are due at {due}, after its registration at {than}',
        'If its outcomes are not known yet, use the mode "prospective", which is stronger evidence.',
      ],
    },
    {
      fault: 'has-begun',
      at: '2026-W01',
      due: '2026-01-08T04:00:00Z',
      than: '2026-01-15T12:00:00Z',
      first: '2026-W03',
      last: '2026-W50',
    },
  ),
  'scales-without-outcomes': error(
    'the protocol scales losses by values that are in force when it is registered, and there are none here',
    {},
    'Give them: foreproof register PLAN --protocol FILE --outcomes VINTAGE',
  ),
  'name-unknown': error<{
    fault: keyof typeof STRANGERS
    name: string
    nearest: string | null
    known: readonly string[]
  }>(
    ({ fault, name }) => `${quoted(name)} is ${STRANGERS[fault]}`,
    { fault: 'stratum', name: 'week day', nearest: 'weekday', known: ['weekday'] },
    ({ nearest, known }) =>
      didYouMean(nearest, known.length === 0 ? 'Remove it.' : `Use one of ${known.join(', ')}.`),
  ),
  'name-undefined': error(
    {
      comparator: [
        'the comparator "{name}" is missing; the protocol requires it',
        'Define it: "bound": {"{name}": "..."}, with the name of a model of the history or of a built-in baseline.',
      ],
      stratum: [
        'the protocol\'s stratum "{name}" is not defined',
        'Define it, or say why it adds no test: {"name": "{name}", "by": "omitted", "reason": "..."}',
      ],
      pool: [
        '"{name}" of the protocol\'s simple baseline pool is not a built-in baseline',
        'Say which baseline it means: "bound": {"{name}": "drift_24h"}',
      ],
    },
    { fault: 'comparator', name: 'champion' },
  ),
  'model-ambiguous': error(
    {
      sources: [
        '"{name}" is the name of a baseline, and a candidate is a model of the history',
        'Give the model another name in the history, or remove the candidate.',
      ],
      comparator: [
        '"{name}" is also the comparator "{required}": a model cannot be compared with itself',
        'Use another model for the comparator, or remove the candidate.',
      ],
    },
    { fault: 'comparator', name: 'seer', required: 'champion' },
  ),
  'commitment-unfounded': error(
    {
      backtest: [
        'forecasts are committed before their outcomes, and a backtest has its outcomes already',
        'Leave commitment out, or plan a prospective evaluation.',
      ],
      no_authorities: [
        'a checkpoint is committed to by the stamps of registered authorities, and none is asked for',
        'Name them in time.authorities and ask for at least one in time.at_least, or leave commitment out.',
      ],
      log_alone: [
        'a log is named, and forecasts are held against none',
        'Leave commitment_log out, or say "commitment": "stamped".',
      ],
      policy: [
        'the policy of witnesses does not do: {found}',
        'docs/time.md says how many witnesses have to lie under a policy, and how it is written.',
      ],
      no_witnesses: [
        'forecasts have to be witnessed, and no witnesses are named',
        'Name them, and the key of the log, in time.witnesses.',
      ],
      witnesses_alone: [
        'witnesses are named, and forecasts need not be witnessed',
        'Say "commitment": "witnessed", or leave time.witnesses out.',
      ],
      other_log: [
        '"{found}" is another log than the key in time.witnesses has the name of',
        'Leave commitment_log out: the key names the log.',
      ],
      repeated: [
        '"{found}" has the name or the anchor of an authority before it: one authority would count twice',
        'Remove one of them.',
      ],
      too_few: [
        '{found} are named: nothing could ever be scored',
        'Name more authorities, or ask for fewer.',
      ],
      regime: [
        'the levels of "{found}" are regimes, which the history records beside its forecasts: no stamp covers them, so they could be changed after the outcomes',
        'Define the stratum by what the closes show, such as volatility or trailing_return, or omit it.',
      ],
    },
    { fault: 'too_few', found: '2 authorities of the 3 that are asked for' },
  ),
  'comparators-alike': warning<{ names: readonly string[] }>(
    '{names} forecast the same price at every origin of this window: each test against one of them is the same test',
    { names: ['persistence', 'strongest_simple'] },
    'The protocol requires both. Do not count agreement between them as evidence.',
  ),
  'limit-beyond-protocol': error(
    'the limit {name} is {limit}; the protocol says {bound}, and a plan may only be stricter',
    { name: 'harm', limit: 0.1, bound: 0.05 },
    'Leave it out, or register under a protocol that was frozen with this number.',
  ),
  'window-without-direction': error(
    'the window has {origins} origins; a comparator is asked about direction from {least} on, so none would be, and no limit of direction could bind',
    { origins: 528, least: 550 },
    'Register a longer window.',
  ),
  'limit-lax': warning(
    'the {name} is {limit}, laxer than that of the reference, {usual}',
    { name: 'smallest move with a direction', limit: 0.5, usual: 1e-6 },
    'Reports say so in their first lines. If it is read from a text and you mean another number, leave only that one between 0 and 1 in the text.',
  ),
  'rules-too-lax': row('warning')(
    {
      number: ['the {name} is {found}, beyond {bound}: nobody can be eligible under this protocol'],
      required: ['the built-in {name} is not required: nobody can be eligible under this protocol'],
    },
    { fault: 'number', name: 'limit of the loss', found: 0.9, bound: 0.2 },
    'Freeze a stricter protocol. Under this one a worse candidate is negative, and every other one inconclusive.',
  ),
  'limit-unread': warning(
    'no limit {name} can be read from this text, so {usual} holds',
    { name: 'harm', usual: 0.05 },
    'Write it as a decimal such as 0.05, and no other number between 0 and 1 beside it (two for the shares that may be left out).',
  ),
  'limit-loosened': warning('the registered limit {limit} is looser than the usual {usual}', {
    limit: 0.1,
    usual: 0.05,
  }),
}

/** A plan may move cut-points; those of a protocol are frozen. */
const LEVEL = { stratum: 'volatility', level: 'high', origins: 130, isMovable: true }

/** Faults of the strata of a plan or registration. */
export const strataRows = {
  'stratum-omitted': warning<{ names: readonly string[] }>(
    'no test for these strata, for the reasons that are given: {names}',
    { names: ['weekday', 'session'] },
  ),
  'stratum-levels': error(
    {
      'unused-key': ['"{found}" has no effect in a stratum by {other}', 'Remove it.'],
      reversed: ['the period ends before it begins'],
      overlap: [
        '{found} already belongs to the level "{other}"',
        'An origin can be in only one level.',
      ],
      'last-cut-point': [
        'the last level has no upper cut-point',
        'Remove it, or add a level above it.',
      ],
      descending: ['cut-points must ascend, but {found} is not above {other}'],
    },
    { fault: 'overlap', found: 'sat', other: 'weekend' },
  ),
  'level-too-small': warning(
    'the level "{level}" of "{stratum}" has {origins} origins in {blocks} blocks of the window: all of its tests will be blocked',
    { ...LEVEL, blocks: 12, minimumPairs: 480, minimumBlocks: 20 },
    ({ minimumPairs, minimumBlocks, isMovable }) =>
      `A test needs ${minimumPairs} pairs and ${minimumBlocks} blocks. ${isMovable ? 'Make the window longer or move the cut-points: foreproof register --template --outcomes VINTAGE takes them from the window.' : 'Make the window longer.'}`,
  ),
  'level-unbalanced': warning(
    'the level "{level}" of "{stratum}" has {origins} origins, where equal levels would have {equalPart}',
    { ...LEVEL, equalPart: 500 },
    ({ isMovable }) =>
      `Its tests find only large differences.${isMovable ? ' Move the cut-points if that is not what is meant.' : ''}`,
  ),
  'levels-leave-out': warning(
    ({ left }) =>
      `no level holds ${left.join(', ')}; their origins count only in the results over all origins`,
    { left: ['sat', 'sun'] },
  ),
}
