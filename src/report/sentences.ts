import { notAskedSaid } from '../evaluation/result/readings.js'
import type {
  AnyResult,
  EvaluationResult,
  Horizon,
  ResultMeasure,
  ResultStratum,
} from '../evaluation/result/types.js'
import { smallestP } from '../inference/holm.js'
import { UNWITNESSED } from '../log/policy.js'
import { counted, listed, percent, whole } from '../output/figures.js'
import { hasVerdict } from '../registration/family.js'
import { selfDeclared } from './time-line.js'
import { type AnyDisposition, type AnyTest, accountingIn, methodOf, nominalIn } from './view.js'

/** The words of a result, the same in every format. No markup, and words instead of code names where possible. */

export const DISPOSITION_NAME = {
  eligible_for_human_review: 'Eligible for human review',
  eligible_waiting_given_away: 'Eligible',
  negative: 'Negative',
  inconclusive: 'Inconclusive',
  blocked: 'Blocked',
  lower: 'Lower',
  higher: 'Higher',
  neither: 'Neither lower nor higher',
  not_decided: 'Not decided',
} as const satisfies Record<AnyDisposition['disposition'], string>

/** The disposition and, for an eligible candidate, what was not required. */
export const verdictName = (result: AnyResult, of: AnyDisposition['disposition']): string =>
  `${DISPOSITION_NAME[of]}${notAskedSaid(result, of)}`

/** The disposition with all marks of its result: `Inconclusive (exploratory)`. */
export function dispositionName(result: AnyResult, of: AnyDisposition): string {
  const words = marks(result).map((mark) => mark.word.toLowerCase())
  const name = verdictName(result, of.disposition)
  return words.length === 0 ? name : `${name} (${words.join(', ')})`
}

/** Applies to every backtest, however large its differences are. */
const NO_ERROR_RATE = 'It is a backtest, chosen when outcomes could be known: no error rate holds.'

const DISPOSITION_MEANS = {
  eligible_for_human_review:
    'It is shown to be better than every required comparator and within the limits that were asked, and the improvement is estimated to reach the floor. A person decides what follows; nothing is promoted automatically.',
  eligible_waiting_given_away:
    'It is shown to be better than every required comparator and within the limits that were asked, and the improvement is estimated to reach the floor; but what waiting gives without any skill is part of the task, and was charged to nobody. A person decides what follows.',
  negative: 'It is shown to be worse than the registration allows.',
  inconclusive:
    'The data show neither the required improvement nor harm. This is no proof that the models are equal.',
  blocked: 'No conclusion may be drawn: a condition of the evaluation itself is not met.',
  lower: `Over this window its loss is lower than that of every required comparator, by the floor and within the limits that were asked. ${NO_ERROR_RATE}`,
  higher: `Over this window its overall loss is higher than that of a required comparator. ${NO_ERROR_RATE}`,
  neither: `Over this window its loss is neither lower, by all that was asked, nor higher. ${NO_ERROR_RATE}`,
  not_decided: 'The protocol’s own text decides; foreproof decides by the cosine test only.',
} as const satisfies Record<AnyDisposition['disposition'], string>

/** The verdict on a candidate, in one or two sentences. */
export function verdict({ disposition }: AnyDisposition): string {
  return DISPOSITION_MEANS[disposition]
}

/** The interval of a model's own mean, and how reliable it is. */
export function ownInterval(result: EvaluationResult): string {
  const nominal = nominalIn(result)
  return hasVerdict(result.settings)
    ? `${nominal} cosine-test interval (measured where hours remember: of a loss it covers 81 to 89 %, of coverage 93 %)`
    : `${nominal} bootstrap interval`
}

/** What a rejected verdict hypothesis shows about a candidate; undefined if it was not rejected. */
export function verdictSaid(result: AnyResult, candidate: string): string | undefined {
  // The sentence claims that something is shown, which a backtest cannot do.
  if (result.kind === 'backtest') return undefined
  const found = result.verdicts?.find((one) => one.candidate === candidate)
  if (found?.decision !== 'rejected' || found.p_adjusted === null) return undefined
  return `The verdict hypothesis is rejected (adjusted p ${adjustedP(found.p_adjusted)}): better than every required comparator, and within every limit, at once. So every overall loss is lower, also where its own bounds contain 0; this names no size.`
}

