import { didYouMean, error, warning } from './row.js'

type LevelSize = {
  readonly stratum: string
  readonly level: string
  readonly origins: number
}

const LEVEL: LevelSize = { stratum: 'volatility', level: 'high', origins: 130 }

/** What is wrong with the strata of a plan or registration. */
export const strataRows = {
  'stratum-missing': error(
    'the protocol\'s stratum "{name}" is not defined',
    { name: 'weekday' },
    'Define it, or say why it adds no test: {"name": "{name}", "by": "omitted", "reason": "..."}',
  ),
  'stratum-not-in-protocol': error<{ name: string; nearest: string | null }>(
    'the protocol has no stratum "{name}"',
    { name: 'week day', nearest: 'weekday' },
    ({ nearest }) => didYouMean(nearest, 'Remove it: the protocol fixes the strata.'),
  ),
  'stratum-omitted': warning('the stratum "{name}" adds no test', { name: 'weekday' }),
  'stratum-key-unused': error(
    '"{key}" has no effect in a stratum by {by}',
    { key: 'below', by: 'weekday' },
    'Remove it.',
  ),
  'level-too-small': warning<
    LevelSize & { blocks: number; minimumPairs: number; minimumBlocks: number }
  >(
    'the level "{level}" of "{stratum}" has {origins} origins in {blocks} blocks of the window: all of its tests will be blocked',
    { ...LEVEL, blocks: 12, minimumPairs: 480, minimumBlocks: 20 },
    'A test needs {minimumPairs} pairs and {minimumBlocks} blocks. Make the window longer or move the cut-points: foreproof register --template --outcomes VINTAGE takes them from the window.',
  ),
  'level-unbalanced': warning<LevelSize & { equalPart: number }>(
    'the level "{level}" of "{stratum}" has {origins} origins, where equal levels would have {equalPart}',
    { ...LEVEL, equalPart: 500 },
    'Its tests find only large differences. Move the cut-points if that is not what is meant.',
  ),
  'level-reversed': error('the period ends before it begins'),
  'levels-overlap': error(
    '{value} already belongs to the level "{other}"',
    { value: 'sat', other: 'weekend' },
    'An origin can be in only one level.',
  ),
  'levels-leave-out': warning<{ left: readonly string[] }>(
    ({ left }) =>
      `no level holds ${left.join(', ')}; their origins count only in the results over all origins`,
    { left: ['sat', 'sun'] },
  ),
  'cut-point-of-last-level': error(
    'the last level has no upper cut-point',
    'Remove it, or add a level above it.',
  ),
  'cut-points-descend': error('cut-points must ascend, but {below} is not above {before}', {
    before: 0.02,
    below: 0.01,
  }),
}
