import type { Protocol, Registration, Scorer } from '../../contract/types.js'
import { PENALTY } from '../../scoring/interval-score.js'
import {
  isMeasured,
  MEASURE_NAMES,
  PAIR_MEASURES,
  type ScorerVersion,
} from '../../scoring/measures.js'
import { basisOf, hoursListed, type ScorerBasis, type Statement } from './basis.js'
import { modelStatements, stratumStatements } from './models.js'
import { testStatements } from './tests.js'
import { verdictStatements } from './verdict.js'

/**
 * What the scorer computes, one statement per topic, with every number that it uses. The texts of a protocol are free
 * and not executed; these statements follow from the code.
 * They are part of registrations, which are checked against them for ever. So a changed sentence needs a new version,
 * and an added measure counts from one version on; earlier versions keep their words and figures. A statement about a
 * member that no earlier registration can have needs no new version, because it leaves theirs unchanged.
 */
export function statementsOf(basis: ScorerBasis, version: ScorerVersion): Scorer {
  return {
    version,
    computes: [
      ...measureStatements(basis, version),
      ...modelStatements(basis),
      ...stratumStatements(basis),
      ...testStatements(basis),
      ...verdictStatements(basis),
    ],
  }
}

/** The statements of a registration under its protocol. */
export function scorerOf(
  registration: Registration,
  protocol: Protocol,
  version: ScorerVersion,
): Scorer {
  return statementsOf(basisOf(registration, protocol), version)
}

/** What is measured of one pair and how figures are averaged, symbol by symbol. */
function measureStatements({ settings }: ScorerBasis, version: ScorerVersion): Statement[] {
  const { horizons_hours: horizons, direction_epsilon: epsilon, interval_level: level } = settings
  const hours = hoursListed(horizons)
  return [
    {
      of: 'symbols',
      says: 'P is the forecast price. P0 is the close at the origin and P1 the close at the target, both from the registered vintage; where it has none at the origin, P1 is taken for P0, and the pair has no direction and no width in percent. f = ln(P / P0) and r = ln(P1 / P0).',
    },
    {
      of: 'point_loss',
      says: `|f - r|. Lower is better. The loss of a horizon is the mean over its pairs. The overall loss is the unweighted mean of the losses at ${hours}.`,
    },
    {
      of: 'percent_error',
      says: 'The mean of 100 * |P - P1| / P1. It is reported but not tested.',
    },
    {
      of: 'bias',
      says: 'The mean of f - r, and the mean of 100 * (P - P1) / P1. Both are reported but not tested.',
    },
    {
      of: 'direction_error',
      says: `A pair counts where |f| > ${epsilon} and |r| > ${epsilon}. It is 1 where f and r have different signs and 0 where they have the same. Lower is better. The error rate is the mean over the pairs that count.`,
    },
    {
      of: 'pinball',
      says: 'Q = ln(q / P0), where q is the predicted price quantile of level a. The loss is max(a * (r - Q), (a - 1) * (r - Q)), for a = 0.1, 0.5 and 0.9 apart. It is not doubled. Lower is better.',
    },
    {
      of: 'interval_score',
      says: `L = ln(q10 / P0) and U = ln(q90 / P0). The score is (U - L), plus ${PENALTY} * (L - r) where r < L, plus ${PENALTY} * (r - U) where r > U. Lower is better.`,
    },
    {
      of: 'coverage',
      says: `The share of pairs with L <= r <= U, and its difference from ${level}. No side is better.`,
    },
    {
      of: 'width',
      says: 'The mean of U - L, and the mean of 100 * (exp(U) - exp(L)). Both are reported but not tested.',
    },
    ...addedStatements(version),
  ]
}

/** The measures added after version 1, each in its own words. */
function addedStatements(version: ScorerVersion): Statement[] {
  return MEASURE_NAMES.filter((name) => isMeasured(name, version)).flatMap((of) => {
    const { added } = PAIR_MEASURES[of]
    return added ? [{ of, says: added.says }] : []
  })
}
