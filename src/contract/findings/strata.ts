import { didYouMean, fixed, quoted, row } from './row.js'

type LevelSize = {
  readonly stratum: string
  readonly level: string
  readonly origins: number
}

const LEVEL: LevelSize = { stratum: 'volatility', level: 'high', origins: 130 }

/** What is wrong with the strata of a plan or registration. */
export const strataRows = {
  'stratum-missing': row(
    'error',
    { name: 'weekday' },
    ({ name }) => `the protocol's stratum ${quoted(name)} is not defined`,
    ({ name }) =>
      `Define it, or say why it adds no test: {"name": ${quoted(name)}, "by": "omitted", "reason": "..."}`,
  ),
  'stratum-not-in-protocol': row<{ name: string; nearest: string | null }>(
    'error',
    { name: 'week day', nearest: 'weekday' },
    ({ name }) => `the protocol has no stratum ${quoted(name)}`,
    ({ nearest }) => didYouMean(nearest, 'Remove it: the protocol fixes the strata.'),
  ),
  'stratum-omitted': row(
    'warning',
    { name: 'weekday' },
    ({ name }) => `the stratum ${quoted(name)} adds no test`,
  ),
  'stratum-key-unused': row(
    'error',
    { key: 'below', by: 'weekday' },
    ({ key, by }) => `${quoted(key)} has no effect in a stratum by ${by}`,
    'Remove it.',
  ),
  'level-too-small': row<
    LevelSize & { blocks: number; minimumPairs: number; minimumBlocks: number }
  >(
    'warning',
    { ...LEVEL, blocks: 12, minimumPairs: 480, minimumBlocks: 20 },
    ({ stratum, level, origins, blocks }) =>
      `the level ${quoted(level)} of ${quoted(stratum)} has ${origins} origins in ${blocks} blocks of the window: all of its tests will be blocked`,
    ({ minimumPairs, minimumBlocks }) =>
      `A test needs ${minimumPairs} pairs and ${minimumBlocks} blocks. Make the window longer or move the cut-points: foreproof register --template --outcomes VINTAGE takes them from the window.`,
  ),
  'level-unbalanced': row<LevelSize & { equalPart: number }>(
    'warning',
    { ...LEVEL, equalPart: 500 },
    ({ stratum, level, origins, equalPart }) =>
      `the level ${quoted(level)} of ${quoted(stratum)} has ${origins} origins, where equal levels would have ${equalPart}`,
    'Its tests find only large differences. Move the cut-points if that is not what is meant.',
  ),
  'level-reversed': fixed('error', 'the period ends before it begins'),
  'levels-overlap': row(
    'error',
    { value: 'sat', other: 'weekend' },
    ({ value, other }) => `${value} already belongs to the level ${quoted(other)}`,
    'An origin can be in only one level.',
  ),
  'levels-leave-out': row<{ left: readonly string[] }>(
    'warning',
    { left: ['sat', 'sun'] },
    ({ left }) =>
      `no level holds ${left.join(', ')}; their origins count only in the results over all origins`,
  ),
  'cut-point-of-last-level': fixed(
    'error',
    'the last level has no upper cut-point',
    'Remove it, or add a level above it.',
  ),
  'cut-points-descend': row(
    'error',
    { before: 0.02, below: 0.01 },
    ({ before, below }) => `cut-points must ascend, but ${below} is not above ${before}`,
  ),
}
