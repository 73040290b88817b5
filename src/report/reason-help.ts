import type { BlockedReason } from '../inference/types.js'
import type { Reason } from '../pairing/types.js'
import type { AnyReason } from './view.js'

/** What a result may give as a reason for a disposition, for a blocked test or for an attempt that was not scored. */
export type ExplainedReason =
  | AnyReason['code']
  | BlockedReason
  | 'comparator_loss_unknown'
  | Exclude<Reason, 'scored'>

/** What to do about each, by the headings of docs/why-blocked.md: a test holds the page against it. */
const HELP: Readonly<Record<string, Readonly<Partial<Record<ExplainedReason, string>>>>> = {
  'Blocked: no conclusion may be drawn': {
    availability_limit_exceeded:
      'At some horizon or over all of them, or in a level of a stratum or a series, too many origins with an outcome have no scored forecast of yours: 2 % and 5 % where the plan names no others. Levels and series of fewer than 30 such origins a step are not asked, and of fifty series one may be beyond the limit. Look under Attempts of the report why. Have the forecasts there in time, in the window of a new registration.',
    comparator_availability_limit_exceeded:
      'A comparator that comes from the history left out too much. Register one that does not, or the built-in of that name.',
    failure_rate_above_comparator:
      'Early registrations only: the model failed more often than a comparator. Blocks there; with limits on availability it is only reported.',
    deciding_test_blocked: 'A test that decides could not be made; its `details` are below.',
    window_shortened:
      'It was scored with `--through`, up to an origin that was chosen when outcomes could be read. Score the whole window once it is settled.',
  },
  'Negative: there is harm': {
    significantly_worse:
      'The overall loss is significantly higher than that of a comparator. The model does not help; look for what it gets wrong on origins outside of the window.',
    regression_limit_exceeded:
      'At one horizon the loss is worse than the limit allows, even at the friendlier end of its bounds (5 % where the plan names no other). Improve that horizon.',
    direction_limit_exceeded:
      'The same for up and down: wrong more often by more than the limit (2 percentage points).',
  },
  'Inconclusive: neither is shown': {
    practical_floor_not_reached:
      'The loss is not lower by the floor of the protocol (3 % in `btcusd-hourly-3`). A longer window changes nothing if that is all the model can do.',
    verdict_not_established:
      'With a verdict hypothesis: not shown to be better against every comparator and within every limit at once. The sentence names the part with the largest p; the report lists all. Ask `power` how long a window has to be.',
    comparator_substituted:
      'With a verdict hypothesis: what the protocol requires by the name of a built-in rule was taken from the history, and may be anything. Register the built-in.',
    outcomes_missing:
      'Too many outcomes are missing for anything to be decided, whoever left them out: more than 2 % of all of the window, 10 % of those of a group of series, or 10 % of the values that are expected before the window; or, where losses are not scaled, half of those of one series. Find them. Where a series begins later than the list of periods, the protocol says so in its `from`; the next list leaves out what nobody publishes.',
    rules_too_lax:
      'A protocol of version 1 that allows more than any protocol should: a candidate may leave out more than 5 % of the origins, or 10 % of a level; be worse at a horizon by more than 20 %, or in direction by 5 points; or needs to be better by less than 1 %; or alpha is above 0.05; or the built-in `persistence` is not required. Nobody is eligible under it; who is worse is negative all the same. Freeze a stricter one, and register under that.',
    waiting_too_long:
      'Most of what persistence gets wrong is over when forecasts are due. Whoever waits so long needs no skill, and what is left is too little to judge by. Freeze a protocol with an earlier `due`, or with later steps.',
    only_nowcasts:
      'At every step more than one in twenty targets have begun when forecasts are due: of the day, the week or the hour that is asked about a part is known. Freeze a protocol with later steps beside these, or with an earlier `due`.',
    group_harm_not_excluded:
      'In a group of series the loss may be worse by more than the limit of harm: the upper end of a one-sided 90 % interval, or of more than five groups the estimate, with the worst in the place of missing outcomes. It keeps from eligible, and makes nobody negative. Improve that group, or register a longer window.',
  },
  'Not decided': {
    tested_by_bootstrap:
      'A protocol of version 1 whose `uncertainty.method` speaks of a bootstrap and of no cosine test. Its scores, tests, adjusted p and bounds are shown beside its limits; its own text decides, and foreproof gives no verdict: at 5 % such a bootstrap found something in 24 to 46 % of evaluations in which nothing was to be found. Register under a successor.',
  },
  'Said, and no fault': {
    improvement_established:
      'Against this comparator everything is shown. Where every required one says so and nothing else is against it, the model is *eligible for human review*: people may look at it now.',
    nowcast:
      'More than one in twenty targets of a step have begun when forecasts are due. It is shown, and decides nothing but its limit of harm; the verdict is on the other steps.',
    direction_not_comparable:
      'The comparator predicts up or down at no origin, as persistence does, or at fewer than 1.1 times the minimum of pairs: nothing can be lost to it.',
  },
  'Why a test is blocked': {
    no_pairs:
      'Candidate and comparator have not one origin in common: see why attempts are not scored. Often the name of the model differs, or nothing was committed in time.',
    too_few_pairs:
      "Fewer than the protocol's minimum: 500 at each horizon in `btcusd-hourly-3`. Register a longer window.",
    too_few_days: 'The pairs are of fewer than 16 days. Register a longer window.',
    too_few_blocks:
      "Fewer full days than the protocol's minimum (20), or than the 16 of the cosine test. Register a longer window.",
    window_shorter_than_block:
      'Percentile bootstrap only: the window is shorter than one block. Register a longer one.',
    empty_replicate:
      'Percentile bootstrap only: a draw held no pair, because the pairs are in few places. Register a longer window.',
    no_variance:
      'Candidate and comparator always differ by the same. Most likely one is a copy of the other: look at the forecasts.',
    withheld:
      'A test of intervals, with a verdict hypothesis: the candidate has no interval at more origins than the limits on silence allow.',
    no_scale:
      'The comparator loses nothing at all: limits are shares of its loss, and a share of nothing says nothing. Only in protocols of version 2.',
    comparator_loss_unknown:
      'The comparator has no loss to measure a share by: it has no scored forecast. See its attempts.',
  },
  'Why an attempt is not scored': {
    forecast_missing:
      'Nothing in the history. Import every hour; record a failure or an abstention where there is no forecast.',
    recorded_failure:
      'They count like a gap. Where they come too often, repair the run that makes them before the next window.',
    recorded_abstention:
      'They count like a gap. Where they come too often, repair the run that makes them before the next window.',
    published_late:
      '`generated_at` is later than the origin and the registered lag, or absent. Run earlier, or register a longer lag.',
    committed_late:
      'The first stamped checkpoint that holds it came too late. Run `history import` and `history seal --tsa` each hour.',
    not_committed:
      'No checkpoint that enough authorities stamped holds it. Let `history seal` run again with each `--tsa` until all have answered.',
    withdrawn:
      'The log holds a forecast that the history no longer has, or has with other values. Bring the row back from a copy of the history. (With a verdict registered, the score stops instead: `log-forecast-withdrawn`.)',
    lookahead:
      '`input_available_at` or `selection_data_through` is later than the origin. Use what was there at the origin.',
    provenance_missing:
      'The registration asks for provenance, and one of its four members is absent.',
    generated_after_target: 'Too late or too early for a prospective evaluation.',
    before_registration: 'Too late or too early for a prospective evaluation.',
    outcome_missing:
      'The vintage has no value of the target; of any series: none was in force when the outcome settled. It counts against no model.',
    quantiles_incomplete:
      'In protocols of version 2: the forecast lacks a level of the protocol, its quantiles cross or differ from its median, or a value is not whole.',
    quantiles_cross:
      'In protocols of version 2: the forecast lacks a level of the protocol, its quantiles cross or differ from its median, or a value is not whole.',
    out_of_range:
      'A value is below the minimum, beyond 1e100, or without the transform of the primary score (such as the logarithm of 0). In version 1: the price or its source price is not a finite number above zero.',
    not_integer:
      'In protocols of version 2: the forecast lacks a level of the protocol, its quantiles cross or differ from its median, or a value is not whole.',
    not_matured:
      'The target is after the as-of time. Wait, and take a vintage that reaches further.',
    target_mismatch: 'The row is no sound forecast: `foreproof history verify` names each.',
    timestamp_invalid: 'The row is no sound forecast: `foreproof history verify` names each.',
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
