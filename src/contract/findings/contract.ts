import { TIMESTAMP_FAULTS, type TimestampFault } from '../instant.js'
import { A_DIGEST, didYouMean, error, joined, quoted, row, warning } from './row.js'

const FORECAST = '2026-01-02T03:00:00Z:seer:24'
const LATER = '2026-01-02T04:00:00Z:seer:24'

type UnknownKeys = {
  readonly keys: readonly string[]
  /** For each key: the known key that it resembles. */
  readonly nearest: readonly (string | null)[]
}

/** Maximum number of members to name, because a document of another kind may have any number. */
const KEYS_NAMED = 20

function keyList(keys: readonly string[]): string {
  const named = keys.slice(0, KEYS_NAMED).map(quoted)
  const others = keys.length - named.length
  return joined(others > 0 ? [...named, `${others} more`] : named, 'and')
}

function unknownKeysHelp({ keys, nearest }: UnknownKeys): string {
  if (keys.length === 1) return didYouMean(nearest[0] ?? null) ?? 'Remove it.'
  const meant = keys
    .map((key, index) => [key, nearest[index] ?? null] as const)
    .filter(([, close]) => close !== null)
    .map(([key, close]) => `${quoted(String(close))} for ${quoted(key)}`)
  if (meant.length === 0) return 'Remove them.'
  const others = meant.length < keys.length ? ' Remove the others.' : ''
  return `Did you mean ${joined(meant, 'and')}?${others}`
}

