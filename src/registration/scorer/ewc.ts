import type { InferenceMethod } from '../../contract/types.js'
import { LEAST_NU, MOST_NU } from '../../inference/ewc.js'
import type { ScorerBasis, Statement } from './basis.js'
import { plain } from './words.js'

type EwcMethod = Extract<InferenceMethod, { method: 'ewc-t' }>

/** p-values, bounds and ladder of the cosine test. */
export function ewcStatements(
  { settings, familySize, decidingSize = 0 }: ScorerBasis,
  { weights }: EwcMethod,
): Statement[] {
  const { alpha } = settings
  const horizons = settings.horizons_hours.length
  const each = (weight: number, tests: number) =>
    `${weight} in equal parts (${tests} tests, ${plain(weight / tests)} each)`
  return [
    {
      of: 'standard_error',
      says: `Equal-weighted cosine transform, holes taken out. u(i), i = 0 .. n - 1, are the differences less their mean at the n origins with a pair, in time order; for the overall loss, 1/${horizons} of the sum over its ${horizons} horizons of such differences, each times n divided by the number of its pairs. K(j) = sqrt(2 / n) * sum of u(i) * cos(pi * j * (i + 1/2) / n). The standard error is sqrt((mean of K(j)^2 over j = 1 .. v) / n).`,
    },
    {
      of: 'degrees_of_freedom',
      says: `v is a quarter of the effective blocks, rounded down, at least ${LEAST_NU} and at most ${MOST_NU.hours} for point loss and direction error, ${MOST_NU.days} for all others.`,
    },
    {
      of: 'p',
      says: "p = P(|T| > |d / standard error|), where T is Student's t with v degrees of freedom. p = 1 where d is 0. A test whose differences do not vary and are not 0 is blocked.",
    },
    {
      of: 'bounds',
      says: `d minus and plus q * standard error, where q is the t that Student's distribution with v degrees of freedom leaves outside with probability ${alpha}. Adjusted bounds: the same with probability ${alpha} * w / W, where w is the weight of the test and W the weight that remained at its step or, where it was not rejected, at the step at which the ladder stopped.`,
    },
    {
      of: 'multiplicity',
      says: `Holm's step-down with weights over all ${familySize} tests at level ${alpha}. The deciding tests have the weight ${each(weights.deciding, decidingSize)}, all others ${each(weights.other, familySize - decidingSize)}. In ascending order of p / w a test is rejected while p * W / w <= ${alpha}, where W is the weight of all that is not yet rejected; equal p / w share the larger W. The adjusted p is the largest p * W / w so far, at most 1. Blocked tests keep their weight.`,
    },
  ]
}
