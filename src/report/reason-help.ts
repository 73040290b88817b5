import type { ResultReason } from '../evaluation/result/result.js'
import type { BlockedReason } from '../inference/test-result.js'
import type { Reason } from '../pairing/paired-attempt.js'
import type { Verdict } from './view.js'

/** The verdicts, and the reasons of a result for one, for a blocked test or for an attempt that was not scored. */
export type ExplainedReason =
  | ResultReason['code']
  | Verdict['disposition']
  | BlockedReason
  | 'comparator_loss_unknown'
  | Exclude<Reason, 'scored'>

/** What each means and what to do about it, by the headings of docs/why-blocked.md; a test compares the page with this. */
const HELP: Readonly<Record<string, Readonly<Partial<Record<ExplainedReason, string>>>>> = {
  'The verdicts': {
    eligible_for_human_review:
      'Shown to be better than every required comparator, by the floor and within every limit. A person decides what follows; nothing is promoted automatically.',
    eligible_waiting_given_away:
      'The same, but the advantage of forecasting after values became public was not charged. The report says how much it may be worth.',
    negative: 'Shown to be worse than the registration allows. Its reasons say where.',
    inconclusive:
      'Neither the required improvement nor harm is shown. This is no proof that the models are equal. Read its reasons; ask `power` how long a window has to be, and register a new one.',
    blocked:
      'It cannot be judged: a condition of the evaluation itself is not met. Draw no conclusion from its figures. Read its first reason, and remove the cause before you register again.',
    lower:
      'Of a backtest: better than every required comparator over this window, by the floor and within every limit. The window was chosen when outcomes could be known, so no error rate holds.',
    higher:
      'Of a backtest: worse than a required comparator over this window. No error rate holds.',
    neither:
      'Of a backtest: not every requirement for *lower* was met, and it does not count as *higher*. No error rate holds. For a verdict, register a prospective evaluation.',
    not_decided:
      'A protocol of version 1 that names a bootstrap and no cosine test. Scores, tests and bounds are shown without a verdict: such a bootstrap, at a level of 5 %, found a difference in 24 to 46 % of evaluations that had none. Register under a successor.',
  },
  'Blocked: no conclusion may be drawn': {
    availability_limit_exceeded:
      'Too many origins with an outcome have no scored forecast of yours. Where the plan names no others, the limits are 2 % at a horizon and over all, and 5 % in a level of a stratum or in a series. A level or series has a limit only with 30 such origins a step, and one of fifty series may exceed it. Look under Attempts why. In a new registration, deliver the forecasts in time.',
    comparator_availability_limit_exceeded:
      'A comparator of the history left out too much. Register another, or the built-in of that name.',
    failure_rate_above_comparator:
      'The model failed more often than a comparator. This blocks nothing by itself: the limits on what is left out do.',
    deciding_test_blocked: 'A deciding test could not be made; its `details` are below.',
    window_shortened:
      'It was scored with `--through`, up to an origin chosen when outcomes could be read. Score the whole window once it is settled.',
  },
  'Negative: there is harm': {
    significantly_worse:
      "The overall loss is significantly higher than a comparator's. Look for what the model gets wrong on origins outside the window.",
    regression_limit_exceeded:
      'At one horizon the loss exceeds the limit (5 % where the plan names no other), even at the better end of its bounds. Improve that horizon.',
    direction_limit_exceeded:
      'The model is wrong about up and down more often than the comparator, by more than the limit (2 percentage points).',
  },
  'Inconclusive: neither is shown': {
    practical_floor_not_reached:
      "The loss is not lower by the protocol's floor (3 % in `btcusd-hourly-4`) and what waiting is worth. A longer window does not help if that is all the model can do.",
    verdict_not_established:
      'Not shown to be better against every comparator and within every limit at once. The sentence names the part with the largest p. Ask `power` how long a window has to be.',
    comparator_substituted:
      'A model of the history stands in for a required built-in, and could be anything. Register the built-in.',
    outcomes_missing:
      'Too many outcomes are missing: more than 2 % of the window, 10 % of a group of series, 10 % of the values expected before the window, or, where losses are not scaled, more than half of one series. Find them. If a series begins later than the list, say so in the protocol (`from`). Leave what nobody publishes out of the next list.',
    rules_too_lax:
      'A protocol of version 1 that allows too much: more than 5 % of the origins left out or 10 % of a level, 20 % worse at a horizon, 5 points in direction, a floor below 1 %, alpha above 0.05, or no built-in `persistence`. Nobody is eligible under it; who is worse is negative. Register under a stricter one.',
    waiting_too_long:
      "More than 60 % of persistence's error is over when forecasts are due, so waiting needs no skill. Freeze a protocol with an earlier `due`, or with later steps.",
    only_nowcasts:
      'At every step more than one in twenty targets have begun when forecasts are due. Freeze a protocol with later steps beside these, or with an earlier `due`.',
    group_harm_not_excluded:
      'One group of series may be harmed: its loss could be higher by more than the limit of harm. This is so where the upper end of a one-sided 90 % interval is above the limit; with more than five groups, where the estimate itself is. Missing outcomes count as the worst case. It makes nobody negative. Improve that group, or register a longer window.',
  },
  'For information': {
    improvement_established:
      'Everything is shown against this comparator. If that holds for every required one, and no other reason applies, the model is *eligible for human review*.',
    nowcast:
      'More than one in twenty targets of this step have begun when forecasts are due. Only its limit of harm counts; the other steps decide the verdict.',
    direction_not_comparable:
      'The comparator predicts up or down too rarely for a test: in fewer than 1.1 times the minimum number of pairs. Persistence never predicts either.',
  },
  'Why a test is blocked': {
    no_pairs:
      "Candidate and comparator share no origin: see why attempts are not scored. Often the model's name differs, or nothing was committed in time.",
    too_few_pairs:
      "Fewer than the protocol's minimum: 500 at each horizon in `btcusd-hourly-4`. Register a longer window.",
    too_few_days: 'The pairs are of fewer than 16 days. Register a longer window.',
    too_few_blocks:
      "Fewer full blocks than the protocol's minimum (20 in `btcusd-hourly-4`), or than the 16 of the cosine test (10 in version 2). Register a longer window.",
    window_shorter_than_block:
      'Bootstrap only: the window is shorter than one block. Register a longer one.',
    empty_replicate:
      'Bootstrap only: a draw held no pair, because pairs are in few places. Register a longer window.',
    no_variance:
      'Candidate and comparator always differ by the same amount. Most likely one is a copy of the other.',
    withheld:
      'A test of intervals: the candidate has no interval at more origins than the limits on silence allow, over all origins of the step or in the level.',
    no_scale: 'Version 2: the comparator loses nothing at all, and limits are shares of its loss.',
    comparator_loss_unknown:
      'The comparator has no scored forecast, so there is no loss to take a share of. See its attempts.',
  },
  'Why an attempt is not scored': {
    forecast_missing:
      'The history has nothing. Import every hour, and record a failure or an abstention where there is no forecast.',
    recorded_failure:
      'It counts like a gap. Where it happens often, repair the run before the next window.',
    recorded_abstention:
      'It counts like a gap. Where it happens often, repair the run before the next window.',
    published_late:
      '`generated_at` is absent, or later than the origin and the registered lag. Run earlier, or register a longer lag.',
    committed_late:
      'The first stamped checkpoint that holds it came too late. Run `history import` and `history seal --tsa` each hour.',
    not_committed:
      'No checkpoint that enough authorities stamped holds it. Run `history seal` again with each `--tsa` until all have answered.',
    withdrawn:
      'The log holds a forecast that the history lacks, or has with other values. Bring the row back from a copy of the history. (With a verdict registered the score stops instead: `log-forecast-withdrawn`.)',
    lookahead:
      '`input_available_at` or `selection_data_through` is later than the origin. Use what was there at the origin.',
    provenance_missing:
      'The registration asks for provenance, and one of its four members is absent.',
    generated_after_target: 'Too late or too early for a prospective evaluation.',
    before_registration: 'Too late or too early for a prospective evaluation.',
    outcome_missing:
      'The vintage has no value of the target; in version 2: none was in force when the outcome settled. It counts against no model.',
    quantiles_incomplete:
      'Version 2: a level of the protocol is missing, quantiles cross or differ from the median, or a value is not whole.',
    quantiles_cross:
      'Version 2: a level of the protocol is missing, quantiles cross or differ from the median, or a value is not whole.',
    out_of_range:
      'A value is below the minimum, beyond 1e100, or outside the transform of the primary score (such as the logarithm of 0). In version 1: a price is not a finite number above zero.',
    not_integer:
      'Version 2: a level of the protocol is missing, quantiles cross or differ from the median, or a value is not whole.',
    not_matured:
      'The target is after the as-of time. Wait, and take a vintage that reaches further.',
    target_mismatch: 'The row is not a sound forecast: `foreproof history verify` names each.',
    timestamp_invalid: 'The row is not a sound forecast: `foreproof history verify` names each.',
    horizon_not_in_protocol: 'A row beside the evaluation. It is listed and does not count.',
    origin_off_grid: 'A row beside the evaluation. It is listed and does not count.',
    model_not_in_plan: 'A row beside the evaluation. It is listed and does not count.',
  },
}

export interface ReasonExplanation {
  readonly code: ExplainedReason
  /** The heading in docs/why-blocked.md. */
  readonly subject: string
  readonly help: string
}

/** Every reason, in the order of the page. */
export const REASONS_EXPLAINED: readonly ReasonExplanation[] = Object.entries(HELP).flatMap(
  ([subject, rows]) =>
    Object.entries(rows).map(([code, help]) => ({ code: code as ExplainedReason, subject, help })),
)
