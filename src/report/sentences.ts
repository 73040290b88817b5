import { notAskedSaid } from '../evaluation/result/readings.js'
import type { Result, ResultTest, StepOrAll } from '../evaluation/result/result.js'
import { smallestP } from '../inference/holm.js'
import { BOOTSTRAP_SIZE } from '../inference/measured-size.js'
import { UNWITNESSED } from '../log/policy.js'
import { counted, formatWhole, listed, percent } from '../output/figures.js'
import { selfDeclared } from './time-line.js'
import {
  accountingIn,
  closestComparator,
  isDecided,
  isHourlyCloses,
  isHours,
  nominalIn,
  scopeLabel,
  stepsIn,
  type Verdict,
} from './view.js'

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
} as const satisfies Record<Verdict['disposition'], string>

/** The disposition and, for an eligible candidate, what was not required. */
export const verdictName = (result: Result, of: Verdict['disposition']): string =>
  `${DISPOSITION_NAME[of]}${of === 'not_decided' ? '' : notAskedSaid(result, of)}`

/** The disposition with all marks of its result: `Inconclusive (exploratory)`. */
export function dispositionName(result: Result, of: Pick<Verdict, 'disposition'>): string {
  const words = marks(result).map((mark) => mark.word.toLowerCase())
  const name = verdictName(result, of.disposition)
  return words.length === 0 ? name : `${name} (${words.join(', ')})`
}

/** What a disposition says of a candidate; its figure follows. */
const DISPOSITION_MEANS = {
  eligible_for_human_review:
    'is shown to beat every required comparator by the required margin and to stay within every limit',
  eligible_waiting_given_away:
    'is shown to beat every required comparator by the required margin and to stay within every limit, without being charged for waiting',
  negative: 'is shown to be worse than the registration allows',
  inconclusive: 'shows neither the required improvement nor harm',
  blocked: 'cannot be judged, because a condition of the evaluation itself is not met',
  lower:
    'was better than every required comparator over this window, by the floor and within every limit',
  higher: 'was worse than a required comparator over this window',
  neither:
    'did not meet every requirement for “lower” over this window, and does not count as “higher”',
  not_decided: 'is not judged, because its protocol decides by a bootstrap',
} as const satisfies Record<Verdict['disposition'], string>

/** What follows from a disposition, or does not. */
const FOLLOWS = {
  eligible_for_human_review: 'A person decides what follows; nothing is promoted automatically.',
  eligible_waiting_given_away: 'A person decides what follows; nothing is promoted automatically.',
  negative: undefined,
  inconclusive: 'This is no proof that the models are equal.',
  blocked: 'No conclusion may be drawn from its figures.',
  lower:
    'It is a backtest: its window was chosen when outcomes could be known, so no error rate holds.',
  higher:
    'It is a backtest: its window was chosen when outcomes could be known, so no error rate holds.',
  neither:
    'It is a backtest: its window was chosen when outcomes could be known, so no error rate holds.',
  not_decided: `At 5 % such a bootstrap found something in ${percent(BOOTSTRAP_SIZE.min, 0)} to ${percent(BOOTSTRAP_SIZE.max, 0)} of evaluations in which nothing was to be found.`,
} as const satisfies Record<Verdict['disposition'], string | undefined>

/** Of these a figure says nothing, or is no reason. */
const NO_REASON: readonly Verdict['disposition'][] = ['neither', 'not_decided']

/** The verdict on a candidate in a sentence with its figure and interval, and what follows from it. */
export function verdictSentence(result: Result, { candidate, disposition }: Verdict): string {
  const figure = overallSaid(result, candidate)
  const follows = FOLLOWS[disposition]
  // The warning comes before the figure that it is about.
  if (disposition === 'blocked' && figure !== undefined)
    return `${candidate} ${DISPOSITION_MEANS.blocked}. ${FOLLOWS.blocked.slice(0, -1)}: ${figure}.`
  const joined =
    figure === undefined ? '' : `${NO_REASON.includes(disposition) ? ';' : ':'} ${figure}`
  const sentence = `${candidate} ${DISPOSITION_MEANS[disposition]}${joined}.`
  return follows === undefined ? sentence : `${sentence} ${follows}`
}

/** The overall loss against the closest comparator; undefined without a figure. */
function overallSaid(result: Result, candidate: string): string | undefined {
  const closest = closestComparator(result, candidate)
  if (closest === undefined) return undefined
  const { comparator, observed, lower, upper, isOnly } = closest
  const strongest = isOnly ? '' : 'the closest comparator, '
  const interval =
    lower === null || upper === null
      ? ''
      : ` (${nominalIn(result)} interval: ${rangeSaid(lower, upper)})`
  return `its overall loss is ${changeSaid(observed)} than that of ${strongest}${comparator}${interval}`
}

