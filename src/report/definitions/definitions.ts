import { INTERVAL_LEVEL } from '../../contract/limits.js'
import { PENALTY } from '../../scoring/interval-score.js'
import {
  createDefinitionBasis,
  type Defined,
  type DefinitionBasis,
  type DefinitionText,
  hoursListed,
} from './basis.js'
import { modelDefinitions, stratumDefinitions } from './models.js'
import { testDefinitions } from './tests.js'
import { verdictDefinitions } from './verdict.js'

/**
 * What is computed over hourly closes, one sentence or more per topic, with every number that is used. The texts of a
 * protocol of version 1 are free and not executed; these definitions follow from the code.
 */
export function listDefinitions(defined: Defined): DefinitionText[] {
  const basis = createDefinitionBasis(defined)
  return [
    ...measureDefinitions(basis),
    ...modelDefinitions(basis),
    ...stratumDefinitions(basis),
    ...testDefinitions(basis),
    ...verdictDefinitions(basis),
  ]
}

/** What is measured of one pair and how figures are averaged, symbol by symbol. */
function measureDefinitions({ rules, epsilon }: DefinitionBasis): DefinitionText[] {
  const hours = hoursListed(rules.steps)
  return [
    {
      of: 'symbols',
      text: 'P is the forecast price. P0 is the close at the origin and P1 the close at the target, both from the registered vintage; where it has none at the origin, P1 is taken for P0, and the pair has no direction and no width in percent. f = ln(P / P0) and r = ln(P1 / P0).',
    },
    {
      of: 'point_loss',
      text: `|f - r|. Lower is better. The loss of a horizon is the mean over its pairs. The overall loss is the unweighted mean of the losses at ${hours}.`,
    },
    {
      of: 'percent_error',
      text: 'The mean of 100 * |P - P1| / P1. It is reported but not tested.',
    },
    {
      of: 'bias',
      text: 'The mean of f - r, and the mean of 100 * (P - P1) / P1. Both are reported but not tested.',
    },
    {
      of: 'direction_error',
      text: `A pair counts where |f| > ${epsilon} and |r| > ${epsilon}. It is 1 where f and r have different signs and 0 where they have the same. Lower is better. The error rate is the mean over the pairs that count.`,
    },
    {
      of: 'pinball',
      text: 'Q = ln(q / P0), where q is the predicted price quantile of level a. The loss is max(a * (r - Q), (a - 1) * (r - Q)), for a = 0.1, 0.5 and 0.9 apart. It is not doubled. Lower is better.',
    },
    {
      of: 'interval_score',
      text: `L = ln(q10 / P0) and U = ln(q90 / P0). The score is (U - L), plus ${PENALTY} * (L - r) where r < L, plus ${PENALTY} * (r - U) where r > U. Lower is better.`,
    },
    {
      of: 'coverage',
      text: `The share of pairs with L <= r <= U, and its difference from ${INTERVAL_LEVEL}. No side is better.`,
    },
    {
      of: 'width',
      text: 'The mean of U - L, and the mean of 100 * (exp(U) - exp(L)). Both are reported but not tested.',
    },
  ]
}