export const MEASURE_NAME = {
  point_loss: 'point loss',
  direction_error: 'direction error',
  interval_score: 'interval score',
  'pinball_0.1': 'pinball loss at 0.1',
  'pinball_0.5': 'pinball loss at 0.5',
  'pinball_0.9': 'pinball loss at 0.9',
  coverage: 'coverage (diagnostic)',
} as const satisfies Record<ResultMeasure, string>

type Versioned = Pick<AnyResult, 'result_version'>
export const HOURLY: Versioned = { result_version: 1 }

/** `4 h`; in a list of periods `step −1`. */
export function horizonName(of: Versioned, horizon: Horizon | 'all'): string {
  if (horizon === 'overall') return 'overall'
  if (horizon === 'all') return 'all horizons'
  return of.result_version === 1 ? `${horizon} h` : `step ${whole(horizon)}`
}

/** `24 hours`, `5 origins`. */
export const blockLength = (settings: AnyResult['settings']): string =>
  'block_origins' in settings
    ? counted(settings.block_origins, 'origin')
    : counted(settings.block_length_origins, 'hour')

/** The scope of a test: `4 h, session: night`, `overall`, `step 2, south`. */
export function placeName(result: AnyResult, test: AnyTest): string {
  const part = 'group' in test ? test.group : test.stratum
  const named = typeof part === 'string' ? part : stratumName(part)
  return `${horizonName(result, test.horizon)}${part === 'all' ? '' : `, ${named}`}`
}

/** What a test compares, in words: for any series the score that decides. */
export function measureName({ measure }: Pick<AnyTest, 'measure'>): string {
  const names: Readonly<Record<string, string>> = MEASURE_NAME
  // A score may have the name of a member of every object, such as `toString`.
  return (Object.hasOwn(names, measure) && names[measure]) || measure
}

export function stratumName(stratum: ResultStratum): string {
  return stratum === 'all' ? 'all origins' : `${stratum.name}: ${stratum.level}`
}

const BLOCKED_BECAUSE: Readonly<Record<string, string>> = {
  no_pairs: 'no pairs that count',
  too_few_pairs: 'too few pairs',
  too_few_blocks: 'too few effective blocks',
  too_few_days: 'too few days',
  window_shorter_than_block: 'the window is shorter than one block',
  empty_replicate: 'a replicate drew no pair',
  no_variance: 'differences that do not vary',
  no_scale: 'the comparator’s loss is 0',
  withheld: 'too many intervals withheld',
}

/** Shown for a comparator that calls up or down too seldom for a direction test. */
export const TOO_FEW = 'at no origin, or at too few for a test'

/** Why a test has no p-value: `too few pairs and too few effective blocks`. */
export function blockedBecause(reasons: readonly string[]): string {
  // Without any pair everything is too few, so only that is reported.
  const said = reasons.includes('no_pairs') ? ['no_pairs'] : reasons
  return listed(said.map((reason) => BLOCKED_BECAUSE[reason] ?? reason.replaceAll('_', ' ')))
}

const STATUS_REASON: Readonly<Record<string, string>> = {
  timestamp_invalid: 'a timestamp that cannot be read',
  target_mismatch: 'the target is not origin plus horizon',
  horizon_not_in_protocol: 'a horizon the protocol does not have',
  origin_off_grid: 'an origin off the hourly grid or outside the window',
  model_not_in_plan: 'a model that is not part of the evaluation',
  lookahead: 'knew later data than it may',
  provenance_missing: 'provenance is required and absent',
  not_matured: 'the target had not matured',
  generated_after_target: 'was made after its target',
  published_late: 'was made later than the registered lag allows, or does not say when',
  withdrawn:
    'withdrawn: the log holds a forecast that the history no longer has or has otherwise, or rows of one key differ',
  not_committed: 'no stamped checkpoint of the log holds it',
  committed_late: 'the first checkpoint that counts and holds it came after it was due',
  before_registration: 'its origin lies before the registration',
  forecast_missing: 'no forecast was recorded',
  outcome_missing: 'the target has no value that counts',
  recorded_abstention: 'the model abstained',
  recorded_failure: 'the attempt was recorded as failed',
  quantiles_incomplete: 'a level of the protocol is not there',
  quantiles_cross: 'quantiles that cross, or a point that is not the median',
  out_of_range:
    'a value below the least that a series can have (a price that is not positive), beyond 1e100, or without the transform of the score that decides',
  not_integer: 'a value that is not whole',
}

