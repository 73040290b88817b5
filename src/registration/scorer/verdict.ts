import type { ScorerBasis, Statement } from './basis.js'
import { timeStatements } from './time.js'
import { plain } from './words.js'

/** Which forecasts count, and how the deciding tests make a disposition. */
export function verdictStatements(basis: ScorerBasis): Statement[] {
  const { settings, mode } = basis
  const { practical_effect_floor: floor, regression_limit: regression } = settings
  const { direction_limit: direction, minimum_pairs: pairs } = settings
  const directed = plain(pairs * (settings.direction_pairs_factor ?? 1))
  return [
    {
      of: 'deciding_tests',
      says: `Over all origins and against every comparator: the overall point loss, and at each horizon the point loss and the direction error. The direction error is not asked for at a horizon where the comparator has one at fewer than ${directed} origins. All other tests are reported and decide nothing.`,
    },
    {
      of: 'blocked',
      says: `A deciding test is blocked; or a control did not come out exactly; or ${silence(basis)}.`,
    },
    {
      of: 'negative',
      says: `Not blocked, and one of these: the overall loss is significantly higher than a comparator's; the lower adjusted bound of a horizon's loss difference is above ${regression} times the comparator's loss; the lower adjusted bound of a direction error difference is above ${direction}.`,
    },
    {
      of: 'eligible_for_human_review',
      says:
        mode === 'retrospective'
          ? 'Never: the evaluation is retrospective.'
          : `Neither of these and, against every comparator: the overall loss is significantly lower; -d / (loss of the comparator) is at least ${floor}; at each horizon the upper adjusted bound of the loss difference is at most ${regression} times the comparator's loss, and that of the direction error difference at most ${direction}.`,
    },
    { of: 'inconclusive', says: 'Everything else.' },
    ...admission(basis),
  ]
}

/** What blocks a candidate that leaves forecasts out. */
function silence({ settings, strata }: ScorerBasis): string {
  const { availability_limit: all, availability_limit_stratum: level = 1 } = settings
  if (all === undefined) {
    return 'a larger share of its expected attempts failed than of a comparator'
  }
  const within = strata.length === 0 ? '' : `, or more than ${level} in one level of a stratum`
  return `of the origins with a close at origin and target, save those at which a comparator alone has no scored forecast, more than ${all} at a horizon${within} have no pair with it; or a comparator of the history has no scored forecast at more than that share of the origins with both closes`
}

function admission(basis: ScorerBasis): Statement[] {
  const { settings, mode } = basis
  const lag = settings.publication_lag_minutes
  const late =
    lag === undefined
      ? 'A forecast that says that it was made after its target is ineligible.'
      : `A forecast is ineligible where it was made later than ${lag} minutes after its origin, or after its target, or does not say when.`
  return [
    ...(mode === 'prospective' ? [{ of: 'publication', says: late }] : []),
    ...timeStatements(basis),
    {
      of: 'provenance',
      says: settings.provenance_required
        ? 'A forecast that does not record when its inputs were known is ineligible.'
        : 'Nobody asks when the inputs of a forecast were known where it does not record it.',
    },
  ]
}
