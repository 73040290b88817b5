import { joined } from '../../contract/findings/row.js'
import { hasHypotheses } from '../../protocol/rules/bind.js'
import { STRICT_NUMBERS } from '../../protocol/rules/lax.js'
import { DIRECTION_PAIRS_FACTOR } from '../../registration/limits.js'
import { asksForLog, isReadTwice, logNamed } from '../../registration/time-rules.js'
import { plain } from '../../scoring/plain.js'
import type { DefinitionBasis, DefinitionText } from './basis.js'

/** Which forecasts count, and how the deciding tests lead to a disposition. */
export function verdictDefinitions(basis: DefinitionBasis): DefinitionText[] {
  const { rules } = basis
  if (!hasHypotheses(rules)) {
    return [{ of: 'not_decided', text: undecided(basis) }, ...admission(basis)]
  }
  const directed = plain(rules.dependence.minimum_pairs * DIRECTION_PAIRS_FACTOR)
  return [
    {
      of: 'deciding_tests',
      text: `Over all origins and against every comparator: the overall point loss, and at each horizon the point loss and the direction error. The direction error is not asked for at a horizon where the comparator has one at fewer than ${directed} origins: its test is reported, keeps its weight and decides nothing. All other tests are reported and decide nothing.`,
    },
    {
      of: 'blocked',
      text: `A deciding test that is asked for is blocked; or ${silence(basis)}.`,
    },
    { of: 'negative', text: negative(basis) },
    { of: 'eligible_for_human_review', text: eligible(basis) },
    { of: 'inconclusive', text: 'Everything else.' },
    withheldDefinition(basis),
    ...admission(basis),
  ]
}

function undecided({ rules }: DefinitionBasis): string {
  const { practical_effect: floor, harm: loss, direction: error } = rules.limits
  return `No test decides anything, and no candidate has a verdict: the protocol's own text decides. Differences stand beside its floor, ${floor} of the comparator's loss, and its limits: ${loss} of that loss at each horizon, and ${error} of the direction error.`
}

function negative({ rules }: DefinitionBasis): string {
  const { harm: regression, direction } = rules.limits
  return `Not blocked, no more than 0.02 of the closes at the targets missing, and one of these, with the best in the place of missing closes: the lower simultaneous bound of the difference of an overall loss is above 0; that of a horizon's loss difference is above ${regression} times the comparator's loss; that of a direction error difference is above ${direction}.`
}

function eligible({ rules, mode }: DefinitionBasis): string {
  if (mode === 'backtest') return 'Never: a backtest has no verdict.'
  const { practical_effect: floor } = rules.limits
  const outcomes = ` Of all keys (origin, target, horizon) at most 0.02 may lack a close at the target; with more no candidate is negative either. d is with the worst in the place of these, as in the verdict hypothesis. Nor is a candidate eligible where a comparator that is required by the name of a built-in comes from the history, nor ${UNDER_LAX}.`
  return `Neither of these, the verdict hypothesis of the candidate is rejected and, against every comparator, -d / (loss of the comparator) is at least ${floor} + w. Against a built-in w is 1 - mean of r * L / mean of L, each the mean over the horizons of means over the origins, L being its loss and r as in the verdict hypothesis; against a model of the history it is 0.${outcomes}`
}

const { practical_effect, harm, direction, availability, availability_stratum, alpha } =
  STRICT_NUMBERS
const UNDER_LAX = `under a protocol whose own floor is below ${practical_effect.bound}, whose limit of the loss is above ${harm.bound}, of the direction error above ${direction.bound}, of what is left out above ${availability.bound} or in a level above ${availability_stratum.bound}, whose alpha is above ${alpha.bound}, or that does not require the built-in persistence`

/** What blocks a candidate that leaves forecasts out. */
function silence({ rules }: DefinitionBasis): string {
  const { availability: all, availability_stratum: level } = rules.limits
  const inLevels =
    rules.strata.length === 0
      ? ''
      : `, or more than ${level} in one level of a stratum over all horizons,`
  return `of the origins with a close at the target, more than ${all} at a horizon or over all of them${inLevels} have no scored forecast of it, whatever the cause, or one of another vintage than the comparator's; or a comparator of the history has no scored forecast at more than that share of them`
}

/** The effect of missing intervals on the tests of intervals. */
function withheldDefinition({ rules }: DefinitionBasis): DefinitionText {
  const { availability: all, availability_stratum: level } = rules.limits
  const inLevels =
    rules.strata.length === 0 ? '' : `, or at more than ${level} of those of its level`
  const text = `A test of intervals is blocked where the candidate has no scored interval at more than ${all} of the origins with a close at the target${inLevels}.`
  return { of: 'withheld_intervals', text }
}

function admission(basis: DefinitionBasis): DefinitionText[] {
  const { mode, lagMinutes: lag, provenance_required: isAsked } = basis
  const late = `A forecast is ineligible where it was made later than ${lag} minutes after its origin, or after its target, or does not say when.`
  return [
    ...(mode === 'prospective' ? [{ of: 'publication', text: late }] : []),
    ...timeDefinitions(basis),
    {
      of: 'provenance',
      text: isAsked
        ? 'A forecast that does not record when its inputs were known is ineligible.'
        : 'Nobody asks when the inputs of a forecast were known where it does not record it.',
    },
  ]
}

const TWICE =
  'Where forecasts are ineligible for want of a commitment in time, all is computed once more with these, and of each candidate the reading with the worse disposition counts; where both have the same, the one with the smaller improvement of the overall loss on the comparator that it improves on least.'

/** What stamps must show; empty if a registration names no authorities. */
function timeDefinitions(basis: DefinitionBasis): DefinitionText[] {
  const { mode, time, commitment, lagMinutes: lag } = basis
  if (time === null) return []
  const { at_least: least, authorities } = time
  const all = authorities.map(({ name }) => name)
  const asked =
    least === 0
      ? 'Nobody asks for a stamp; what there is is shown.'
      : `Nothing is scored unless at least ${least} of them did.`
  const before =
    mode === 'prospective' ? ' Only genTime plus accuracy before the first origin counts.' : ''
  const stamps = `Time stamps (RFC 3161) on the ledger entry of the registration or a later one, by ${joined(all, 'and')}, each leading to its registered anchor.${before} ${asked}`
  if (!asksForLog(commitment)) return [{ of: 'registration_time', text: stamps }]
  const named = logNamed(basis)
  const where = named === undefined ? "the history's log" : `the log ${named}`
  const held = `A forecast of the history is committed at the earliest time of a checkpoint of ${where} that holds it. The time of a checkpoint is the earliest by which ${least} of these authorities stamped it, genTime plus accuracy; without so many it has none.`
  const late = `A forecast is ineligible where that is later than ${lag} minutes after its origin, or than its target, or never; and where the log holds under its key a forecast that the history does not.`
  const committed =
    commitment === 'stamped'
      ? `${held} ${late} The log counts up to the first checkpoint with a time at or after the last target.`
      : `${held} It is witnessed at the earliest time of a checkpoint that holds it by which the quorum of the registered policy had cosigned it. The later of the two times counts. Only checkpoints with the signature of the log's key have either. ${late} Nothing is scored unless the quorum cosigned, at or after the last target, a checkpoint that holds every other that counts.`
  return [
    { of: 'registration_time', text: stamps },
    { of: 'commitment', text: committed },
    ...(isReadTwice(basis) ? [{ of: 'second_reading', text: TWICE }] : []),
  ]
}
