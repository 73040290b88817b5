import { didYouMean, error, quoted, row, warning } from './row.js'

const FROM = '2026-01-01T00:00:00Z'
const TO = '2026-02-28T23:00:00Z'
const REGISTERED = '2026-01-15T12:00:00Z'

/** What an earlier or known name was, where one is near. */
type Misnamed = {
  readonly name: string
  readonly nearest: string | null
}

/** A name that stands earlier in its list. */
type Repeated = {
  readonly name: string
  readonly first: string
}

/** Why nothing can be held against a log: what is wrong, and what to do. */
const UNFOUNDED = {
  retrospective: [
    'forecasts are committed before their outcomes, and a retrospective window has its outcomes already',
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
} as const

/** What stands in the way of registering a plan. */
export const planRows = {
  'plan-placeholder': error(
    '{found} is a placeholder that was not filled in',
    { found: '<name of the model>' },
    'Replace it, including the angle brackets.',
  ),
  'window-off-the-hour': error(
    '{found} is not a full hour in UTC; origins are the closes of hourly bars',
    { found: '2026-01-01T00:30:00Z' },
    'Give the first and the last origin, such as 2026-01-01T00:00:00Z.',
  ),
  'window-reversed': error('the window ends ({to}) before it begins ({from})', {
    from: TO,
    to: FROM,
  }),
  'window-has-begun': error(
    'the window begins at {from}, before its registration at {registered}; a prospective window must begin after it',
    { from: FROM, registered: REGISTERED },
    'Choose a window in the future, or the mode "retrospective" for a backtest, which can never be eligible.',
  ),
  'window-lies-ahead': warning(
    'the retrospective window ends at {to}, after its registration at {registered}',
    { to: TO, registered: REGISTERED },
    'If its outcomes are not known yet, use the mode "prospective", which is stronger evidence.',
  ),
  'as-of-before-last-target': error(
    '{found} is before the last target, {needed}: some forecasts could never be scored',
    { found: TO, needed: '2026-03-01T23:00:00Z' },
    'Give a later as_of, or leave it out.',
  ),
  'baseline-unknown': error<Misnamed & { readonly known: readonly string[] }>(
    '"{name}" is not a built-in baseline',
    { name: 'random_wolk', nearest: 'random_walk', known: ['random_walk', 'drift_24h'] },
    ({ nearest, known }) =>
      didYouMean(nearest, `Use one of ${known.join(', ')}; or "source": "history".`),
  ),
  'model-of-two-sources': error(
    '"{name}" is both a model of the history and a built-in baseline',
    { name: 'drift_24h' },
    'Their forecasts would have the same name. Use one source for it everywhere.',
  ),
  'listed-twice': error<Repeated & { readonly what: 'candidate' | 'stratum' | 'level' }>(
    'the {what} "{name}" is listed twice; the first one is at {first}',
    { what: 'candidate', name: 'seer', first: '/candidates/0' },
  ),
  'candidate-is-comparator': error(
    '"{name}" is also the comparator "{required}": a model cannot be compared with itself',
    { name: 'seer', required: 'champion' },
    'Use another model for the comparator, or remove the candidate.',
  ),
  'comparator-missing': error(
    'the comparator "{name}" is missing; the protocol requires it',
    { name: 'champion' },
    'Define it: "{name}": {"source": "history", "name": "..."}',
  ),
  'comparator-not-required': error<Misnamed>(
    'the protocol has no comparator "{name}"',
    { name: 'champian', nearest: 'champion' },
    ({ nearest }) => didYouMean(nearest, 'Remove it.'),
  ),
  'comparator-substituted': row('error', 'warning')<{
    name: string
    model: string
    source: 'history' | 'built_in'
  }>(
    ({ name, model, source }) =>
      `the comparator ${quoted(name)} has the name of a built-in baseline, but ${source === 'history' ? 'the model of the history ' : ''}${quoted(model)} is used for it`,
    { name: 'persistence', model: 'drift_24h', source: 'built_in' },
    'Use {"source": "built_in", "name": "{name}"}, unless the protocol means "{model}".',
  ),
  'pool-name-unknown': error<Misnamed>(
    'the protocol\'s simple baseline pool has no "{name}"',
    { name: 'drift', nearest: 'drift_24h' },
    ({ nearest }) => didYouMean(nearest, 'Remove it.'),
  ),
  'pool-name-unresolved': error(
    '"{name}" of the protocol\'s simple baseline pool is not a built-in baseline',
    { name: 'simple drift' },
    'Say which baseline it means: "baseline_pool": {"{name}": "drift_24h"}',
  ),
  'comparators-alike': warning<{ names: readonly string[] }>(
    '{names} forecast the same price at every origin of this window: each test against one of them is the same test',
    { names: ['persistence', 'strongest_simple'] },
    'The protocol requires them all the same. Do not count agreement between them as evidence.',
  ),
  'authority-repeated': error<Repeated>(
    '"{name}" has the name or the anchor of the authority at {first}: one authority would count twice',
    { name: 'freetsa', first: '/time/authorities/0' },
    'Remove one of them.',
  ),
  'authorities-too-few': error(
    '{least} authorities are asked for and {there} named: nothing could ever be scored',
    { least: 3, there: 2 },
    'Name more authorities, or ask for fewer.',
  ),
  'commitment-unfounded': error<{ readonly fault: keyof typeof UNFOUNDED }>(
    ({ fault }) => UNFOUNDED[fault][0],
    { fault: 'retrospective' },
    ({ fault }) => UNFOUNDED[fault][1],
  ),
  'regime-not-committed': error(
    'the levels of "{name}" are regimes, which the history records beside its forecasts: no stamp covers them, so they could be changed after the outcomes',
    { name: 'market' },
    'Define the stratum by what the closes show, such as volatility or trailing_return, or omit it.',
  ),
  'lag-without-provenance': warning(
    ({ minutes, worth }) =>
      `a forecast may be made until ${minutes} minutes after its origin and does not have to record when its inputs were known, so it may use whatever became known until then; on a random walk the price of that moment alone makes the overall loss ${(worth * 100).toFixed(1)} % lower`,
    { minutes: 60, worth: 0.097 },
    'Set "provenance_required": true, or a shorter publication_lag_minutes. The report says so too.',
  ),
  'limit-loosened': warning('the registered limit {limit} is looser than the usual {usual}', {
    limit: 0.1,
    usual: 0.05,
  }),
}
