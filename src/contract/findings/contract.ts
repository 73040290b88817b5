import type { TimestampFault } from '../instant.js'
import { didYouMean, faultRow, fixed, joined, quoted, row } from './row.js'

const DIGEST = '^[0-9a-f]{64}$'

const TIMESTAMP_FAULTS: Readonly<Record<TimestampFault, string>> = {
  syntax: 'is not an RFC 3339 timestamp such as 2026-01-02T03:00:00+00:00',
  'offset-missing': 'lacks an offset from UTC: end it with Z or +00:00',
  'space-for-plus': 'has a space where its offset needs a plus sign (%2B in a URL)',
  calendar: 'names a date or time of day that does not exist',
  'leap-second': 'names a leap second, which has no instant of its own',
  precision: 'is finer than a microsecond',
  range: 'lies outside the years that can be represented',
}

const FORECAST = '2026-01-02T03:00:00Z:seer:24'
const LATER = '2026-01-02T04:00:00Z:seer:24'

type UnknownKeys = {
  readonly keys: readonly string[]
  /** Of each key in turn: the known one that it resembles. */
  readonly nearest: readonly (string | null)[]
}

/** So many members are named; a document of another kind may have any number. */
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

/** What the schemas find in documents and payloads, and the rules that no schema can state. */
export const contractRows = {
  // One finding for all the members of one object: a draft that is nearly empty needs a list.
  'unknown-key': row<UnknownKeys>(
    'error',
    { keys: ['horizon_hour', 'note'], nearest: ['horizon_hours', null] },
    ({ keys }) => `unknown ${keys.length === 1 ? 'key' : 'keys'} ${keyList(keys)}`,
    unknownKeysHelp,
  ),
  'missing-key': row<{ keys: readonly string[] }>(
    'error',
    { keys: ['model', 'estimate'] },
    ({ keys }) =>
      keys.length === 1
        ? `the key ${keyList(keys)} is missing`
        : `${keys.length} keys are missing: ${keyList(keys)}`,
  ),
  'wrong-type': row<{ expected: readonly string[]; found: string }>(
    'error',
    { expected: ['number', 'null'], found: '"0.5"' },
    ({ expected, found }) => `must be of type ${joined(expected, 'or')}; found ${found}`,
  ),
  'wrong-value': row(
    'error',
    { expected: '"v1"', found: '"v2"' },
    ({ expected, found }) => `must be ${expected}; found ${found}`,
  ),
  'value-not-allowed': row<{ expected: readonly string[]; found: string }>(
    'error',
    { expected: ['prospective', 'retrospective'], found: '"later"' },
    ({ expected, found }) => `must be one of ${joined(expected, 'or')}; found ${found}`,
  ),
  'empty-text': fixed('error', 'must not be empty'),
  'malformed-text': row('error', { pattern: DIGEST, found: '"abc"' }, ({ pattern, found }) =>
    pattern === DIGEST
      ? `must be 64 lowercase hexadecimal digits; found ${found}`
      : `must match ${pattern}; found ${found}`,
  ),
  'out-of-bounds': row<{ bound: string; limit: number; found: string }>(
    'error',
    { bound: 'greater than', limit: 0, found: '-1' },
    ({ bound, limit, found }) => `must be ${bound} ${limit}; found ${found}`,
  ),
  'item-count': row<{ bound: 'at least' | 'at most'; limit: number; found: number }>(
    'error',
    { bound: 'at least', limit: 1, found: 0 },
    ({ bound, limit, found }) =>
      `must have ${bound} ${limit} ${limit === 1 ? 'item' : 'items'}; has ${found}`,
  ),
  'repeated-item': row(
    'error',
    { found: '24', first: '/horizons_hours/0' },
    ({ found, first }) => `${found} is listed twice; the first one is at ${first}`,
  ),
  'invalid-timestamp': row<{ fault: TimestampFault; found: string }>(
    'error',
    { fault: 'offset-missing', found: '"2026-01-02T03:00:00"' },
    ({ fault, found }) => `the timestamp ${found} ${TIMESTAMP_FAULTS[fault]}`,
  ),
  'forecast-id-mismatch': row(
    'error',
    { expected: FORECAST, found: LATER },
    ({ expected, found }) =>
      `must be origin_at, model.name and horizon_hours joined by colons, ${quoted(expected)}; found ${quoted(found)}`,
  ),
  'history-key-mismatch': row(
    'error',
    { expected: '24', found: '48' },
    ({ expected, found }) => `must name the same row as the forecast, ${expected}; found ${found}`,
  ),
  'target-mismatch': row(
    'error',
    { horizon: 24, found: 23 },
    ({ horizon, found }) => `must be ${horizon} hours after the origin; is ${found} hours after it`,
  ),
  'price-not-positive': row(
    'error',
    { found: 0 },
    ({ found }) => `must be greater than 0, as a price is; found ${found}`,
    'Give the price in USD. If these are returns, the price is the source price times exp(return).',
  ),
  'price-implausible': row(
    'warning',
    { price: 1.02, source: 67_000 },
    ({ price, source }) =>
      `${price} is off the price at the origin, ${source}, by more than any market moves in hours (|ln| > 0.5)`,
    'Is it in USD, and a price, not a return? If not, see docs/imported-something-wrong.md.',
  ),
  'change-mismatch': row(
    'error',
    { found: 50, price: 42_000, source: 42_000, expected: 0 },
    ({ found, price, source, expected }) =>
      `must be the change from the source price in percent: ${price} is ${expected.toFixed(4)} % off ${source}; found ${found}`,
  ),
  'interval-disordered': row(
    'error',
    { lower: 42_500, median: 42_000, upper: 43_500 },
    ({ lower, median, upper }) => `the bounds must ascend; found ${lower}, ${median}, ${upper}`,
  ),
  'interval-partly-null': row<{ absent: readonly string[] }>(
    'error',
    { absent: ['lower_usd', 'upper_usd'] },
    ({ absent }) =>
      `lower, median and upper must be null together or not at all; null here: ${joined(absent, 'and')}`,
  ),
  'confidence-unknown': faultRow(
    'error',
    { fault: 'scored', found: '0.4' },
    {
      scored: [(found) => `must be 0 where the label is unknown; found ${found}`],
      unexplained: [
        () => 'must explain why no agreement was recorded, because the label is unknown',
      ],
    },
  ),
  'manifest-absence-unexplained': fixed(
    'error',
    'is null and neither lineage nor the evidence says why',
    'Give the reason as lineage.manifest_reason.',
  ),
  'forecasts-out-of-order': row(
    'error',
    { found: LATER, before: FORECAST },
    ({ found, before }) =>
      `${found} must not follow ${before}: the order is newest origin, then horizon, then model`,
  ),
  'forecast-repeated': row(
    'error',
    { found: FORECAST },
    ({ found }) => `${found} is on the page twice`,
  ),
  'next-page': faultRow(
    ['error', 'warning'],
    { fault: 'missing', found: '' },
    {
      missing: [
        () => 'this page is missing, but the page before names it as the next one',
        'Check that the whole site is published and that next_url has the right address.',
      ],
      credentials: [
        () => 'the address of the next page contains a user name or a password',
        'foreproof does not follow such an address. Tell the publisher of the forecasts.',
      ],
      'of-empty': [
        () => 'the page is empty but names a next one',
        'The last page must not name a next page. Tell the publisher of the forecasts.',
      ],
      elsewhere: [
        (host) => `the next page is on another host: ${host}`,
        'Pages of that host were read, too. Ask the publisher of the forecasts whether it is theirs.',
      ],
      limit: [
        (limit) => `there are more than ${limit} pages, which is the limit of one run`,
        'The pages that were read are kept. Run again to continue.',
      ],
    },
  ),
  'attempts-list': faultRow(
    ['error', 'warning'],
    { fault: 'changed', found: '' },
    {
      unreadable: [
        () => 'the list of recorded attempts is not in the form that foreproof publish writes',
      ],
      unavailable: [
        () => 'the list of recorded attempts cannot be read: failures and abstentions are unknown',
        'Without it, failed attempts count as missing. Check that the whole site is published.',
      ],
      misplaced: [() => 'this attempt is in the file of the wrong month'],
      changed: [
        () => 'the file is missing, or is not the one that the list of attempts names',
        'Run again: the site may have been rebuilt in the meantime.',
      ],
    },
  ),
  'page-too-long': row(
    'error',
    { limit: 50, found: 51 },
    ({ limit, found }) => `the page holds ${found} forecasts, but states a size of ${limit}`,
  ),
}