export function statusReason(reason: string): string {
  return STATUS_REASON[reason] ?? reason.replaceAll('_', ' ')
}

/** An adjusted p for running text. */
function adjustedP(p: number): string {
  return p >= 1 ? '1' : p < 0.001 ? 'below 0.001' : p.toFixed(3)
}

/**
 * The adjusted p of the first rung for the smallest p that the replicates allow; null if the method has no smallest p.
 */
export function leastAdjustedP(result: AnyResult): number | null {
  if (result.result_version === 2 || methodOf(result) !== 'percentile-bootstrap') return null
  return Math.min(1, result.family.size * smallestP(result.settings.replicates))
}

/** An adjusted p for running text, with a note if no smaller one is possible. */
export function adjustedPIn(result: AnyResult, p: number): string {
  const least = leastAdjustedP(result)
  // Product and quotient may differ by a few units in the last place.
  const none = least !== null && p <= least * (1 + 2 ** -40)
  return `${adjustedP(p)}${none ? ', the least attainable' : ''}`
}

/** What the comparisons of a candidate leave out; undefined if it left out nothing. */
export function leftOut(result: AnyResult, candidate: string): string | undefined {
  const cell = accountingIn(result, candidate, 'all')
  if (!cell || cell.point.scored === cell.expected) return undefined
  const missing = cell.expected - cell.point.scored
  const parts = Object.entries(cell.reasons).map(
    ([reason, count]) => `${whole(count)} ${reason.replaceAll('_', ' ')}`,
  )
  return `${whole(missing)} of its ${whole(cell.expected)} expected attempts, ${percent(missing / cell.expected, 2)}, were not scored (${listed(parts)}); no comparison says anything about these.`
}

/** The attempts that no share counts; undefined without verdict hypotheses. */
export function withoutOutcome({ accounting, settings }: EvaluationResult): string | undefined {
  if (!hasVerdict(settings)) return undefined
  const each = settings.horizons_hours.flatMap((horizon) => {
    const cell = accounting.find((one) => one.horizon === horizon && one.stratum === 'all')
    const count = cell?.without_outcome ?? 0
    return count === 0 ? [] : [`${whole(count)} at ${horizon} h`]
  })
  if (each.length === 0) return 'Every attempt has an outcome.'
  return `Attempts without an outcome, for want of a close at the target, are apart: of each model ${listed(each)}. What is expected, and every share of it, has only attempts with an outcome.`
}

/** The marks that a result must carry wherever it is shown; empty for a first, prospective, stamped scoring. */
export function marks(result: AnyResult): { readonly word: string; readonly means: string }[] {
  const found: { word: string; means: string }[] = []
  if (result.kind === 'backtest') {
    found.push({
      word: 'Backtest',
      means:
        'Its window was chosen when outcomes could be known: no error rate holds, whatever its p-values and intervals are. It has no verdict and makes no model eligible or negative.',
    })
  }
  if (result.exploratory) {
    found.push({
      word: 'Exploratory',
      means: `Outcomes had been read under this registration before (${counted(result.earlier_readings, 'earlier reading')}). This is not the confirmatory result.`,
    })
  }
  if (result.kind !== 'backtest' && selfDeclared(result)) {
    found.push({
      word: 'Self-declared time',
      means:
        'No time-stamp authority shows when this was registered. That it came before the outcomes is what the writer’s own clock said.',
    })
  }
  const commitment = result.time?.commitment
  if (commitment && commitment.witnessed === undefined) {
    found.push({ word: 'Unwitnessed log', means: UNWITNESSED })
  }
  const late = result.second_reading?.late ?? 0
  if (late > 0) {
    found.push({
      word: 'Late forecasts',
      means: `${counted(late, 'forecast')} came late into the log, or into no checkpoint that counts: left out in one reading and scored in a second one. Of each candidate the worse of the two counts; its figures are at the disposition, and all other tables and charts are of the first reading.`,
    })
  }
  const unexplained = commitment?.unexplained ?? 0
  if (unexplained > 0) {
    found.push({
      word: 'Unexplained log entries',
      means: `No row of the history explains ${counted(unexplained, 'entry', 'entries')} of the log. They were sealed before the window or too late for it, so that none is a forecast that counts here; but rows were taken out.`,
    })
  }
  return found
}
