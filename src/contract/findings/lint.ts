import type { Finding } from './finding.js'
import type { MessageTable } from './messages.js'

type Args = Finding['args']

const count = (value: Args[string] | undefined) => Number(value).toLocaleString('en-US')
const p = (args: Args) => Number(args.smallestP).toExponential(2)
const sizes = (args: Args) =>
  `with ${args.atMost ? 'so few' : count(args.blocks)} blocks a one-sided test at 5 % rejects ${args.atMost ? 'more than ' : ''}${args.whiteNoise} % of true nulls when differences are white noise, ${args.atMost ? 'more than ' : ''}${args.autoregression} % when they have an autocorrelation of 0.9`

/** What is wrong with designs that are valid. */
export const lintMessages: MessageTable = {
  'significance-unreachable': (args) => ({
    text: `no test can come out significant: with ${count(args.replicates)} replicates the smallest p-value is ${p(args)}, and Holm asks for ${args.alpha} / ${count(args.familySize)} = ${(Number(args.alpha) / Number(args.familySize)).toExponential(2)} of the first of ${count(args.familySize)} tests`,
    help: `Use at least ${count(args.needed)} replicates, or a family of ${count(args.largestFamily)} tests at most.`,
  }),
  'family-exceeds-replicates': (args) => ({
    text: `with ${count(args.replicates)} replicates the smallest p-value is ${p(args)}, so that tests can be rejected only in families of up to ${count(args.largestFamily)}; one candidate against ${count(args.comparators)} comparators, ${count(args.each)} tests each over all origins and in a level of each of ${count(args.strata)} strata, makes ${count(args.tests)}`,
    help: `Use at least ${count(args.needed)} replicates for such a family, and more for more candidates and levels.`,
  }),
  'few-replicates': (args) => ({
    text: `${count(args.replicates)} replicates are few: bounds and p-values depend on the seed`,
    help: `Use at least ${count(args.least)}.`,
  }),
  'too-many-replicates': (args) => ({
    text: `${count(args.replicates)} replicates are more than one run can hold: the evaluation could not be scored`,
    help: `Use at most ${count(args.most)}.`,
  }),
  'too-few-blocks': (args) => ({
    text: `a comparison is let through with ${count(args.blocks)} effective blocks: ${sizes(args)}`,
    help: `Ask for at least ${count(args.least)}.`,
  }),
  'block-shorter-than-horizon': (args) => ({
    text: `blocks of ${count(args.hours)} h are shorter than the longest horizon, ${count(args.longestHorizon)} h: targets overlap across blocks, and the dependence this makes is lost`,
    help: `Use blocks of at least ${count(args.longestHorizon)} h.`,
  }),
  'minimum-pairs-below-blocks': (args) => ({
    text: `the minimum of ${count(args.minimumPairs)} pairs is less than ${count(args.minimumBlocks)} blocks of ${count(args.blockLength)} hold (${count(args.product)}): blocks that are nearly empty count as effective`,
    help: `Ask for at least ${count(args.product)} pairs at each horizon.`,
  }),
  'practical-floor-zero': () => ({
    text: 'the practical floor is 0: any improvement, however small, can make a candidate eligible',
    help: 'Set the least relative reduction of the loss that matters in practice.',
  }),
  'practical-floor-unreachable': (args) => ({
    text: `the practical floor is ${args.floor}: only a perfect forecast reduces the loss by 1, so no candidate can be eligible`,
    help: 'Write a relative reduction as a fraction: 0.03 for three percent.',
  }),
  'interval-level-differs': (args) => ({
    text: `the text names ${args.found}, but the quantiles make an interval of ${args.level} %`,
    help: `Say ${args.level} %, which is what is scored.`,
  }),
  'confidence-level-differs': (args) => ({
    text: `the text names ${args.found}, but alpha makes bounds at ${args.level} %`,
    help: `Say ${args.level} %, or change alpha.`,
  }),
  'baseline-listed-twice': (args) => ({
    text: `${JSON.stringify(args.name)} is the same baseline as ${JSON.stringify(args.first)} in another spelling`,
    help: 'Spell it the same everywhere, and list it once.',
  }),
  'window-shorter-than-block': (args) => ({
    text: `the window has ${count(args.windowOrigins)} origins, less than one block of ${count(args.blockLength)}: nothing can be resampled, every test will be blocked`,
    help: 'Register a longer window.',
  }),
  'window-below-minimum-blocks': (args) => ({
    text: `the window of ${count(args.windowOrigins)} origins has ${count(args.windowBlocks)} full blocks of ${count(args.blockLength)} where the protocol asks for ${count(args.minimumBlocks)}: every test will be blocked`,
    help: `Register a window of at least ${count(Number(args.minimumBlocks) * Number(args.blockLength))} origins.`,
  }),
  'window-below-minimum-pairs': (args) => ({
    text: `the window has ${count(args.windowOrigins)} origins where the protocol asks for ${count(args.minimumPairs)} pairs at each horizon: every test will be blocked`,
    help: `Register a window of at least ${count(args.minimumPairs)} origins.`,
  }),
  'window-few-blocks': (args) => ({
    text: `the window has ${count(args.windowBlocks)} full blocks of ${count(args.blockLength)}: ${sizes(args)}`,
    help: `Register a window of at least ${count(Number(args.least) * Number(args.blockLength))} origins.`,
  }),
  'registration-of-another-protocol': (args) => ({
    text: `it registers an evaluation under ${args.version} with the digest ${args.registered}; this protocol has ${args.computed}`,
    help: 'Name the protocol that the registration names.',
  }),
}
