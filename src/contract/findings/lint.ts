import { NOT_FOR, row, warning } from './row.js'

const count = (value: number) => value.toLocaleString('en-US')
const p = (value: number) => value.toExponential(2)

/** How often a block bootstrap with few blocks rejects true null hypotheses; `atMost`: for even fewer blocks. */
const SIZE = {
  blocks: 5,
  least: 10,
  atMost: false,
  whiteNoise: '9',
  autoregression: '17',
}

function sizes({ blocks, atMost, whiteNoise, autoregression }: typeof SIZE): string {
  const more = atMost ? 'more than ' : ''
  return `with ${atMost ? 'so few' : count(blocks)} blocks a one-sided test at 5 % rejects ${more}${whiteNoise} % of true nulls when differences are white noise, ${more}${autoregression} % when they have an autocorrelation of 0.9`
}

/** What the number of replicates allows; `needed` is the number that the family would need. */
const REACH = {
  replicates: 999,
  alpha: 0.05,
  smallestP: 0.002,
  largestFamily: 25,
  needed: 1598,
}

/** Weaknesses of valid designs. */
export const lintRows = {
  'significance-unreachable': row('error', 'warning')(
    ({ replicates, smallestP, alpha, familySize }) =>
      `no test can be significant: with ${count(replicates)} replicates the smallest p-value is ${p(smallestP)}, but Holm requires ${alpha} / ${count(familySize)} = ${p(alpha / familySize)} for the first of ${count(familySize)} tests`,
    { ...REACH, familySize: 40 },
    'Use at least {needed,} replicates, or a family of at most {largestFamily,} tests.',
  ),
  'family-exceeds-replicates': warning(
    ({ replicates, smallestP, largestFamily, comparators, each, strata, tests }) =>
      `with ${count(replicates)} replicates the smallest p-value is ${p(smallestP)}, so that tests can be rejected only in families of up to ${count(largestFamily)}; one candidate against ${count(comparators)} comparators, ${count(each)} tests each over all origins and in a level of each of ${count(strata)} strata, makes ${count(tests)}`,
    { ...REACH, comparators: 2, each: 10, strata: 1, tests: 40 },
    'Use at least {needed,} replicates for such a family, and more for more candidates and levels.',
  ),
  'few-replicates': warning(
    '{replicates,} replicates are few: bounds and p-values depend on the seed',
    { replicates: 200, least: 1000 },
    'Use at least {least,}.',
  ),
  'too-many-replicates': row('error', 'warning')(
    '{replicates,} replicates are more than one run can hold: the evaluation could not be scored',
    { replicates: 30_000_000, most: 20_000_000 },
    'Use at most {most,}.',
  ),
  'too-few-blocks': warning(
    (args) => `the minimum of ${count(args.blocks)} effective blocks is low: ${sizes(args)}`,
    SIZE,
    'Require at least {least,}.',
  ),
  'block-shorter-than-horizon': warning(
    'blocks of {hours,} h are shorter than the longest horizon, {longestHorizon,} h: targets overlap across blocks, and this dependence is ignored',
    { hours: 24, longestHorizon: 48 },
    'Use blocks of at least {longestHorizon,} h.',
  ),
  'minimum-pairs-below-blocks': warning(
    'the minimum of {minimumPairs,} pairs is below the {product,} that {minimumBlocks,} blocks of {blockLength,} hold: nearly empty blocks count as effective',
    { minimumPairs: 100, minimumBlocks: 10, blockLength: 24, product: 240 },
    'Require at least {product,} pairs at each horizon.',
  ),
  'practical-floor-zero': warning(
    'the practical floor is 0: any improvement, however small, can make a candidate eligible',
    'Set the smallest relative reduction of the loss that matters in practice.',
  ),
  'practical-floor-unreachable': row('error', 'warning')(
    'the practical floor is {floor}: only a perfect forecast reduces the loss by 1, so no candidate can be eligible',
    { floor: 3 },
    'Write a relative reduction as a fraction: 0.03 for three percent.',
  ),
  'text-number-differs': warning(
    ({ found, values }) =>
      `the text names ${found}, but the scorer does not use that number there${values.length === 0 ? '' : `; it uses ${values.join('; ')}`}`,
    { found: '100,000', values: ['replicates 200000', 'seed 410'] },
    'foreproof does not interpret texts. Correct the text, or the value that it describes. A frozen protocol stays as it is: freeze a new version.',
  ),
  'baseline-listed-twice': warning(
    '"{name}" is the same baseline as "{first}" in a different spelling',
    { name: 'Random-Walk', first: 'random_walk' },
    'Use one spelling, and list it once.',
  ),
  'series-heavy': warning(
    ({ series, share, comparator }) =>
      `losses are not scaled, and the series ${series} makes up ${(100 * share).toFixed(0)} % of the loss of ${comparator}: the mean over all series is mostly its own`,
    { series: 'US', share: 0.69, comparator: 'last_value' },
    'Choose a scaling, or a transform that makes the series alike, such as log_shift; or leave the sum of the others out.',
  ),
  'series-binary': warning(
    ({ series, count: binary, all }) =>
      `all values of the series ${series} are 0 or 1${binary > 1 ? `, and those of ${binary} of ${all} series` : ''}: a median of them is 0 or 1, and not the probability of an event`,
    { series: 'rain', count: 1, all: 3 },
    `Probabilities cannot be judged here (${NOT_FOR}). What is counted over longer periods, such as rainy days in a week, can be.`,
  ),
  'own-errors-few': warning(
    ({ comparator, silent, keys, minimum, series, seriesSilent, seriesKeys }) =>
      `${comparator} can make no forecast for ${count(silent)} of the ${count(keys)} keys of the window: when they are due, fewer than ${count(minimum)} of its own earlier errors are public (of series ${series}: at ${count(seriesSilent)} of ${count(seriesKeys)})`,
    {
      comparator: 'last_value',
      silent: 1800,
      keys: 3180,
      minimum: 20,
      series: 'US',
      seriesSilent: 34,
      seriesKeys: 60,
      next: '2025-W20' as string | null,
    },
    ({ next }) =>
      `${next === null ? 'No origin of the window has enough' : `From ${next} on it has enough: begin the window there`}. Outcomes that were archived late count as public from their as_of on, and not from the day of their period: a vintage with earlier dates, or a list of periods that begins earlier, gives more errors.`,
  ),
  'comparator-pairs-few': warning(
    ({ comparator, made, keys, series, horizon, minimum, cells }) =>
      `${comparator} can make ${count(made)} forecasts for the ${count(keys)} keys of series ${series} at step ${horizon}: a test needs ${count(minimum)} pairs and will be blocked (so in ${count(cells)} of series and step)`,
    {
      comparator: 'usual_season',
      made: 24,
      keys: 40,
      series: 'US',
      horizon: 1,
      minimum: 30,
      cells: 4,
      next: '2025-W20' as string | null,
    },
    ({ next }) =>
      `${next === null ? 'It has too few values to go by to the end of the window' : `From ${next} on it has enough values to go by: begin the window there`}. A longer window has more keys, and a list of periods that begins earlier more values.`,
  ),
  'list-too-short': row('error', 'warning')(
    {
      'no-window': [
        'every test will be blocked: a window takes {needed,} origins, and {usable,} of the list have all their targets and 50 periods before them, counted from {since}',
        'Begin the list of periods earlier, or end it later.',
      ],
      'no-verdict': [
        'no verdict is possible from now on: it takes {needed,} origins, and the list has {usable,} to come',
        'End the list of periods later, or plan a backtest, which has no verdict.',
      ],
    },
    { fault: 'no-window', needed: 30, usable: 8, since: '2025-W02' },
  ),
  'window-too-short': row('error', 'warning')(
    {
      fewer_blocks: [
        'the window of {windowOrigins,} origins has {windowBlocks,} full blocks of {blockLength,}, but {asks} requires {minimumBlocks,}: every test will be blocked',
        'Register a window of at least {needed,} origins.',
      ],
      fewer_days: [
        'the window of {windowOrigins,} origins, up to {perDay,} a day, has fewer than {minimumDays} days: every test will be blocked',
        'Register a window of at least {needed,} origins.',
      ],
      fewer_pairs: [
        'the window has {windowOrigins,} origins, but the protocol requires {minimumPairs,} pairs at each horizon: every test will be blocked',
        'Register a window of at least {needed,} origins.',
      ],
    },
    {
      fault: 'fewer_blocks',
      windowOrigins: 100,
      windowBlocks: 4,
      blockLength: 24,
      minimumBlocks: 10,
      minimumPairs: 240,
      perDay: 24,
      minimumDays: 16,
      /** The minimum of origins with which nothing is too short. */
      needed: 384,
      /** What requires this number of blocks. */
      asks: 'the protocol' as 'the protocol' | 'the cosine test',
    },
  ),
  'window-without-room': warning(
    ({ windowOrigins, needed }) =>
      `the window has ${count(windowOrigins)} origins, and a test needs ${count(needed)} of each series at each step: ${
        windowOrigins === needed
          ? 'one missing forecast'
          : `more than ${count(windowOrigins - needed)} missing forecasts`
      } of one series at a step will block the candidate`,
    { windowOrigins: 80, needed: 80, least: 85 },
    'Register a window of at least {least,} origins: then a candidate that keeps to the limit of availability has enough.',
  ),
  'window-few-blocks': warning(
    (args) =>
      `the window has ${count(args.blocks)} full blocks of ${count(args.blockLength)}: ${sizes(args)}`,
    { ...SIZE, blockLength: 24 },
    ({ least, blockLength }) =>
      `Register a window of at least ${count(least * blockLength)} origins.`,
  ),
}
