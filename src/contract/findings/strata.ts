import { error, warning } from './row.js'

const LEVEL = { stratum: 'volatility', level: 'high', origins: 130 }

/** What is wrong with the strata of a plan or registration. */
export const strataRows = {
  'stratum-omitted': warning('the stratum "{name}" adds no test', { name: 'weekday' }),
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
    'A test needs {minimumPairs} pairs and {minimumBlocks} blocks. Make the window longer or move the cut-points: foreproof register --template --outcomes VINTAGE takes them from the window.',
  ),
  'level-unbalanced': warning(
    'the level "{level}" of "{stratum}" has {origins} origins, where equal levels would have {equalPart}',
    { ...LEVEL, equalPart: 500 },
    'Its tests find only large differences. Move the cut-points if that is not what is meant.',
  ),
  'levels-leave-out': warning(
    ({ left }) =>
      `no level holds ${left.join(', ')}; their origins count only in the results over all origins`,
    { left: ['sat', 'sun'] },
  ),
}
