import { didYouMean, fixed, quoted, row } from './row.js'

/** What is wrong with the strata of a plan or registration. */
export const strataRows = {
  'stratum-missing': row(
    'error',
    { name: 'weekday' },
    ({ name }) => `the protocol's stratum ${quoted(name)} is not defined`,
    ({ name }) =>
      `Define it; or say why it adds no test: {"name": ${quoted(name)}, "by": "omitted", "reason": "..."}`,
  ),
  'stratum-not-in-protocol': row<{ name: string; nearest: string | null }>(
    'error',
    { name: 'week day', nearest: 'weekday' },
    ({ name }) => `the protocol has no stratum ${quoted(name)}`,
    ({ nearest }) => didYouMean(nearest, 'Remove it: strata are fixed with the protocol.'),
  ),
  'stratum-repeated': row(
    'error',
    { name: 'weekday', first: '/strata/0' },
    ({ name, first }) => `${quoted(name)} is already at ${first}`,
  ),
  'stratum-omitted': row(
    'warning',
    { name: 'weekday' },
    ({ name }) => `the stratum ${quoted(name)} adds no test`,
  ),
  'stratum-key-unused': row(
    'error',
    { key: 'below', by: 'weekday' },
    ({ key, by }) => `${quoted(key)} has no meaning where a stratum is by ${by}`,
    'Remove it.',
  ),
  'level-repeated': row(
    'error',
    { name: 'weekend', first: '/strata/0/levels/1' },
    ({ name, first }) => `the level ${quoted(name)} is already at ${first}`,
  ),
  'level-reversed': fixed('error', 'the period ends before it begins'),
  'levels-overlap': row(
    'error',
    { value: 'sat', other: 'weekend' },
    ({ value, other }) => `${value} already belongs to the level ${quoted(other)}`,
    'An origin is in one level at most.',
  ),
  'levels-leave-out': row<{ left: readonly string[] }>(
    'warning',
    { left: ['sat', 'sun'] },
    ({ left }) => `no level holds ${left.join(', ')}; these origins count over all origins only`,
  ),
  'cut-point-of-last-level': fixed(
    'error',
    'the last level has no upper cut-point',
    'Remove it, or add a level for what lies above.',
  ),
  'cut-points-descend': row(
    'error',
    { before: 0.02, below: 0.01 },
    ({ before, below }) => `cut-points ascend: ${below} does not lie above ${before}`,
  ),
}
