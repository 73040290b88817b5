import type { RulesData } from '../../contract/types.js'
import { LEAST_DAYS } from '../../inference/days.js'
import {
  CUMULATIVE_STEPS,
  LEAST_MEMORY_BLOCKS,
  MEMORY_LEVEL,
  SLOW_WAVES,
} from '../../inference/diagnostics.js'
import { LEAST_NU, leastBlocks, WAVES } from '../../inference/ewc.js'
import { simultaneousLevel } from '../../inference/verdict.js'
import { UNCALLED_ERROR } from '../../scoring/direction.js'
import { plain } from '../../scoring/plain.js'
import { type DefinitionBasis, type DefinitionText, hoursListed } from './basis.js'

/** From the pairs of a test to its decision. */
export function testDefinitions(basis: DefinitionBasis): DefinitionText[] {
  const { rules, window } = basis
  const { block_origins: length, minimum_pairs: pairs, minimum_blocks } = rules.dependence
  const { origins } = window
  const blocks = Math.floor(origins / length)
  const minimumBlocks = leastBlocks(rules.test.method, minimum_blocks)
  return [
    {
      of: 'comparison',
      text: `A test uses the keys (origin, target, horizon) that both models have scored and, where both record the vintage of their input, under the same vintage. Its estimate d is the mean of candidate minus comparator over these keys; for the overall loss, the unweighted mean of d at ${hoursListed(rules.steps)}. Nothing is imputed.`,
    },
    {
      of: 'minimum_sample',
      text: `A test is blocked, and has no p, with fewer than ${pairs} pairs or fewer than ${minimumBlocks} effective blocks at one of its horizons. An effective block is one of the ${blocks} consecutive stretches of ${length} hourly origins, from the first of the ${origins} origins on, that holds at least one pair.`,
    },
    ...(rules.test.method === 'ewc-t'
      ? ewcDefinitions(basis)
      : [bootstrapDefinition(basis, rules.test), ...percentileDefinitions(basis, rules.test)]),
  ]
}

type Bootstrap = Extract<RulesData['test'], { method: 'percentile-bootstrap' }>

function bootstrapDefinition(
  { rules, window }: DefinitionBasis,
  { replicates, seed }: Bootstrap,
): DefinitionText {
  const { origins } = window
  const { block_origins: length } = rules.dependence
  const blocks = Math.floor(origins / length)
  const starts = Math.max(0, origins - length + 1)
  return {
    of: 'bootstrap',
    text: `Joint paired moving blocks. Each of ${replicates} replicates draws ${blocks} block starts uniformly from the first ${starts} origins, each block ${length} origins long, the same for all tests. The generator is seedrandom("${seed}"). The statistic of a replicate is the sum of the differences in its blocks divided by their number; for the overall loss, the mean of those of the horizons. A test with a replicate without a pair is blocked.`,
  }
}

function percentileDefinitions(
  { rules, family }: DefinitionBasis,
  { replicates }: Bootstrap,
): DefinitionText[] {
  const { alpha } = rules
  const { size: familySize } = family
  return [
    {
      of: 'p',
      text: `p = min(1, 2 * min(1 + A, 1 + B) / ${replicates + 1}), where A counts the replicates with a statistic <= 0 and B those with one >= 0.`,
    },
    {
      of: 'bounds',
      text: `The quantiles ${plain(alpha / 2)} and ${plain(1 - alpha / 2)} of the replicates, with linear interpolation.`,
    },
    {
      of: 'multiplicity',
      text: `Holm's step-down over all ${familySize} tests at level ${alpha}. The multiplier of the smallest p is ${familySize}, of the next one less, and so on; equal p share the larger. The adjusted p is the largest product of p and multiplier so far, at most 1. A test is rejected where that is <= ${alpha}. Blocked tests count in the ${familySize}.`,
    },
  ]
}

function hypothesisDefinitions({ rules, epsilon }: DefinitionBasis): DefinitionText[] {
  const { harm: regression, direction } = rules.limits
  const uncalled = {
    of: 'uncalled_direction',
    text: `In a test of the direction error a key counts where |r| > ${epsilon} and the comparator's |f| > ${epsilon}. Where the candidate's |f| <= ${epsilon} there, its error is ${UNCALLED_ERROR}.`,
  }
  const hypothesis = {
    of: 'verdict_hypothesis',
    text: `Of a candidate: against some comparator its overall loss is not lower, or a limit is exceeded. Its p is the largest of these, over all comparators: of the overall loss, 2 * P(T > -d / standard error), a difference here being the candidate's loss less r times the comparator's; of the loss at each horizon, 2 * P(T > (${regression} * L - d) / standard error), L being the comparator's loss on the same keys; of the mean of the direction error over the horizons at which the comparator is asked about it, 2 * P(T > (${direction} - d) / standard error). Each is at most 1. Where one has none, the hypothesis has none. Against a built-in r is the share of time that is left, (target - origin - lag) / (target - s), s being the newest hour up to the origin with a close, at least 0 and at most 1; against a model of the history it is 1. In these a key without a close at the target counts, at its origin, as the mean of the k largest differences at its horizon, k being how many are missing there; in simultaneous bounds as that of the k smallest. Pairs, effective blocks and v are without them.`,
  }
  return [uncalled, hypothesis]
}

