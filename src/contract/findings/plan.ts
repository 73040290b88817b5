import { didYouMean, joined, quoted, row } from './row.js'

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
  'plan-placeholder': row(
    'error',
    { found: '<name of the model>' },
    ({ found }) => `${found} is a placeholder that was not filled in`,
    'Replace it, including the angle brackets.',
  ),
  'window-off-the-hour': row(
    'error',
    { found: '2026-01-01T00:30:00Z' },
    ({ found }) => `${found} is not a full hour in UTC; origins are the closes of hourly bars`,
    'Give the first and the last origin, such as 2026-01-01T00:00:00Z.',
  ),
  'window-reversed': row(
    'error',
    { from: TO, to: FROM },
    ({ from, to }) => `the window ends (${to}) before it begins (${from})`,
  ),
  'window-has-begun': row(
    'error',
    { from: FROM, registered: REGISTERED },
    ({ from, registered }) =>
      `the window begins at ${from}, before its registration at ${registered}; a prospective window must begin after it`,
    'Choose a window in the future, or the mode "retrospective" for a backtest, which can never be eligible.',
  ),
  'window-lies-ahead': row(
    'warning',
    { to: TO, registered: REGISTERED },
    ({ to, registered }) =>
      `the retrospective window ends at ${to}, after its registration at ${registered}`,
    'If its outcomes are not known yet, use the mode "prospective", which is stronger evidence.',
  ),
  'as-of-before-last-target': row(
    'error',
    { found: TO, needed: '2026-03-01T23:00:00Z' },
    ({ found, needed }) =>
      `${found} is before the last target, ${needed}: some forecasts could never be scored`,
    'Give a later as_of, or leave it out.',
  ),
  'baseline-unknown': row<Misnamed & { readonly known: readonly string[] }>(
    'error',
    { name: 'random_wolk', nearest: 'random_walk', known: ['random_walk', 'drift_24h'] },
    ({ name }) => `${quoted(name)} is not a built-in baseline`,
    ({ nearest, known }) =>
      didYouMean(nearest, `Use one of ${known.join(', ')}; or "source": "history".`),
  ),
  'model-of-two-sources': row(
    'error',
    { name: 'drift_24h' },
    ({ name }) => `${quoted(name)} is both a model of the history and a built-in baseline`,
    'Their forecasts would have the same name. Use one source for it everywhere.',
  ),
  'listed-twice': row<Repeated & { readonly what: 'candidate' | 'stratum' | 'level' }>(
    'error',
    { what: 'candidate', name: 'seer', first: '/candidates/0' },
    ({ what, name, first }) =>
      `the ${what} ${quoted(name)} is listed twice; the first one is at ${first}`,
  ),
  'candidate-is-comparator': row(
    'error',
    { name: 'seer', required: 'champion' },
    ({ name, required }) =>
      `${quoted(name)} is also the comparator ${quoted(required)}: a model cannot be compared with itself`,
    'Use another model for the comparator, or remove the candidate.',
  ),
  'comparator-missing': row(
    'error',
    { name: 'champion' },
    ({ name }) => `the comparator ${quoted(name)} is missing; the protocol requires it`,
    ({ name }) => `Define it: ${quoted(name)}: {"source": "history", "name": "..."}`,
  ),
  'comparator-not-required': row<Misnamed>(
    'error',
    { name: 'champian', nearest: 'champion' },
    ({ name }) => `the protocol has no comparator ${quoted(name)}`,
    ({ nearest }) => didYouMean(nearest, 'Remove it.'),
  ),
  'comparator-substituted': row<{
    name: string
    model: string
    source: 'history' | 'built_in'
  }>(
    ['error', 'warning'],
    { name: 'persistence', model: 'drift_24h', source: 'built_in' },
    ({ name, model, source }) =>
      `the comparator ${quoted(name)} has the name of a built-in baseline, but ${source === 'history' ? 'the model of the history ' : ''}${quoted(model)} is used for it`,
    ({ name, model }) =>
      `Use {"source": "built_in", "name": ${quoted(name)}}, unless the protocol means ${quoted(model)}.`,
  ),
  'pool-name-unknown': row<Misnamed>(
    'error',
    { name: 'drift', nearest: 'drift_24h' },
    ({ name }) => `the protocol's simple baseline pool has no ${quoted(name)}`,
    ({ nearest }) => didYouMean(nearest, 'Remove it.'),
  ),
  'pool-name-unresolved': row(
    'error',
    { name: 'simple drift' },
    ({ name }) =>
      `${quoted(name)} of the protocol's simple baseline pool is not a built-in baseline`,
    ({ name }) => `Say which baseline it means: "baseline_pool": {${quoted(name)}: "drift_24h"}`,
  ),
  'comparators-alike': row<{ names: readonly string[] }>(
    'warning',
    { names: ['persistence', 'strongest_simple'] },
    ({ names }) =>
      `${joined(names, 'and')} forecast the same price at every origin of this window: each test against one of them is the same test`,
    'The protocol requires them all the same. Do not count agreement between them as evidence.',
  ),
  'authority-repeated': row<Repeated>(
    'error',
    { name: 'freetsa', first: '/time/authorities/0' },
    ({ name, first }) =>
      `${quoted(name)} has the name or the anchor of the authority at ${first}: one authority would count twice`,
    'Remove one of them.',
  ),
  'authorities-too-few': row(
    'error',
    { least: 3, there: 2 },
    ({ least, there }) =>
      `${least} authorities are asked for and ${there} named: nothing could ever be scored`,
    'Name more authorities, or ask for fewer.',
  ),
  'commitment-unfounded': row<{ readonly fault: keyof typeof UNFOUNDED }>(
    'error',
    { fault: 'retrospective' },
    ({ fault }) => UNFOUNDED[fault][0],
    ({ fault }) => UNFOUNDED[fault][1],
  ),
  'regime-not-committed': row(
    'error',
    { name: 'market' },
    ({ name }) =>
      `the levels of ${quoted(name)} are regimes, which the history records beside its forecasts: no stamp covers them, so they could be changed after the outcomes`,
    'Define the stratum by what the closes show, such as volatility or trailing_return, or omit it.',
  ),
  'lag-without-provenance': row(
    'warning',
    { minutes: 60, worth: 0.097 },
    ({ minutes, worth }) =>
      `a forecast may be made until ${minutes} minutes after its origin and does not have to record when its inputs were known, so it may use whatever became known until then; on a random walk the price of that moment alone makes the overall loss ${(worth * 100).toFixed(1)} % lower`,
    'Set "provenance_required": true, or a shorter publication_lag_minutes. The report says so too.',
  ),
  'limit-loosened': row(
    'warning',
    { limit: 0.1, usual: 0.05 },
    ({ limit, usual }) => `the registered limit ${limit} is looser than the usual ${usual}`,
  ),
}