/** `3.0 % lower`, for a difference as a share. */
export const changeSaid = (share: number): string =>
  share <= 0 ? `${percent(-share)} lower` : `${percent(share)} higher`

/** `2.0 to 5.1 % lower`, `3.0 % lower to 1.0 % higher`; no loss can fall by more than 100 %. */
function rangeSaid(lower: number, upper: number): string {
  if (lower < -1) return `${rangeSaid(-1, upper)}, cut at ${percent(1)}`
  if (lower > 0 || upper <= 0) {
    const [from, to] = [percent(Math.abs(lower)), percent(Math.abs(upper))]
    return upper <= 0 ? `${to} to ${from} lower` : `${from} to ${to} higher`
  }
  return `${changeSaid(lower)} to ${changeSaid(upper)}`
}

/** The interval of a model's own mean, and how reliable it is. */
export function ownInterval(result: Result): string {
  if (!isDecided(result)) return `${nominalIn(result)} bootstrap interval`
  const measured = isHourlyCloses(result)
    ? ' (where errors depend on each other for hours, an interval of a loss covers 81 to 89 %, one of a coverage 93 %)'
    : ''
  return `${nominalIn(result)} cosine-test interval${measured}`
}

/** Reasons beside which a rejected verdict hypothesis still shows something. */
const BESIDE_REJECTED: readonly string[] = [
  'practical_floor_not_reached',
  'group_harm_not_excluded',
]

/** What the rejected hypothesis of a verdict shows about a candidate; undefined if it was not rejected. */
export function verdictSaid(
  { kind, reading }: Result,
  { candidate, disposition, reasons }: Verdict,
): string | undefined {
  // The sentence claims that something is shown, which a backtest cannot do.
  if (kind === 'backtest') return undefined
  const isShown = ({ code, leads_to }: Verdict['reasons'][number]) =>
    disposition.startsWith('eligible') || leads_to !== disposition || BESIDE_REJECTED.includes(code)
  if (!reasons.every(isShown)) return undefined
  const verdict = reading.verdicts.find((one) => one.candidate === candidate)
  if (verdict?.decision !== 'rejected' || verdict.p_adjusted === null) return undefined
  return `The joint test of all comparisons and limits passed (adjusted p ${adjustedP(verdict.p_adjusted)}): the overall loss is lower than that of every required comparator, even if the interval against one of them contains 0. The test does not say how much lower.`
}

/** The unit of the origins, and of what they are counted in. */
export const unitIn = (result: Result) => (isHours(result) ? 'hours' : 'origins')

/** `4 h`, `step −1`, `overall`. */
export function stepName(result: Result, step: StepOrAll): string {
  if (step === 'overall') return 'overall'
  return isHours(result) ? `${step} h` : `step ${formatWhole(step)}`
}

/** `step 2`, `steps −1, 0 and 5`, `2 h and 4 h`; three or more steps in a row are `steps 13 to 37`. */
export function stepsSaid(steps: readonly number[], inHours = false): string {
  if (inHours) return listed(steps.map((step) => `${step} h`))
  const runs: [from: number, to: number][] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === step - 1) last[1] = step
    else runs.push([step, step])
  }
  const ranges = runs.flatMap(([from, to]) =>
    to - from < 2
      ? [...new Set([from, to])].map(formatWhole)
      : [`${formatWhole(from)} to ${formatWhole(to)}`],
  )
  return `${steps.length === 1 ? 'step' : 'steps'} ${listed(ranges)}`
}

/** `24 hours`, `5 origins`. */
export const blockLength = (result: Result): string =>
  counted(result.settings.rules.dependence.block_origins, isHours(result) ? 'hour' : 'origin')

/** The scope of a test: `4 h, session: night`, `overall`, `step 2, south`. */
export const placeName = (result: Result, { step, scope }: Pick<ResultTest, 'step' | 'scope'>) =>
  `${stepName(result, step)}${scope === 'all' ? '' : `, ${scopeLabel(result, scope)}`}`