/** What results show beside the tests. */
function besideDefinition({ alpha }: Pick<RulesData, 'alpha'>): DefinitionText {
  return {
    of: 'beside_the_tests',
    text: `None of this decides. Of an overall loss over all origins: the mean of K(j)^2 over j = 1 .. ${SLOW_WAVES} over that of j = ${SLOW_WAVES + 1} .. half of the effective blocks, rounded down, where these are ${LEAST_MEMORY_BLOCKS} or more, with the ${plain(1 - MEMORY_LEVEL)} quantile of Fisher's F with as many degrees of freedom; p with ${LEAST_NU} degrees of freedom; and the sum of what the origins up to each of ${CUMULATIVE_STEPS} parts of the window add to d. Of a deciding test at one horizon h: the statistic of Harvey, Leybourne and Newbold (1997), with autocovariances up to lag h - 1 of the pairs without holes, and its p with one degree of freedom less than pairs; none where that variance is not positive. Of each model and horizon: the share of outcomes below the quantiles, an outcome on one not being below it, with bounds as above at ${alpha}.`,
  }
}

/** p-values, bounds and ladder of the cosine test. */
function ewcDefinitions(basis: DefinitionBasis): DefinitionText[] {
  const { rules, family, shares, candidates: all } = basis
  const { alpha, steps, weights } = rules
  const { deciding, other, overall } = shares
  const [familySize, candidates, horizons] = [family.size, all.length, steps.length]
  const each = (weight: number, tests: number) =>
    `${weight} in equal parts (${tests} tests, ${plain(weight / tests)} each)`
  const { verdict = null, deciding: ofDeciding = 0, other: ofOther } = weights ?? {}
  const level = (tests: number) => plain(simultaneousLevel(alpha, tests))
  const ofVerdict = (describe: (weight: number) => string) =>
    verdict === null ? '' : describe(verdict)
  const simultaneous = ofVerdict(
    () =>
      ` Simultaneous bounds of a deciding test: the same with probability ${level(overall)} for an overall loss, half of ${alpha} shared by ${overall} tests, and ${level(deciding - overall)} for all others, the other half shared by ${deciding - overall}.`,
  )
  const alsoOver = ofVerdict(
    (weight) =>
      ` and the verdict hypotheses of ${candidates} candidates, which have the weight ${plain(weight / candidates)} each,`,
  )
  const implied = ofVerdict(
    () =>
      ' Tests of the direction error against persistence, which calls none, have no weight. A rejected verdict hypothesis rejects the overall tests of its candidate with it, at its adjusted p, and their weight returns. Where this is the j-th registration of its ledger with one of the candidates over hours of the window, and j is at least 2, each level and probability that comes from alpha is divided by j (j + 1).',
  )
  const hypotheses = verdict === null ? [] : hypothesisDefinitions(basis)
  const ofBeside = verdict === null ? [] : [besideDefinition(rules)]
  const named = ofVerdict(() => 'A Diebold-Mariano test with an equal-weighted cosine variance: ')
  const ofStep =
    verdict === null ? 'Adjusted bounds' : 'Bounds at the level of the step, which carry no verdict'
  return [
    {
      of: 'standard_error',
      text: `Equal-weighted cosine transform, holes taken out. u(i), i = 0 .. n - 1, are the differences less their mean at the n origins with a pair, in time order; for the overall loss, 1/${horizons} of the sum over its ${horizons} horizons of such differences, each times n divided by the number of its pairs. K(j) = sqrt(2 / n) * sum of u(i) * cos(pi * j * (i + 1/2) / n). The standard error is sqrt((mean of K(j)^2 over j = 1 .. v) / n).`,
    },
    {
      of: 'degrees_of_freedom',
      text: `v is the smallest of half the effective blocks, a tenth of the pairs and a quarter of the days, rounded down, at least ${LEAST_NU} and at most ${WAVES.days.most}. Of point loss and direction error it is the smallest of a quarter of the effective blocks and of the same two, at most ${WAVES.hours.most}, where that is more. Days are the pairs by the most origins of the test within one stretch of 23 hours, its end excluded; 23 are counted as 24.`,
    },
    {
      of: 'p',
      text: `${named}p = P(|T| > |d / standard error|), where T is Student's t with v degrees of freedom. p = 1 where d is 0. A test whose differences do not vary and are not 0 is blocked, and one of fewer than ${LEAST_DAYS} days.`,
    },
    {
      of: 'bounds',
      text: `d minus and plus q * standard error, where q is the t that Student's distribution with v degrees of freedom leaves outside with probability ${alpha}. ${ofStep}: the same with probability ${alpha} * w / W, where w is the weight of the test and W the weight that remained at its step or, where it was not rejected, at the step at which the ladder stopped.${simultaneous}`,
    },
    ...hypotheses,
    {
      of: 'multiplicity',
      text: `Holm's step-down with weights over all ${familySize} tests${alsoOver} at level ${alpha}. The deciding tests have the weight ${each(ofDeciding, deciding)}, all others ${each(ofOther ?? 0, other)}. In ascending order of p / w a test is rejected while p * W / w <= ${alpha}, where W is the weight of all that is not yet rejected; equal p / w share the larger W. The adjusted p is the largest p * W / w so far, at most 1. Blocked tests keep their weight.${implied}`,
    },
    ...ofBeside,
  ]
}