/** Findings of the schemas in documents and payloads, and of the rules that no schema can express. */
export const contractRows = {
  // One finding for all members of an object, because a nearly empty draft needs a list.
  'unknown-key': error<UnknownKeys>(
    ({ keys }) => `unknown ${keys.length === 1 ? 'key' : 'keys'} ${keyList(keys)}`,
    { keys: ['horizon_hour', 'note'], nearest: ['horizon_hours', null] },
    unknownKeysHelp,
  ),
  'missing-key': error(
    ({ keys }) =>
      keys.length === 1
        ? `the key ${keyList(keys)} is missing`
        : `${keys.length} keys are missing: ${keyList(keys)}`,
    { keys: ['model', 'estimate'] },
    ({ keys }) =>
      keys.includes('protocol_version') && keys.length > 5
        ? 'Is it a scoring protocol? Plans are checked by `foreproof register --dry-run`, evidence by `foreproof audit`.'
        : undefined,
  ),
  'wrong-type': error(
    ({ expected, found }) => `must be of type ${joined(expected, 'or')}; found ${found}`,
    { expected: ['number', 'null'], found: '"0.5"' },
  ),
  'wrong-value': error('must be {expected}; found {found}', { expected: '"v1"', found: '"v2"' }),
  'value-not-allowed': error(
    ({ expected, found }) => `must be one of ${joined(expected, 'or')}; found ${found}`,
    { expected: ['prospective', 'backtest'], found: '"later"' },
  ),
  'empty-text': error('must not be empty'),
  'malformed-text': error('must be {words}, such as "{example}"; found {found}', {
    words: '64 lowercase hexadecimal digits',
    example: A_DIGEST,
    found: '"abc"',
  }),
  'out-of-bounds': error('must be {bound} {limit}; found {found}', {
    bound: 'greater than',
    limit: 0,
    found: '-1',
  }),
  'item-count': error<{ bound: 'at least' | 'at most'; limit: number; found: number }>(
    'must have {bound} {limit item|items}; has {found}',
    { bound: 'at least', limit: 1, found: 0 },
  ),
  'listed-twice': error('{found} is listed twice; the first one is at {first}', {
    found: '24',
    first: '/horizons_hours/0',
  }),
  'invalid-timestamp': error<{ fault: TimestampFault; found: string }>(
    ({ fault, found }) => `the timestamp ${found} ${TIMESTAMP_FAULTS[fault]}`,
    { fault: 'offset-missing', found: '"2026-01-02T03:00:00"' },
  ),
  'forecast-id-mismatch': error(
    'must be origin_at, model.name and horizon_hours joined by colons, "{expected}"; found "{found}"',
    { expected: FORECAST, found: LATER },
  ),
  'history-key-mismatch': error(
    'must name the same row as the forecast, {expected}; found {found}',
    { expected: '24', found: '48' },
  ),
  'target-mismatch': error('must be {horizon} hours after the origin; is {found} hours after it', {
    horizon: 24,
    found: 23,
  }),
  'price-not-positive': error(
    'must be greater than 0, as a price is; found {found}',
    { found: 0 },
    'Give the price in USD. If these are returns, the price is the source price times exp(return).',
  ),
  'price-implausible': warning(
    '{price} is off the price at the origin, {source}, by more than any market moves in hours (|ln| > 0.5)',
    { price: 1.02, source: 67_000 },
    'Is it in USD, and a price, not a return? If not, see docs/data-in.md.',
  ),
  'change-mismatch': error(
    ({ found, price, source, expected }) =>
      `must be the change from the source price in percent: ${price} is ${expected.toFixed(4)} % off ${source}; found ${found}`,
    { found: 50, price: 42_000, source: 42_000, expected: 0 },
  ),
  'interval-disordered': error('the bounds must ascend; found {lower}, {median}, {upper}', {
    lower: 42_500,
    median: 42_000,
    upper: 43_500,
  }),
  'interval-partly-null': error(
    'lower, median and upper must be null together or not at all; null here: {absent}',
    { absent: ['lower_usd', 'upper_usd'] },
  ),
  'confidence-unknown': error(
    {
      scored: ['must be 0 where the label is unknown; found {found}'],
      unexplained: ['must explain why no agreement was recorded, because the label is unknown'],
    },
    { fault: 'scored', found: '0.4' },
  ),
  'manifest-absence-unexplained': error(
    'is null and neither lineage nor the evidence says why',
    'Give the reason as lineage.manifest_reason.',
  ),
  'forecasts-out-of-order': error(
    '{found} must not follow {before}: the order is newest origin, then horizon, then model',
    { found: LATER, before: FORECAST },
  ),
  'forecast-repeated': error('{found} is on the page twice', { found: FORECAST }),
  'next-page': row('error', 'warning')(
    {
      missing: [
        'this page is missing, but the page before names it as the next one',
        'Check that the whole site is published and that next_url has the right address.',
      ],
      credentials: [
        'the address of the next page contains a user name or a password',
        'foreproof does not follow such an address. Tell the publisher of the forecasts.',
      ],
      'of-empty': [
        'the page is empty but names a next one',
        'The last page must not name a next page. Tell the publisher of the forecasts.',
      ],
      elsewhere: [
        'the next page is on another host: {found}',
        'Pages of that host were read, too. Ask the publisher of the forecasts whether it is theirs.',
      ],
      limit: [
        'there are more than {found} pages, which is the limit of one run',
        'The pages that were read are kept. Run again to continue.',
      ],
    },
    { fault: 'missing', found: '' },
  ),
  'attempts-list': row('error', 'warning')(
    {
      unreadable: [
        'the list of recorded attempts is not in the form that foreproof publish writes',
      ],
      unavailable: [
        'the list of recorded attempts cannot be read: failures and abstentions are unknown',
        'Without it, failed attempts count as missing. Check that the whole site is published.',
      ],
      misplaced: ['this attempt is in the file of the wrong month'],
      changed: [
        'the file is missing, or is not the one that the list of attempts names',
        'Run again: the site may have been rebuilt in the meantime.',
      ],
    },
    { fault: 'changed', found: '' },
  ),
  'page-too-long': error('the page holds {found} forecasts, but states a size of {limit}', {
    limit: 50,
    found: 51,
  }),
}