const BLOCKED_BECAUSE: Readonly<Record<string, string>> = {
  no_pairs: 'no pairs',
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
export const TOO_FEW = 'too rarely for a test, or never'

/** Why a test has no p-value: `too few pairs and too few effective blocks`. */
export function blockedBecause(reasons: readonly string[]): string {
  // Without any pair everything is too few, so only that is reported.
  const deciding = reasons.includes('no_pairs') ? ['no_pairs'] : reasons
  return listed(deciding.map((reason) => BLOCKED_BECAUSE[reason] ?? reason.replaceAll('_', ' ')))
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
  committed_late: 'the first valid checkpoint that contains it came after its deadline',
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

/** How many tests were registered, and how many of them the registration itself rules out. */
export function familySaid({ settings, reading }: Result): string {
  const registered = settings.family.size
  const ruledOut = registered - reading.family.size
  const sentence = `${counted(registered, 'test was', 'tests were')} registered by name`
  if (ruledOut === 0) return sentence
  return `${sentence}; ${formatWhole(ruledOut)} of them ${ruledOut === 1 ? 'is' : 'are'} not made, because persistence predicts no direction`
}

/**
 * The adjusted p of the first rung for the smallest p that the replicates allow; null if the method has no smallest p.
 */
export function leastAdjustedP({ settings, reading }: Result): number | null {
  const { test } = settings.rules
  if (test.method === 'ewc-t') return null
  return Math.min(1, reading.family.size * smallestP(test.replicates))
}

/** An adjusted p for running text, with a note if no smaller one is possible. */
export function adjustedPIn(result: Result, p: number): string {
  const smallest = leastAdjustedP(result)
  // Product and quotient may differ by a few units in the last place.
  const none = smallest !== null && p <= smallest * (1 + 2 ** -40)
  return `${adjustedP(p)}${none ? ', the least attainable' : ''}`
}

/** What the comparisons of a candidate leave out; undefined if it left out nothing. */
export function leftOutSentence(result: Result, candidate: string): string | undefined {
  const cell = accountingIn(result, candidate, 'overall')
  if (!cell || cell.point.scored === cell.expected) return undefined
  const missing = cell.expected - cell.point.scored
  const parts = Object.entries(cell.reasons).map(
    ([reason, count]) => `${formatWhole(count)} ${reason.replaceAll('_', ' ')}`,
  )
  return `${formatWhole(missing)} of its ${formatWhole(cell.expected)} expected attempts (${percent(missing / cell.expected, 2)}) were not scored: ${listed(parts)}. No comparison says anything about these.`
}

/** The attempts that no share counts; undefined if nothing is decided, where they count as missing. */
export function withoutOutcome(result: Result): string | undefined {
  if (!isDecided(result)) return undefined
  const [model = ''] = result.reading.accounting.map((of) => of.model)
  const each = stepsIn(result).flatMap((step) => {
    const count = accountingIn(result, model, step)?.without_outcome ?? 0
    return count === 0 ? [] : [`${formatWhole(count)} at ${stepName(result, step)}`]
  })
  if (each.length === 0) return 'Every attempt has an outcome.'
  return `Attempts without an outcome are counted apart, of each model alike: ${listed(each)}. They count against no model, and no share includes them.`
}

/** The marks that a result must carry wherever it is shown; empty for a first, prospective, stamped scoring. */
export function marks(result: Result): { readonly word: string; readonly means: string }[] {
  const entries: { word: string; means: string }[] = []
  if (result.kind === 'backtest') {
    entries.push({
      word: 'Backtest',
      means:
        'Its window was chosen when outcomes could be known: no error rate holds, whatever its p-values and intervals are. It has no verdict and makes no model eligible or negative.',
    })
  }
  if (result.exploratory) {
    entries.push({
      word: 'Exploratory',
      means: `Outcomes had been read under this registration before (${counted(result.earlier_readings, 'earlier reading')}). This is not the confirmatory result.`,
    })
  }
  if (result.kind !== 'backtest' && selfDeclared(result)) {
    entries.push({
      word: 'Self-declared time',
      means:
        'No time-stamp authority shows when this was registered. That it came before the outcomes is what the writer’s own clock said.',
    })
  }
  const commitment = result.time?.commitment
  if (commitment && commitment.witnessed === undefined) {
    entries.push({ word: 'Unwitnessed log', means: UNWITNESSED })
  }
  const late = result.second_reading?.late ?? 0
  if (late > 0) {
    entries.push({
      word: 'Late forecasts',
      means: `${counted(late, 'forecast')} came late into the log, or into no checkpoint that counts: left out in one reading and scored in a second one. Of each candidate the worse of the two counts; its figures are at the disposition, and all other tables and charts are of the first reading.`,
    })
  }
  const unexplained = commitment?.unexplained ?? 0
  if (unexplained > 0) {
    entries.push({
      word: 'Unexplained log entries',
      means: `No row of the history explains ${counted(unexplained, 'entry', 'entries')} of the log. They were sealed before the window or too late for it, so that none is a forecast that counts here; but rows were taken out.`,
    })
  }
  return entries
}
